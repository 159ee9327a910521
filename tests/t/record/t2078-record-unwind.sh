#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 3 of 4
test_description='record --call-graph dwarf,unwind: stacks become call chains while they are recorded'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/called.sh"
test_require PERF_EVENTS
test_require UNWIND,CC

# rec FILE WHAT [OPTION...]: record the program in ways WHAT for 0.15 s of CPU time.
rec() { perf record -F 2000 -e cpu-clock:u --call-graph dwarf,unwind,16384 -o "$1" "${@:3}" ./called 0.15 "$2" 2>err; }

# no_copies FILE: no sample has registers or a copy of the stack.
no_copies() { perf report -D -i "$1" >dump 2>/dev/null && test_grep "PERF_RECORD_SAMPLE" dump && test_grep ! "user regs\|ustack: size [1-9]" dump; }

test_expect_success 'every stack is a possible one and whole, in a small file' '
	build_called called && rec plain.data rqtsvgc &&
	test_grep "^\[ perf record: Unwound [0-9.]*% of [0-9]* stacks while recording \]" err &&
	perf script -i plain.data -F ip,sym,dso >plain.txt 2>err && test_line_count = 0 err && possible plain.txt &&
	for f in recurse compare on_signal tail_target with_cfi variable clock_reader; do test_grep " $f " plain.txt || return 1; done &&
	no_copies plain.data &&
	nr=$(perf script -i plain.data -F tid | grep -c .) &&
	test "$(stat -c %s plain.data)" -lt $((nr * 16384 / 10))
'
test_expect_success REFERENCE 'the reference reads the same chains' '
	perf script --no-inline -i plain.data -F ip,sym | sed "s/ \[clone .*//" >ours &&
	"$REF" script --no-inline -i plain.data -F ip,sym 2>/dev/null | sed "s/ \[clone .*//" >theirs && test_cmp theirs ours
'
# stacks FILE: the stacks by functions, one on each line.
stacks() { perf script -i "$1" -F ip,sym | awk '/^$/ { if (n) print line; n = 0; line = ""; next } { line = line ";" $2; n++ } END { if (n) print line }'; }
test_expect_success 'the same stacks as those of copies that are unwound later' '
	perf record -q -F 2000 -e cpu-clock:u --call-graph dwarf,16384 -o copies.data ./called 0.15 rqtsvgc && stacks copies.data | sort | uniq -c >copies &&
	stacks plain.data | sort | uniq -c >unwound && test_line_count -gt 10 copies &&
	# each that is frequent in one of them is in the other
	awk "NR == FNR { seen[\$2] = \$1; next } \$1 > 20 && !(\$2 in seen) { print; bad = 1 } END { exit bad }" unwound copies &&
	awk "NR == FNR { seen[\$2] = \$1; next } \$1 > 20 && !(\$2 in seen) { print; bad = 1 } END { exit bad }" copies unwound
'
test_expect_success 'a running process, even when its program is deleted' '
	cp called gone && { ./gone 30 rq & } && pid=$! && wait_comm $pid gone && rm gone &&
	perf record -F 2000 -e cpu-clock:u --call-graph dwarf,unwind -o pid.data -p $pid sleep 0.4 2>err;
	kill $pid && test_grep "Unwound [0-9.]*% of" err &&
	if test -w /proc/self/map_files; then no_copies pid.data; fi
'
test_expect_success 'several events, of which one has no copies; registers that were asked for stay' '
	rec two.data rq -e "cpu-clock/call-graph=fp/u" && no_copies two.data && perf evlist -i two.data >out && test_line_count = 2 out &&
	perf script -i two.data -F event,ip,sym,dso >two.txt && test_grep " recurse" two.txt &&
	rec regs.data rq --user-regs=sp && perf script -i regs.data -F uregs >out && test_grep "SP:0x" out &&
	perf report -D -i regs.data >dump 2>/dev/null && test_grep ! "ustack: size [1-9]" dump
'
test_expect_success 'compressed, in a pipe, in several files, and of rings that are overwritten' '
	rec z.data rqt -z && perf script -i z.data -F ip,sym,dso >z.txt && possible z.txt &&
	perf record -q -F 2000 -e cpu-clock:u --call-graph dwarf,unwind,16384 -o - ./called 0.15 rqt 2>/dev/null >pipe.data &&
	perf script -i - -F ip,sym,dso <pipe.data >pipe.txt && possible pipe.txt &&
	rec s.data rqt --switch-output=20K && ls s.data.* >files && test "$(grep -c . files)" -gt 1 &&
	for f in s.data.*; do perf script -i $f -F ip,sym,dso || return 1; done >s.txt && possible s.txt &&
	test_grep "Unwound .* stacks" err &&
	rec over.data rqt --overwrite --tail-synthesize && test_grep "Unwound .* stacks" err
'
test_expect_success 'of the whole system' '
	perf record -F 2000 -e cpu-clock -a --call-graph dwarf,unwind,16384 -o all.data ./called 0.15 rqt 2>err && test_grep "Unwound [0-9.]*% of" err &&
	perf script -i all.data --comm called -F ip,sym,dso >all.txt && test_grep " recurse " all.txt
'
test_expect_success 'what cannot be unwound in time keeps its copy, which readers unwind as ever' '
	printf "[record]\n\tunwind-queue = 0\n" >conf && PERF_CONFIG=conf rec late.data rqt &&
	test_grep "Unwound 0.0% of \([0-9]*\) stacks while recording; \1 stay copies as too many waited" err &&
	perf script -i late.data -F ip,sym,dso >late.txt && possible late.txt &&
	perf inject --convert-callchain -i late.data -o conv.data 2>err && perf script -i conv.data -F ip,sym,dso >out && test_cmp late.txt out &&
	printf "[record]\n\tunwind-queue = much\n" >conf && PERF_CONFIG=conf rec bad.data r && test_grep "bad config value for .record.unwind-queue" err
'
test_expect_success 'copies that are too small are told with the size that would do' '
	perf record -F 2000 -e cpu-clock:u --call-graph dwarf,512,unwind -o short.data ./called 0.15 r 2>err &&
	test_grep "% of the stacks go on beyond their copies: record with --call-graph dwarf,unwind,8192 or more" err
'
test_expect_success 'the configuration can make it what -g does; its size is that of dump-size' '
	printf "[call-graph]\n\trecord-mode = dwarf,unwind\n\tdump-size = 4096\n" >conf &&
	PERF_CONFIG=conf perf record -q -F 2000 -e cpu-clock:u -g -o conf.data ./called 0.1 r && no_copies conf.data &&
	perf evlist -v -i conf.data >out && test_grep "sample_stack_user: 4096" out && test_grep ! "ADDR" out
'
test_expect_success 'what is refused' '
	test_expect_code 234 perf record -e cpu-clock:u --call-graph dwarf,unwind --threads -o no.data true 2>err &&
	test_grep "call-graph dwarf,unwind cannot be combined with --threads" err &&
	test_expect_code 129 perf record -e cpu-clock:u --call-graph dwarf,unwind,unwind -o no.data true 2>err &&
	test_expect_code 129 perf record -e cpu-clock:u --call-graph dwarf,unwound -o no.data true 2>err &&
	test_expect_code 129 perf record -e cpu-clock:u --call-graph fp,unwind -o no.data true 2>err && test ! -e no.data
'
test_done
