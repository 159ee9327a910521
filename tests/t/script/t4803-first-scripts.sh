#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 0 of 2
test_description='script: reads and writes, failed calls, wakeups and workqueues, as the first scripts of perf showed them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON
. "$SRC/tests/lib/python/scripts.sh"
test_require RUNNER
made rw rw-old wakeups wakeups-old works || exit 1

# part TITLE: the rows of a table, from out
part() { awk -v title="$1" '$0 == title { on = 4 } on && !--on { rows = 1; next } rows && !NF { exit } rows' out | sed 's/  */ /g; s/^ //'; }

test_expect_success 'reads and writes, on kernels of then and now' '
	ours rw rw-by-pid >out && ours rw-old rw-by-pid | test_cmp out - &&
	part "read counts by pid:" >rows && printf "%s\n" "20 bb 6 6000 1000" "10 a 3 207 150" "11 a 1 10 10" | test_cmp - rows &&
	part "failed reads by pid:" >rows && printf "%s\n" "20 bb -11 3" "20 bb -4 2" "10 a 0 1" | test_cmp - rows &&
	part "write counts by pid:" >rows && printf "%s\n" "10 a 3 610" "30 c c 4 20" "11 a 1 10" | test_cmp - rows &&
	part "failed writes by pid:" >rows && printf "%s\n" "30 c c -32 2" "30 c c -28 1" | test_cmp - rows &&
	grep -qx "sched::sched_switch  *1" out
'
test_expect_success 'those of a program, by descriptor' '
	ours rw rw-by-file a >out && part "file read counts for a:" >rows && printf "%s\n" "3 3 210" "5 1 7" | test_cmp - rows &&
	part "file write counts for a:" >rows && printf "%s\n" "7 2 510" "2 2 110" | test_cmp - rows &&
	! ours rw rw-by-file >out 2>err && grep -q "rw-by-file.py <comm>" err
'
test_expect_success 'again and again' '
	ours rw rwtop 5 >out && part "write counts by pid:" >rows && printf "%s\n" "10 a 3 610" "30 c c 4 20" "11 a 1 10" | test_cmp - rows &&
	! ours rw rwtop x >out 2>err && grep -q "x is not a number" err
'
test_expect_success 'failed calls' '
	ours calls failed-syscalls >out && sed 1,5d out | sed "s/  */ /g" >rows && printf "%s\n" "prog 7" "other one 1" | test_cmp - rows
'
test_expect_success 'wakeups, on kernels of then and now' '
	ours wakeups wakeup-latency >out && sed 1,2d out | test_cmp - <(printf "%s\n" "total_wakeups: 4" "avg_wakeup_latency (ns): 405" \
		"min_wakeup_latency (ns): 100" "max_wakeup_latency (ns): 700") && ours wakeups-old wakeup-latency | test_cmp out -
'
test_expect_success 'workqueues' '
	ours works workqueue-stats | sed "1,4d; s/  */ /g; s/\t/ /" >out &&
	printf " %s\n" "0 2 2 events" "1 0 1 [unknown]" "1 1 0 events" "1 1 1 kblockd" | test_cmp - out
'
# The reference has these in Perl.
REF_PERL=${REF_SCRIPTS%/python}/perl
test_lazy_prereq REF_PERL 'the reference has no scripts in Perl' '"$REF" script -i "$TRASH/cwd/calls.data" -s "$REF_PERL/failed-syscalls.pl"'
test_expect_success REF_PERL 'the reference prints the same' '
	while read -r data script arg; do
		"$REF" script -i $data.data -s "$REF_PERL/$script.pl" $arg >theirs.out 2>theirs.err
		ours $data $script $arg >ours.out
		# Events that it counts as well come in any order.
		test_cmp <(sed "/^syscalls::/d" theirs.out) <(sed "/^syscalls::/d" ours.out) || return 1
	done <<-\END
		rw-old rw-by-pid
		rw-old rwtop
		rw-old rw-by-file a
		calls failed-syscalls prog
		wakeups-old wakeup-latency
	END
'
test_done
