#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others but probes
test_description='perf probe: definitions from standard input'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq UPROBES 'needs root and uprobes' 'test -w /sys/kernel/tracing/uprobe_events'

prog=t4545_$$
cat >t4545.c <<\E
__attribute__((noinline)) int first(int n) { return n + 1; }
__attribute__((noinline)) int second(int n) { return first(n) * 2; }
int main(int argc, char **argv) { (void)argv; return second(argc) == 0; }
E
test_lazy_prereq PROGRAM 'needs a C compiler' 'cd cwd && ${CC:-gcc} -g -O1 -o $prog t4545.c'
clean() { test ! -w /sys/kernel/tracing/uprobe_events || perf probe -q -d "probe_$prog:*" >/dev/null 2>&1 || :; }
trap 'clean; test_at_exit' EXIT

printf '# a comment\n\n  first  \r\ns=second%%return $retval\n\t# another\nmain' >list
test_expect_success PROGRAM 'each line is a definition, in the order of the command line' '
	perf probe -x ./$prog -D first -D second%return\ \$retval -D main | sed "s/second__return/s__return/" >want &&
	perf probe -x ./$prog -D - <list >out && test_line_count = 3 out && test_cmp want out &&
	perf probe -x ./$prog -D main -D - -D second <list >out && test_line_count = 5 out && sed -n 2,4p out >middle && test_cmp want middle
'
test_expect_success UPROBES,PROGRAM 'events are made of all lines or of none' '
	perf probe -x ./$prog - <list 2>err && perf probe -l "probe_$prog:*" >out && test_line_count = 3 out && clean &&
	{ cat list && echo && echo nosuch; } >bad && test_must_fail perf probe -x ./$prog --add - <bad 2>err && test_grep "^Line 7 of standard input: .*nosuch" err &&
	test_must_fail perf probe -x ./$prog --add - --add "first" <list 2>err && test_grep "event .first. already exists" err &&
	perf probe -l "probe_$prog:*" >out && test_line_count = 0 out
'
while IFS='|' read -r input why; do
	test_expect_success PROGRAM "refused: $input" '
		printf "$input" >in && test_must_fail perf probe -x ./$prog -D - <in >out 2>err && test_line_count = 0 out && test_grep "$why" err
	'
done <<\E
# nothing\n\n|Standard input has no definition
first\nmain\000|Standard input has zero bytes
first\nmain+x\n|Line 2 of standard input
first\n%%nosuch_marker\n|Line 2 of standard input
E
test_expect_success PROGRAM 'refused: input without an end' '
	test_must_fail perf probe -x ./$prog -D - </dev/zero 2>err && test_grep "more than 4 MiB" err
'
test_done
