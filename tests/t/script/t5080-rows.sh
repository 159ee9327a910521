#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 1 of 2
test_description='script --ndjson, --csv: rows as other programs read them; report --pair, --heatmap: latencies computed another way'
. "$(dirname "$0")/../../lib/tap.sh"

rows() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/rows.py" "$@"; }

# both OPTION...: the same rows in both formats; how many
both() {
	perf script "$@" --ndjson rows.ndjson 2>err && perf script "$@" --csv rows.csv 2>>err && rows same rows.ndjson rows.csv
}

# shown: pairs, their sum, starts without an end, ends without a start, as the text has them
shown() {
	sed -n 's/^# pairs  *\([0-9]*\), \([0-9]*\) ns in all$/\1 \2/p
		s/^# starts without an end: \([0-9]*\) .*/\1/p; s/^# ends without a start: \([0-9]*\)$/\1/p' "$1" | xargs
}

test_expect_success PERF_EVENTS,TRACEFS,ROOT 'a recording of system calls and of the scheduler, one of call chains' '
	perf record -q -a -o tp.data -e "raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_wakeup,sched:sched_switch" \
		-- sh -c "ls -lR /usr/include/linux >/dev/null; sleep 0.01; ls / >/dev/null; true" &&
	perf record -q -g -o chain.data -e cpu-clock/period=200000/,page-faults/period=10/ ls -lR /usr/include/linux >/dev/null
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON 'every sample is a row of both, with the same values' '
	n=$(both -i tp.data) && test "$n" -eq "$(perf script -i tp.data | wc -l)" && test "$n" -gt 500 &&
	n=$(both -i chain.data) && test "$n" -eq "$(perf script -i chain.data -G | wc -l)" && test "$n" -gt 5 &&
	n=$(both -i tp.data --time 20%-40% -C 0 -c ls,swapper) &&
	test "$n" -eq "$(perf script -i tp.data --time 20%-40% -C 0 -c ls,swapper | wc -l)"
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,REFERENCE 'as many as the reference has lines' '
	perf script -i tp.data --ndjson | wc -l >ours && "$REF" script -i tp.data 2>/dev/null | wc -l >theirs &&
	test_cmp theirs ours
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON 'columns chosen; one writer or several; a pipe; half a file goes away' '
	perf script -i chain.data -F comm,ip,sym --ndjson - >out && head -n 1 out >line &&
	python3 -c "import json; print(*json.load(open(\"line\")))" >got && echo "comm ip sym callchain" | test_cmp - got &&
	perf script -i chain.data -F event,period,callindent --csv >out && head -n 1 out | tr -d "\r" >got &&
	echo "event,period" | test_cmp - got &&
	PERF_WORKERS=1 perf script -i tp.data --csv >one && perf script -i tp.data --csv >several && cmp one several &&
	perf record -q -o - -e cpu-clock -c 100000 ls -R /usr/include/linux 2>/dev/null | cat >pipe.data &&
	perf script -i - --csv <pipe.data >out && test_line_count -gt 1 out &&
	test_expect_code 255 perf script -i chain.data -F +srccode --csv x.csv 2>err && test_grep "srccode" err &&
	test_expect_code 129 perf script -i chain.data --csv --ndjson 2>err && test_expect_code 129 perf script -i chain.data -D --csv 2>err &&
	test_expect_code 255 perf script -i chain.data --ndjson /dev/full 2>err && test_grep "No space left" err && test -e /dev/full
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON 'records that are no samples are lines with a type' '
	perf script -i tp.data --show-mmap-events --show-task-events --ndjson >out &&
	python3 -c "
import json
seen = {json.loads(line).get(\"type\") for line in open(\"out\")}
assert {None, \"MMAP2\", \"COMM\", \"FORK\", \"EXIT\"} <= seen, seen"
'
test_expect_success PYTHON 'hostile names are text' '
	rows hostile bad.data && both -i bad.data >n && echo 8 | test_cmp - n && rows check rows.ndjson
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON 'latencies: the sums of another program over the rows' '
	perf script -i tp.data --ndjson all.ndjson &&
	perf report -i tp.data --pair raw_syscalls:sys_enter,raw_syscalls:sys_exit --key common_pid >out &&
	rows pairs all.ndjson raw_syscalls:sys_enter raw_syscalls:sys_exit tid >want && shown out | test_cmp want - &&
	perf report -i tp.data --pair sched:sched_wakeup,sched:sched_switch --key pid=next_pid,comm=next_comm >out &&
	rows pairs all.ndjson sched:sched_wakeup sched:sched_switch pid=next_pid,comm=next_comm >want && shown out | test_cmp want - &&
	perf report -i tp.data --pair sched:sched_switch,sched:sched_switch --key cpu >out &&
	rows pairs all.ndjson sched:sched_switch sched:sched_switch cpu >want && shown out | test_cmp want - &&
	awk "\$2 == \"-\" { n += \$4 } /^# pairs/ { all = \$3 + 0 } END { exit n != all || !all }" out
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON,REFERENCE 'and over what the reference prints' '
	perf report -i tp.data --pair raw_syscalls:sys_enter,raw_syscalls:sys_exit >out &&
	"$REF" script -i tp.data --ns -F tid,time,event 2>/dev/null | rows text raw_syscalls:sys_enter raw_syscalls:sys_exit >want &&
	shown out | test_cmp want -
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON 'pictures: well-formed, every pair and every sample in a cell' '
	perf report -i tp.data --pair raw_syscalls:sys_enter,raw_syscalls:sys_exit --heatmap a.svg >out &&
	perf report -i tp.data --heatmap b.svg && perf report -i tp.data --heatmap - >c.svg && cmp b.svg c.svg &&
	python3 - "$(shown out | cut -d" " -f1)" "$(wc -l <all.ndjson)" <<-"END" &&
	import re, sys, xml.etree.ElementTree as e
	for name, want in zip(("a.svg", "b.svg"), sys.argv[1:]):
	    cells = [t.text for t in e.parse(name).iter("{http://www.w3.org/2000/svg}title")]
	    assert sum(int(re.search(r": (\d+) (pairs|samples)$", c)[1]) for c in cells) == int(want), name
	END
	test_grep "maximum" a.svg &&
	perf report -i tp.data --pair raw_syscalls:sys_enter,raw_syscalls:sys_exit --heatmap a.html >out && test_grep "^<!DOCTYPE html>" a.html &&
	test "$(grep -o "http[^ ]*" a.html | sort -u | wc -l)" -eq 1 &&
	perf report -i - --pair raw_syscalls:sys_enter,raw_syscalls:sys_exit <tp.data >pipe.out && test_cmp out pipe.out
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT 'what is wrong is told' '
	test_expect_code 255 perf report -i tp.data --pair a:b,raw_syscalls:sys_exit 2>err && test_grep "no event .a:b." err &&
	test_expect_code 255 perf report -i tp.data --pair raw_syscalls:sys_enter 2>err && test_grep "two events" err &&
	test_expect_code 255 perf report -i tp.data --pair raw_syscalls:sys_enter,raw_syscalls:sys_exit --key nix 2>err &&
	test_grep "nix. is no field of raw_syscalls:sys_enter" err &&
	test_expect_code 255 perf report -i tp.data --key pid 2>err &&
	test_expect_code 255 perf report -i tp.data --heatmap none/a.svg 2>err && test_grep "none/a.svg" err
'
test_done
