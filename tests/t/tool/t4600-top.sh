#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='perf top --stdio: the line above, rows, numbers as those of a recording, how it ends'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

# top SECONDS OPTION...: what it prints until it is told to end
top() { timeout -k 5 -s INT "$1" "$PERF" top --stdio "${@:2}" </dev/null; }
# share FILE CALLER: the share of the last block
share() { awk -v f="$2" '/PerfTop/ { p = "" } $NF == f && p == "" { p = $1 } END { print p + 0 }' "$1"; }

# enough: the last block has so many samples of the function that its share says something
enough() { awk '/PerfTop/ { n = 0 } $NF == "often" { n = $2 } END { exit !(n >= 300) }' out; }

test_expect_success 'shares are those of a report on the same samples' '
	{ "$(program work)" & pid=$!; } &&
	{ perf top --stdio -p $pid -F 997 -d 0.5 -n --record w.data </dev/null >out 2>err & top=$!; } &&
	{ wait_for enough; rc=$?; kill -INT $top; wait $top; kill $pid; test $rc -eq 0; } &&
	perf report --stdio -q -i w.data -s sym 2>/dev/null >rep &&
	ours=$(share out often) theirs=$(awk "\$NF == \"often\" { print \$1 + 0 }" rep) &&
	echo "top $ours, report $theirs" &&
	awk "BEGIN { exit !($ours > 40 && $ours < 95 && $ours - $theirs < 12 && $theirs - $ours < 12) }" &&
	grep -E "^ +[0-9]+\.[0-9]{2}%  +[0-9]+  work +\[\.\] often" out
'
test_expect_success 'the line above, one block for each refresh, no control characters' '
	top 1.8 -d 0.5 -E 3 >out 2>err; test "$(grep -c "PerfTop: *[0-9]* irqs/sec  kernel: *[0-9.]*%  exact: *[0-9.]*% lost: [0-9]*/[0-9]* drop: [0-9]*/[0-9]* \[4000Hz [a-z:-]*\],  (all, [0-9]* CPUs*), perf: [0-9.]*%" out)" -ge 2 &&
	! grep -q "[[:cntrl:]]" out && test_line_count = 0 err && test "$(grep -c "%  " out)" -le "$((3 * $(grep -c PerfTop out) + $(grep -c PerfTop out)))"
'
test_expect_success 'it ends with a key from a pipe, when nobody reads, and with its threads' '
	{ sleep 0.8; echo q; } | timeout -k 5 20 perf top --stdio -d 0.3 >out && grep -q PerfTop out &&
	{ timeout -k 5 20 perf top --stdio -d 0.2 </dev/null; echo $? >status; } | head -2 >/dev/null && test "$(cat status)" = 0 &&
	{ sleep 1 & } && timeout -k 5 20 perf top --stdio -p $! -d 0.3 </dev/null >out 2>err && test_grep "All threads that were measured have ended" err
'
test_expect_success 'without a terminal it waits for nothing: little CPU time' '
	{ TIMEFORMAT="%U %S"; time top 3 -p $$ -F 10 -d 1 >out 2>err; } 2>times
	cat times && awk "{ exit !(\$1 + \$2 < 1.5) }" times && test "$(grep -c PerfTop out)" -ge 2
'
test_expect_success 'several events, each below its name; samples of what is hidden' '
	top 1.9 -e cpu-clock:u,page-faults -d 0.8 -s comm -n >out 2>err & top=$!
	for i in 1 2 3 4 5 6; do ls -lR /usr/include >/dev/null 2>&1; done; wait $top
	grep -q "^cpu-clock:u:$" out && grep -q "^page-faults:$" out && grep -q " ls *$" out
'
test_expect_success ROOT '-K and -U leave out the kernel, and user space; -z forgets' '
	top 1.4 -K -d 0.6 -s sym -z >user 2>err & top=$!
	top 1.4 -U -d 0.6 -s sym >kernel 2>err & top2=$!
	for i in 1 2 3 4 5 6; do ls -lR /usr/include >/dev/null 2>&1; done; wait $top $top2
	grep -q "\[\.\]" user && ! grep -q "\[k\]" user && grep -q "\[k\]" kernel && ! grep -q "\[\.\]" kernel
'
test_expect_success 'a function is looked into; a file for perf report; rings that are overwritten' '
	{ "$(program work)" & pid=$!; }
	top 1.1 -p $pid -d 0.5 --sym-annotate often -M intel >code 2>err
	top 1.1 -p $pid -F 997 -d 0.5 -n --record r.data >out 2>>err
	top 1.4 -p $pid -d 0.6 --overwrite -n >over 2>>err
	kill $pid; test_line_count = 0 err &&
	grep -Eq "^ +[0-9]+\.[0-9]+ : +[0-9a-f]+: +(add|sub|mov|cdqe|cmp|j)" code && test_grep ! "seldom" code &&
	perf report --stdio -q -n -s sym -i r.data >rep 2>/dev/null && grep -q "\[\.\] often" rep &&
	n=$(awk "/often/ { print \$2 }" rep) && test "$n" -gt 20 && perf report --header-only -i r.data | grep -q "^# cmdline : .*top --stdio -p" &&
	perf buildid-list -i r.data >ids &&
	grep -q "^$(perf buildid-list -i "$(program work)") .*/work$" ids &&
	perf buildid-list -i r.data -H | grep -q "^[0-9a-f]\{40\} .*/work$" &&
	grep -Eq "^ +[0-9.]+%  +[0-9]+  work +\[\.\] often" over && grep -q "lost: 0/0" over
'
test_expect_success REFERENCE 'options are those of the reference, and more' '
	options() { "$1" top -h 2>&1 | grep -Eo "^ +(-[a-zA-Z], )? *--[a-z_-]+" | grep -o -e "--.*" | sort -u; }
	options "$REF" >ref && options "$PERF" >our && test_line_count -gt 50 ref && test -z "$(comm -23 ref our)"
'
test_expect_success 'values that perf reads by itself have no samples to show' '
	test_expect_code 234 perf top --stdio -e num_cpus >out 2>err </dev/null && test_line_count = 0 out &&
	test_grep "^There are no samples of num_cpus: perf stat shows the value" err &&
	test_grep "^there is nothing to show: no event that was named has samples" err &&
	{ top 1.2 -e num_cpus,cpu-clock -d 0.3 >out 2>err; grep -q PerfTop out; } && test_grep ! "nothing to show" err
'
test_expect_success 'what makes no sense is told, with nothing measured' '
	test_expect_code 255 perf top --stdio -s no_such_key </dev/null >out 2>err && test_grep "no_such_key" err && test_line_count = 0 out &&
	test_expect_code 255 perf top --stdio -p 999999999 </dev/null 2>err && test_grep "999999999" err &&
	test_expect_code 129 perf top --stdio -d 0 </dev/null 2>err && test_grep "seconds between refreshes" err &&
	test_expect_code 129 perf top --stdio a-command </dev/null 2>err && test_grep "Usage: perf top" err
'
test_done
