#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
test_description='record: breakpoints at symbols of programs'
. "$(dirname "$0")/../../lib/tap.sh"

test_lazy_prereq CC 'no C compiler' 'command -v "${CC:-cc}"'
test_lazy_prereq BREAKPOINTS 'hardware breakpoints cannot be opened here, or never fire' '"$(program fires)"'

# counts FILE: how often each event has happened in which function
counts() { perf script -i "$1" -F event,ip,sym | awk '{ print $1, $3 }' | LC_ALL=C sort | uniq -c | awk '{ print $1, $2, $3 }'; }

Q=\'

cat >bp.c <<\EOF
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
volatile int counter[2];
__thread int mine;
__attribute__((noinline)) void step(void)
{
	counter[1] = 1;
	__asm__ volatile("");
}
int main(int argc, char **argv)
{
	mine = 1;
	if (argc > 1 && !fork())
		argc = 1;
	else if (argc > 1)
		puts("there"), fflush(stdout), getchar();
	for (int i = 0; i < 10; i++)
		step();
	while (wait(NULL) > 0) /* the recording ends with us */
		;
	return 0;
}
EOF
test_expect_success CC 'programs at a fixed place and at any' '
	"${CC:-cc}" -O1 -fPIE -pie -o moved bp.c && "${CC:-cc}" -O1 -fno-pie -no-pie -o fixed bp.c
'
for prog in fixed moved; do
	test_expect_success BREAKPOINTS,CC "symbols of a command: $prog" '
		perf record -q -o a.data -e mem:counter+4/4:w -e mem:step -e mem:counter/4:w ./$prog &&
		printf "10 mem:counter+4/4:w: step\n10 mem:step: step\n" >want && counts a.data >got && test_cmp want got &&
		perf evlist -v -i a.data >list && test_grep "mem:step: .* bp_type: 4, .* bp_len, config2 }: 0x8" list &&
		test_grep "counter.*: .* bp_type: 2, { bp_addr, config1 }: 0x[0-9a-f]*4, { bp_len, config2 }: 0x4" list
	'
done
test_expect_success BREAKPOINTS,CC 'of what it forks, too, and in a stream' '
	perf record -q -o - -e mem:step ./moved fork </dev/null | cat >b.data && counts b.data >got &&
	echo "20 mem:step: step" >want && test_cmp want got
'
test_expect_success BREAKPOINTS,CC,ROOT 'of a command while all CPUs are recorded, and only after a delay' '
	perf record -q -a -o a.data -e mem:step ./moved && counts a.data >got &&
	echo "10 mem:step: step" >want && test_cmp want got &&
	perf record -q -D -1 -o a.data -e mem:step ./moved 2>err && counts a.data >got && test ! -s got
'
test_expect_success BREAKPOINTS,CC 'symbols of a process' '
	mkfifo to from && { ./moved there <to >from & pid=$!; } && exec 8>to 9<from && read -r line <&9 &&
	{ perf record -q -o c.data -e mem:step -p $pid & rec=$!; } && wait_for test -s c.data && echo >&8 &&
	wait $rec && exec 8>&- 9<&- && counts c.data >got && echo "10 mem:step: step" >want && test_cmp want got
'
test_expect_success BREAKPOINTS,CC 'what is not there is told before the program runs' '
	test_expect_code 255 perf record -q -o d.data -e mem:countre ./moved 2>err &&
	test_grep "^mem:countre: neither the running kernel nor ./moved has a symbol .countre.$" err &&
	test_grep "^Did you mean counter?$" err &&
	test_expect_code 255 perf record -q -o d.data -e mem:mine:w sh -c "exec ./moved" 2>err &&
	test_grep "neither the running kernel nor sh has" err &&
	test_expect_code 255 perf record -q -o d.data -e mem:mine:w ./moved 2>err &&
	test_grep "each thread of ./moved has a .mine. of its own" err &&
	test_expect_code 255 perf record -q -o d.data -e mem:no_such -a 2>err &&
	test_grep "for one of a program give a command, or a process with -p" err
'

cat >lib.c <<\EOF
volatile int total;
__attribute__((noinline)) void lib_step(void)
{
	total++;
	__asm__ volatile("");
}
EOF
cat >user.c <<\EOF
#include <stdio.h>
#include <unistd.h>
extern void lib_step(void);
__attribute__((noinline)) void step(void)
{
	lib_step();
	__asm__ volatile("");
}
int main(int argc, char **argv)
{
	if (argc > 1)
		puts("there"), fflush(stdout), getchar();
	for (int i = 0; i < 10; i++)
		step();
	return 0;
}
EOF
test_expect_success CC 'a program with a library' '
	mkdir libs && "${CC:-cc}" -O1 -fPIC -shared -Wl,-soname,libbp.so.1 -o libs/libbp.so.1.2 lib.c && ln -s libbp.so.1.2 libs/libbp.so.1 &&
	"${CC:-cc}" -O1 -fPIE -pie -o user user.c libs/libbp.so.1.2 "-Wl,-rpath,$PWD/libs" && ./user
'
for at in libbp.so.1.2 libbp.so.1 "$PWD/libs/libbp.so.1.2" libs/libbp.so.1 "'libs/libbp.so.1'"; do
	# (the loader clears the variable)
	test_expect_success BREAKPOINTS,CC "symbols of a library that a command loads: @${at##*/}" '
		perf record -q -o a.data -e "mem:lib_step@$at" -e "mem:total+0@$at/4:w,mem:step:x:u" ./user &&
		perf script -i a.data -F ip,sym,dso | awk "{ print \$2, \$3 }" | sed "/(.*ld[-.]/d; s,(.*/,(," | LC_ALL=C sort | uniq -c | awk "{ print \$1, \$2, \$3 }" >got &&
		printf "20 lib_step (libbp.so.1.2)\n10 step (user)\n" >want && test_cmp want got
	'
done
test_expect_success BREAKPOINTS,CC 'of a library of a process' '
	mkfifo to2 from2 && { ./user there <to2 >from2 & pid=$!; } && exec 8>to2 9<from2 && read -r line <&9 &&
	{ perf record -q -o l.data -e mem:lib_step@libbp.so.1:x -p $pid & rec=$!; } && wait_for test -s l.data && echo >&8 &&
	wait $rec && exec 8>&- 9<&- && counts l.data >got && echo "10 mem:lib_step@libbp.so.1:x: lib_step" >want && test_cmp want got
'
test_expect_success BREAKPOINTS,CC 'libraries that are not there, and symbols that they have not' '
	test_expect_code 255 perf record -q -o d.data -e mem:lib_step@libno.so ./user 2>err &&
	test_grep "^mem:lib_step@libno.so: ./user has not loaded .libno.so., whose .lib_step. it is to be$" err &&
	test_expect_code 255 perf record -q -o d.data -e mem:lib_stap@libbp.so.1 ./user 2>err &&
	test_grep "libbp.so.1. has no symbol .lib_stap.$" err && test_grep "Did you mean lib_step?" err &&
	"${CC:-cc}" -O1 -static -no-pie -o alone bp.c && test_expect_code 255 perf record -q -o d.data -e mem:step@libbp.so.1 ./alone 2>err &&
	test_grep "./alone has not loaded" err && perf record -q -o d.data -e mem:step@alone ./alone &&
	test_expect_code 255 perf record -q -o d.data -a -e mem:lib_step@libbp.so.1 2>err && test_grep "give a command, or a process with -p" err &&
	test_expect_code 129 perf record -q -o d.data -e mem:lib_step@ ./user 2>err && test_grep "the name of an object file is expected" err &&
	test_expect_code 129 perf record -q -o d.data -e "mem:lib_step@${Q}lib" ./user 2>err && test_grep "the quote is not closed" err &&
	test_expect_code 129 perf stat -e mem:lib_step@libbp.so.1 ./user 2>err && test_grep "are for perf record only" err
'
test_expect_success BREAKPOINTS,CC,ROOT 'symbols in --switch-output-event and --begin: of a command, of its library, of a process' '
	for s in mem:step mem:lib_step@libbp.so.1; do
		rm -f sw.data* && perf record -o sw.data --switch-output-event $s -e cpu-clock ./user 2>err &&
		test_grep "Dump sw.data" err && ls sw.data.* >files && test_line_count -gt 1 files &&
		perf record -o win.data --begin $s -e cpu-clock ./user 2>err && test_grep "one window was open" err || return 1
	done &&
	rm -f sw.data* && { ./user there <to2 >from2 & pid=$!; } && exec 8>to2 9<from2 && read -r line <&9 &&
	{ perf record -o sw.data --switch-output-event mem:step:x -e cpu-clock -p $pid 2>err & rec=$!; } && wait_for test -s sw.data &&
	echo >&8 && wait $rec && exec 8>&- 9<&- && ls sw.data.* >files && test_line_count -gt 1 files
'
test_done
