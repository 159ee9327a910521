#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 1 of 4
test_description='stat record and report: counts in a file'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

test_lazy_prereq REFERENCE 'no other perf' 'test -x /usr/bin/perf && /usr/bin/perf stat -n true'

# what the rows say, without the line that names the command
rows() {
	grep -v "counter stats for\|seconds user\|seconds sys" "$1" | grep -v '^$'
}

test_expect_success 'a file says what was printed' '
	perf stat record -e "{task-clock,cs},minor-faults,duration_time" -o f.data \
		perf test -w noploop 0.01 2>live &&
	perf stat report -i f.data 2>later &&
	rows live >a && rows later >b && diff a b && grep minor-faults b
'

test_expect_success 'intervals, too' '
	perf stat record -I 20 -e task-clock,cs -o i.data sleep 0.5 2>live &&
	perf stat report -i i.data 2>later && diff live later && test "$(grep -c cs later)" -ge 3
'

test_expect_success 'CPUs are put together as is asked for' '
	perf stat record -a -e cpu-clock -o a.data true 2>/dev/null &&
	perf stat report -A -i a.data 2>cpus && grep "^CPU0 .*cpu-clock" cpus &&
	perf stat report --per-core -i a.data 2>cores && grep "^S[0-9-]*-D[0-9]*-C[0-9]* .*cpu-clock" cores &&
	perf stat report -x, --per-socket -i a.data 2>csv && grep "^S[0-9-]*,[0-9]*,[0-9.]*,msec,cpu-clock" csv
'

test_expect_success 'threads have their names' '
	sleep 100 & pid=$!; wait_comm $pid sleep;
	perf stat record --per-thread -p $pid -e dummy,cs -o t.data sleep 0.1 2>live && perf stat report -i t.data 2>later; rc=$?
	kill $pid
	rows live >a && rows later >b && test_cmp a b && test_grep "^  *sleep-$pid  *<not counted>  *cs" b && test $rc = 0 &&
	{ ! test_have_prereq REFERENCE || { /usr/bin/perf stat report -i t.data 2>&1 | grep -v "counter stats for" >theirs &&
		grep -v "counter stats for" later >ours && test_cmp theirs ours; }; }
'

test_expect_success 'a stream' '
	perf stat record -e cs -o - true 2>live | perf stat report -i - 2>later &&
	rows live >a && rows later >b && diff a b && grep "stats for .pipe.:" later
'

test_expect_success REFERENCE 'both perfs read the file of each' '
	/usr/bin/perf stat record -a -e cpu-clock,cs -o r.data true 2>/dev/null &&
	for f in f.data a.data r.data; do
		for how in "" --per-core -A; do
			perf stat report $how -i $f 2>&1 | grep -v duration_time >ours &&
			/usr/bin/perf stat report $how -i $f 2>&1 | grep -v duration_time >theirs &&
			diff theirs ours || return 1
		done
	done
'

# later IN OUT VERSION MODE LEVEL: a stream as a later version would have made it
cat >later.py <<\END
import struct, sys
data = open(sys.argv[1], "rb").read()
version, mode, level = sys.argv[3].encode(), int(sys.argv[4]), int(sys.argv[5])
out, at = data[:16], 16
while at < len(data):
    kind, misc, size = struct.unpack_from("=IHH", data, at)
    record = data[at:at + size]
    at += size
    if kind == 80 and struct.unpack_from("=Q", record, 8)[0] == 5:
        text = version.ljust(64, b"\0")
        record = struct.pack("=IHHQI", kind, misc, 20 + len(text), 5, len(text)) + text
    if kind == 75:
        terms = [0, mode, 1, 0, 2, 1, 3, level]
        record = struct.pack("=IHHQ8Q", kind, misc, 80, 4, *terms)
    out += record
open(sys.argv[2], "wb").write(out)
END
test_lazy_prereq CACHES 'no caches told of' 'test -e /sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list'

test_expect_success PYTHON,CACHES 'what counts are told apart by has had other numbers since 6.5 and 6.9' '
	perf stat record -a -e cpu-clock -o - true 2>/dev/null >s.data &&
	while read -r version mode level want; do
		python3 later.py s.data l.data "$version" "$mode" "$level" && perf stat report -x, -i - <l.data >out 2>&1 &&
		test_grep "^$want" out || return 1
	done <<-\END
		6.5.3 4 1 S[0-9]*-D[0-9]*-L1-ID[0-9]*,
		6.8.12 5 0 S[0-9]*-D[0-9]*-C[0-9]*,
		6.8.12 8 0 N[0-9]*,
		6.9.1 5 1 S[0-9]*-D[0-9]*-L1-ID[0-9]*,
		6.12.1 6 0 S[0-9]*-D[0-9]*-C[0-9]*,
		7.1 9 0 N[0-9]*,
		7.1 2 0 S[0-9]*,
		7.1 0 0 CPU0,
	END
'

test_expect_success 'what cannot be: -r, no such command, a file without counts, a damaged one' '
	test_expect_code 255 perf stat record -r 3 true 2>err && grep "Cannot use -r" err &&
	test_expect_code 255 perf stat record -e cs -o no.data ./no-such 2>err && ! test -e no.data &&
	perf record -q -o p.data true && test_expect_code 255 perf stat report -i p.data 2>err &&
	grep "has no counts" err &&
	size=$(wc -c <a.data) && head -c $((size / 3)) a.data >cut.data &&
	{ perf stat report -i cut.data >out 2>&1; test $? -lt 128 -o $? = 255; }
'

test_expect_success 'no byte of a file that is another one does more than harm what is shown' '
	size=$(wc -c <i.data) &&
	for at in $(seq 104 61 $size); do
		cp i.data bad.data &&
		printf "\377\177\377" | dd of=bad.data bs=1 seek=$at conv=notrunc 2>/dev/null &&
		{ timeout 60 perf stat report -i bad.data >out 2>&1; rc=$?; } &&
		case $rc in 0|255) ;; *) echo "byte $at: status $rc"; return 1 ;; esac || return 1
	done
'

test_done
