#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# Not beside others: only here, as the reference dies of what other recordings become meanwhile.
test_description='recordings made while another tool asks for build-ids in mmap events'
. "$(dirname "$0")/../../lib/tap.sh"
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
# The kernel gives our records the bit of build-ids then, and the inode.
test_expect_success 'symbols and build-ids are found all the same' '
	perf record --buildid-mmap -a -e dummy -o other.data sh -c ": >go; exec sleep 60" 2>other.err & other=$!
	wait_for test -e go && perf record -e cpu-clock -o ours.data perf test -w noploop 0.2 2>ours.err; rc=$?
	perf record -q -z -e cpu-clock -o z.data true && perf record -q --overwrite -e cpu-clock -o w.data true &&
		perf record -q --threads -e cpu-clock -o threads.data true &&
		perf record -q -e cpu-clock -o - true >pipe.data && perf record -q -z -e cpu-clock -o - true >zpipe.data || rc=1
	kill $other; wait $other
	test $rc -eq 0 && perf report --stdio -s sym -i ours.data >out && test_grep "\[.\] noploop" out &&
	perf script -i ours.data --show-mmap-events >out && test_grep "MMAP2 .* [0-9a-f]*:[0-9a-f]* [1-9][0-9]* [0-9]*\]: .*/perf$" out &&
	for f in ours z w threads pipe zpipe; do
		"$REF" script --show-mmap-events -i $f.data >ref.out 2>ref.err && test_grep MMAP2 ref.out || { echo $f; cat ref.err; return 1; }
	done &&
	id=$(perf buildid-list -i "$PERF") && perf buildid-list -i ours.data >out && test_grep "^$id .*/perf$" out
'
test_expect_success '--buildid-mmap: in all maps of files, and nowhere else' '
	perf record -e task-clock --buildid-mmap -o a.data true 2>err &&
	perf script -i a.data --show-mmap-events >out 2>/dev/null &&
	test_grep "PERF_RECORD_MMAP2 .*<[0-9a-f]\{40\}>.*/true" out &&
	perf report --header-only -i a.data >hdr && test_grep "missing features:.* BUILD_ID " hdr
'
test_expect_success '-D of such recordings is what the reference prints' '
	perf record -q -e cpu-clock --buildid-mmap -o b.data perf test -w noploop 0.1 &&
	for c in script report; do
		"$REF" $c -D -i b.data 2>/dev/null </dev/null | sed -E "s,/tmp/perf-vdso\.so-[^ )]+,[vdso]," >ref.txt
		perf $c -D -i b.data >our.txt 2>err </dev/null && cmp ref.txt our.txt || return 1
	done
'
test_done
