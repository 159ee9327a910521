#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='recordings made while another tool asks for build-ids in mmap events'
. "$(dirname "$0")/../lib/tap.sh"
test_require ROOT,REFERENCE,PERF_EVENTS

test_lazy_prereq LONG_ID 'no C compiler that takes a build-id of any length' '
	echo "int main(void) { return 0; }" >l.c &&
	gcc -o l l.c -Wl,--build-id=0x$(printf "ab%.0s" $(seq 32))'

# record with the reference in the background, and with us beside it
both() {
	"$REF" record --buildid-mmap -a -o other.data sleep 2 2>other.err &
	other=$!
	sleep 0.7
	perf record -a -g -o ours.data sh -c "$1" 2>ours.err
	rc=$?
	wait $other
	return $rc
}

read_all() {
	for f in "$@"; do
		perf report --stdio -i "$f" >report.txt 2>report.err &&
		test -s report.txt &&
		perf script -i "$f" >script.txt 2>script.err &&
		test -s script.txt || { cat report.err script.err; return 1; }
	done
}

test_expect_success 'ordinary build-ids' '
	both "for i in 1 2 3 4 5; do ls / >/dev/null; perf test -w noploop 0.05; done" &&
	read_all ours.data other.data &&
	test_grep noploop script.txt
'

test_expect_success LONG_ID 'build-ids longer than the record has room for' '
	cp "$TRASH/l" . &&
	both "for i in 1 2 3 4 5 6 7 8 9; do ./l; done; perf test -w noploop 0.1" &&
	read_all ours.data other.data
'
test_done
