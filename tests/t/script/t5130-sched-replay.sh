#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='sched replay: the load of a recording takes its time again'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON

# load FILE UNIT: a recording of 11 units of so many ns
load() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/sched-load.py" "$@"; }

load a.data 10000000 && load short.data 10000 && load long.data 6000000000 || exit 1

test_expect_success 'tasks and their steps' '
	perf sched replay -i short.data -r 1 >out && sed -n "5,/^---/p" out >tasks && test_cmp - tasks <<-\END
		nr_run_events:        3
		nr_sleep_events:      6
		nr_wakeup_events:     5
		task      0 (           swapper/0:         0), nr_events: 4
		task      1 (              worker:       100), nr_events: 6
		task      2 (              helper:       200), nr_events: 3
		task      3 (           swapper/1:         0), nr_events: 1
		------------------------------------------------------------
	END
'
test_expect_success 'costs are measured, and a run and a pause of a millisecond take that time' '
	perf sched replay -i short.data -r 1 >out &&
	perl -ne "\$n++ if /^(run|sleep) measurement overhead: \d+ nsecs\$/;
		\$n++ if /^the (run|sleep) test took (\d+) nsecs\$/ && \$2 > 500000; END { exit(\$n != 4) }" out
'
# A busy machine makes a replay longer, but not its CPU time.
test_expect_success 'replays take the time and the CPU time of the recording' '
	perf sched replay -i a.data -r 3 >out && grep "^#" out >rounds && test "$(wc -l <rounds)" -eq 3 &&
	perl -ne "/^#(\d)  : ([\d.]+), ravg: ([\d.]+), cpu: ([\d.]+) \/ ([\d.]+)\$/ or die;
		die \$_ if \$1 != ++\$n || \$2 < 108 || \$3 < 108 || \$4 < 59 || \$4 > 90 || \$5 < 59;
		die \$_ if \$n == 1 && abs(\$2 - \$3) > 0.01" rounds
'
test_expect_success 'ten replays, or as many as wanted, or more and more' '
	perf sched replay -i short.data >out && test "$(grep -c "^#" out)" -eq 10 &&
	for r in 0 -1; do
		perf sched replay -i short.data -r $r | sed "/^#15 /q" >out && grep "^#15 " out || return 1
	done &&
	test_expect_code 129 perf sched replay -i short.data -r -2 2>err && grep -e "-2 is no number of replays" err
'
test_expect_success 'a long recording is refused, but not a part of it, and an interrupt ends its replay' '
	test_expect_code 255 perf sched replay -i long.data >out 2>err && test_cmp /dev/null out &&
	grep "66 s long.*--time.*-f" err && test "$(wc -l <err)" -eq 1 &&
	perf sched replay -i long.data --time 67,68 -r 1 >out && grep "^#1 " out &&
	test_expect_code 124 env --default-signal=INT timeout -k 5 -s INT 0.5 "$PERF" sched replay -f -i long.data
'
test_expect_success 'more tasks than a user may have are refused without -f' '
	(ulimit -u 3 && exec "$PERF" sched replay -i short.data 2>err); test $? -eq 255 &&
	grep "each of 4 tasks.*only 3.*ulimit -u.*-f" err
'
test_expect_success ROOT 'they are replayed with -f' '
	(ulimit -u 3 && exec "$PERF" sched replay -f -i short.data -r 1 >out) && grep "^#1 " out
'
test_expect_success 'a recording of other events is refused' '
	perf record -q -e task-clock -o other.data true &&
	test_expect_code 255 perf sched replay -i other.data 2>err && grep "has no sched:sched_switch" err
'
test_expect_success ROOT,PERF_EVENTS 'what was just recorded is replayed' '
	perf sched record -q -o real.data -- sh -c "sleep 0.05; ls | sort" &&
	perf sched replay -i real.data -r 2 >out && grep " sleep: *[0-9]*), nr_events:" out && grep "^#2 " out
'
test_expect_success ROOT,PERF_EVENTS,REFERENCE 'lines have the form that the reference gives them' '
	form() { sed "s/[0-9][0-9.]*/N/g; s/  */ /g" | grep -v -e "^task" -e "less wakeups" -e "^multi" -e "^run atoms" | sort -u; } &&
	"$REF" sched -i real.data replay -r 1 2>/dev/null | form >want &&
	perf sched replay -i real.data -r 1 | form >got && grep "^#N : N, ravg" want && test_cmp want got
'
test_done
