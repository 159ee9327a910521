#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 3 of 4
test_description='old spellings are answered with what to write instead'
. "$(dirname "$0")/../../lib/tap.sh"

test_expect_success PERF_EVENTS 'record -g with a value' '
	for mode in dwarf fp lbr dwarf,4096; do
		test_expect_code 255 perf record -g $mode -o x.data true 2>err && test_grep "^Hint: -g takes no value.*--call-graph dwarf" err || return 1
	done &&
	test_expect_code 255 perf record dwarf 2>err && test_grep ! "^Hint" err && test_expect_code 255 perf record -g no-such 2>err && test_grep ! "^Hint" err
'
test_expect_success PERF_EVENTS 'script -f with fields' '
	perf record -q -o p.data true && test_expect_code 129 perf script -f comm,ip -i p.data 2>err && test_grep "fields are chosen with -F, as in -F comm,ip" err &&
	test_expect_code 129 perf script comm,ip -i p.data 2>err && test_grep ! "as in -F" err && perf script -f -F comm,ip -i p.data
'
test_expect_success 'options that are gone' '
	test_expect_code 129 perf record -f true 2>err && test_grep "unknown switch .f" err && test_grep "^  -f is gone: .*perf.data.old" err &&
	test_expect_code 129 perf report --gtk 2>err && test_grep "unknown option .gtk" err && test_grep "^  --gtk is gone: --html" err &&
	{ perf record --list-opts; perf report --list-opts; } >out; test_grep output out && test_grep ! "gtk" out && test_grep -- "--force" out >n &&
	perf record -h 2>&1 | test_grep ! "is gone" -
'
test_expect_success PERF_EVENTS 'BPF programs as events' '
	for e in prog.c ./prog.o cs,prog.o "{prog.c}"; do
		test_expect_code 129 perf record -e "$e" true 2>err && test_grep "___ BPF programs are no events any more: .*bpftool" err || return 1
	done &&
	test_expect_code 129 perf stat -e prog.o true 2>err && test_grep "BPF programs are no events" err
'
test_done
