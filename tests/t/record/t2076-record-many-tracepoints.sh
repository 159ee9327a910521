#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='perf record: hundreds of tracepoints: they are enabled together, none is lost, and letting go of them is not waited for'
. "$(dirname "$0")/../../lib/tap.sh"
test -z "$SAN" || test_skip_all 'the kernel takes long to let go of so many events, and others wait for it; leaks cannot be looked for under strace'
test_require PERF_EVENTS,ROOT,TRACEFS

test_lazy_prereq SYSCALLS 'the kernel has no tracepoints of system calls' 'test -d /sys/kernel/tracing/events/syscalls'
test_lazy_prereq STRACE 'strace is not installed' 'command -v strace'

# calls FILE: what our process did, an event a line
calls() { perf script -i "$1" --comm python3 -F event | grep -o "sys_[a-z]*_get[a-z]*" | sort | uniq -c; }
hundred='import os
for i in range(100): os.getppid(); os.getpgid(0)'

test_expect_success SYSCALLS 'all events of all calls, as when each is enabled alone' '
	perf record -q -e "syscalls:*_get*" -a -o many.data python3 -c "$hundred" &&
	perf record -q -e "syscalls:*_getppid,syscalls:*_getpgid" -a -o few.data python3 -c "$hundred" &&
	calls few.data >few && calls many.data | grep "getp[pg]" | grep -v getpgrp >many && test_line_count -eq 4 few && test_cmp few many
'
test_expect_success SYSCALLS 'delayed: counted from then on only' '
	perf record -q -D -1 -e "syscalls:*_get*" -a -o late.data python3 -c "$hundred" && calls late.data >late && test_line_count -eq 0 late &&
	perf evlist -i late.data >want && perf evlist -i many.data | test_cmp want -
'
test_expect_success SYSCALLS,STRACE 'one event of each CPU enables the others' '
	strace -f -o calls -e trace=ioctl perf record -q -e "syscalls:*_get*" -a -o a.data true &&
	test "$(grep -c "EVENT_IOC_SET_OUTPUT" calls)" -gt 60 &&
	test "$(grep -c "EVENT_IOC_ENABLE" calls)" -le $((4 * $(nproc))) && test "$(grep -c "EVENT_IOC_DISABLE" calls)" -le $((8 * $(nproc)))
'
test_expect_success SYSCALLS,STRACE 'the end is not waited for: another process closes last, and holds nothing else' '
	strace -f -o calls -e trace=close,exit_group,fork,clone,clone3,vfork,prctl,close_range \
		sh -c "exec 9>lock && flock 9 && exec \"$PERF\" record -q -e syscalls:*_get* -a -o a.data true" &
	tracer=$! &&
	wait $tracer && closer=$(awk "/perf-close/ { print \$1; exit }" calls) && test -n "$closer" &&
	: "it closes the events only after ours are closed" &&
	awk -v c=$closer "\$1 == c && /exit_group/ { end = NR } \$1 != c && /exit_group\(0/ { ours = NR } END { exit !(end > ours) }" calls &&
	out=$( (exec 9>lock && flock 9 && perf record -q -e "syscalls:*_get*" -a -o a.data true) ) && flock -n lock true
'
test_done
