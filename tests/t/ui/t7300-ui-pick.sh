#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 4
test_description='perf list --pick: events on a terminal, a filter as it is typed, the command that records what is chosen'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG

command_is() { test "$(sed -n 2p screen)" = "perf record$1"; }
title() { head -n 1 screen >first && test_grep "$1" first; }

# pick SIZE WORDS: show the events that the words stand for.
pick() { ui_run "$1" "perf list --pick $2 && echo behind it"; }

# printed: the file printed has what is on the terminal when the screen was left.
ended() { ui_tmux capture-pane -p | sed 's/ *$//; /^$/d' >printed && grep -qx "behind it" printed; }
printed() { ui_left && wait_for ended; }

test_expect_success 'without a terminal it is refused, and beside what is text' '
	test_expect_code 255 perf list --pick </dev/null >out 2>err && ! test -s out &&
	test_grep "^--pick needs a terminal" err && test_line_count = 1 err &&
	test_expect_code 129 perf list --pick -j 2>err && test_grep "pick shows a screen" err
'
test_expect_success 'the events are those of the list' '
	pick 100x60 sw && title "^Events: \([0-9]*\) of \1, 0 chosen\$" && test_grep -x "Software event" screen &&
	perf list sw | sed -n "s/^  \(.*[^ ]\)  *\[Software event\]/\1/p" | sort >want && test -s want &&
	sed -n "s/^\[ \] //p" screen | sort >rows && test_cmp want rows &&
	title "of $(grep -c . want)," && ui_tmux send-keys q && printed && test_grep ! "perf record" printed
'
test_expect_success 'the filter narrows the list with each character; the command is what is chosen, and printed' '
	pick 90x20 sw && ui_keys / && ui_type "CPU-c" && title "Filter: CPU-c_\$" &&
	test_grep "^\[ \] cpu-clock" screen && test_grep ! task-clock screen && command_is " -e cpu-clock" &&
	ui_keys Space && test_grep "^\[x\] cpu-clock" screen && ui_keys Escape / && ui_type task-clk && title "^Events: 0 of" &&
	ui_keys BSpace && command_is " -e cpu-clock" && ui_type ock && ui_keys Enter Space && command_is " -e cpu-clock -e task-clock" &&
	ui_resize 60x12 && command_is " -e cpu-clock -e task-clock" && title "2 chosen  Filter: task-clock\$" &&
	ui_keys Escape && title "2 chosen\$" && ui_tmux send-keys Enter && printed &&
	test_grep -x "perf record -e cpu-clock -e task-clock" printed
'
test_expect_success PERF_EVENTS 'the command that is printed records these events' '
	$(grep "^perf record" printed) -o p.data -- true 2>err && perf evlist -i p.data >events &&
	test_grep "^cpu-clock" events && test_grep "^task-clock" events && test_line_count = 2 events
'
test_expect_success 'help; a heading is no event; ESC leaves without a word' '
	pick 80x24 sw && ui_keys Space c h && test_grep "SPACE  *Choose the event" screen && ui_keys x Up Enter &&
	test_grep "No event is chosen" screen && ui_tmux send-keys Escape && printed && test_grep ! "perf record" printed
'
test_expect_success TRACEFS 'fields of tracepoints, and groups' '
	pick 100x30 "sched:sched_switch irq:irq_handler_entry" &&
	test_grep -x "Tracepoint event: irq" screen && test_grep -x "Tracepoint event: sched" screen &&
	command_is " -e sched:sched_switch" && test_grep "^Fields: char\[16\] prev_comm, pid_t prev_pid, " screen &&
	ui_keys f && test_grep "prev_comm  *char\[16\] .* 16 " screen && test_grep "perf record -e sched:sched_switch --filter" screen &&
	ui_keys x Tab && command_is " -e irq:irq_handler_entry" && test_grep "^Fields: int irq" screen &&
	ui_keys Space BTab Space && command_is " -e irq:irq_handler_entry -e sched:sched_switch" &&
	ui_tmux send-keys Enter && printed && test_grep -x "perf record -e irq:irq_handler_entry -e sched:sched_switch" printed
'
test_done
