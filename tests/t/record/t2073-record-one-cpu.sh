#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='perf record -C: names of what was started on CPUs that are not recorded'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS
test_lazy_prereq TWO_CPUS 'needs CPUs 0 and 1' 'taskset -c 0 true && taskset -c 1 true'

test_expect_success TWO_CPUS 'a command that starts elsewhere and comes to the recorded CPU has its name and its functions' '
	perf record -q -C 0 -F 500 -o m.data taskset -c 1 sh -c "perf test -w noploop 1 & sleep 0.2; taskset -cp 0 \$! >log; wait" &&
	perf report -i m.data --stdio -s comm,dso,sym >out && test_grep "%  perf-noploop  *perf  *\[\.\] noploop" out &&
	perf script --show-mmap-events --show-task-events -F comm,cpu,pid -i m.data >out && test_grep "PERF_RECORD_MMAP2.*/perf$" out
'
test_expect_success TWO_CPUS 'samples are of the recorded CPU alone, side-band of all, in threads and streams too' '
	for how in "" "--threads" "-e cpu-clock,faults" "--switch-output"; do
		rm -rf s.data* && perf record -q -C 0 $how -F 500 -o s.data sh -c "taskset -c 1 true; taskset -c 0 perf test -w noploop 0.1" || return 1
		f=$(ls -d s.data* | head -1) && perf script -F cpu -i "$f" | tr -d " " | sort -u >out && echo "[000]" | test_cmp - out || return 1
		perf report -D -i "$f" | sed -n "s/^\([01]\) [0-9]* 0.*PERF_RECORD_COMM exec: \(true\|perf\):.*/\1/p" | sort -u >out && test_line_count = 2 out || return 1
	done &&
	perf record -q -C 0 -F 500 -o - sh -c "taskset -c 1 perf test -w noploop 0.1" >p.data && perf report -D -i - <p.data >out && test_grep "COMM exec: taskset" out
'
test_expect_success TWO_CPUS 'events of the recorded CPU are opened there only' '
	perf record -C 1 -e cs -vv -o v.data true 2>&1 | grep -o "sys_perf_event_open: pid -1  cpu [0-9]*" | sort | uniq -c | awk "{print \$1, \$6}" >out &&
	printf "%s\n" "1 0" "2 1" | test_cmp - out
'
test_done
