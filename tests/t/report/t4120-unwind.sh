#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 2
test_description='record --call-graph dwarf: stacks of programs whose calls are known, without frame pointers'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/report.sh"
. "$SRC/tests/lib/called.sh"
test_require PERF_EVENTS

test_require UNWIND,CC

test_expect_success 'C at -O2 without frame pointers: every stack is a possible one and whole' '
	build_called called && perf record -q -F 2000 -e cpu-clock:u --call-graph dwarf,16384 -o plain.data ./called 0.6 rqtsvgc &&
	perf script -i plain.data -F ip,sym,dso >plain.txt 2>err && test_line_count = 0 err && possible plain.txt &&
	for f in recurse compare on_signal tail_target with_cfi variable clock_reader; do test_grep " $f " plain.txt || return 1; done
'
test_expect_success REFERENCE 'frame by frame as the reference unwinds them' '
	perf script --no-inline -i plain.data -F ip,sym >ours && "$REF" script --no-inline -i plain.data -F ip,sym >theirs 2>/dev/null &&
	# the code that handlers return to is at its own address here, and clones have their whole name
	for f in ours theirs; do sed "s/ \[clone .*//; /__restore_rt/d; /\[unknown\]/d" $f >$f.plain || return 1; done &&
	test "$(grep -c . ours.plain)" -gt 1000 && test_cmp theirs.plain ours.plain
'
test_expect_success 'through a pipe the same' '
	perf record -q -F 2000 -e cpu-clock:u --call-graph dwarf,16384 -o - ./called 0.3 rqtsvgc 2>/dev/null >pipe.data &&
	perf script -i - -F ip,sym,dso <pipe.data >pipe.txt && possible pipe.txt
'
for how in "-static-pie -fcf-protection=full" "-static" "-Os -fno-plt" "-g -fno-asynchronous-unwind-tables"; do
	test_expect_success "... built with $how" '
		build_called other $how 2>err || { test_skip "the compiler does not take it"; return 0; }
		perf record -q -F 2000 -e cpu-clock:u --call-graph dwarf,16384 -o other.data ./other 0.3 rqtvc &&
		perf script -i other.data -F ip,sym,dso >other.txt && possible other.txt
	'
done
test_expect_success 'assembly without tables: its frames are guessed from its code' '
	perf record -q -F 2000 -e cpu-clock:u --call-graph dwarf -o bare.data ./called 0.3 n &&
	perf script -i bare.data -F ip,sym,dso >bare.txt && possible bare.txt && test_grep " without_cfi " bare.txt
'
test_expect_success 'report says how far stacks go, and from where on they would be whole' '
	perf record -q -F 2000 -e cpu-clock:u --call-graph dwarf,512 -o short.data ./called 0.3 r &&
	perf report -i short.data --stdio -g none -v >out 2>err &&
	test_grep "^Note: .*% of the stacks reached the root" err &&
	test_grep "^Note: .*% of the stacks go on beyond their copies: record with --call-graph dwarf,8192 or more" err &&
	perf report -i plain.data --stdio -g none -v >out 2>err && test_grep ! "beyond their copies" err
'
test_expect_success 'a handler on a stack of its own: its interrupted function, and why no more' '
	perf record -q -F 2000 -e cpu-clock:u --call-graph dwarf -o alt.data ./called 0.3 a &&
	perf script -i alt.data -F ip,sym,dso >alt.txt && test_grep " on_signal " alt.txt &&
	test_grep ! "ffffffffffffffff" alt.txt &&
	perf report -i alt.data --stdio -g none -v >out 2>err && test_grep "its caller is on another stack" err
'
test_expect_success 'reports, folded stacks and pages show them' '
	perf report -i plain.data --stdio --no-children -g caller,0.5 >out 2>/dev/null && test_grep "^ *|--.*main\|---_start\|--main" out &&
	perf report -i plain.data --folded - >out 2>/dev/null && test_grep "main;all;recurse;.*;leaf " out
'
test_expect_success 'of an object that is gone nothing is guessed' '
	cp called gone && perf record -q -F 2000 -e cpu-clock:u --call-graph dwarf -B -N -o gone.data ./gone 0.2 r && rm gone &&
	perf script -i gone.data -F ip,dso >out 2>/dev/null &&
	awk "/^\$/ { if (n > 1 && first ~ /gone/) bad = 1; n = 0; next } { if (!n++) first = \$0 } END { exit bad }" out &&
	perf report -i gone.data --stdio -g none -v >out 2>err && test_grep "worst: gone (not found)" err
'
test_expect_success 'inject --convert-callchain: the same stacks in a small file, for the reference too' '
	perf inject --convert-callchain -i plain.data -o conv.data 2>err &&
	test_grep "^[0-9]* stacks were unwound, [0-9.]*% of them to the root" err &&
	test "$(stat -c %s conv.data)" -lt $(($(stat -c %s plain.data) / 5)) &&
	perf script -i plain.data -F comm,tid,time,event,ip,sym,dso >before && perf script -i conv.data -F comm,tid,time,event,ip,sym,dso >after &&
	test_cmp before after && perf evlist -v -i conv.data >out && test_grep ! "STACK_USER\|REGS_USER" out &&
	{ ! test_have_prereq REFERENCE || { "$REF" script -i conv.data -F ip,sym >theirs 2>/dev/null && test "$(grep -c . theirs)" = "$(grep -c . ours)"; }; }
'
test_expect_success '... in streams; recordings without copies are refused' '
	perf inject --convert-callchain -i pipe.data -o - 2>err >conv.pipe && perf script -i - -F ip,sym,dso <conv.pipe >out && test_cmp pipe.txt out &&
	perf record -q -e cpu-clock:u -o flat.data ./called 0.05 r && test_expect_code 255 perf inject --convert-callchain -i flat.data -o out.data 2>err &&
	test_grep "no event of the recording has copies of user stacks" err && test ! -e out.data
'
test_done
