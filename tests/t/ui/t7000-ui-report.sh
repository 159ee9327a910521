#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# turn 5 of 16
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
		ui_report $size "perf report -i two.data -g none" &&
		title "Samples: 100  of event .cpu-clock:HG., Event count (approx.): 100000" &&
		test_grep "^  Children      Self  Command  " screen &&
		as_stdio 1 && test_grep "ev.x1b.2Jil" rows && ui_keys H && test_grep ! "Children" screen && ui_keys H &&
		ui_tmux send-keys q && ui_left || return 1
	done &&
	for options in "--no-children" "-n --show-total-period" "-s sym,dso" "-s pid,cpu,time" "--percent-limit=10"; do
		ui_report 120x30 "perf report -i two.data -g none $options" && as_stdio 1 $options || return 1
	done
'

test_expect_success 'events' '
	ui_report 100x20 "perf report -i two.data -g none" && ui_keys Tab &&
	title "Samples: 10  of event .task-clock:HG., Event count (approx.): 5000" && as_stdio 2 &&
	ui_keys Tab && as_stdio 1 && ui_keys BTab && as_stdio 2
'

test_expect_success 'call graphs unfold in place' '
	ui_report 100x20 "perf report -i two.data --no-children -g caller" &&
	test_grep "^+   75.00%  worker .*\[\.\] leaf" screen &&
	ui_keys + && test_grep "^-   75.00%  worker .*\[\.\] leaf" screen && test_grep "^   + main$" screen &&
	ui_keys Down + && test_grep "^   - main$" screen && test_grep "^      + 60.00% work$" screen &&
	test_grep "^        15.00% leaf$" screen &&
	ui_keys + Up + && test_grep "^+   75.00%  worker .*\[\.\] leaf" screen && test_grep ! " main" screen &&
	ui_keys e && test_grep "^      - 60.00% work$" screen && test_grep "^           leaf$" screen && ui_keys e &&
	ui_keys E && test "$(grep -c "^-" screen)" = 3 && ui_keys C && test "$(grep -c "^+" screen)" = 3 && as_stdio 1 --no-children
'

one_is_open() { ui_tmux capture-pane -p >screen && test "$(grep -c "^-" screen)" = 1 && grep -q "^- .*idle" screen; }

test_expect_success 'keys that are typed ahead know which rows there are' '
	ui_report 100x20 "perf report -i two.data --no-children -g caller" && ui_keys E End && ui_tmux send-keys -l "C+" &&
	wait_for one_is_open && ui_keys E End && ui_tmux send-keys -l "Ca" && ui_tmux send-keys q q && ui_left
'

test_expect_success 'filters, and the command that prints what they leave' '
	ui_report 100x20 "perf report -i two.data --no-children -g none" &&
	ui_keys / && ui_type le && ui_keys Enter && title "Samples: 80  of event .*, Symbol: le" &&
	as_stdio 1 --no-children --symbol-filter=le &&
	ui_keys y && test_grep "perf report -i two.data --no-children -g none --stdio --symbol-filter=le" screen && ui_keys x &&
	ui_keys / BSpace BSpace Enter && as_stdio 1 --no-children &&
	ui_keys L C-u && ui_type 20 && ui_keys Enter && as_stdio 1 --no-children --percent-limit=20
'

test_expect_success 'zoom into a thread, an object, the kernel, and the way back' '
	ui_report 140x24 "perf report -i two.data -g none" &&
	ui_keys t && title "Samples: 100  of event .*, Thread: worker" && as_stdio 1 --comms=worker && test_grep ! Command screen &&
	ui_keys d && title ".*, Thread: worker, DSO: prog" && as_stdio 1 --comms=worker --dsos=prog &&
	ui_keys F && title "Samples: 95  of event .*" && as_stdio 1 --comms=worker --dsos=prog --percentage=relative && ui_keys F &&
	ui_keys / && ui_type wo && ui_keys Enter && title ".*, Thread: worker, DSO: prog, Symbol: wo" &&
	test_grep "^Thread: worker, DSO: prog, Symbol: wo (press .u. to undo the last)$" screen &&
	ui_keys y && test_grep "perf report -i two.data -g none --stdio --comms=worker --dsos=prog --symbol-filter=wo" screen && ui_keys x &&
	ui_keys u && title ".*, Thread: worker, DSO: prog" && ui_keys Left && title ".*, Thread: worker" && ui_keys Escape &&
	title ".*(approx.): 100000" && as_stdio 1 && ui_keys u && test_grep "There is no filter to undo" screen &&
	ui_keys t t && title ".*(approx.): 100000" && as_stdio 1 && ui_keys k && test_grep "Rows do not tell this apart" screen &&
	ui_report 140x24 "perf report -i two.data -g none -s pid,sym" && ui_keys Down t && title ".*, Thread: 100" &&
	as_stdio 1 -s pid,sym --tid=100
'

test_expect_success 'several events: a list, whose rows are shown and come back to it' '
	ui_run 80x24 "perf report -i two.data --no-children -g none" && test_grep -x "Available samples" screen &&
	test_grep -x "  100  cpu-clock:HG" screen && test_grep -x "   10  task-clock:HG" screen && test_grep "ENTER: show the rows" screen &&
	ui_keys y && test_grep "perf report -i two.data --no-children -g none --stdio" screen && ui_keys x &&
	ui_keys Enter && title ".*cpu-clock.*" && as_stdio 1 --no-children && ui_keys / && ui_type le && ui_keys Enter Escape &&
	title ".*(approx.): 100000" && ui_keys Escape && test_grep -x "Available samples" screen && ui_keys / && ui_type task && ui_keys Enter Right &&
	title ".*task-clock.*" && as_stdio 2 --no-children && ui_keys Tab && title ".*cpu-clock.*" && ui_keys Left Enter && title ".*cpu-clock.*" &&
	ui_keys Escape && ui_tmux send-keys Escape && ui_left
'

test_expect_success 'one event: ESC leaves when that is meant' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF &&
	import pdata as p
	fields = ["IP", "TID", "PERIOD"]
	p.write("one.data", [(p.attr(1, 0, fields), [1])], [p.comm(1, 1, "one"), p.sample(fields, IP=1, TID=(1, 1), PERIOD=1)])
	EOF
	ui_run 80x24 "perf report -i one.data" && title "Samples: 1 .*" && ui_keys Escape && test_grep "Do you really want to exit" screen &&
	ui_keys Enter && title "Samples: 1 .*" && ui_keys Escape Down && ui_tmux send-keys Enter && ui_left && rm one.data
'

test_expect_success 'the menu does what keys do' '
	ui_report 100x24 "perf report -i two.data --no-children -g caller" && ui_keys Enter &&
	test_grep "Zoom into worker thread" screen && test_grep "Zoom into prog DSO" screen && test_grep "Unfold one level" screen &&
	test_grep "Switch to another data file" screen && test_grep "Annotate leaf" screen && ui_keys Down Enter && title ".*, Thread: worker" &&
	ui_keys m && test_grep "Zoom out of worker thread" screen && ui_keys Down Enter && title ".*(approx.): 100000" &&
	ui_keys m Down Down Down Enter && test_grep "^-   75.00%" screen &&
	ui_keys m && test_grep "Fold one level" screen && ui_keys Escape && ui_keys m End && ui_tmux send-keys Enter && ui_left
'

test_expect_success 'another recording' '
	cp two.data third.data && echo text >no.data &&
	ui_report 100x24 "perf report -i two.data -g none" && ui_keys t s && test_grep "third.data" screen && test_grep "two.data" screen &&
	test_grep ! "no.data" screen && ui_keys Enter && title "Samples: 100  of event .*(approx.): 100000" && as_stdio 1 &&
	ui_keys y && test_grep "perf report -i two.data -g none --stdio -i third.data" screen && ui_keys x &&
	ui_keys d && title ".*, DSO: prog" && ui_keys u && title ".*(approx.): 100000" && rm third.data
'

test_expect_success 'hierarchies unfold' '
	ui_report 100x40 "perf report -i two.data --hierarchy --no-children -g none -s comm,dso,sym" &&
	test_grep "^+    *95.00%.*worker" screen && test_grep ! prog screen && ui_keys + && test_grep "^   +    *95.00%.*prog" screen &&
	test_grep ! leaf screen && ui_keys C E && ui_rows | sed "s/^\( *\)[-+]/\1 /" >rows &&
	perf report -i two.data --stdio --hierarchy --no-children -g none -s comm,dso,sym | awk "/^# Samples/ { n++ } n == 1 && !/^#/ && NF { sub(/ *\$/, \"\"); print }" >stdio &&
	test_cmp stdio rows &&
	ui_report 100x40 "perf report -i two.data --hierarchy --no-children -s comm,sym" && ui_keys e && test_grep "75.00%.*leaf" screen &&
	test_grep "^      *- 60.00% work$" screen
'

test_expect_success 'events of a group, sorted by one of them' '
	ui_report 110x24 "perf report -i two.data -g none --group --no-children" &&
	title "Samples: 110  of events .*" && as_stdio 1 --group --no-children && ui_keys 1 && title ".*Sorted by event: 1" &&
	as_stdio 1 --group --no-children --group-sort-idx=1 && ui_keys 7 && test_grep "no event 7 in this group" screen
'

test_expect_success 'P writes what is shown' '
	rm -f perf.hist.* && ui_report 100x20 "perf report -i two.data --no-children -g caller" && ui_keys e P &&
	test_grep "Written to perf.hist.0" screen && test_grep "^-   75.00%  worker .*leaf$" perf.hist.0 &&
	test_grep "^      - 60.00% work$" perf.hist.0 && test_grep ! "$(printf "\033")" perf.hist.0 &&
	ui_keys P && test_grep "Written to perf.hist.1" screen && cmp perf.hist.0 perf.hist.1
'

test_expect_success 'help names each key, and keys can be others' '
	ui_report 100x50 "perf report -i two.data" && ui_keys h && test_grep "E  *Unfold all call graphs" screen && ui_keys x &&
	test_grep ! "Unfold all" screen &&
	printf "[keys.report]\n\texpand-all = F2 X\n\tlimit = nokey\n" >config &&
	ui_report 100x50 "perf report -i two.data" PERF_CONFIG=$PWD/config &&
	test_grep "keys.report.limit: .nokey. names something that is no key" screen &&
	ui_keys h && test_grep "F2 X  *Unfold all call graphs" screen && ui_keys x F2 && test "$(grep -c "^-" screen)" -gt 2
'

test_expect_success 'other sizes while it runs, and Ctrl-Z' '
	ui_report 80x24 "perf report -i two.data -g none" && as_stdio 1 && ui_resize 20x4 && ui_keys Down &&
	ui_resize 300x90 && ui_keys i x && ui_resize 132x43 && as_stdio 1 &&
	ui_tmux send-keys C-z && ui_tmux send-keys q && ui_left
'

# The terminal shows what it showed before, and reads lines.
given_back() {
	ui_tmux capture-pane -p >screen && test_grep ! Samples screen && test_grep "before" screen
}

test_expect_success 'the terminal is given back by q, Ctrl-C and whatever signal' '
	for how in q C-c TERM HUP INT $(test -n "$SAN" || echo SEGV); do # which a sanitizer takes
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
