#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 4
test_description='callers and callees of a function on a terminal, from function to function and back'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG
test_require PYTHON
test_require GCC

# shows NAME ROW...: the function with its callers and callees, each a line without doubled blanks and the object.
shows() {
	test_grep "^Callers and callees of $1  prog$" screen && shift && printf '%s\n' "$@" >want &&
	ui_rows | tr -s ' ' | sed 's/^ //; s/ prog$//' >rows && test_cmp want rows
}

test_expect_success 'a recording' '
	ui_recording two.data
'

# Of the 100 samples of main, 80 are in work, 60 of these in leaf, 15 in leaf without work, and 5 in idle.
test_expect_success 'a row, its callees and callers, and the way back' '
	ui_report 140x20 "perf report -i two.data --no-children -g none" && ui_keys Down b &&
	shows work "caller 80.00% main" "function 80.00% 20.00% work" "callee 60.00% leaf" &&
	ui_keys Enter && test_grep "This function is shown" screen &&
	ui_keys Down Enter && shows leaf "caller 15.00% main" "caller 60.00% work" "function 75.00% 75.00% leaf" &&
	ui_keys Up Up Right &&
	shows main "function 100.00% 0.00% main" "callee 80.00% work" "callee 15.00% leaf" "callee 5.00% idle" &&
	ui_keys Left && test_grep "^Callers and callees of leaf " screen &&
	ui_keys Escape && test_grep "^Callers and callees of work " screen && ui_keys Escape && test_grep "^Samples: 100 " screen
'

# The row that was left is selected again.
test_expect_success 'search, and the row that was left' '
	ui_keys b / && ui_type main && ui_keys Enter Enter && test_grep "^Callers and callees of main " screen &&
	ui_keys / C-u && ui_type leaf && ui_keys Enter n Enter && test_grep "^Callers and callees of leaf " screen &&
	ui_keys N Escape Enter && test_grep "^Callers and callees of leaf " screen &&
	ui_keys Escape Escape Escape && test_grep "^Samples: 100 " screen
'

test_expect_success 'the shares are those of --children, and of the commands that y tells' '
	ui_keys b y && sed -n "s/.*\(perf report -i two.data .*--symbol-filter=work\).*/\1/p" screen >commands &&
	test "$(wc -l <commands)" = 2 && ui_keys x && sh -e commands >stdio 2>/dev/null &&
	test "$(grep -c "80.00%  *20.00%  worker  *prog  *\[\.\] work" stdio)" = 2 &&
	grep -A1 -e "---work" stdio | test_grep "^ *main$" - && grep -A1 -e "--60.00%--work" stdio | test_grep "| *leaf$" -
'

test_expect_success 'what is shown is saved' '
	ui_keys P && test_grep "perf.hist.0" screen && test_grep "^Callers and callees of work  prog$" perf.hist.0 &&
	test_grep "^ caller  *80.00%  *main  prog$" perf.hist.0 && test "$(wc -l <perf.hist.0)" = 5
'

test_expect_success 'a frame of a call graph; only samples that pass the filters; another event' '
	ui_report 100x20 "perf report -i two.data --no-children -g caller" && ui_keys + Down b &&
	test_grep "^Callers and callees of main " screen && ui_keys Escape t + Down b &&
	shows main "function 95.00% 0.00% main" "callee 80.00% work" "callee 15.00% leaf" &&
	ui_keys Escape Escape Tab b && shows idle "caller 100.00% main" "function 100.00% 100.00% idle" && ui_tmux send-keys q && ui_left
'

test_expect_success 'a box of a call graph' '
	ui_report 100x20 "perf report -i two.data" && ui_keys f Down b && test_grep "^Callers and callees of work " screen &&
	ui_keys Escape && test_grep "^80.00% work$" screen && ui_keys Escape && test_grep "^Samples: 100 " screen
'

test_expect_success 'the menu leads there; rows without a function do not' '
	ui_report 100x20 "perf report -i two.data --no-children" && ui_keys Enter && test_grep "Show callers and callees (b)" screen &&
	ui_report 100x20 "perf report -i two.data --no-children -s comm" && ui_keys b &&
	test_grep "There is no function here" screen
'

test_done
