#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers turn 0 of 4
test_description='sched why: who had the CPU, who woke a task up, and what that one had waited for'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

# Two programs compute on one CPU for the same time.
cat >share.sh <<-'EOF'
	for name in holder victim; do
		taskset -c 0 perl -e '$0 = shift; $end = (times)[0] + 0.06; 1 while (times)[0] < $end' $name &
	done
	wait
EOF
# The first one wakes up the second one through a pipe, and this one the third one.
cat >pipes.pl <<-'EOF'
	pipe(R1, W1); pipe(R2, W2);
	if (!fork) { $0 = "w_second"; while (sysread(R1, $c, 1)) { syswrite(W2, $c); last if $c eq "e" } exit }
	if (!fork) { $0 = "w_third"; while (sysread(R2, $c, 1)) { last if $c eq "e" } exit }
	$0 = "w_first";
	for (1..20) { select(undef, undef, undef, 0.002); syswrite(W1, "x") }
	syswrite(W1, "e");
	wait; wait;
EOF

test_expect_success 'the task that had the CPU is named' '
	perf sched record -q -o share.data -- sh share.sh &&
	perf sched why -i share.data victim -n 50 >out &&
	grep -E "^  1\. +[0-9.]+ ms  victim\[[0-9]+\] waited for CPU 0 from [0-9.]+ to [0-9.]+ s" out &&
	grep -E "CPU: .* holder\[[0-9]+\] [0-9.]+ ms" out && grep "it had been preempted" out &&
	perl -ne "if (/^ *\d+\. +([\d.]+) ms/) { die \$_ if \$last && \$1 > \$last; \$last = \$1; \$n++ } END { exit(\$n < 3) }" out
'
test_expect_success 'what the tasks of the line CPU have is not more than the delay' '
	perl -ne "\$delay = \$1 if /^ *\d+\. +([\d.]+) ms/;
		if (/CPU: /) { \$sum = 0; \$sum += \$1 while /([\d.]+) ms/g; die \$_ if \$sum > \$delay + 0.01; \$n++ }
		END { exit !\$n }" out
'
test_expect_success 'the chain of wakers is followed' '
	perf sched record -g -q -o pipes.data -- perl pipes.pl &&
	perf sched why -i pipes.data w_third >out &&
	perl -0ne "exit !/woken by: w_second\[\d+\] on CPU \d+ in .*write.*\n +which had slept [\d.]+ ms \(S\) in .*read.*\n +that by: w_first\[/" out &&
	perf sched why -i pipes.data w_third --depth 1 >one && grep "woken by: w_second" one && ! grep "that by" one
'
test_lazy_prereq JQ 'there is no jq' 'command -v jq'
test_expect_success JQ 'the same in JSON' '
	perf sched why -i pipes.data w_third --json >json && perf sched why -i pipes.data w_third >out &&
	test $(wc -l <json) = $(grep -c "waited for CPU" out) &&
	jq -se "all(.comm == \"w_third\" and .delay_ns == .ran_ns - .ready_ns and
		([.holders[].ns] | add) + (.others_ns // 0) + (.unknown_ns // 0) == .delay_ns)" json &&
	jq -se "any(.wakers[0].comm == \"w_second\" and (.wakers[0].chain | contains(\"write\")) and .wakers[1].comm == \"w_first\" and
		.wakers[0].sleep.state == \"S\" and .wakers[0].sleep.until_ns > .wakers[0].sleep.from_ns)" json
'
test_expect_success 'delays of all tasks, of some of them, and of none' '
	perf sched why -i share.data --max -n 1 >one && test $(grep -c "waited for CPU" one) = 1 &&
	perf sched why -i share.data --max --comm holder >some && ! grep "waited for CPU" some | grep -v " holder\[" &&
	tid=$(sed -n "1s/.*holder\[\([0-9]*\)\].*/\1/p" some) && perf sched why -i share.data $tid >tid &&
	grep "waited for CPU" tid && ! grep "waited for CPU" tid | grep -v "\[$tid\]" &&
	test_expect_code 255 perf sched why -i share.data no-such-task 2>err && grep "no such task waited" err
'
test_expect_success 'all delays of these tasks as a heat map' '
	perf sched why -i share.data --max -n 1 --heatmap map.svg >out && test $(grep -c "waited for CPU" out) = 1 && grep "<svg" map.svg &&
	perf sched why -i share.data victim --heatmap map.html >out && grep "<html" map.html && ! cmp map.svg map.html
'
test_lazy_prereq NO_SCHEDSTATS 'the kernel has sched_stat_iowait' '! perf list --raw-dump tracepoint | grep -qw sched:sched_stat_iowait'
test_expect_success NO_SCHEDSTATS 'without CONFIG_SCHEDSTATS it is told what is not known' '
	perf sched why -i share.data victim >out 2>err && grep "no sched:sched_stat_iowait: which sleeps were for I/O is not known" err &&
	grep "CONFIG_SCHEDSTATS" err && grep "sched_stat_\* are not recorded" err
'
test_expect_success 'tasks or --max are needed' '
	test_expect_code 129 perf sched why -i share.data 2>err && grep "names or tids of tasks, or --max" err &&
	test_expect_code 129 perf sched why -i share.data --max --depth 99 2>err && grep "1 to 8" err
'
test_done
