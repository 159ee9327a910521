#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 3 of 4
test_description='script: task-analyzer, runs of tasks on processors and their sums'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON
. "$SRC/tests/lib/python/scripts.sh"
test_require RUNNER
made runs || exit 1

# runs_of ARGUMENT...: what it prints, with one blank between columns
runs_of() { ours runs task-analyzer "$@" | sed 's/  */ /g; s/^ //'; }

test_expect_success 'each run, with the time since the task was there before' '
	runs_of >out && test_cmp - out <<-\END
		Switched-In Switched-Out CPU PID TID Comm Runtime Time Out-In
		1.000000000 1.000500000 0 10 10 a 500
		1.000600000 1.001600250 1 10 11 a:2 1000
		1.001600250 1.001800500 1 20 20 b;c 200
		1.001700000 1.003700000 0 10 10 a 2000 1200
	END
'
test_expect_success 'units and other distances' '
	runs_of --ns --extended-times >out && sed -n "1s/.*Runtime/Runtime/p; 3p; 5p" out >part && test_cmp - part <<-\END &&
		Runtime Time Out-In Time Out-Out Time In-In Time In-Out
		1.000600000 1.001600250 1 10 11 a:2 1000250
		1.001700000 1.003700000 0 10 10 a 2000000 1200000 3200000 1700000 3700000
	END
	runs_of --ms | tail -1 >out && grep -q " a 2.000 1.200$" out
'
test_expect_success 'sums by task' '
	runs_of --summary-only --ns >out && test_cmp - out <<-\END &&
		Summary (times in ns)
		PID TID Comm Runs Accumulated Mean Median Min Max Max At
		10 10 a 2 2500000 1250000 1250000 500000 2000000 1.001700000
		10 11 a:2 1 1000250 1000250 1000250 1000250 1000250 1.000600000
		20 20 b;c 1 200250 200250 200250 200250 200250 1.001600250
	END
	runs_of --summary >out && test_line_count -eq 11 out && grep -qx "Summary (times in us)" out &&
	runs_of --summary-extended --limit-to-tasks 10 >out &&
	grep -q "Max Out-In Max Out-In At Max Out-Out Max Out-Out At Max In-In Max In-In At Max In-Out Max In-Out At$" out &&
	grep -q "^10 10 a .* 1200 1.001700000 3200 1.001700000 1700 1.001700000 3700 1.001700000$" out
'

# What is chosen, and the threads whose runs remain.
while read -r chosen threads; do
	test_expect_success "chosen by $chosen" '
		runs_of $chosen >out && sed 1d out | cut -d " " -f 5 | xargs >tids && echo $threads | test_cmp - tids
	'
done <<\END
--limit-to-tasks=10 10 11 10
--limit-to-tasks=b;c,11 11 20
--filter-tasks=10 20
--filter-tasks=a 11 20
--time-limit=1.0006: 11 20 10
--time-limit=:1.001600250 10 11
--time-limit=1.0005:1.002 11 20
END

test_expect_success 'other names, and colours' '
	runs_of --rename-comms-by-tids 11:worker,20:x:y --limit-to-tasks worker,x:y >out && cut -d " " -f 6 out | xargs >comms &&
	echo Comm worker x:y | test_cmp - comms &&
	ours runs task-analyzer --highlight-tasks 20:red,a:2:cyan --stdio-color always >out && grep -c "^$(printf "\033\\[")" out >n &&
	echo 2 | test_cmp - n && grep -q "^$(printf "\033\\[31m") .* b;c .*$(printf "\033\\[0m")$" out &&
	ours runs task-analyzer --highlight-tasks 20:red >out && ! grep -q "$(printf "\033")" out
'
test_expect_success 'tables for other programs' '
	ours runs task-analyzer --csv runs.csv --csv-summary tasks.csv >out && ! test -s out && test_cmp - runs.csv <<-\END &&
		Switched-In;Switched-Out;CPU;PID;TID;Comm;Runtime;Time Out-In
		1.000000000;1.000500000;0;10;10;a;500;
		1.000600000;1.001600250;1;10;11;a:2;1000;
		1.001600250;1.001800500;1;20;20;"b;c";200;
		1.001700000;1.003700000;0;10;10;a;2000;1200
	END
	grep -qx "10;10;a;2;2500;1250;1250;500;2000;1.001700000" tasks.csv
'
while IFS='|' read -r wrong message; do
	test_expect_success "refused: $wrong" '
		! ours runs task-analyzer $wrong >out 2>err && grep -q -e "$message" err
	'
done <<\END
--time-limit 5|no colon
--time-limit x:|no time in seconds
--highlight-tasks 1:pink|no colour .pink.*violet
--rename-comms-by-tids a:b|no list of TID:NAME
--summary-only --csv f|--csv writes the runs
--ns --ms|not allowed with
--csv no/such/file|task-analyzer: cannot write no/such/file: No such file
END
test_expect_success 'a recording without runs' '
	! ours calls task-analyzer --summary >out 2>err && grep -q "has no runs of tasks; perf script record" err
'

# The reference tells of the same runs: when each ends, of which thread, and its length in ms, without those that it
# takes from a switch that is lost.
test_lazy_prereq REF_TIMEHIST 'the reference has no sched timehist' '
	"$REF" sched timehist -i "$TRASH/cwd/runs.data" | grep -q "1.003700"'
test_expect_success REF_TIMEHIST 'the reference has the same lengths of runs' '
	"$REF" sched timehist -i runs.data 2>/dev/null | awk "\$1 ~ /^[0-9.]+\$/ { print \$1, \$NF }" >theirs &&
	runs_of --ms | awk "NR > 1 { print substr(\$2, 1, length(\$2) - 3), \$7 }" >out && test_line_count -eq 4 out &&
	while read -r line; do grep -qx "$line" theirs || { echo "$line"; cat theirs; return 1; }; done <out
'

test_lazy_prereq ENGINE 'this perf was built without Python' 'test "$RUNNER" = "$PERF"'
test_expect_success ENGINE 'by its name: the recording stands anywhere' '
	for args in "-i runs.data --ns" "--ns -i runs.data" "--input=runs.data -- --ns"; do
		perf script report task-analyzer $args >out && grep -q " 1000250$" out || { echo "$args"; return 1; }
	done &&
	perf script -i runs.data report task-analyzer --ns | grep -q " 1000250$" &&
	test_expect_code 129 perf script report task-analyzer --ns -i 2>err && grep -q "^-i wants the name of a recording" err
'
# Some kernels do not record that a processor leaves the idle task: runs that begin so have no beginning, and are left out.
# A child is called bash until it becomes sleep.
test_expect_success ROOT,PERF_EVENTS,TRACEFS,ENGINE 'a program that sleeps 20 times' '
	perf script record task-analyzer -q -o live.data -- bash -c "echo \$\$ >shell; for i in {1..20}; do sleep 0.002; done" &&
	perf script report task-analyzer -i live.data --summary-only --csv-summary live.csv --ns && awk -F ";" -v shell="$(cat shell)" "
		\$1 == shell { s += \$4 }
		\$1 > shell && (\$3 == \"sleep\" || \$3 == \"bash\") && \$4 >= 1 && \$5 > 0 && \$8 <= \$7 && \$7 <= \$9 { n++ }
		END { print s, n; exit s < 10 || n < 15 }" live.csv
'
test_done
