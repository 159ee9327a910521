#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others but probes
# with sanitizers turn 2 of 4
test_description='perf probe on programs: functions, offsets, returns, registers; names, listing, removing'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq UPROBES 'needs root and uprobes' 'test -w /sys/kernel/tracing/uprobe_events'

# The group has a name that no other test has.
prog=t4500_$$
cat >$prog.c <<\E
#include <stdio.h>
__attribute__((noinline)) int work(int n, const char *name, unsigned long big)
{
	return n + name[0] + (int)big;
}
__attribute__((noinline)) static int other(int n)
{
	return n * 3 + 1;
}
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 3; i++)
		sum += work(i, "text", 7) + other(i);
	printf("%d\n", sum);
	return 0;
}
E
test_lazy_prereq PROGRAM 'needs a C compiler' '${CC:-gcc} -O1 -o cwd/$prog cwd/$prog.c'
at() { printf '0x%x' "0x$(nm $prog | sed -n "s/ [tT] $1$//p")"; }
clean() { test ! -w /sys/kernel/tracing/uprobe_events || perf probe -q -d "probe_$prog:*" >/dev/null 2>&1 || :; }
trap 'clean; test_at_exit' EXIT

test_expect_success PROGRAM '-D: the lines that would be written' '
	here=$(pwd -P) && perf probe -x ./$prog -D work -D "work%return \$retval" -D "x=work+4 n=%di:s32 +0(%rsi):string" -D "g:y=oth*" >out &&
	cat >want <<-E &&
	p:probe_$prog/work $here/$prog:$(at work)
	r:probe_$prog/work__return $here/$prog:$(at work) \$retval
	p:probe_$prog/x $here/$prog:$(printf "0x%x" $(($(at work) + 4))) n=%di:s32 +0(%si):string
	p:g/y $here/$prog:$(at other)
	E
	test_cmp want out
'
test_expect_success PROGRAM,REFERENCE '-D as the reference' '
	for d in work "work%return \$retval" "x=work+4 n=%di:s32" "work a=%di b=%si:x64" "e=other"; do
		"$REF" probe -q -x ./$prog -D "$d" >ref 2>/dev/null && perf probe -q -x ./$prog -D "$d" >our && test_cmp ref our || return 1
	done
'
test_expect_success PROGRAM '-F: functions, filters' '
	perf probe -x ./$prog -F >out && test_grep "^main$" out && test_grep "^work$" out && ! test_grep "^_" out &&
	perf probe -x ./$prog -F "w*|oth*" >out && printf "other\nwork\n" >want && test_cmp want out &&
	perf probe -x ./$prog -F --filter "!m* & [l-o]*" >out && printf "other\n" >want && test_cmp want out
'
test_expect_success UPROBES,PROGRAM 'add, list, count, record, remove' '
	here=$(pwd -P) && perf probe -x ./$prog "work n=%di:s32 name=+0(%si):string" >out 2>&1 &&
	cat >want <<-E &&
	Added new event:
	  probe_$prog:work     (on work in $here/$prog with n=%di:s32 name=+0(%si):string)

	You can now use it in all perf tools, such as:

		perf record -e probe_$prog:work -aR sleep 1

	E
	sed "s/ *(on/ (on/" want >a && sed "s/ *(on/ (on/; s/^\t//" out >b && test_cmp a b &&
	perf probe -x ./$prog -a "work%return ret=\$retval:s32" -a "twice=other" >/dev/null 2>&1 &&
	perf probe -l "probe_$prog:*" >out && test_line_count = 3 out &&
	test_grep "^  probe_$prog:twice *(on other in $here/$prog)$" out &&
	test_grep "^  probe_$prog:work *(on work in $here/$prog with n name)$" out &&
	test_grep "^  probe_$prog:work__return *(on work%return in $here/$prog with ret)$" out &&
	perf stat -x, -e "probe_$prog:work,probe_$prog:twice" ./$prog 2>counts >/dev/null && test "$(grep -c "^3,," counts)" = 2 &&
	perf record -q -o data -e "probe_$prog:work*" ./$prog >/dev/null && perf script -i data -F event,trace >text &&
	test "$(grep -c "n=[012] name=\"text\"" text)" = 3 && for v in 123 124 125; do test_grep "work__return: .* ret=$v$" text || return 1; done &&
	perf probe -d "probe_$prog:work*" >out 2>&1 && printf "Removed event: probe_$prog:work\nRemoved event: probe_$prog:work__return\n" >want &&
	sort out >sorted && test_cmp want sorted && perf probe -d "probe_$prog:twice" >out 2>&1 && test_line_count = 1 out
'
test_expect_success UPROBES,PROGRAM 'a name that is taken: refused, or with -f a number; nothing is half added' '
	perf probe -q -x ./$prog work && test_expect_code 239 perf probe -x ./$prog -a other -a work >out 2>err && test_grep "event \"work\" already exists" err &&
	test_line_count = 0 out && perf probe -l "probe_$prog:*" >out && test_line_count = 1 out &&
	perf probe -q -f -x ./$prog work && perf probe -q -x ./$prog -n main &&
	perf probe -l "probe_$prog:*" >out && test_line_count = 2 out && test_grep "work_1" out &&
	test_must_fail perf probe -x ./$prog -a other -a "z=work x=%nosuch" 2>err >out && test_grep "Failed to write event" err &&
	perf probe -l "probe_$prog:*" >out && test_line_count = 2 out && clean
'
test_expect_success UPROBES,PROGRAM 'many at once do not disturb each other' '
	clean &&
	for i in 1 2 3 4 5 6; do perf probe -q -f -x ./$prog -a work -a other & done && wait &&
	perf probe -l "probe_$prog:*" >out && test_line_count = 12 out && test "$(sed "s/ (on.*//" out | sort -u | wc -l)" = 12 && clean
'
while IFS='|' read -r args why; do
	test_expect_success PROGRAM "refused: $args" '
		eval "words=($args)" && test_must_fail perf probe -x ./$prog "${words[@]}" >out 2>err && test_line_count = 0 out && test_grep "$why" err
	'
done <<\E
-D wrok|Did you mean work?
-D 'work+9999'|is behind the end of work
-D 'work:x'|non-digit character in line number
-D 'work a:u7'|Did you mean u8?
-D 'work -f'|options stand before it
-D work%exit|only %return
-D 'work:3'|has no debug information
-D 'work n'|has no debug information
-D '*' --max-probes 1|allow more with --max-probes
-F '('|The filter
-d no:such|does not hit any event
-a work -l|only one of
E
test_done
