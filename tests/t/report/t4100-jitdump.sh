#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Not beside others: what it runs is named by us alone, in recordings of the whole system, too.
# with sanitizers turn 3 of 4
test_description='jitdump: functions compiled at run time have their names, straight from the file'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

jit() { # jit ARGS...: record the workload; its dump stays here
	rm -f jit-*.dump jitted-*
	perf record -o j.data "$@" perf test -w jitdump 1 2>err
}

test_expect_success 'report and script name them' '
	jit -k mono -F 500 && ls jit-*.dump &&
	perf report --stdio -i j.data >out 2>err && test ! -s err &&
	test_grep "jitted-[0-9]*-0.so  *\[\.\] jitdump_generated" out &&
	perf script -i j.data >out 2>err && test ! -s err &&
	test_grep "jitdump_generated+0x.* (.*/jitted-[0-9]*-0.so)" out &&
	ls jitted-* 2>/dev/null; test $? -ne 0
'
test_expect_success REFERENCE 'as the reference does after inject -j' '
	"$REF" inject -j -i j.data -o ref.data && "$REF" script -i ref.data >ref.txt 2>/dev/null &&
	rm -f jitted-* && perf script -i j.data >our.txt && test_cmp ref.txt our.txt
'
test_expect_success 'a stream' '
	perf record -k mono -F 500 -o - perf test -w jitdump 1 2>err >p.data &&
	perf script -i - <p.data >out && test_grep "jitdump_generated+0x" out
'
test_expect_success 'another clock: near enough, and told' '
	jit -F 500 && perf report --stdio -i j.data >out 2>err && test_grep jitdump_generated out &&
	test_grep "record with -k mono" err && test_line_count = 2 err
'
test_expect_success '--symfs: the file may be elsewhere' '
	jit -k mono -F 500 && mkdir -p "elsewhere$PWD" && mv jit-*.dump "elsewhere$PWD" &&
	perf script -i j.data --symfs "$PWD/elsewhere" 2>/dev/null >out && test_grep jitdump_generated out
'
test_expect_success 'a file that is gone is told once; the addresses stay' '
	perf script -i j.data >out 2>err && test_grep "jit-[0-9]*.dump.*No such file" err && test_line_count = 2 err &&
	test_grep "\[unknown\] (/tmp/perf-[0-9]*.map)" out
'
test_expect_success 'one that is cut off, too' '
	jit -k mono -F 2000 && truncate -s 100 jit-*.dump &&
	perf script -i j.data >out 2>err && test_grep "cut off or damaged at 0x28" err && test "$(grep -c "cut off" err)" = 1 &&
	truncate -s 0 jit-*.dump && perf report --stdio -i j.data >out 2>err &&
	test_grep "too short for a jitdump" err
'
test_expect_success ROOT 'one that somebody else owns is not read, but with -f' '
	jit -k mono -F 500 && chown 12345 jit-*.dump && perf script -i j.data >out 2>err &&
	test_grep "not owned" err && test_grep ! jitdump_generated out &&
	perf script -f -i j.data >out && test_grep jitdump_generated out
'
test_done
