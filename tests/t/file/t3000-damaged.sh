#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='damaged files: what is readable is shown, what is not is told'
. "$(dirname "$0")/../../lib/tap.sh"

# put FILE OFFSET BYTES: overwrite in place; BYTES as printf takes them
# shellcheck disable=SC2059
put() { printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }

# word FILE OFFSET: the 64-bit number there
word() { od -An -t u8 -j "$2" -N 8 "$1" | tr -d ' '; }

samples() { perf script -F tid -i "$1" 2>err | grep -c .; }

test_expect_success PERF_EVENTS 'a recording, and where its data lies' '
	perf record -F 2000 -o whole.data perf test -w thloop 1 0.4 &&
	start=$(word whole.data 40) size=$(word whole.data 48) &&
	all=$(samples whole.data) && test "$all" -gt 50 &&
	! grep -q Warning err &&
	test_set_prereq RECORDED
'
test_expect_success RECORDED 'cut in the middle of the data' '
	head -c $((start + size * 3 / 4 + 3)) whole.data >cut.data &&
	n=$(samples cut.data) && test "$n" -gt 0 && test "$n" -lt "$all" &&
	grep -q "cut off at the end" err &&
	perf report --stdio -i cut.data >out 2>err &&
	grep -q "%" out && grep -q "cut off at the end" err
'
test_expect_success RECORDED 'cut behind the data: every sample is there' '
	head -c $((start + size)) whole.data >cut.data &&
	test "$(samples cut.data)" -eq "$all" &&
	grep -q "features that could not be read" err
'
test_expect_success RECORDED 'the recorder never finished' '
	head -c $((start + size - 5)) whole.data >killed.data &&
	put killed.data 48 "\0\0\0\0\0\0\0\0" &&
	n=$(samples killed.data) && test "$n" -ge $((all - 1)) &&
	grep -q "never finished" err
'
test_expect_success RECORDED 'a hole of zeros: what is behind it is found' '
	cp whole.data hole.data &&
	dd if=/dev/zero of=hole.data bs=1 count=400 seek=$((start + size / 16 * 8)) conv=notrunc &&
	n=$(samples hole.data) && test "$n" -ge $((all - 15)) &&
	grep -q "impossible size" err
'
test_expect_success RECORDED 'a pipe that breaks off' '
	perf record -F 2000 -o - perf test -w thloop 1 0.2 >pipe.data &&
	head -c $(($(stat -c %s pipe.data) - 100)) pipe.data | perf script -i - >out 2>err &&
	test -s out && grep -q "cut off at the end" err
'
test_expect_success 'no perf.data at all: one sentence, exit status of the reference' '
	printf "this is not it, and long enough to be read" >text.data && : >empty.data &&
	test_expect_code 255 perf report --stdio -i text.data 2>err &&
	grep -q "incompatible file format" err &&
	test_expect_code 255 perf report --stdio -i empty.data 2>err &&
	grep -q "zero-sized data (empty.data), nothing to do!" err &&
	test_expect_code 255 perf report --stdio -i absent.data 2>err &&
	grep -q "failed to open absent.data: No such file or directory" err
'
test_done
