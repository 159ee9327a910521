#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='perf record --begin, --end: samples in windows of time that events open and close'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS,TRACEFS

MKDIR=syscalls:sys_enter_mkdir RMDIR=syscalls:sys_enter_rmdir WRITE=syscalls:sys_enter_write
# The command waits until perf has said in `err` that windows have opened or closed.
cat >body.sh <<'EOT'
told() { while test "$(grep -c "^Window $1" err)" -lt "$2"; do sleep 0.01; done; }
put() { dd if=/dev/zero of=/dev/null bs=1 "count=$1" status=none; }
EOT
cat body.sh - >windows.sh <<'EOT'
put 50; mkdir d; told opened 1; put 70; rmdir d; told closed 1; put 90
mkdir d; told opened 2; put 20; mkdir d 2>/dev/null; put 30; rmdir d; told closed 2; put 10
EOT
# written FILE: the bytes that dd wrote while they were recorded
written() { perf script -i "$1" --comms dd -F event | grep -c "$WRITE"; }

test_expect_success 'several windows' '
	perf record -v --begin $MKDIR --end $RMDIR -e $WRITE -o w.data sh windows.sh 2>err &&
	test "$(written w.data)" -eq $((70 + 20 + 30)) && test_grep "perf record: 2 windows were open \]$" err &&
	perf script --show-task-events -i w.data >txt && test "$(grep -c "COMM exec: dd" txt)" -eq 6
'
test_expect_success '--begin alone: until the end; which occurrence a --filter says' '
	{ cat body.sh; echo "mkdir -m 700 d; put 50; rmdir d; mkdir -m 711 d; told opened 1; put 70; rmdir d; put 5"; } >b.sh &&
	perf record -v --begin $MKDIR --filter "mode == 0711" -e $WRITE --filter "count == 1" -o b.data sh b.sh 2>err &&
	test "$(written b.data)" -eq 75 && test_grep "perf record: one window was open \]$" err
'
test_expect_success '--end alone: a command runs on, otherwise the recording ends' '
	{ cat body.sh; echo "put 50; rmdir nosuch 2>/dev/null; told closed 1; put 70; touch over"; } >e.sh &&
	perf record -v --end $RMDIR -e $WRITE -o e.data sh e.sh 2>err &&
	test "$(written e.data)" -eq 50 && test -e over && test_grep ! "windows were" err &&
	{ perf record --end $RMDIR --filter "common_pid != 0" -a -e dummy -o a.data 2>err & pid=$!; } && wait_for test -s a.data &&
	{ rmdir nosuch 2>&1 || :; } && wait $pid && test_grep "Captured" err
'
test_expect_success 'a process that runs, thread by thread; the events are its own' '
	rm -f err && mkfifo go && { cat body.sh; echo "read -r x; echo one; cd .; told opened 1; echo two; echo three"; } >p.sh &&
	{ sh p.sh <>go >out & target=$!; } &&
	{ perf record -v -p $target --per-thread --begin syscalls:sys_enter_chdir -e $WRITE -o p.data 2>err & pid=$!; } &&
	wait_for test -s p.data && (cd /) && test_grep ! "^Window" err && echo >go && wait $target && wait $pid &&
	test_grep "one window was open" err && test "$(perf script -i p.data -F event | grep -c "$WRITE")" -eq 2
'
test_expect_success 'what makes no sense' '
	test_expect_code 234 perf record --begin $MKDIR --end $RMDIR,$MKDIR -o x.data true 2>err &&
	test_grep "^$MKDIR cannot open and close a window: " err &&
	test_expect_code 234 perf record --end $RMDIR -D 10 -o x.data true 2>err && test_grep "^-D is about times, " err &&
	test_expect_code 234 perf record --begin cs --filter "pid == 1" -o x.data true 2>err && test_grep "tracepoints, cs is none" err &&
	test_expect_code 129 perf record --begin nosuch:event -o x.data true 2>err && test_grep "nosuch" err && test ! -e x.data
'
test_done
