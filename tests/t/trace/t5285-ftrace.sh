#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='perf ftrace: events in an instance of its own, latencies of pairs, what the kernel refuses'
. "$(dirname "$0")/../../lib/tap.sh"

T=/sys/kernel/tracing
test_lazy_prereq INSTANCES 'needs tracing instances, which are for root' 'test -w $T/instances && mkdir $T/instances/t5285.$$ && rmdir $T/instances/t5285.$$'
test_have_prereq INSTANCES || test_skip_all 'needs tracing instances, which are for root'

# ours PID: the instance of a running perf ftrace
ours() { ls -d $T/instances/perf-ftrace-"$1"-* 2>/dev/null; }
# settings: of the top folder
settings() { for f in tracing_on current_tracer set_event trace_clock buffer_size_kb tracing_cpumask set_event_pid; do echo "$f: $(cat $T/$f)"; done; }
settings >before

# The kernel does not note the name of each task: then it prints <...>.
test_expect_success 'events of a command as the kernel prints them; a file and a pipe get the same' '
	perf ftrace -e syscalls:sys_enter_openat,syscalls:sys_exit_openat -- cat /etc/hostname >file &&
	perf ftrace -e syscalls:sys_enter_openat,syscalls:sys_exit_openat -- cat /etc/hostname | cat >pipe &&
	test_grep "^# tracer: nop" file && test_grep "^#  *TASK-PID .*TIMESTAMP" file &&
	test_grep "^ *\(cat\|<\.\.\.>\)-[0-9]*  *\[[0-9]*\] [.0-9a-zA-Z]* *[0-9]*\.[0-9]\{6\}: sys_openat(dfd: 0xffffff9c, filename: 0x[0-9a-f]*, flags: [0-9a-fx]*, mode: 0)" file &&
	test_grep ": sys_openat -> 0x3$" file && grep -c sys_openat file >a && grep -c sys_openat pipe >b && test_cmp a b
'
test_expect_success 'the same lines as the kernel, which traces the same in another instance' '
	cp "$(command -v sh)" ownsh && i=$T/instances/t5285.$$ && mkdir $i && {
	for e in sched/sched_process_fork sched/sched_process_exit syscalls/sys_enter_read syscalls/sys_exit_read; do
		echo 1 >$i/events/$e/enable
	done
	perf ftrace -a -e sched:sched_process_fork,sched:sched_process_exit,syscalls:sys_enter_read,syscalls:sys_exit_read -- ./ownsh -c "cat /etc/passwd & wait" >all
	echo 0 >$i/tracing_on; cat $i/trace >kernel; rmdir $i; } &&
	pid=$(sed -n "s/.*sched_process_fork: comm=.* child_comm=ownsh child_pid=\([0-9]*\).*/\1/p" all | head -n 1) && test -n "$pid" &&
	for f in all kernel; do grep -a -- "-$pid  *\[" $f | sed "s/^ *\(.*\)-$pid/$pid/; s/ [0-9]*\.[0-9]\{6\}: / T: /" >$f.one || return 1; done &&
	test_line_count -gt 2 all.one && test_cmp kernel.one all.one
'
test_expect_success 'JSON, patterns, subsystems, filters; in the order of time' '
	perf ftrace --json -a -e "sched:sched_p*_exit,sched_process_e*" -e sched:sched_switch --filter "prev_pid == 0" -- sh -c "true; sleep 0.01" >json &&
	python3 -c "
import json
e = [json.loads(l) for l in open(\"json\")]
assert [x[\"time\"] for x in e] == sorted(x[\"time\"] for x in e)
names = set(x[\"event\"] for x in e)
assert \"sched:sched_process_exec\" in names and \"sched:sched_process_exit\" in names, names
assert all(x[\"fields\"][\"prev_pid\"] == 0 and x[\"pid\"] == 0 for x in e if x[\"event\"] == \"sched:sched_switch\")"
'
test_expect_success 'a filter is for the events of a pattern that have its fields; the others are left out, and named' '
	test_expect_code 255 perf ftrace -a -e "sched:sched_s*,sched:sched_process_exit" --filter "prev_pid != 0" -- true 2>err &&
	test_grep "sched:sched_process_exit has no field .prev_pid." err &&
	perf ftrace --json -a -e "sched:sched_s*" --filter "prev_pid != 0" -- sh -c "true; sleep 0.01" >json 2>err &&
	test_grep "^--filter .prev_pid != 0. does not apply to [0-9]* of [0-9]* events, which are left out: .*sched:sched_stat_runtime" err &&
	test_line_count = 1 err && test_grep "sched:sched_switch" json && test_grep ! "sched_stat_runtime" json && test_grep ! "\"prev_pid\":0," json &&
	test_expect_code 255 perf ftrace -a -e "sched:sched_s*" --filter "no_such == 0" -- true 2>err && test_grep "has no field .no_such." err
'
test_expect_success 'a span of time, a clock, a CPU, a delay' '
	perf ftrace -a -k mono -C 0 -e sched:sched_switch -- taskset -c 0 sleep 0.05 >cpu && test_grep ! "\[001\]" cpu && test_grep "\[000\]" cpu &&
	up=$(cut -d" " -f1 /proc/uptime) && at=$(sed -n "s/.* \([0-9]*\.[0-9]*\): sched_switch.*/\1/p" cpu | head -n 1) &&
	awk "BEGIN { exit !($at > $up - 60 && $at < $up + 60) }" &&
	perf ftrace -a -e sched:sched_switch --time 0,1 -- sleep 0.01 >none && test_grep ! sched_switch: none &&
	perf ftrace -D 50 -e syscalls:sys_enter_execve -- true >late && test_grep ! execve late
'
test_expect_success 'latency of two events with a key of two names; figures as the histogram' '
	perf ftrace latency -n -a -e sched:sched_wakeup,sched:sched_switch --key pid=next_pid -- sh -c "for i in 1 2 3; do sleep 0.01; done" >lat 2>err &&
	test_grep "^#   DURATION     |      COUNT | GRAPH  *|$" lat && test_grep "|  *[1-9][0-9]* | #" lat &&
	awk "/ - .*\|/ { n += \$(NF > 6 && \$5 == \"|\" ? 6 : 5) } /^ *count:/ { c = \$2 } END { print n, c; exit !(n == c && c >= 3) }" lat &&
	perf ftrace latency --json -e syscalls:sys_enter_clock_nanosleep,syscalls:sys_exit_clock_nanosleep -- sleep 0.05 >j &&
	python3 -c "
import json
d = json.load(open(\"j\"))
assert d[\"count\"] == 1 and 50e6 <= d[\"min_ns\"] < 5e9, d"
'
test_expect_success 'markers reach a run; probes, list' '
	{ perf ftrace -e sched:sched_process_exit -- sh -c "$PERF ftrace marker from t5285" >marks; } && test_grep ": .*: from t5285$" marks &&
	perf ftrace list >list && test_grep "nop" list && test_grep "\[local\]\|\[[a-z]*\]" list &&
	perf ftrace list --json >list.json && python3 -c "
import json
d = json.load(open(\"list.json\"))
assert \"nop\" in d[\"tracers\"] and d[\"clock\"] in d[\"clocks\"] and d[\"options\"], d" && { perf ftrace probes >probes 2>&1 || test_grep "needs" probes; }
'
test_lazy_prereq BLK 'needs the tracer blk and a loop device' 'grep -qw blk $T/available_tracers && truncate -s 1M disk && losetup -d "$(losetup -f --show disk)"'
test_expect_success BLK 'the block tracer tells of one device, alone and as JSON, and is off afterwards' '
	truncate -s 1M disk && dev=$(losetup -f --show disk) &&
	io="dd if=$dev of=/dev/null bs=4k count=1 skip=3 iflag=direct" &&
	perf ftrace -t blk --blk-dev $dev -- $io >blk 2>err &&
	perf ftrace --json --blk-dev $dev -- $io >blk.json 2>err2;
	enabled=$(cat /sys/class/block/${dev#/dev/}/trace/enable); losetup -d $dev; cat err err2 &&
	test "$enabled" = 0 && test_grep ": *[0-9]*,[0-9]*  *Q  RS 24 + 8 \[dd\]$" blk &&
	test_grep "  C  RS 24 + 8 \[0\]$" blk &&
	grep -c "sector.:24,.sectors.:8" blk.json
'
test_lazy_prereq BFQ 'needs the tracer blk, a loop device and the I/O scheduler bfq' 'test_have_prereq BLK && truncate -s 1M disk && dev=$(losetup -f --show disk) && { grep -q bfq "/sys/class/block/${dev#/dev/}/queue/scheduler"; rc=$?; losetup -d "$dev"; test $rc -eq 0; }'
test_expect_success BFQ 'messages of an I/O scheduler stand between the events of its device' '
	truncate -s 1M disk && dev=$(losetup -f --show disk) &&
	of=/sys/class/block/${dev#/dev/}/queue/scheduler && was=$(sed "s/.*\[//; s/\].*//" $of) &&
	echo bfq >$of &&
	perf ftrace -t blk --blk-dev $dev -- dd if=$dev of=/dev/null bs=4k count=1 skip=3 iflag=direct >blk 2>err;
	echo "$was" >$of; losetup -d $dev; cat err &&
	sed -n "/  Q  RS 24 + 8 \[dd\]$/,/  C  RS 24 + 8 \[0\]$/p" blk >between &&
	test_grep "  m   N bfq[0-9]*S* .*add_request" between
'
test_expect_success 'times of functions by BPF, or the reason why not' '
	{ perf ftrace latency -b -n -a -T vfs_read -T vfs_write -- cat /etc/passwd >lat 2>err &&
		awk "/^ *count:/ { exit !(\$2 > 1) }" lat &&
		perf ftrace profile -T vfs_read -- cat /etc/passwd >prof 2>err && test_grep "vfs_read$" prof; } ||
	{ cat err; test_grep "fexit\|fentry\|load BPF programs\|set_ftrace_filter\|current_tracer" err; } &&
	test_expect_code 255 perf ftrace latency -b -T no_such_function_at_all -- true 2>err && test_grep "no_such_function_at_all\|BPF programs" err
'
test_expect_success 'each refusal has its own sentence' '
	test_expect_code 255 perf ftrace -e no_such:event -- true 2>err && test_grep "no_such:event: there is no such event" err &&
	test_expect_code 255 perf ftrace -t no_such -- true 2>err && test_grep "no tracer .no_such. (it has: .*nop" err &&
	test_expect_code 255 perf ftrace -k no_such -e sched:sched_switch -- true 2>err && test_grep "^-k: .no_such. is refused by .*trace_clock" err &&
	test_expect_code 255 perf ftrace -e sched:sched_switch --filter "x == 1" -- true 2>err &&
	test_grep "sched:sched_switch has no field .x." err && test_grep "^  prev_prio " err &&
	{ ! test_have_prereq BLK || { test_expect_code 255 perf ftrace --blk-dev no_such -- true 2>err && test_grep "no device no_such" err; }; } &&
	test_expect_code 255 perf ftrace -t blk -- true 2>err && test_grep "go together" err &&
	test_expect_code 255 perf ftrace latency -- true 2>err && test_grep "latency needs a function" err &&
	test_expect_code 255 perf ftrace -e sched:sched_switch -- ./no_such 2>err && test_grep "Workload failed: ./no_such" err &&
	test_expect_code 129 perf ftrace --filter x -- true 2>err && test_grep "should follow" err &&
	for o in "-T schedule" "-N schedule" "-t function"; do
		perf ftrace $o -- true >out 2>err || { cat err; test_grep "needs /.*tracing/instances/perf-ftrace-.*, which may not be written\|no tracer\|is refused by" err || return 1; }
	done
'
test_expect_success 'two at a time, and an end by each signal: nothing is left' '
	for s in INT TERM KILL; do
		perf ftrace -a -e sched:sched_process_exit >one.$s 2>&1 & one=$!
		perf ftrace -a -e sched:sched_process_exit >two.$s 2>&1 & two=$!
		for n in $(seq 200); do
			{ test "$(cat "$(ours $one)/tracing_on" 2>/dev/null)" = 1 && test "$(cat "$(ours $two)/tracing_on" 2>/dev/null)" = 1; } && break
			sleep 0.05
		done
		test -n "$(ours $one)" && test -n "$(ours $two)" && kill -$s $one $two; wait $one $two
		for n in $(seq 200); do test -z "$(ours $one)$(ours $two)" && break; sleep 0.05; done
		test -z "$(ours $one)$(ours $two)" || return 1
	done
'
test_expect_success 'a reader that goes away ends the run' '
	mkfifo lines && { perf ftrace -a -e "syscalls:sys_enter_*" >lines 2>err & } && one=$! && head -n 20 lines >head && test_line_count = 20 head &&
	{ wait $one; r=$?; test $r -ge 128; } && for n in $(seq 200); do test -z "$(ours $one)" && break; sleep 0.05; done; test -z "$(ours $one)"
'
test_expect_success 'what is left of a run that was killed together with what watches it is removed by the next one' '
	{ setsid perf ftrace -a -e sched:sched_process_exit >killed 2>&1 & } && one=$! &&
	for n in $(seq 200); do test "$(cat "$(ours $one)/tracing_on" 2>/dev/null)" = 1 && break; sleep 0.05; done
	test -n "$(ours $one)" && kill -9 -$one; wait $one; test -n "$(ours $one)" && perf ftrace -e sched:sched_process_exit -- true >next && test -z "$(ours $one)"
'
test_expect_success 'the end of the processes of -p is the end of the run; -D can be ended, too' '
	{ sleep 0.5 & } && timeout 20 "$PERF" ftrace -p $! -e sched:sched_process_exit >ended && grep -c "sched_process_exit: comm=sleep" ended &&
	timeout 20 "$PERF" ftrace -D 60000 -e sched:sched_process_exit -- true >short && test_grep ! "sched_process_exit:" short &&
	timeout 20 timeout -s INT 0.5 "$PERF" ftrace -D 60000 -a -e sched:sched_process_exit >short; test $? = 124
'
test_expect_success 'settings of the kernel are as they were' 'settings >after && test_cmp before after'
test_done
