#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='perf top on a terminal: rows that are refreshed, keys, what is left at the end'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG
test_require PERF_EVENTS

# shown TEXT: the screen has it sooner or later.
seen() { ui_tmux capture-pane -p >screen && grep -q -e "$1" screen; }
shown() { wait_for seen "$1"; }
press() { ui_tmux send-keys "$@"; }

test_expect_success 'rows are refreshed; keys change what is shown' '
	ui_run 110x24 "perf top -e cpu-clock -d 0.3 -F 499" &&
	shown "PerfTop: *[1-9][0-9]* irqs/sec  kernel:.*\[499Hz cpu-clock[:a-z]*\]" && shown "^ *Overhead  Shared Object  *Symbol" &&
	shown "^ *[0-9][0-9.]*%  .* \[[k.]\] " &&
	press H && shown "PerfTop" && wait_for eval "! seen Overhead.*Shared" &&
	press f && shown "rows stand still" && press P && shown "Written to perf.hist.0" && test_grep "PerfTop" perf.hist.0 &&
	test_grep ! "$(printf "\033")" perf.hist.0 && press f && press h && shown "Leave out the kernel" && press x &&
	press E && shown "There is no other event" && press m && shown "Samples below which" && press Escape &&
	press q && ui_left && test_grep "status=0" status
'
test_expect_success 'a function is looked into, whatever its name' '
	ui_run 110x30 "perf top -e cpu-clock -d 0.3 -s dso,sym" && shown "^ *[0-9][0-9.]*%  .* \[[k.]\] " && press Enter && shown "Function to look into" &&
	press C-u && ui_tmux send-keys -l no_such_name && press Enter && shown "no samples in a function named .no_such_name. yet" &&
	press q && ui_left
'
test_expect_success 'call graphs, levels and a dumb terminal' '
	ui_run 110x24 "perf top -g -e cpu-clock -d 0.3" && shown "Children  *Self  Shared Object" && shown "---" &&
	press c && wait_for eval "! seen ---" && press q && ui_left &&
	ui_run 110x24 "perf top --hierarchy -s dso,sym -e cpu-clock -d 0.3" && shown "^ *[0-9.]*%  " && press q && ui_left &&
	TERM=dumb timeout -k 5 -s INT 1 "$PERF" top -d 0.3 </dev/null >out 2>err; test_grep "PerfTop" out
'
test_done
