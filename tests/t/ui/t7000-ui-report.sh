#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='perf report on a terminal: rows as --stdio prints them, keys, call graphs that unfold'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG
test_require PYTHON
test_require GCC

# as_stdio N ARGUMENTS: the rows on the screen are those that perf report prints of the Nth event.
as_stdio() {
	local n=$1; shift
	perf report -i two.data --stdio -g none "$@" 2>/dev/null |
		awk -v n="$n" '/^# Samples:/ { at++ } at == n && !/^#/ && NF { sub(/ *$/, ""); print }' >stdio &&
	ui_rows >rows && test_cmp stdio rows
}

# title TEXT: the first line of the screen.
title() { head -n 1 screen >first && test_grep "^$1\$" first; }

test_expect_success 'recordings' '
	ui_recording two.data
'

test_expect_success 'rows, title and columns, at two sizes' '
	for size in 80x24 120x40; do
		ui_run $size "perf report -i two.data -g none" &&
		title "Samples: 100  of event .cpu-clock:HG., Event count (approx.): 100000" &&
		test_grep "^  Children      Self  Command  " screen &&
		as_stdio 1 && test_grep "ev.x1b.2Jil" rows && ui_keys H && test_grep ! "Children" screen && ui_keys H &&
		ui_tmux send-keys q && ui_left || return 1
	done &&
	for options in "--no-children" "-n --show-total-period" "-s sym,dso" "-s pid,cpu,time" "--percent-limit=10"; do
		ui_run 120x30 "perf report -i two.data -g none $options" && as_stdio 1 $options || return 1
	done
'

test_expect_success 'events' '
	ui_run 100x20 "perf report -i two.data -g none" && ui_keys Tab &&
	title "Samples: 10  of event .task-clock:HG., Event count (approx.): 5000" && as_stdio 2 &&
	ui_keys Tab && as_stdio 1 && ui_keys BTab && as_stdio 2
'

test_expect_success 'call graphs unfold in place' '
	ui_run 100x20 "perf report -i two.data --no-children -g caller" &&
	test_grep "^+   75.00%  worker .*\[\.\] leaf" screen &&
	ui_keys + && test_grep "^-   75.00%  worker .*\[\.\] leaf" screen && test_grep "^   + main$" screen &&
	ui_keys Down + && test_grep "^   - main$" screen && test_grep "^      + 60.00% work$" screen &&
	test_grep "^        15.00% leaf$" screen &&
	ui_keys + Up + && test_grep "^+   75.00%  worker .*\[\.\] leaf" screen && test_grep ! " main" screen &&
	ui_keys e && test_grep "^      - 60.00% work$" screen && test_grep "^           leaf$" screen && ui_keys e &&
	ui_keys E && test "$(grep -c "^-" screen)" = 3 && ui_keys C && test "$(grep -c "^+" screen)" = 3 && as_stdio 1 --no-children
'

test_expect_success 'filters, and the command that prints what they leave' '
	ui_run 100x20 "perf report -i two.data --no-children -g none" &&
	ui_keys / && ui_type le && ui_keys Enter && title "Samples: 80  of event .*, Symbol: \*le\*" &&
	as_stdio 1 --no-children --symbol-filter=le &&
	ui_keys y && test_grep "perf report -i two.data --no-children -g none --stdio --symbol-filter=le" screen && ui_keys x &&
	ui_keys / BSpace BSpace Enter && as_stdio 1 --no-children &&
	ui_keys L C-u && ui_type 20 && ui_keys Enter && as_stdio 1 --no-children --percent-limit=20
'

test_expect_success 'P writes what is shown' '
	rm -f perf.hist.* && ui_run 100x20 "perf report -i two.data --no-children -g caller" && ui_keys e P &&
	test_grep "Written to perf.hist.0" screen && test_grep "^-   75.00%  worker .*leaf$" perf.hist.0 &&
	test_grep "^      - 60.00% work$" perf.hist.0 && test_grep ! "$(printf "\033")" perf.hist.0 &&
	ui_keys P && test_grep "Written to perf.hist.1" screen && cmp perf.hist.0 perf.hist.1
'

test_expect_success 'help names each key, and keys can be others' '
	ui_run 100x50 "perf report -i two.data" && ui_keys h && test_grep "E  *Unfold all call graphs" screen && ui_keys x &&
	test_grep ! "Unfold all" screen &&
	printf "[keys.report]\n\texpand-all = F2 X\n\tlimit = nokey\n" >config &&
	ui_run 100x50 "perf report -i two.data" PERF_CONFIG=$PWD/config &&
	test_grep "keys.report.limit: .nokey. names something that is no key" screen &&
	ui_keys h && test_grep "F2 X  *Unfold all call graphs" screen && ui_keys x F2 && test "$(grep -c "^-" screen)" -gt 2
'

test_expect_success 'other sizes while it runs, and Ctrl-Z' '
	ui_run 80x24 "perf report -i two.data -g none" && as_stdio 1 && ui_resize 40x10 && ui_resize 132x43 && as_stdio 1 &&
	ui_tmux send-keys C-z && ui_tmux send-keys q && ui_left
'

# The terminal shows what it showed before, and reads lines.
given_back() {
	ui_tmux capture-pane -p >screen && test_grep ! Samples screen && test_grep "before" screen
}

test_expect_success 'the terminal is given back by q, Ctrl-C and whatever signal' '
	for how in q C-c TERM HUP INT SEGV; do
		ui_run 80x24 "echo before; perf report -i two.data; stty -a >modes" &&
		case $how in
		q | C-c) ui_tmux send-keys $how ;;
		*) kill -$how $(ui_pid perf) ;;
		esac &&
		wait_for test -s status && wait_for given_back && test_grep " icanon" modes && test_grep " echo " modes || return 1
	done
'

on_text() { ui_tmux capture-pane -p >screen && test_grep "(Tip:" screen && test_grep ! "Press" screen; }

test_expect_success 'text where there is no terminal, a dumb one, or where it is asked for' '
	perf report -i two.data </dev/null >out && test_grep "^# Samples" out &&
	for how in TERM=dumb TERM=nosuch; do
		ui_end; ui_tmux -f /dev/null new-session -d -x 100 -y 40 "cd $PWD; $how PAGER=cat perf report -i two.data; sleep 60" &&
		wait_for on_text || return 1
	done
'

test_done
