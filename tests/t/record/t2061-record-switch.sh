#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# turn 3 of 4
test_description='perf record: output switching, limits, names of output files'
# beside others
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS,TRACEFS

# A tracepoint that comes once for each byte. Rings that all of them fit into lose none; and they are so many that a
# recorder that is late at times still finds that a file is full in the midst of them.
TP=syscalls:sys_enter_write
BYTES=60000

# samples FILE...: their number, by us
samples() {
	local f n=0

	for f; do
		n=$((n + $(perf script -F time -i "$f" 2>/dev/null | wc -l)))
	done
	echo $n
}

# settled: what is recorded has been written: the files (3 MB at least) do not grow any more; for two
# minutes at most
settled() {
	local was is=0

	for _ in $(seq 120); do
		was=$is && sleep 1 && is=$(cat s.data.* | wc -c) && test $is -ge 3000000 && test $is -eq $was && return
	done
}

# dd has to be there when a file begins, or nobody can say any more what it had mapped.
test_expect_success 'by size: every event is in one of the files' '
	{ head -c $BYTES /dev/zero && settled; } 2>/dev/null |
	perf record --switch-output=1200K --no-buffering -m 2048 -e $TP --filter "fd == 1" -o s.data \
		dd of=/dev/null bs=1 2>err &&
	test ! -e s.data && set -- s.data.* && test $# -ge 3 &&
	test "$(grep -c "dump data: Woken up [0-9]* times \]$" err)" -eq $(($# - 1)) &&
	test "$(grep -c "Dump s.data.20[0-9]*[0-9] \]$" err)" -eq $# &&
	test_grep "Captured and wrote [0-9.]* MB s.data.<timestamp>" err &&
	for f; do case $f in s.data.20[0-9][0-9]??????????[0-9][0-9]*) ;; *) return 1 ;; esac; done &&
	echo "$(samples "$@") samples in $# files" && test "$(samples "$@")" -eq $BYTES
'
test_expect_success 'they follow one another in time' '
	for f in s.data.*; do perf script -F time -i "$f"; done >times && sort -n -c times
'
test_expect_success 'each knows the process, and the last one how it ends' '
	for f in s.data.*; do
		perf script -F comm,pid -i "$f" | sort -u >comms && test_line_count -eq 1 comms && test_grep "^ *dd " comms &&
		perf script --show-mmap-events -i "$f" | grep -q "MMAP2.*libc" || return 1
	done
'
test_expect_success REFERENCE 'the reference reads them' '
	n=0 &&
	for f in s.data.*; do
		"$REF" script -F time -i "$f" >out 2>ref.err && test_grep ! -i -E "fail|corrupt|couldn.t" ref.err &&
		n=$((n + $(wc -l <out))) || return 1
	done && test $n -eq $BYTES
'
test_expect_success 'without -B the build-ids are left out, --no-no-buildid has them' '
	perf report --header-only -i "$(ls s.data.* | head -1)" | test_must_fail grep -q "build_id\|# build" &&
	perf buildid-list -i "$(ls s.data.* | head -1)" >none && rm -f s.data.* &&
	perf record --switch-output --no-no-buildid -e cpu-clock -o b.data perf test -w noploop 0.1 2>err &&
	perf buildid-list -i b.data.* >ids && test_grep "/perf$" ids && test_grep ! "/dd$" none
'

test_expect_success 'the newest files are kept, vanished ones do no harm' '
	perf record --switch-output=200K --switch-max-files=2 --no-buffering -m 2048 -e $TP -o k.data \
		sh -c "dd if=/dev/zero of=/dev/null bs=1 count=25000; rm -f k.data.*; dd if=/dev/zero of=/dev/null bs=1 count=25000" 2>err &&
	ls k.data.* >out && test_line_count -le 2 out && test "$(grep -c " Dump " err)" -gt 3 &&
	test "$(grep " Dump " err | tail -1 | sed "s/.*Dump \(.*\) ]/\1/")" = "$(tail -1 out)" &&
	test_grep ! -i "failed" err && samples "$(tail -1 out)" >/dev/null
'

# record_and OPTIONS... -- runs perf in the background; $pid, and $out gets its messages
in_background() {
	perf record "$@" 2>err &
	pid=$!
}
# until_grep PATTERN FILE: waits for it
until_grep() { wait_for grep "$1" "$2" || { cat "$2"; return 1; }; }

test_expect_success 'by signal, by time, by event' '
	in_background --switch-output -e dummy -o g.data sleep 30 &&
	wait_for test -s g.data &&
	kill -USR2 $pid && until_grep "Dump g.data" err && kill -USR2 $pid &&
	wait_for sh -c "test \$(grep -c Dump err) -ge 2" &&
	kill -INT $pid && { wait $pid || :; } && test "$(grep -c "Dump g.data" err)" -eq 3 && test "$(ls g.data.* | wc -l)" -eq 3
'
test_expect_success 'by an event' '
	perf record --switch-output-event syscalls:sys_enter_sync -e dummy -o e.data sync 2>err &&
	test "$(grep -c "Dump e.data" err)" -eq 2 && test "$(ls e.data.* | wc -l)" -eq 2
'
test_expect_success 'without switching SIGUSR2 does nothing' '
	in_background -e dummy -o u.data sleep 30 &&
	wait_for test -s u.data &&
	kill -USR2 $pid && sleep 0.1 && kill -INT $pid && { wait $pid || test $? -eq 143; } && test_grep "Captured" err
'
test_expect_success 'children of the workload are known in the next file' '
	perf record --switch-output=60K --no-buffering -e $TP -o c.data sh -c "(dd if=/dev/zero of=/dev/null bs=1 count=20000)& wait" 2>err &&
	mid=$(ls c.data.* | sed -n 3p) && perf script --show-mmap-events --show-task-events -i "$mid" >out &&
	test "$(grep -c "Dump" err)" -gt 2 && test_grep "^ *dd " out && test_grep ! "^ *:[0-9].*write:" out
'
test_expect_success 'compressed' '
	perf record -z --switch-output=100K --no-buffering -m 2048 -e $TP --filter "fd == 1" -o z.data \
		dd if=/dev/zero of=/dev/null bs=1 count=$BYTES 2>err &&
	set -- z.data.* && test $# -ge 2 && test "$(samples "$@")" -eq $BYTES
'

test_expect_success '--max-size ends at whole records' '
	test_expect_code 143 perf record --max-size=100K -m 64 -e $TP -o m.data dd if=/dev/zero of=/dev/null bs=1 count=2000000 2>err &&
	test_grep "perf size limit reached ([0-9]* KB), stopping session ]" err &&
	test "$(stat -c %s m.data)" -gt 100000 && test "$(stat -c %s m.data)" -lt 2000000 &&
	perf report --stats -i m.data >out 2>err2 && test_grep ! -i "damaged\|truncated\|corrupt" err2 && test_grep "SAMPLE" out
'
test_expect_success '--timestamp-boundary, without anything else being looked for' '
	perf record -B --timestamp-boundary -e cpu-clock -o tb.data perf test -w noploop 0.1 2>err &&
	perf report --header-only -I -i tb.data >out && test_grep "^# time of first sample : [1-9]" out && test_grep "^# time of last sample : [1-9]" out
'
test_expect_success '--timestamp-filename alone' '
	perf record --timestamp-filename -e dummy -o t.data true 2>err && test ! -e t.data &&
	test_grep "Dump t.data.20" err && perf report --stats -i t.data.* >out
'

test_expect_success 'hundreds of switches leave no descriptors behind' '
	( ulimit -n 48 && perf record --switch-output=1B --no-buffering --switch-max-files=2 -e $TP -o h.data \
		dd if=/dev/zero of=/dev/null bs=1 count=10000 2>err ) &&
	echo "$(grep -c " Dump " err) switches" && test "$(grep -c " Dump " err)" -gt 15 && set -- h.data.* && test $# -eq 2
'
test_lazy_prereq OWN_MOUNTS 'no mount namespaces' 'unshare -m mount -t tmpfs none /mnt'
test_expect_success OWN_MOUNTS 'a disk that is full at a switch: what was written before can be read' '
	mkdir -p m f && rc=0 && { unshare -m sh -c "mount -t tmpfs -o size=300k none m &&
		{ \"$PERF\" record --no-buffering --switch-output=60K -e $TP -o m/f.data dd if=/dev/zero of=/dev/null bs=1 count=200000; rc=\$?; cp m/* f; exit \$rc; }" 2>err || rc=$?; } &&
	test $rc -eq 255 && test_grep "No space left on device" err && set -- f/f.data* && test $# -ge 2 &&
	for f; do perf report --stats -i "$f" 2>err2 >out && test_grep ! -i "damaged\|truncated\|corrupt" err2 || return 1; done
'
test_expect_success 'a folder that vanishes: told, not waited for' '
	mkdir gone && test_expect_code 255 perf record --switch-output-event syscalls:sys_enter_sync -e dummy -o gone/g.data \
		sh -c "rm -r gone; sync; sleep 30" 2>err && test_grep "gone/g.data was removed while it was being recorded" err
'
test_expect_success 'killed at any time: all files can be read' '
	for ms in 05 13 21; do
		rm -f y.data* && in_background --switch-output=10K --no-buffering -e $TP -o y.data \
			dd if=/dev/zero of=/dev/null bs=1 count=100000 && wait_for test -s y.data && sleep 0.$ms && kill -KILL $pid && { wait $pid || :; } 2>/dev/null &&
		ls y.data* | sed -n "1,2p; \$p" >some && for f in $(cat some) $(ls -t y.data* | head -n 2); do
			perf report --stats -i "$f" >out 2>err2 || test_grep "zero\|empty" err2 || return 1
		done
	done
'
test_expect_success 'what makes no sense' '
	for v in abc 50ms 1x 1.5M -1 K 99999999999999G; do
		test_expect_code 234 perf record --switch-output=$v -o x.data true 2>err && test_grep "switch-output" err || return 1
	done &&
	test_expect_code 234 perf record --switch-output -o - true 2>err >/dev/null && test_grep "pipe" err &&
	test_expect_code 129 perf record --max-size=100k -o x.data true 2>err && test_grep "invalid size" err &&
	test_expect_code 234 perf record -S -o x.data true 2>err && test_grep "^No AUX area tracing to snapshot$" err &&
	test_expect_code 234 perf record --aux-sample -o x.data true 2>err && test_grep "^No AUX area event to sample$" err &&
	test ! -e x.data
'
test_done
