#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 5 of 8
test_description='perf record -z: compressed recordings, read by us and by the reference'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

if ! perf check -q feature zstd; then
	test_expect_success 'without libzstd -z says what is missing' '
		test_expect_code 129 perf record -z -o x.data true 2>err && test_grep "libzstd" err &&
		test ! -e x.data
	'
	test_done
fi

# same FILE: the reference and we print the same of it. 3: the reference stopped at a BPF program that came or went, as
# those of other tests do, which it does now and then, compressed or not.
same() {
	"$REF" script -F comm,pid,tid,time,event,ip -i "$1" >ref.txt 2>ref.err || {
		cat ref.err
		grep -q "failed to process type: 17$" ref.err && return 3
		return 1
	}
	test_grep ! -i -E "fail|corrupt|couldn.t" ref.err &&
	perf script -F comm,pid,tid,time,event,ip -i "$1" >our.txt && test -s our.txt && test_cmp ref.txt our.txt
}

# recorded_same FILE OPTION... -- COMMAND...: record until the reference can read what was recorded, and compare.
recorded_same() {
	local file=$1 rc
	shift
	for _ in 1 2 3 4 5; do
		perf record -o "$file" "$@" 2>err && same "$file"; rc=$?
		test $rc -eq 3 || break
	done
	return $rc
}

test_expect_success 'the closing line and the header' '
	perf record -z -o z.data perf test -w noploop 0.3 2>err &&
	test_grep "Captured and wrote [0-9.]* MB z.data, compressed (original [0-9.]* MB, ratio is [0-9.]*) ]" err &&
	perf report --header-only -I -i z.data >out &&
	test_grep "^# compressed : Zstd, level = 1, ratio = [1-9]" out &&
	test_grep "^# time of last sample : [1-9]" out &&
	perf script -i z.data >out && test_grep noploop out
'
test_expect_success 'it is smaller' '
	perf record -e task-clock -c 400000 -g -o plain.data perf test -w noploop 0.4 2>/dev/null &&
	perf record -e task-clock -c 400000 -g -z -o z.data perf test -w noploop 0.4 2>/dev/null &&
	plain=$(perf script -i plain.data | wc -l) && z=$(perf script -i z.data | wc -l) &&
	echo "$plain lines, $(stat -c %s plain.data) bytes; $z lines, $(stat -c %s z.data) bytes" &&
	test "$z" -gt 500 && test $(($(stat -c %s z.data) * 2)) -lt "$(stat -c %s plain.data)"
'
for level in 1 3 22; do
	test_expect_success REFERENCE "level $level" '
		recorded_same z.data -z$level -a -g -- perf test -w noploop 0.2 &&
		"$REF" report --header-only -i z.data >out && test_grep "Zstd, level = $level," out
	'
done
test_expect_success REFERENCE,TRACEFS 'tracepoints, several events, small rings' '
	recorded_same z.data -z -m 4 -e "sched:sched_switch,sched:sched_wakeup,cpu-clock" -a -- perf test -w thloop 2 0.3
'
test_expect_success REFERENCE 'stacks, which compress badly' '
	perf record -z --call-graph dwarf -e cpu-clock -o z.data perf test -w noploop 0.2 2>err &&
	"$REF" report --stats -i z.data >ref.txt 2>ref.err && test_grep ! -i "couldn.t" ref.err &&
	perf report --stats -i z.data >our.txt && test_cmp ref.txt our.txt
'
test_expect_success REFERENCE 'a stream' '
	perf record -z -a -o - perf test -w noploop 0.2 2>err >p.data &&
	"$REF" script -i - <p.data >ref.txt 2>ref.err && perf script -i - <p.data >our.txt &&
	test_line_count -gt 100 ref.txt && no_plt && test_cmp ref.txt our.txt &&
	"$REF" report --header-only -I -i - <p.data >out 2>&1 && test_grep "compressed : Zstd" out
'
test_expect_success 'build-ids are there all the same' '
	perf record -z -o z.data perf test -w noploop 0.2 2>err &&
	perf buildid-list -i z.data >z.ids && test_grep "kernel.kallsyms" z.ids && test_grep "/perf$" z.ids
'
test_lazy_prereq SMALLFS 'cannot mount a small file system' '
	test "$(id -u)" -eq 0 && mkdir -p mnt && mount -t tmpfs -o size=64k none mnt && umount mnt'
test_expect_success SMALLFS 'a full disk: an error, and a file that can be read' '
	mkdir -p mnt && mount -t tmpfs -o size=100k none mnt &&
	{ perf record -z -g -F 20000 -o mnt/a.data perf test -w thloop 2 20 2>err; rc=$?
	  perf script -F time -i mnt/a.data >out 2>err2; rc2=$?
	  umount mnt; }
	test $rc -eq 255 && test_grep "No space left on device" err &&
	test_grep "Captured and wrote" err && test $rc2 -eq 0 && test_line_count -gt 100 out
'
test_expect_success 'a reader of the stream that goes away' '
	perf record -z -a -e cpu-clock -o - perf test -w noploop 1 2>err | head -c 10 >/dev/null
	rc=${PIPESTATUS[0]}
	test "$rc" -eq 255 && test_grep -i "broken pipe" err
'
test_expect_success 'levels out of range, and none' '
	perf record -z99 -o z.data true 2>err && perf report --header-only -i z.data >out &&
	test_grep "level = 22," out &&
	perf record -z --no-compression-level -o z.data true 2>err && test_grep ! compressed err &&
	test_expect_code 129 perf record -zfoo -o z.data true 2>err && test_grep "compression level .foo." err
'
test_done
