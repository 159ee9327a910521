#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 1 of 4
test_description='perf record: what it writes, the reference reads: same samples, same text'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS,REFERENCE

samples() { sed -n 's/^\[ perf record: Captured and wrote .* (\([0-9]*\) samples) \]$/\1/p' err; }

# check FILE: the reference finds as many samples as the closing line says, and both print them alike
check() {
	"$REF" script -i "$1" -F event,time,pid >ref.n 2>ref.err &&
	but_losses ref.err >ref.said && test_grep ! -i -E "fail|warn|corrupt" ref.said &&
	echo "samples: $(samples) we, $(wc -l <ref.n) the reference" &&
	test "$(samples)" -eq "$(wc -l <ref.n)" &&
	"$REF" script --no-inline -i "$1" >ref.txt 2>/dev/null && perf script --no-inline -i "$1" >our.txt &&
	no_plt && test_cmp ref.txt our.txt
}

test_expect_success 'a workload' '
	perf record -o w.data perf test -w noploop 1 2>err && check w.data
'
test_expect_success 'several events and threads' '
	perf record -e cpu-clock,faults,cs -o w.data perf test -w thloop 2 1 2>err && check w.data
'
test_expect_success TRACEFS 'tracepoints, system-wide' '
	perf record -e "sched:*,raw_syscalls:*" -a -o t.data sleep 0.1 2>err && check t.data
'
test_expect_success 'call chains, system-wide' '
	perf record -a -g -o g.data sleep 0.3 2>err &&
	"$REF" script -G -i g.data -F pid,time >ref.n 2>ref.err &&
	test "$(wc -l <ref.n)" -eq "$(samples)" &&
	test_grep ! -i -E "fail|corrupt" ref.err &&
	"$REF" report --stdio -i g.data >out 2>&1 && test_grep "do_syscall_64\|cpu-clock" out
'
test_expect_success 'a stream' '
	perf record -o - -e cpu-clock perf test -w noploop 1 2>err >p.data &&
	"$REF" script -i - <p.data >ref.txt 2>ref.err && perf script -i - <p.data >our.txt &&
	test_line_count -gt 50 ref.txt && test_cmp ref.txt our.txt
'
test_expect_success TRACEFS 'a stream of tracepoints and two events' '
	perf record -o - -e sched:sched_switch,cpu-clock perf test -w noploop 1 2>err >p.data &&
	"$REF" script -i - <p.data >ref.txt 2>ref.err && perf script -i - <p.data >our.txt &&
	test_grep "sched:sched_switch: .*prev_comm=" ref.txt && test_cmp ref.txt our.txt
'
test_expect_success 'build-ids: the objects with samples, as in the files themselves' '
	perf record -o b.data perf test -w noploop 1 2>err &&
	"$REF" buildid-list -i b.data >out && test_grep "kernel.kallsyms" out &&
	want=$(file -L "$PERF" | sed -n "s/.*BuildID\[sha1\]=\([0-9a-f]*\).*/\1/p") &&
	{ test -z "$want" || test_grep "^$want " out; } &&
	perf record -B -o b.data true 2>/dev/null &&
	"$REF" report --header-only -I -i b.data >out && test_grep "missing features:.* BUILD_ID " out
'
test_expect_success 'what was there before: threads, maps, namespaces, control groups' '
	perf test -w thloop 3 60 & pid=$!
	wait_for test -e "/proc/$pid/task" && wait_for sh -c "test \$(ls /proc/$pid/task | wc -l) -eq 3" || return 1
	perf record --namespaces --all-cgroups -a -o n.data true 2>err; rc=$?
	"$REF" script --show-task-events --show-mmap-events --show-namespace-events --show-cgroup-events \
		-i n.data >out 2>/dev/null
	kill $pid; wait $pid
	test $rc -eq 0 &&
	test "$(grep -c "PERF_RECORD_FORK($pid:" out)" -ge 3 &&
	test "$(grep -c "PERF_RECORD_COMM: .*:$pid/" out)" -ge 3 &&
	test "$(grep -c "PERF_RECORD_NAMESPACES $pid/" out)" -ge 3 &&
	test_grep "PERF_RECORD_MMAP2 $pid/$pid: .*r-xp .*perf" out &&
	test_grep "PERF_RECORD_MMAP .*kernel.kallsyms" out &&
	{ ! grep -q cgroup2 /proc/mounts || test_grep "PERF_RECORD_CGROUP cgroup: [0-9]* /" out; }
'
test_expect_success 'stacks for DWARF unwinding' '
	perf record --call-graph dwarf -e cpu-clock -o d.data perf test -w noploop 1 2>err &&
	"$REF" script -i d.data 2>/dev/null >out && test_grep "noploop" out
'
test_done
