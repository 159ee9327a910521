#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
test_description='sched timehist: rows of the reference, and sums that agree with what ran'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

perf sched record -q -o a.data -- sh -c 'for i in 1 2 3; do /bin/true; ls /usr/bin | sort | wc -l; done'
perf sched record -g -q -o chains.data -- sh -c 'ls | sort; sleep 0.01'

# The reference shows tasks without a record of their name as ":72", threads that are gone as ":-1", and idle CPUs that wake others up as "swapper".
known() {
	grep -v -e ' :[0-9]' -e ' :-1' -e ' swapper '
}

test_expect_success REFERENCE 'rows are those of the reference' '
	for o in "" -w -M -V -MVw; do
		"$REF" sched -i a.data timehist $o 2>/dev/null | known >want &&
		perf sched -i a.data timehist $o 2>/dev/null >got &&
		test -s want && diff want got | grep "^<" >missing
		test_cmp /dev/null missing || return 1
	done
'
# The last run of a thread that is about to end is one of ":-1" in the reference, so the sums of that thread lack it there.
lacking() {
	"$REF" sched -i a.data timehist 2>/dev/null | perl -ne 'print "$1\n" if /^ *([\d.]+ \[\d+\]) +:-1/' >gone
	perf sched timehist -i a.data 2>/dev/null | grep -F -f gone | perl -ne 'print "[$1\n" if /\] .*?\[(\d+[\/\]])/'
}

# Rows of sums without the number of migrations, which the reference does not count.
run_times() {
	perl -ne 'print if /\[\d\S*\] +-?\d+ / && s/ +\d+$//' | grep -v -F -f lacking | sort
}

test_expect_success REFERENCE 'so are run times in the sums' '
	lacking >lacking &&
	"$REF" sched -i a.data timehist -s 2>/dev/null | run_times >want &&
	perf sched timehist -s -i a.data | run_times >got.all && grep -F -x -f want got.all >got
	test -s want && test_cmp want got
'
test_expect_success 'run time and idle time make up the time of all CPUs' '
	perf sched timehist -s -i a.data >out &&
	perl -ne "\$run = \$1 if /Total run time.*: *([\d.]+)/; \$idle += \$1 if /idle for *([\d.]+)/;
		(\$all, \$cpus) = (\$1, \$2) if /scheduling time.*: *([\d.]+) *\(x (\d+)\)/;
		END { \$sum = \$run + \$idle; exit !(\$sum <= \$all * \$cpus && \$sum > 0) }" out
'
test_expect_success 'no CPU that had events was idle all the time, and threads have their names' '
	perf sched timehist -i a.data -wS >out && ! grep "entire time window" out && ! grep " :[0-9]" out
'
test_expect_success 'call chains stand behind rows when they were recorded' '
	perf sched timehist -i chains.data >out && grep -E "0\.[0-9]{3}    [a-z_]+ <- [a-z_]+" out &&
	perf sched timehist -i chains.data --no-call-graph >none && ! grep -e "<-" none &&
	perf sched timehist -i a.data >rows 2>err && grep "Samples do not have callchains" err
'
test_expect_success 'columns and filters' '
	perf sched timehist -i a.data -n --state >out && grep -E " [RSDZI]  next: [^ ]+\[[0-9]+" out &&
	pid=$(perl -ne "if (/ ls\[(\d+)\]/) { print \$1; exit }" out) &&
	perf sched timehist -i a.data -p $pid | sed 1,3d >one && test -s one && ! grep -v "\[$pid\]" one &&
	perf sched timehist -i a.data -C 1 | sed 1,3d >cpu && ! grep -v "\[0001\]" cpu &&
	perf sched timehist -i a.data -I | sed 1,3d >idle && ! grep -v "<idle>" idle
'
test_expect_success '-s does not go with rows' '
	test_expect_code 234 perf sched timehist -i a.data -s -w 2>err && grep "mutually exclusive" err
'
test_done
