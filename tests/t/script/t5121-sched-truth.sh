#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
test_description='sched: times are those that programs took, those that passed, and those that the kernel counted'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

# Each of two programs on one CPU computes for 10 x 8 ms and sleeps 10 x 10 ms, and tells its CPU time at the end.
cat >turns.pl <<-'EOF'
	use Time::HiRes qw(clock_gettime CLOCK_PROCESS_CPUTIME_ID sleep);
	$0 = $ARGV[0];
	for (1..10) {
		$end = clock_gettime(CLOCK_PROCESS_CPUTIME_ID) + 0.008;
		1 while clock_gettime(CLOCK_PROCESS_CPUTIME_ID) < $end;
		sleep(0.01);
	}
	open(F, ">", "$0.took") && printf(F "%d\n", 1e9 * clock_gettime(CLOCK_PROCESS_CPUTIME_ID));
EOF
cat >both.sh <<-'EOF'
	for name in turns_a turns_b; do taskset -c 0 perl turns.pl $name & done
	wait
EOF
run_both() {
	perf sched record -q -o a.data -- sh both.sh &&
	perf sched timehist -i a.data --json >rows 2>notes && perf sched timehist -i a.data -s --json >sums 2>/dev/null &&
	perf sched latency -i a.data -p --json >kernel 2>/dev/null
}
run_both || exit 1

# of FILE NAME FIELD: a number of the row of a program
of() { sed -n "s/^{\"comm\":\"$2\",.*\"$3\":\([0-9]*\).*/\1/p" "$1"; }

test_lazy_prereq WHOLE 'events were lost' '! grep "lost events" cwd/notes'
test_expect_success 'programs ran as long as they say, and slept as long as they wanted' '
	for name in turns_a turns_b; do
		took=$(cat $name.took) run=$(of sums $name run_ns) slept=$(of sums $name sleep_ns) delay=$(of sums $name delay_ns) &&
		echo "$name: took $took, ran $run, slept $slept, waited $delay" && test "$took" -ge 80000000 &&
		test "$run" -ge $((took - took / 50)) && test "$run" -le $((took + took / 20 + 5000000)) &&
		test "$slept" -ge 100000000 && test $((slept - delay)) -le 200000000 || return 1
	done
'
test_expect_success 'each waited for the other one' '
	for name in turns_a turns_b; do test "$(of sums $name delay_ns)" -gt 0 && test "$(of sums $name runs)" -ge 10 || return 1; done
'
# The switches of a CPU follow each other: a task leaves when the next one comes. The first one does not tell since when it ran.
cat >edges.pl <<-'EOF'
	while (<>) {
		/"kind":"switch","time_ns":(\d+),"cpu":(\d+),.*"run_ns":(\d+)/ or next;
		$first{$2} //= $1 - $3;
		$last{$2} = $1;
		$ran += $3;
	}
	$all += $last{$_} - $first{$_} for keys %first;
	print "$all $ran\n";
EOF
test_expect_success WHOLE 'tasks and idle time fill the time of all CPUs, between the first and the last switch of each' '
	perl edges.pl rows >edges && cat edges && read -r all ran <edges && test "$all" -gt 200000000 && test "$ran" = "$all" &&
	perf sched timehist -i a.data -s >text &&
	perl -ne "\$sum += \$1 if /Total run time.*: *([\d.]+)/ || /idle for *([\d.]+)/;
		END { \$off = \$sum - $all / 1e6; print qq(\$off ms off\n); exit !(abs(\$off) < 0.01) }" text
'
# The kernel leaves out interrupts and the time that a hypervisor takes, which busy machines have too much of now and then: of
# both programs, in up to ten recordings, one that nothing disturbed is enough.
counted_alike() {
	local name run counted off alike=1

	for name in turns_a turns_b; do
		run=$(of sums $name run_ns) counted=$(of kernel $name runtime_ns) && off=$((run - counted)) &&
		echo "$name: ran $run, counted $counted" && test ${off#-} -le $((counted / 10)) || return 2
		test ${off#-} -gt $((counted / 100)) || alike=0
	done
	return $alike
}
test_expect_success WHOLE 'run times are those that the kernel counted, within one percent' '
	for i in 1 2 3 4 5 6 7 8 9 10; do
		counted_alike
		case $? in 0) return 0 ;; 2) return 1 ;; esac
		run_both || return 1
	done
	return 1
'
test_done
