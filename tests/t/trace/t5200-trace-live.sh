#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='perf trace: calls of a program as they come, filters, threads, sums'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

asks=$(program asks)
# calls FILE: the names of the calls that have lines, in their order
calls() { sed -nE 's/^.*[0-9]+ (\w+)\(.*= .*/\1/p; s/.*\[continued\]: (\w+)\(.*/\1/p' "$1"; }

test_expect_success 'known calls have lines with times, names and results' '
	perf trace -o out -e openat,read,lseek,dup2,close,access "$asks" known &&
	sed -n "/lseek/,\$p" out >tail && calls tail >got &&
	printf "%s\n" lseek dup2 close close access >want && test_cmp want got &&
	grep -E "^ +[0-9]+\.[0-9]{3} \( *[0-9]+\.[0-9]{3} ms\): asks/[0-9]+ dup2\(oldfd: [0-9]+.*\) += 77(<.*>)?$" out &&
	grep -E "close\(.*\) += -1 EBADF \(Bad file descriptor\)$" out &&
	grep -E "access\(filename: (\"/no/such/path\"|0x[0-9a-f]{6,}), mode: R_OK\) += -1 ENOENT \(No such file or directory\)$" out
'
test_expect_success 'without -o lines go to stderr, and the output of the program stays where it was' '
	perf trace -e write sh -c "echo hello" >stdout 2>stderr &&
	test "$(cat stdout)" = hello && grep -E "write\(.*\) += 6$" stderr
'
test_expect_success 'no call is lost, and the last one is the end' '
	perf trace -o out -m 512 "$asks" many 20000 && ! grep LOST out &&
	test "$(grep -c " getppid(" out)" -eq 20000 && tail -n 1 out | grep "exit_group(.*= ?$" &&
	perf trace -s -m 512 "$asks" many 20000 2>sums && grep -E "^   getppid +20000 +0 " sums
'
test_expect_success 'a call that goes on is shown before others and continued' '
	perf trace -o out -e read,getppid,write "$asks" block &&
	grep -E "asks/[0-9]+ read\(.*\) +\.\.\.$" out &&
	grep -E "asks/[0-9]+  \.\.\. \[continued\]: read\(\)\) += 1$" out &&
	sed -n "/read(.*\.\.\.$/,/continued.: read/p" out | grep -c "getppid(" >nr && test "$(cat nr)" -eq 3
'
test_expect_success 'exec of a thread is one call, whatever number the thread gets' '
	perf trace -o out -e execve "$asks" exec &&
	tail -n 1 out | grep -E "execve\(.*= 0$|\[continued\]: execve\(\)\) += 0$" &&
	! tail -n 1 out | grep " ? ("
'
test_expect_success 'names, globs, all but some, and events in one list' '
	perf trace -o out -e "lsee*,dup2" "$asks" known && calls out | sort -u >got &&
	printf "dup2\nlseek\n" >want && test_cmp want got &&
	perf trace -o out -e "!lsee*,dup2,getr*" "$asks" known && grep " close(" out &&
	! grep -E " (lseek|dup2|getrandom)\(" out &&
	perf trace -o out -e "!file,memory" "$asks" known && grep " dup2(" out && ! grep -E " (access|openat|mmap)\(" out &&
	mkdir -p "$HOME/.config/perf/strace/groups" && echo "dup*  # copies" >"$HOME/.config/perf/strace/groups/mine" &&
	perf trace -o out -e mine "$asks" known && test_line_count = 1 out && grep " dup2(" out &&
	perf trace -o out -e dup2,sched:sched_process_exec/max-stack=2/ -e lseek "$asks" known &&
	grep " dup2(" out && grep " lseek(" out &&
	grep -E "\(         \): asks/[0-9]+ sched:sched_process_exec\(filename: \".*asks\", pid: [0-9]+ \(asks\)" out
'
test_expect_success 'events alone are shown without calls' '
	perf trace -o out -e sched:sched_process_exec "$asks" known && test_line_count = 1 out &&
	grep -E "^ +0\.000 asks/[0-9]+ sched:sched_process_exec\(" out &&
	perf trace -o out --no-comm -e syscalls:sys_enter_exit_group true &&
	grep -E "^ +[0-9.]+ [0-9]+ syscalls:sys_enter_exit_group\(\)$" out
'
test_expect_success 'what is shown: only failures, only long calls, only some lines' '
	perf trace -o out --failure "$asks" known && grep -E "close\(.*EBADF" out && ! grep -v "= -1 " out &&
	perf trace -o out --duration 20 "$asks" wait 40 && test_line_count = 1 out && grep nanosleep out &&
	perf trace -o out --max-events 3 "$asks" many 100 && test_line_count = 3 out &&
	perf trace -o out -T -e dup2 "$asks" known && perl -ne "die unless /^([\d.]+) / && \$1 > 1000" out
'
test_expect_success 'page faults, with and without calls' '
	perf trace -o out -F all --no-syscalls "$asks" known && ! grep -v fault out &&
	grep -E "asks/[0-9]+ minfault \[[^]]+\+0x[0-9a-f]+\] => .*@0x[0-9a-f]+ \(d\.\)$" out &&
	perf trace -o out -F min -s "$asks" known && grep -E "asks \([0-9]+\), [0-9]+ events, .*% *, [0-9]+ minfaults" out
'
test_expect_success 'sums of threads, of all, of control groups; errors' '
	perf trace -s -o out "$asks" block && grep -c "^ asks ([0-9]*), [0-9]* events, [0-9.]*%$" out >nr &&
	test "$(cat nr)" -eq 2 &&
	perf trace -S -o out --errno-summary -e close "$asks" known &&
	grep -E "^   close +[0-9]+ +1 +[0-9. ]+%$" out && grep -E "^	+EBADF: 1$" out && grep " close(" out &&
	perf trace -s -o out --summary-mode total "$asks" block && grep -E "^ total, [0-9]+ events$" out &&
	test "$(grep -c "syscall  *calls" out)" -eq 1 &&
	perf trace -s -o out --summary-mode cgroup "$asks" many 9 && grep -E "^ cgroup /.*, [0-9]+ events, 100.0%$" out &&
	perf trace -s -o out --max-summary 2 "$asks" known && sed -n "/^   ---/,\$p" out | grep -c % >nr && test "$(cat nr)" -eq 2
'
# busy: a process that asks the kernel for something until the file "on" is gone
busy() { exec sh -c "while test -e on; do sleep 0.02; done"; }
test_expect_success 'a process that runs, until it ends' '
	rm -f out && : >on && { busy & } && pid=$! && { perf trace -o out -p $pid & } && trace=$! &&
	wait_for test -s out && rm on && wait $trace && grep "exit_group" out && grep "sh/" out
'
test_expect_success 'a process that runs, until a signal comes' '
	rm -f out && : >on && { busy & } && pid=$! && { perf trace -S -o out -p $pid & } && trace=$! &&
	wait_for test -s out && kill -INT $trace && wait $trace && rm on && grep "Summary of events" out
'
test_expect_success 'the whole system, without perf itself' '
	perf trace -a -o out sh -c "\"$asks\" many 100; sleep 0.1" && test "$(grep -c " getppid(" out)" -ge 100 &&
	! grep ": perf/$$ " out && perf trace -C 0 -o out sleep 0.1 && test -e out
'
test_expect_success 'call chains' '
	perf trace -o out --call-graph dwarf -e dup2 "$asks" known && grep -A9 "dup2(" out >chain &&
	grep -E "^ {39}main \(.*asks\)$" chain &&
	perf trace -o out --call-graph fp --max-stack 1 -e dup2 "$asks" known && test_line_count = 2 out && sed -n 2p out | grep "^ .*dup2.* (/"
'
test_expect_success 'strings of a call that waits are read, and descriptors have the path' '
	mkfifo slow && { { sleep 0.5; echo hello >slow; } & } &&
	perf trace -v -o out -e openat,read cat slow >text 2>err && grep hello text &&
	grep -E "openat\(dfd: CWD, filename: \"slow\"" out && grep -E "of [1-9][0-9]* calls was copied|of [1-9][0-9]* calls were read" err &&
	mkfifo other && { { sleep 0.5; echo hello >other; } & } &&
	perf trace -o out -e openat,read cat "$PWD/other" >text && grep -E "read\(fd: 3<$PWD/other>, " out
'
test_expect_success 'what makes no sense is refused with a sentence' '
	test_must_fail perf trace -e "!nosuch" true 2>err && grep "no system call .nosuch." err &&
	test_must_fail perf trace -e opennat true 2>err && grep "did you mean openat" err &&
	test_must_fail perf trace -F most true 2>err && grep "all, maj, min" err &&
	test_must_fail perf trace --summary-mode x true 2>err && grep "thread, total, cgroup" err &&
	test_must_fail perf trace --errno-summary true 2>err && grep "with -s or -S" err &&
	test_must_fail perf trace -p 1 -C 0 2>err && grep "PID/TID switch overriding CPU" err &&
	test_must_fail perf trace --map-dump x 2>err && grep bpftool err &&
	test_must_fail perf trace -p 999999999 2>err && grep "No such process" err &&
	test_must_fail perf trace /no/such/program 2>err && grep "/no/such/program" err &&
	test_must_fail perf trace -o /no/such/folder/x true 2>err && grep "/no/such/folder/x" err
'
test_expect_success REFERENCE 'lines are those of the reference but for arguments' '
	lines() { sed -E "s/^ *[0-9.?]+ \([^)]*\): //; s/\/[0-9]+ / /; s/\((.*)\)( +)= /() = /; s/ = .*/ = /" "$1"; } &&
	perf trace -o our -e openat,close,dup2,lseek,access "$asks" known &&
	"$REF" trace -o ref -e openat,close,dup2,lseek,access "$asks" known 2>err &&
	lines our >our.txt && lines ref >ref.txt && test_cmp ref.txt our.txt
'
test_done
