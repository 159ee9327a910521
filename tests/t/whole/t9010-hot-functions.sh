#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
test_description='record a known program, report it: the hot functions are on top'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

# rows FILE: the data lines of a report
rows() { grep -v -e '^#' -e '^[[:space:]]*$' "$1"; }
# top FILE: the first data line
top() { rows "$1" | head -n 1; }
# percent COLUMN NAME FILE: a figure of the line that ends in NAME, without the percent sign and the fraction
percent() { rows "$3" | awk -v c="$1" -v n="$2" '$1 ~ /%$/ && $NF == n { print int($c); exit }'; }

test_expect_success 'threads: one function has nearly all the samples' '
	perf record -o th.data perf test -w thloop 3 0.5 2>err &&
	test_grep "Captured and wrote" err &&
	perf report --stdio -i th.data >out 2>/dev/null &&
	top out >line && cat line &&
	test_grep " test_loop$" line &&
	test "$(percent 1 test_loop out)" -ge 80
'

test_expect_success 'threads with call chains: the caller has it too' '
	perf record -g -o thg.data perf test -w thloop 3 0.5 &&
	perf report --stdio -i thg.data >out 2>/dev/null &&
	top out >line && cat line &&
	test "$(percent 1 test_loop out)" -ge 80 &&
	test "$(percent 1 thloop_thread out)" -ge 80 &&
	test "$(percent 2 thloop_thread out)" -le 10
'

test_expect_success 'the call chain tree names callers' '
	perf report --stdio --no-children -i thg.data >out 2>/dev/null &&
	top out >line && test_grep " test_loop$" line &&
	test_grep -E "^ +---test_loop$" out &&
	test_grep -E "^ +thloop_thread$" out
'

test_expect_success 'a call chain of known depth and shares' '
	perf record -F 2000 -g -o cc.data perf test -w callchain 0.6 &&
	perf report --stdio -g none -i cc.data >out 2>/dev/null &&
	for n in 1 2 3 4 5; do
		p=$(percent 1 callchain_$n out) && want=$((120 - 20 * n)) &&
		echo "callchain_$n: $p, about $want" &&
		test "$p" -ge $((want - 12)) && test "$p" -le $((want + 12)) || return 1
	done
'

test_expect_success 'a function that calls nothing keeps its caller' '
	perf record -g -o leaf.data perf test -w leafloop 0.3 &&
	perf report --stdio -g none -i leaf.data >out 2>/dev/null &&
	test "$(percent 2 leaf out)" -ge 80 &&
	test "$(percent 1 parent out)" -ge 80
'

test_expect_success 'a forked child is followed' '
	perf record -o sqrt.data perf test -w sqrtloop 1 &&
	perf report --stdio -s sym -i sqrt.data >out 2>/dev/null &&
	top out >line && test_grep " sqrtloop_compute$" line
'

test_expect_success 'named threads are told apart' '
	perf record -o named.data perf test -w named_threads 3 0.5 &&
	perf report --stdio -s comm -i named.data >out 2>/dev/null &&
	for n in 1 2 3; do
		test "$(percent 1 thread$n out)" -ge 15 || return 1
	done
'

test_expect_success 'script shows the same functions' '
	perf script -i thg.data >out 2>/dev/null &&
	test_grep "test_loop+0x" out &&
	test_grep "thloop_thread+0x" out
'

test_expect_success ROOT 'system-wide, another process is seen' '
	perf test -w noploop 60 & pid=$! && wait_comm $pid perf-noploop &&
	perf record -a -g -o all.data "$(program worked)" $pid 200; kill $pid; wait $pid
	perf report --stdio -g none -s comm,sym -i all.data >out 2>/dev/null &&
	test "$(percent 2 noploop out)" -ge 1 # other load may take its share
'

test_expect_success 'attach to a process, its threads included' '
	perf test -w thloop 2 60 & pid=$! && wait_comm $pid perf && worked $pid 50 &&
	perf record -p $pid -o att.data "$(program worked)" $pid 300; kill $pid; wait $pid
	perf report --stdio -i att.data >out 2>/dev/null &&
	top out >line && test_grep " test_loop$" line &&
	perf script -F tid -i att.data 2>/dev/null | sort -u >tids &&
	test_line_count -eq 2 tids
'

test_done
