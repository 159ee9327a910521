#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 2 of 4
test_description='perf trace: summaries whose calls are counted in the kernel, beside those from rings'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

asks=$(program asks)
perf trace -s --bpf-summary -o out true 2>err || test_skip_all "calls cannot be counted in the kernel here: $(cat err)"

# rows FILE: names of calls, how often each was made and how often it failed; the heads of tables without numbers of threads
rows() { sed -nE 's/^ (\w[^(]*) \([0-9]+\), ([0-9]+) events.*/\1 \2/p; s/^   (\w+) +([0-9]+) +([0-9]+) .*%$/\1 \2 \3/p' "$1" | sort; }
# same ARGS...: the rows are the same as those from rings
same() {
	perf trace -s --bpf-summary -o counted "$@" && perf trace -s --no-bpf-summary -m 1024 -o rings "$@" &&
	rows counted >got && rows rings >want && test_cmp want got && test -s got
}

test_expect_success 'the same calls, errors and events as events tell: one thread, two threads, processes, a signal' '
	same "$asks" known && same "$asks" many 1000 && same -e "!futex" "$asks" block && same "$asks" forks 5 &&
	same sh -c "trap : USR1; kill -USR1 \$\$" && same --summary-mode total "$asks" forks 2 &&
	same -e openat,close "$asks" known && ! grep getppid counted && same --no-inherit "$asks" forks 3
'
test_expect_success 'exec of a thread that is not the first one' '
	perf trace -s --bpf-summary --summary-mode total -o counted "$asks" exec && grep -E "^   execve +2 +0 " counted &&
	grep -E "^   exit_group +1 +0 " counted
'
test_expect_success 'times: the shortest, mean and longest fit, and the sum is of all calls' '
	perf trace -s --bpf-summary -o counted sh -c "\"$asks\" wait 60" && perf trace -s --bpf-summary -o many "$asks" many 5000 &&
	awk "/nanosleep/ { exit !(\$2 == 1 && \$4 >= 60 && \$4 < 2000 && \$5 == \$4 && \$6 == \$4 && \$7 == \$4) }" counted &&
	awk "/getppid/ { exit !(\$2 == 5000 && \$5 <= \$6 && \$6 <= \$7 && \$8 + 0 > 0 && \$4 >= \$7) }" many
'
test_expect_success 'nothing is lost, and it is cheaper than recording the two events' '
	perf trace -s -m 1 -o out "$asks" many 50000 2>err && grep -E "^   getppid +50000 +0 " out && ! grep LOST err
'
test_expect_success 'it is done where it can be and not forbidden, and -v tells why not' '
	perf trace -s -v -o out true 2>err && ! grep "not counted in the kernel" err &&
	test_must_fail perf trace -s --bpf-summary -F all true 2>err && grep "^--bpf-summary: other events than calls" err &&
	test_must_fail perf trace --bpf-summary true 2>err && grep "^--bpf-summary: without -s or -S" err
'
test_expect_success 'modes, with lines and without, for one program and for the system' '
	for mode in thread total cgroup; do
		for counted in --bpf-summary --no-bpf-summary; do
			for what in -s -S -as -aS; do echo "$what --summary-mode=$mode $counted"; done
		done
	done | sampled 5 >modes && test -s modes &&
	while read -r mode; do
		perf trace $mode -o out -- cat /dev/null || return 1
		sed -n "/Summary of events/,\$p" out | grep -E "^   (open|read|close).*%$" >rows
		test "$(cat rows | wc -l)" -ge 3 || { echo "$mode"; return 1; }
	done <modes && perf trace -S --bpf-summary -o out "$asks" known && grep " dup2(oldfd: " out && grep -E "^   dup2 +1 +0 " out
'
test_expect_success 'errors by number, distributions and columns of them' '
	perf trace -s --bpf-summary --errno-summary -o out "$asks" known && grep -A1 "^   close .* 1 " out | grep "^[[:space:]]*EBADF: 1$" &&
	perf trace -s --bpf-summary --hist getppid -o out "$asks" many 2000 && sed -n "/getppid (msec)/,\$p" out >hist &&
	awk "/\|/ { n += \$4 } END { exit n != 2000 }" hist && ! grep "(msec):" out | grep -v getppid &&
	perf trace -s --bpf-summary --summary=p1,p100 -o out sh -c ""$asks" wait 60; "$asks" wait 1" &&
	awk "/clock_nanosleep/ { n++; exit !(\$9 >= 1 && \$9 <= \$10 && \$10 == \$7) } END { exit !n }" out &&
	perf trace -s --bpf-summary --summary-mode total --hist close --errno-summary -o out sh -c ""$asks" known; "$asks" known" &&
	grep "close (msec):" out && grep "EBADF: 2$" out
'
test_expect_success 'CPUs: calls of others are not counted' '
	cpu=$(sed "s/[-,].*//" /sys/devices/system/cpu/online) && other=$(grep -o "[0-9]*\$" /sys/devices/system/cpu/online) &&
	perf trace -s --bpf-summary -C $cpu -o out taskset -c $cpu "$asks" many 500 && grep -E "^   getppid +500 " out &&
	test_must_fail perf trace -s --bpf-summary -C 4000 -o out true 2>err && grep "CPU 4000 is not online" err &&
	{ test $cpu = $other ||
		{ perf trace -s --bpf-summary -C $cpu -o out taskset -c $other "$asks" many 500 && ! sed -n "/^ asks (/,/^ [^ ].*events/p" out | grep getppid; }; }
'
test_expect_success 'tables at intervals: none of the calls is in two of them or in none' '
	perf trace -s --bpf-summary --summary-mode total -I 20 -o out "$asks" many 400000 &&
	test "$(grep -c "^ From " out)" -ge 4 && grep "^ From 20.000 ms on:" out &&
	awk "/^   getppid / { n += \$2 } END { exit n != 400000 }" out
'
# busy: a process that asks the kernel for something until the file "on" is gone
busy() { exec sh -c "while test -e on; do sleep 0.02; done"; }
# loaded PID: it has all its programs, whose numbers are in ids then
loaded() { sed -n "s/^prog_id:[^0-9]*//p" /proc/"$1"/fdinfo/* 2>/dev/null | sort -u >ids; test "$(cat ids | wc -l)" -ge 3; }
test_expect_success 'a process that runs, until it ends' '
	: >on && { busy & } && pid=$! && wait_comm $pid sh && rm -f out &&
	{ perf trace -s --bpf-summary -p $pid -o out & } && trace=$! && wait_for loaded $trace && sleep 0.3 && rm on && wait $trace && wait $pid;
	grep -E "^ sh \($pid\), [0-9]+ events" out && grep -E "^ sleep \([0-9]+\)" out && grep -E "^   wait4 +[0-9]+ +[0-9]+ " out
'
# gone: the kernel has none of these programs any more
gone() {
	perf record -q -o bpf.data -e dummy true && perf script -i bpf.data --show-bpf-events >events &&
	for id in $(cat ids); do ! grep -q "BPF_EVENT.* id $id\$" events || return 1; done
}
test_expect_success 'the table is there after each signal, and no program is left' '
	for signal in INT TERM HUP; do
		rm -f out; : >on; { busy & } && pid=$! && { perf trace -as --bpf-summary -o out & } && trace=$! &&
		wait_for loaded $trace && ! gone && sleep 0.1 && kill -$signal $trace && wait $trace || return 1
		rm on; wait $pid; grep -E "^ sh \($pid\)" out && wait_for gone || return 1
	done
'
test_expect_success 'each of many processes that end has its table' '
	perf trace -s --bpf-summary -o out "$asks" forks 300 && test "$(grep -c "^ asks (" out)" -eq 301 &&
	awk "/^   exit_group/ { n += \$2 } END { exit n != 301 }" out
'
test_done
