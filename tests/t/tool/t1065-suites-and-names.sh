#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 0 of 4
test_description='perf test: the listing of functions, -j; names of options that earlier versions had'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq NAMES 'this binary is stripped' 'nm "$PERF" | grep -q " T main$"'

test_expect_success NAMES 'Symbols lists the functions of this program with -vv, and not with -v' '
	perf test -vv -F Symbols >out 2>&1 && test_grep " main$" out && test_grep " cmd_test$" out &&
	perf test -vv Symbols >out 2>&1 && test_grep " main$" out &&
	perf test -v -F Symbols >out 2>&1 && test_grep ! " main$" out && test_grep "functions in .*perf$" out
'
test_expect_success '-j is --junit' '
	perf test -jout.xml Symbols 2>err && test_grep "classname=.Symbols. name=.functions of this program" out.xml
'
test_expect_success PERF_EVENTS 'report: --showcpuutilization, --tui' '
	perf record -q -o p.data true && perf report --stdio -i p.data --show-cpu-utilization >want 2>/dev/null &&
	perf report --stdio -i p.data --showcpuutilization >out 2>/dev/null && test_cmp want out && test_grep "sys  *usr" out &&
	perf report --tui -i p.data >out 2>/dev/null && perf report --stdio -i p.data 2>/dev/null | test_cmp - out
'
test_expect_success 'inject says what --vm-time-correlation would need' '
	for o in --vm-time-correlation --vm-time-correlation=dry-run; do
		test_expect_code 129 perf inject $o 2>err && test_grep "needs a decoder of Intel PT traces" err || return 1
	done
'
test_done
