#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# turn 3 of 4
test_description='perf top on a terminal: the report browser over rows that are refreshed, its keys, functions that are looked into'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG
test_require PERF_EVENTS

# shown TEXT: the screen has it sooner or later; gone TEXT: or no longer.
shown() { wait_for ui_shows "$1"; }
gone() { wait_for eval "! ui_shows '$1'"; }
press() { ui_tmux send-keys "$@"; }
# counted TEXT: the line of the screen that has TEXT says something else, twice: it was refreshed
other() { ui_shows "$1" && ! grep -e "$1" screen | cmp -s - line; }
counted() { for _ in 1 2; do ui_shows "$1" && grep -e "$1" screen >line && wait_for other "$1" || return 1; done; }
# ended RESULT PID: end a process, whatever became of the test. Return: the result
ended() { kill "$2"; return "$1"; }
TITLE="^Samples: .* of event .*Event count (approx.): [0-9]* lost: [0-9]*/[0-9]* drop: [0-9]*/[0-9]*"

test_expect_success 'rows are refreshed; keys change what is shown' '
	ui_run 110x24 "perf top -e cpu-clock -d 0.3 -F 499" &&
	shown "^PerfTop: *[1-9][0-9]* irqs/sec  kernel:.*\[499Hz cpu-clock[:a-z]*\]" && shown "$TITLE" && shown "^ *Overhead  Shared Object  *Symbol" &&
	shown "^ *[0-9][0-9.]*%  .* \[[k.]\] " && counted "$TITLE" &&
	press H && gone "Overhead.*Shared" &&
	press f && shown "rows stand still" && press P && shown "Written to perf.hist.0" && test_grep "^Samples" perf.hist.0 &&
	test_grep ! "$(printf "\033")" perf.hist.0 && press Space && gone "rows stand still" && press h && shown "Leave out the kernel" &&
	shown "Choose what to do" && press x &&
	press s && shown "of a data file, and there is none" && press M && shown "Samples below which" && press Escape && gone "Samples below" &&
	press y && shown "perf top -e cpu-clock -d 0.3 -F 499 --stdio" && press x && gone "command that prints" &&
	press K && shown "^ *[0-9.]*%  .* \[\.\] " && gone "\[k\]" &&
	press i && shown "Header information" && press x && press q && ui_left && test_grep "status=0" status
'
test_expect_success 'what is unfolded stays so over refreshes, and filters do; a function is looked into, and counted on' '
	{ "$(program work)" & pid=$!; } &&
	ui_run 110x30 "perf top -g -e cpu-clock -d 0.3 -p $pid --percent-limit 8" && shown "^+.* often" && shown "^+.* seldom" &&
	press / && shown "Part of the name" && ui_tmux send-keys -l seldom && press Enter && shown "Symbol: seldom" && gone "^+.* often" &&
	press e && shown "^-.* seldom" && shown "^ .*main" && counted "^Samples" && ui_shows "^-.* seldom" && ui_shows "^ .*main" &&
	press C && shown "^+.* seldom" && gone "^ .*main" && press u && shown "^+.* often" &&
	press / && shown "Part of the name" && ui_tmux send-keys -l often && press Enter && shown "Symbol: often" && gone "^+.* seldom" &&
	press b && shown "^Callers and callees of often  work" && shown "function .* often" && press Escape && shown "Symbol: often" &&
	press Enter && shown "^often  .*/work" && shown "\[Percent: local period\]" && shown "sum += i" && counted "^ *[0-9][0-9.]* │" &&
	press q && ui_left
	ended $? $pid
'
test_expect_success 'zooming counts what passes, at once and from then on' '
	{ "$(program work)" & pid=$!; } &&
	ui_run 150x24 "perf top -s comm,dso,sym -e cpu-clock -d 0.3" && shown " work  *work  *\[\.\] often" &&
	press / && shown "Part of the name" && ui_tmux send-keys -l often && press Enter && shown "Symbol: often" && gone "\[k\]" &&
	press t && shown "Thread: work" && counted "^Samples.*Thread: work" && press d && shown "DSO: work" && counted "^Samples.*DSO: work" &&
	press y && shown "perf top .* --stdio --comms=work --dsos=work" && press x && gone "command that prints" && press u && gone "DSO: work" && press q && ui_left
	ended $? $pid
'
test_expect_success 'levels, several events and a dumb terminal' '
	ui_run 110x24 "perf top --hierarchy -s dso,sym -e cpu-clock,page-faults -d 0.3" && shown "^Available samples" && shown "^ *[1-9][0-9]*[ KM] page-faults" &&
	counted " cpu-clock" && press Enter && shown "^[ +]*[0-9.]*%  " && shown "event .cpu-clock" &&
	press + && shown "^-" && counted "^Samples" && ui_shows "^-" && press Tab && shown "event .page-faults" && press Tab && shown "event .cpu-clock" &&
	press Escape && shown "^Available samples" && press q && ui_left &&
	TERM=dumb timeout -k 5 -s INT 1 "$PERF" top -d 0.3 </dev/null >out 2>err; test_grep "PerfTop" out
'
test_done
