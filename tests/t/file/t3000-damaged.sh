#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 2 of 4
test_description='damaged files: what is readable is shown, what is not is told'
. "$(dirname "$0")/../../lib/tap.sh"

# put FILE OFFSET BYTES: overwrite in place; BYTES as printf takes them
# shellcheck disable=SC2059
put() { printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }

# word FILE OFFSET: the 64-bit number there
word() { od -An -t u8 -j "$2" -N 8 "$1" | tr -d ' '; }

samples() { perf script -f -F tid -i "$1" 2>err | grep -c .; }

# status N FILE: the exit status of all that read records, and 0 with -f
reading=("script" "report --stdio" "report -D" "report --stats" "buildid-list -H" "inject -o x.data" "data convert --to-json=x.json" "script --ndjson"
	"report --folded=x.txt" "diff whole.data")
status() {
	for c in "${reading[@]}"; do
		rm -f x.json
		case $c in diff*) set -- "$1" "$2" "" ;; *) set -- "$1" "$2" -i ;; esac
		test_expect_code "$1" perf $c $3 "$2" >out 2>err && perf $c -f $3 "$2" >out 2>err || { echo "perf $c"; return 1; }
	done
}

test_expect_success PERF_EVENTS 'a recording, and where its data lies' '
	perf record -F 2000 -o whole.data perf test -w thloop 1 0.4 &&
	start=$(word whole.data 40) size=$(word whole.data 48) &&
	all=$(samples whole.data) && test "$all" -gt 50 &&
	! grep -q Warning err &&
	test_set_prereq RECORDED
'
test_expect_success RECORDED 'cut in the middle of the data' '
	head -c $((start + size * 3 / 4 / 8 * 8 + 20)) whole.data >cut.data &&
	n=$(samples cut.data) && test "$n" -gt 0 && test "$n" -lt "$all" &&
	grep -q "cut off at the end" err &&
	test_expect_code 255 perf report --stdio -i cut.data >out 2>err &&
	grep -q "%" out && test_grep -E "^(SAMPLE .9. at offset 0x[0-9a-f]*:|1 records) cut off at the end of the file" err && status 255 cut.data
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
	grep -q "never finished" err &&
	head -c $((start + size)) whole.data >killed.data && put killed.data 48 "\0\0\0\0\0\0\0\0" &&
	test "$(samples killed.data)" -eq "$all" && grep -q "never finished" err && status 0 killed.data
'
test_expect_success RECORDED 'a hole of zeros: what is behind it is found' '
	cp whole.data hole.data &&
	dd if=/dev/zero of=hole.data bs=1 count=400 seek=$((start + size / 16 * 8)) conv=notrunc &&
	n=$(samples hole.data) && test "$n" -ge $((all - 15)) &&
	grep -q "impossible size" err && status 255 hole.data
'
# damage FILE TYPE NR: the last 8 bytes of the contents of the first NR records of TYPE, and their sizes
cat >damage.py <<\EOF
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
want, left = int(sys.argv[2]), int(sys.argv[3])
at, size = struct.unpack_from("<QQ", data, 40)
end = at + size
while at < end and left:
	kind, _, size = struct.unpack_from("<IHH", data, at)
	if kind == want:
		data[at + 72:at + size] = b"/" * (size - 72)
		print("%#x" % at)
		left -= 1
	at += size
open(sys.argv[1], "wb").write(data)
EOF
test_expect_success RECORDED,PYTHON 'bad records: name, number and offset of the first three, the others counted' '
	cp whole.data bad.data && python3 damage.py bad.data 10 2 >at && test_expect_code 255 perf script -i bad.data >out 2>err &&
	sed "s/.*/MMAP2 (10) at offset &: could not be decoded/; 1i Warning:" at | test_cmp - err && test -s out &&
	cp whole.data bad.data && python3 damage.py bad.data 10 5 >at && test_expect_code 255 perf report --stdio -i bad.data >out 2>err &&
	test "$(grep -c "^MMAP2 (10) at offset" err)" -eq 3 && test_grep "^5 records that could not be decoded (first at offset $(head -1 at))" err &&
	perf report -f --stdio -i bad.data >out 2>err && test_grep "^5 records" err
'
test_expect_success RECORDED 'a pipe that breaks off' '
	perf record -F 2000 -o - perf test -w thloop 1 0.2 >pipe.data &&
	head -c $(($(stat -c %s pipe.data) - 100)) pipe.data >short.data && test_expect_code 255 perf script -i - <short.data >out 2>err &&
	test -s out && grep -q "cut off at the end" err && perf script -f -i - <short.data >out 2>err
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
