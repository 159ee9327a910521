#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 3 of 4
test_description='a strip of time on a terminal, and the report of a range of it'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG
test_require PYTHON
test_require GCC

# Two threads on two CPUs take turns in ten parts of 10 ms: work and leaf in the first five, idle in the others.
test_expect_success 'a recording' '
	ui_recording two.data && PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - turns.data "$PWD/prog" \
		$(nm prog | sed -n "s/^\([0-9a-f]*\) T \(main\|work\|leaf\|idle\)$/\2=\1/p") <<-\EOF
	import sys
	import pdata as p
	fields = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD", "CALLCHAIN"]
	at = {k: int(v, 16) + 1 for k, v in (a.split("=") for a in sys.argv[3:])}
	records = [p.comm(100, 100, "worker"), p.comm(200, 200, "idler"),
	           p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[2]), p.mmap2(200, 0x400000, 0x100000, 0, sys.argv[2])]
	for n in range(100):
	    pid = 100 if n < 50 else 200
	    path = ["idle", "main"] if n >= 50 else ["leaf", "work", "main"] if n % 5 else ["work", "main"]
	    ips = [at[f] for f in path]
	    records.append(p.sample(fields, IDENTIFIER=1, IP=ips[0], TID=(pid, pid), TIME=10**9 + n * 10**6, CPU=n // 10 % 2,
	                            PERIOD=1000, CALLCHAIN=[2**64 - 512] + ips))
	p.write(sys.argv[1], [(p.attr(1, 0, fields), [1])], records)
	EOF
'

# as_stdio OPTION...: the rows on the screen are those that text has with the same options.
as_stdio() {
	ui_rows >rows && perf report --stdio -i turns.data --no-children -g none "$@" | sed 's/ *$//; /^#/d; /^$/d' >want && test_cmp want rows
}

# range: what the last line says of the range, in words.
range() { sed -n '$p' screen; }

test_expect_success 'rows of CPUs and of threads' '
	ui_report 80x20 "perf report -i turns.data --no-children -g none" && ui_keys T && test_grep "^Samples of event .* over time, by CPU$" screen &&
	sed -n "2,4s/ .*//p" screen | tr "\n" " " | grep "^all CPU CPU " && range | grep "all [0-9]* samples" &&
	sed -n 3p screen | grep "^CPU 0  *[^ ].*  *[^ ].* [^ ]" && ui_keys Tab && test_grep "by thread, the busiest first" screen &&
	test_grep "^worker 100 " screen && test_grep "^idler 200 " screen && ui_keys Escape && as_stdio
'

# Each range has round ends: the 50th sample is the first of the idler.
test_expect_success 'a range by keys is the report of its time, and can be undone' '
	ui_keys T Space End && range | grep " all 100 samples, 100.00% " && ui_keys Escape Home Space &&
	for i in 1 2 3; do ui_keys ">"; done && text=$(range) && ui_keys y && test_grep "perf report -i turns.data --no-children -g none --stdio --time=" screen &&
	ui_keys x Enter && test_grep "Time: ${text%% *}" screen && as_stdio --time "${text%% *}" && test_grep "leaf" rows && test_grep ! "idle" rows &&
	ui_keys y && test_grep "stdio --time=${text%% *}" screen && ui_keys x u && test_grep ! "Time: " screen && as_stdio && test_grep "idle" rows
'

test_expect_success 'other filters are those of the strip, and a range is looked at more closely' '
	ui_keys Down t T && test_grep "^all " screen && ui_keys Tab && test_grep "^worker 100 " screen && test_grep ! "^idler" screen &&
	ui_keys Space ">" Enter && first=$(sed -n "\$p" screen) && ui_keys T && test_grep "by CPU" screen && ui_keys Space ">" &&
	range | grep "^1\.0," && text=$(range) && ui_keys Enter && as_stdio --comms worker --time "${text%% *}" &&
	ui_keys Escape && test_grep "$(echo "$first" | sed "s/ .*//")" screen && ui_keys Escape && test_grep ! "Time: " screen && ui_keys Escape &&
	as_stdio
'

click() {
	local before

	before=$(ui_events)
	ui_tmux send-keys -l "$(printf '\033[<0;%d;%dM' "$1" "$2")" && wait_for ui_moved "$before" && ui_look
}

test_expect_success 'the mouse chooses a range' '
	ui_keys T && click 22 3 && click 31 3 && text=$(range) && click 25 3 && test_grep "Time: ${text%% *}" screen &&
	as_stdio --time "${text%% *}" && ui_keys u
'

# Callers and callees count samples of the range, in which leaf is called by work alone.
test_expect_success 'callers and callees follow' '
	ui_keys T Space ">" && text=$(range) && ui_keys Enter b && test_grep "^Callers and callees of leaf" screen && ui_keys y &&
	test_grep "time=" screen && ui_keys x Escape
'

test_expect_success 'samples without times have no strip' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF &&
	import pdata as p
	fields = ["IP", "TID", "PERIOD"]
	p.write("timeless.data", [(p.attr(1, 0, fields), [1])], [p.comm(1, 1, "one"), p.sample(fields, IP=1, TID=(1, 1), PERIOD=1)])
	EOF
	ui_report 100x20 "perf report -i timeless.data" && ui_keys T && test_grep "recorded without their time: record with -T" screen
'

test_done
