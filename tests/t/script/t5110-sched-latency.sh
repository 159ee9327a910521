#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers turn 2 of 4
test_description='sched record and sched latency: delays of tasks as the reference has them'
. "$(dirname "$0")/../../lib/tap.sh"

# The reference knows neither sched_waking nor the state of preempted tasks (R+), so both are left out.
record_for_both() {
	perf record -q -a -R -m 256 -c 1 -e sched:sched_switch --filter 'prev_state < 256' \
		-e sched:sched_stat_runtime,sched:sched_process_fork,sched:sched_wakeup_new \
		-e sched:sched_migrate_task,sched:sched_wakeup -o both.data -- \
		sh -c 'for i in 1 2 3; do /bin/true; ls /usr/bin | sort | wc -l; done'
}

# The reference calls tasks by their tids if no record names them, and rows of the same values may be in any order.
rows() {
	sort | grep -v ' :[0-9]*:'
}

test_expect_success ROOT,PERF_EVENTS 'events of the scheduler are recorded' '
	perf sched record -q -o a.data -- sh -c "sleep 0.01; ls | sort" &&
	perf evlist -i a.data >events &&
	grep -x sched:sched_switch events && grep -x sched:sched_waking events &&
	grep -x sched:sched_stat_runtime events
'
test_expect_success ROOT,PERF_EVENTS 'tasks that ran have rows, and percentiles are between the others' '
	perf sched latency -i a.data --percentiles -p >out &&
	grep -E "^  (sleep|sh|ls|sort|perf):[(0-9]" out && grep "^  TOTAL:" out &&
	perl -ne "if (/max: *([\d.]+) ms \| p50: *([\d.]+) ms \| p90: *([\d.]+) ms \| p99: *([\d.]+)/) {
		\$n++; die \$_ if \$2 > \$3 || \$3 > \$4 || \$4 > \$1 } END { exit !\$n }" out
'
test_expect_success ROOT,PERF_EVENTS 'options stand before and behind the verb, and the recording may be a pipe' '
	perf sched -i a.data latency >before && perf sched latency -i a.data >behind &&
	test_cmp before behind &&
	perf sched latency -i - <a.data >pipe && test_cmp before pipe
'
test_expect_success ROOT,PERF_EVENTS 'sched script is script' '
	perf sched -i a.data script -F comm,event >out && perf script -i a.data -F comm,event >want &&
	test_cmp want out && grep -q sched_switch out
'
test_expect_success ROOT,PERF_EVENTS,REFERENCE 'all rows are those of the reference' '
	record_for_both &&
	for o in "" -p "-s max" "-s runtime -p"; do
		"$REF" sched -i both.data latency $o 2>/dev/null | rows >want &&
		perf sched -i both.data latency $o >got.all && rows <got.all >got &&
		test -s want && grep -F -f want got >shared && test_cmp want shared || return 1
	done
'
test_expect_success ROOT,PERF_EVENTS 'the filters of time and CPU take events out' '
	perf sched latency -i a.data -C 0 >one && perf sched latency -i a.data >all &&
	! cmp one all &&
	perf sched latency -i a.data --time ,1 >none && ! grep "avg:" none
'
test_expect_success 'a recording of other events is refused with the command that makes one' '
	perf record -q -e task-clock -o other.data true &&
	test_expect_code 255 perf sched latency -i other.data 2>err &&
	grep "has no sched:sched_switch, only task-clock" err && grep "perf sched record" err
'
test_expect_success ROOT,PERF_EVENTS 'the distribution has each delay once' '
	for mode in log linear; do
		perf sched latency -i a.data -H --hist-mode $mode >out &&
		grep "^Latency Distribution Histogram ($mode)" out &&
		perl -ne "\$all = \$1 if /, (\d+) delays/; \$table = \$1 if /TOTAL.* ms \| *(\d+)/;
			\$sum += \$1 if / - .* \| *(\d+) \|/;
			END { exit !(\$all && \$all == \$sum && \$all == \$table) }" out || return 1
	done &&
	test_expect_code 129 perf sched latency -H --hist-mode cubic 2>err && grep "neither log nor linear" err
'
test_expect_success 'a recording that is cut off is read up to there' '
	size=$(stat -c %s a.data) && head -c $((size * 9 / 10)) a.data >cut.data &&
	test_expect_code 255 perf sched latency -i cut.data >out 2>err && perf sched latency -f -i cut.data &&
	test_grep "cut off at the end of the file" err && test_grep "TOTAL: .* [1-9][0-9]* |$" out &&
	head -c 300 a.data >cut.data && test_expect_code 255 perf sched latency -i cut.data 2>err && test_grep "cut off" err
'
test_expect_success 'unknown keys and verbs are refused' '
	test_expect_code 129 perf sched latency -s nonsense 2>err && grep "Unknown --sort key: .nonsense" err &&
	test_expect_code 129 perf sched nonsense 2>err && grep "nonsense" err
'
test_done
