#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 4
test_description='call graphs as boxes on a terminal, other commands that the report browser runs'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG
test_require PYTHON
test_require GCC

test_expect_success 'a recording' '
	ui_recording two.data
'

# Of the 95 samples of main, 80 are in work, 60 of these in leaf, and 15 in leaf without work.
test_expect_success 'boxes are as wide as their shares' '
	ui_report 96x20 "perf report -i two.data" && ui_keys f && test_grep "^Call graph of main" screen &&
	test_grep "^95.00% main$" screen && sed -n 2p screen | grep "^main$" && sed -n 3p screen | grep "^work  *leaf$" &&
	test "$(sed -n 3p screen | sed "s/leaf.*//" | wc -m)" -ge 80 && sed -n 4p screen | grep "^leaf$"
'

test_expect_success 'keys: down, sideways, zoom and out, search with its share' '
	ui_keys Down && test_grep "^80.00% work$" screen && ui_keys Right && test_grep "^15.00% leaf$" screen && ui_keys Left Down &&
	test_grep "^60.00% leaf$" screen && ui_keys Up Enter && test_grep "zoomed into work" screen &&
	test "$(sed -n 4p screen)" = leaf && test_grep ! "work  *leaf" screen && ui_keys BSpace && test_grep ! zoomed screen &&
	ui_keys / && ui_type leaf && ui_keys Enter && test_grep "with .leaf. in it: 75.00%" screen &&
	ui_keys / C-u && ui_type work && ui_keys Enter && test_grep "with .work. in it: 80.00%" screen &&
	ui_keys h && test_grep "Zoom into the box" screen && ui_keys x Escape && test_grep "^Samples" screen
'

test_expect_success 'the command prints the call graph of the row' '
	ui_keys f y && test_grep "perf report -i two.data .*--stdio --symbol-filter=main" screen && ui_keys x Escape
'

test_expect_success 'the mouse selects and zooms' '
	ui_keys f && before=$(ui_events) && ui_tmux send-keys -l "$(printf "\\033[<0;10;3M")" && wait_for ui_moved $before && ui_look &&
	test_grep "^80.00% work$" screen && before=$(ui_events) && ui_tmux send-keys -l "$(printf "\\033[<0;10;3M")" &&
	wait_for ui_moved $before && ui_look && test_grep "zoomed into work" screen && ui_keys Escape
'

test_expect_success 'a row without a call graph has no boxes' '
	ui_report 96x20 "perf report -i two.data -g none" && ui_keys f && test_grep "This row has no call graph" screen
'

test_lazy_prereq SCRIPTS 'no scripts are there' 'perf script -l | grep -q check-perf-trace'

test_expect_success SCRIPTS 'scripts are run on the recording' '
	ui_report 96x40 "perf report -i two.data -g none" && ui_keys r && test_grep "Scripts" screen && ui_keys Down Enter &&
	test_grep "^check-perf-trace: [0-9]* line" screen && ui_keys P && test_grep "Written to perf.script.0" screen &&
	{ perf script -i two.data report check-perf-trace >want 2>&1 </dev/null || :; } && test_cmp want perf.script.0 && ui_keys y &&
	test_grep "perf script -i two.data report check-perf-trace" screen && ui_keys x Escape && test_grep "^Samples" screen
'

test_expect_success 'samples of a function as text, in which is searched' '
	ui_report 132x40 "perf report -i two.data --no-children -g none" && ui_keys Down R && test_grep "Scripts for samples of the function" screen &&
	ui_keys Enter && test_grep " work+0x" screen && test_grep ! " leaf+0x1 (" screen && ui_keys / &&
	ui_type "work+" && ui_keys Enter n && test_grep ! "is in no row" screen && ui_keys Escape &&
	test_grep "^Samples" screen
'

test_lazy_prereq CAPSTONE 'no disassembler is built in' 'perf check feature libcapstone'

test_expect_success CAPSTONE 'a function is looked into, and the report is there again' '
	ui_report 96x20 "perf report -i two.data --no-children -g none" && ui_keys Down && ui_tmux send-keys a &&
	wait_for ui_shows "^work  .*prog" && wait_for ui_shows "ret" && ui_tmux send-keys Escape &&
	wait_for ui_shows "^Samples: 100 " && test_grep "20.00%.*work" screen && ui_tmux send-keys q && ui_left
'

test_done
