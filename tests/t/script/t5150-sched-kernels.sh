#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 2 of 4
test_description='sched: recordings of other kernels and of the other byte order, lost events, what cannot be'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON

# kernel FILE LAYOUT [big] [lost] [bugs] [odd] [back]
kernel() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/sched-kernels.py" "$@"; }

# show FILE: what all verbs make of a recording; a replay measures times, which are left out
show() {
	perf sched latency -p --percentiles -i "$1" && perf sched map -i "$1" && perf sched timehist --state -MVwnS -i "$1" &&
	perf sched timehist -I -i "$1" && perf sched timehist --json -w -M -i "$1" && perf sched why --max -i "$1" &&
	perf sched replay -f -r 1 -i "$1" | grep -E "^(task|nr_)"
}
for l in 3.10 3.10-32 4.14 6.1 6.18; do
	kernel $l.data $l && kernel $l.big.data $l big || exit 1
done
kernel odd.data 6.1 lost bugs odd && kernel odd.big.data 6.1 big lost bugs odd && kernel odd.old.data 3.10-32 big lost bugs odd &&
	kernel bugs.data 3.10 lost bugs && kernel back.data 6.1 back || exit 1

test_expect_success 'what the tasks did, in all verbs' '
	show 6.1.data >want 2>want.err && test_grep "^  worker:100 .* 2.900 ms |  *4 | avg:   0.625 ms" want &&
	test_grep "^  child:300 .* 0.250 ms" want && test_grep "^  again:300 .* 0.500 ms" want &&
	test_grep "child\[300\] .* 2.250  *X  next: worker" want && test_grep "worker\[100\] .* Z  next: <idle>" want &&
	test_grep "worker\[100\] .* 1.000  *R  next: daemon" want &&
	test_grep "migrated: worker\[100\] cpu 0 => 1" want &&
	! grep INFO want want.err | grep -v sched_stat_iowait
'
test_expect_success 'kernels 3.10 to 6.18, of both byte orders, with longs of 32 and of 64 bits' '
	for f in 3.10 3.10-32 4.14 6.18 3.10.big 3.10-32.big 4.14.big 6.1.big 6.18.big; do
		show $f.data >got 2>err && test_cmp want got || return 1
	done
'
test_expect_success 'the same through a pipe' '
	perf sched latency -p -i - <3.10-32.big.data >got && perf sched latency -p -i 6.1.data >one && test_cmp one got
'
test_expect_success 'lost events, switches from tasks that were not there, impossible CPUs: told by each verb' '
	for f in odd odd.big odd.old; do
		for v in latency map timehist "timehist -s"; do
			perf sched $v -i $f.data >out 2>&1 && test_grep "^  INFO: 47.222% lost events (17 out of 36, in 1 chunks)$" out &&
			test_grep "^  INFO: .* context switch bugs (2 out of [0-9]*) (due to lost events?)$" out &&
			test_grep "^  INFO: [24] events were on no CPU that there can be$" out || return 1
		done
		perf sched why --max -i $f.data >out && perf sched replay -f -r 1 -i $f.data >out || return 1
	done
'
test_expect_success 'only times that reach over the loss are counted and marked' '
	perf sched timehist -i odd.data --json >json 2>err && test_grep "(2 out of 13)$" err && test "$(grep -c "\"lossy\":true" json)" = 2 &&
	grep "\"lossy\":true" json | sed "s/.*time_ns\":\([0-9]*\).*/\1/" | { read -r a; read -r b; test $a = 1015000000 && test $b = 1015500000; } &&
	perf sched timehist -s --json -i odd.data >sums 2>err && test_grep "(2 out of 13)$" err && test "$(grep -c "\"lossy\":true" sums)" = \
		"$(grep "\"lossy\":true" json | grep -v "\"tid\":0," | sed "s/.*\"comm\":\"\([^\"]*\)\",\"tid\":\([0-9]*\).*/\1 \2/" | sort -u | wc -l)" &&
	test_grep "\"lossy_runs\":1,\"lossy\":true" sums && test_grep "\"lossy_runs\":0}" sums
'
test_expect_success REFERENCE 'shares of lost events and of bugs are those of the reference' '
	perf sched latency -i bugs.data | grep INFO | grep -v "reach over" >ours && "$REF" sched latency -i bugs.data 2>/dev/null | grep INFO >ref &&
	test_line_count = 2 ref && test_cmp ref ours
'
test_expect_success 'time that runs back is told, and makes no negative times' '
	for v in latency map timehist "timehist -s" "why --max"; do
		perf sched $v -i back.data >out 2>err && test_grep "1 out of order events recorded" err && ! grep " -[0-9]*\.[0-9]" out &&
		perf sched $v -i - <back.data >out 2>err && test_grep "1 out of order events recorded" err && ! grep " -[0-9]*\.[0-9]" out || return 1
	done
'

# A recording without the events of an engine: what was looked for, what there is, how to get one.
test_expect_success 'without any event of the scheduler: status 255 and why, in each verb' '
	perf record -q -e dummy,cpu-clock -o plain.data true &&
	for v in latency map timehist "timehist -s" replay "why --max"; do
		test_expect_code 255 perf sched $v -i plain.data >out 2>err && test_cmp /dev/null out && cat err &&
		test_grep "sched:sched_switch" err && test_grep "cpu-clock" err && test_grep "perf sched record" err || return 1
	done
'
test_expect_success 'events that would have told more are named, with what is missing without them' '
	perf record -q -a -c 1 -e sched:sched_switch -o switches.data -- true && perf sched latency -i switches.data >out 2>err && test -s out &&
	test_grep "INFO: the recording has no sched:sched_waking: delays are those of preempted tasks only" err &&
	test_grep "INFO: the recording has no sched:sched_stat_runtime: runtimes are 0" err &&
	perf record -q -a -c 1 -e sched:sched_switch,sched:sched_wakeup -o old.data -- true && perf sched timehist -i old.data >out 2>err &&
	test_grep "has no sched:sched_waking: sched:sched_wakeup takes its place" err && perf timechart -i old.data -o old.svg 2>err &&
	test_grep "sched:sched_wakeup takes its place" err &&
	perf sched record -q -o all.data -- true && perf sched why --max -i all.data >out 2>err &&
	{ grep "the recording has no" err || true; } >told && ! grep -v sched_stat_iowait told
'
test_done
