#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 3 of 4
test_description='profiles side by side on a terminal: rows and orders are those of text'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG
test_require PYTHON
test_require GCC

# Two events, and call chains; the functions have other shares in each file.
test_expect_success 'recordings' '
	ui_recording two.data && PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD/prog" \
		$(nm prog | sed -n "s/^\([0-9a-f]*\) T \(main\|work\|leaf\|idle\)$/\2=\1/p") <<-\EOF
	import sys
	import pdata as p
	fields = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD", "CALLCHAIN"]
	at = {k: int(v, 16) + 1 for k, v in (a.split("=") for a in sys.argv[2:])}
	def make(name, events):
	    records = [p.comm(100, 100, "worker"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1])]
	    for event, paths in enumerate(events):
	        for n, path in paths:
	            ips = [at[f] for f in path.split()]
	            records += [p.sample(fields, IDENTIFIER=event + 1, IP=ips[0], TID=(100, 100), TIME=10**9 + i, CPU=0, PERIOD=100,
	                                 CALLCHAIN=[2**64 - 512] + ips) for i in range(n)]
	    p.write(name, [(p.attr(1, e, fields), [e + 1]) for e in range(2)], records)
	make("old.data", [[(50, "leaf work main"), (30, "work main"), (15, "idle main"), (5, "main")], [(9, "main")]])
	make("new.data", [[(20, "leaf work main"), (20, "leaf main"), (30, "work main"), (30, "idle main")], [(3, "main"), (1, "idle main")]])
	make("third.data", [[(10, "leaf work main"), (10, "work main"), (80, "main")], [(2, "main")]])
	EOF
'

# as_text ARGUMENT...: the rows on the screen are those of the first event that text has.
as_text() {
	ui_rows | grep -v "^ *$" >rows
	perf diff "$@" 2>/dev/null | sed '/^# Event/!b; x; s/^/x/; /^xx/{x; q}; x' | sed 's/ *$//; /^#/d; /^$/d' >want && test_cmp want rows
}

test_expect_success 'rows and titles are those of text' '
	ui_run 100x20 "perf diff --tui old.data new.data" && as_text old.data new.data && test_line_count = 4 rows &&
	test_grep "^4 rows of event .*, sorted by the changes of file 1" screen &&
	perf diff old.data new.data | grep -m 1 Baseline | sed "s/^#/ /; s/ *$//" >want && sed -n 2p screen >heads && test_cmp want heads
'

test_expect_success 'other orders and methods' '
	ui_keys 0 && test_grep "sorted by the baseline" screen && as_text -o 0 old.data new.data && ui_keys y &&
	test_grep "perf diff old.data new.data -o 0" screen && ui_keys x 1 c && test_grep "Ratio" screen && as_text -c ratio old.data new.data &&
	ui_keys y && test_grep "perf diff old.data new.data -c ratio" screen && ui_keys x c && as_text -c delta old.data new.data &&
	ui_keys 2 && test_grep "There is no file 2" screen
'

test_expect_success 'a filter of names, the command and the file of it' '
	ui_keys / && ui_type "[.] wo" && ui_keys Enter && test_grep "^1 row .*, with: \\[.\\] wo" screen &&
	perf diff -c delta old.data new.data | grep -F -e "[.] wo" | sed "s/ *$//" >want && ui_rows >rows && test_cmp want rows && ui_keys y &&
	test_grep "new.data -c delta | grep -F -e" screen && ui_keys x P && test_grep "Written to perf.diff.0" screen &&
	sed "1,/^#$/d; s/ *$//" perf.diff.0 >saved && test_cmp want saved && ui_keys / C-u Enter && test_grep "^4 rows" screen
'

test_expect_success 'the next event, and three files' '
	ui_keys Tab && test_grep "^[12] rows* of" screen && ui_keys Tab && test_grep "^4 rows of" screen &&
	ui_run 160x20 "perf diff --tui old.data new.data third.data" && as_text old.data new.data third.data && ui_keys 2 &&
	as_text -o 2 old.data new.data third.data
'

test_expect_success 'call paths unfold' '
	ui_run 120x40 "perf diff --tui -g old.data new.data" && ui_rows >rows && test_line_count = 4 rows && ui_keys E && ui_rows >rows &&
	perf diff -g old.data new.data | sed "/^# Event/!b; x; s/^/x/; /^xx/{x; q}; x" | sed "s/ *$//; /^#/d; /^$/d" >want && test_cmp want rows &&
	ui_keys C && ui_rows >rows && test_line_count = 4 rows && ui_keys + && test_grep "^-" screen && ui_keys e && test_grep ! "^-" screen
'

test_lazy_prereq CAPSTONE 'no disassembler is built in' 'perf check feature libcapstone'

test_expect_success CAPSTONE 'a function is looked into in one of the files' '
	ui_keys / && ui_type work && ui_keys Enter a && test_grep "Look into the function in" screen && ui_keys Down &&
	ui_tmux send-keys Enter && wait_for ui_shows "^work  .*prog" && ui_tmux send-keys q && wait_for ui_shows "^1 row of event" &&
	ui_tmux send-keys q && ui_left
'

test_expect_success 'without a terminal there is text, and limits count with a screen, too' '
	perf diff --tui old.data new.data >text && perf diff old.data new.data | test_cmp - text &&
	ui_run 100x20 "perf diff --tui --fail-if 5 old.data new.data 2>over" && ui_tmux send-keys q && wait_for test -s status && test_grep "^status=1" status &&
	test_grep "idle: 15.00% -> 30.00%" over
'

test_done
