#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='colours of percentages: when, and which'
. "$(dirname "$0")/../../lib/tap.sh"

test_require PERF_EVENTS
test_lazy_prereq SCRIPT 'no script(1) to make a terminal with' 'script -qec true /dev/null'
ESC=$(printf '\033')

test_expect_success 'a recording' '
	perf record -F 5000 -o a.data perf test -w noploop 1 && perf report --stdio -s sym -i a.data >plain
'

test_expect_success 'no colours in a file, unless they are asked for' '
	test_grep ! "$ESC" plain &&
	perf report --stdio -s sym -i a.data --stdio-color always >colored &&
	test_grep -F "$ESC[31m" colored &&
	sed "s/$ESC\[[0-9;]*m//g" colored >out && test_cmp plain out &&
	perf report --stdio -s sym -i a.data --stdio-color auto >out && test_cmp plain out
'

test_expect_success REFERENCE 'the first row is coloured as the reference does' '
	"$REF" report --stdio -s sym -i a.data --stdio-color always 2>/dev/null | grep -F "$ESC" | head -n 1 |
		sed "s/%.*//; s/[0-9.]*\$//" >want &&
	grep -F "$ESC" colored | head -n 1 | sed "s/%.*//; s/[0-9.]*\$//" >out && test_cmp want out
'

test_expect_success SCRIPT 'colours on a terminal, but for --stdio-color never, NO_COLOR, color.ui and TERM=dumb' '
	on_tty() { TERM=xterm PERF_PAGER=cat script -qec "$1" /dev/null </dev/null >out; } &&
	on_tty "perf report --stdio -s sym -i a.data" && test_grep -F "$ESC[31m" out &&
	on_tty "perf report --stdio -s sym -i a.data --stdio-color never" && test_grep ! -F "$ESC" out &&
	NO_COLOR=1 on_tty "perf report --stdio -s sym -i a.data" && test_grep ! -F "$ESC" out &&
	on_tty "TERM=dumb perf report --stdio -s sym -i a.data" && test_grep ! -F "$ESC" out &&
	perf config color.ui=false && on_tty "perf report --stdio -s sym -i a.data" && test_grep ! -F "$ESC" out &&
	rm "$HOME/.perfconfig"
'

test_expect_success 'colours of the configuration' '
	perf config color.ui=always "colors.top=blue, white" && perf report --stdio -s sym -i a.data >out &&
	test_grep -F "$ESC[34;47m" out &&
	perf config colors.top=nosuch && perf report --stdio -s sym -i a.data >out 2>err &&
	test_grep "bad config value for .colors.top., ignoring" err && test_grep -F "$ESC[31m" out
'

test_done
