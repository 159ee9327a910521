#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others but probes
# with sanitizers turn 2 of 4
test_description='perf probe of programs with hostile names: nothing but checked definitions gets to the kernel'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq UPROBES 'needs root and uprobes' 'test -w /sys/kernel/tracing/uprobe_events'

# Names of functions are put into the finished program, both its symbols and its debug information,
# in place of others of the same length.
blank=a_name_that_is_replaced_blank_______________
line=a_name_that_is_replaced_line________________
line2=a_name_that_is_replaced_line2_______________
semi=a_name_that_is_replaced_semi________________
ctrl=a_name_that_is_replaced_ctrl________________
high=a_name_that_is_replaced_high________________
long=l$(printf '%04096d' 0)
{
	for f in "$blank" "$line" "$line2" "$semi" "$ctrl" "$high" "$long" plain; do
		echo "__attribute__((noinline, noipa)) int $f(int k) { int local = k + 1; return local; }"
	done
	echo 'int main(int argc, char **argv) { (void)argv; return plain(argc)'
	for f in "$blank" "$line" "$line2" "$semi" "$ctrl" "$high" "$long"; do echo "+ $f(argc)"; done
	echo '; }'
} >t4540.c
# put NAME TEXT: TEXT has escapes that sed knows, and is filled up to the length of the old name.
put() {
	local fill
	fill=$(printf "%$((${#1} - $(printf %b "$2" | wc -c)))s" '')
	LC_ALL=C sed -i "s|$1|$2${fill// /_}|g" evil
}
test_lazy_prereq PROGRAM 'needs a C compiler with debug information' '
	cd cwd && ${CC:-gcc} -g -O0 -o evil t4540.c &&
	put $blank "two words k=%di:u64 and more" &&
	put $line "x\np:t4540_evil/one /proc/self/exe:0x1000\n" &&
	put $line2 "x\r\n-:t4540_kept/kept\n-:*\n#" &&
	put $semi "x;r:t4540_evil/two;\$(touch t4540.ran)\`id\`" &&
	put $ctrl "x\x1b[31m\x01\x02\x7f\tafter_the_tab" &&
	put $high "x\xff\xfe\xc3\x28\xe2\x80\xae_no_text" &&
	perf probe -x evil -F plain | grep -q plain
'
cleanup() { test ! -w /sys/kernel/tracing/uprobe_events || { perf probe -q -d "t4540*:*"; perf probe -q -d "probe_evil*:*"; } >/dev/null 2>&1 || :; }
trap 'cleanup; test_at_exit' EXIT

# well_formed FILE: each line is a definition of one of the names of this test.
well_formed() {
	! LC_ALL=C grep -avE '^[pr]:(probe_evil|t4540)[A-Za-z_0-9]*/[A-Za-z_][A-Za-z_0-9]{0,63} [^ ]*/evil:0x[0-9a-f]+( [a-z_0-9]+=[^ ]+)*$' "$1"
}
# The exit status of a program that a signal ended.
crashed() { test "$1" -gt 128 && test "$1" -lt 160; }
all='*[Ea_x]*'
test_expect_success PROGRAM 'definitions of all functions: lines are definitions, events have names' '
	perf probe -x evil -D "$all" --max-probes 500 >out 2>err || :
	test -s out && well_formed out && test ! -e t4540.ran
'
test_expect_success PROGRAM 'each function by its own name, line and variables' '
	n=0 && for name in "two words*" "x?p:*" "x?*-:\**" "x;r:*" "x*after_the_tab*" "x*no_text*" "l0*0"; do
		for what in "" ":0" "%return"; do
			for arg in "" local "\$vars"; do
				perf probe -x evil -D "$name$what $arg" >out 2>err; rc=$?
				! crashed $rc && { test ! -s out || well_formed out; } && n=$((n + 1)) || { echo "$name$what $arg: $rc"; cat out; return 1; }
			done
		done
	done && test $n = 63 && test ! -e t4540.ran
'
test_expect_success PROGRAM 'lists of functions have one line for each, without control characters' '
	perf probe -x evil -F >out && LC_ALL=C test_grep ! "[[:cntrl:]]" out && test_grep "p:t4540_evil" out &&
	test_grep ! "^p:" out && test_grep ! "^-:" out
'
test_expect_success PROGRAM,UPROBES 'what gets to the kernel' '
	here=$(pwd -P) && echo "p:t4540_kept/kept $here/evil:0x40" >>/sys/kernel/tracing/uprobe_events && perf probe -x evil -a "$all" --max-probes 500 >out 2>&1 || :
	grep -a "$here/evil" /sys/kernel/tracing/uprobe_events >events; well_formed events && test_grep t4540_kept events &&
	test_grep ! "^[pr][0-9]*:t4540_evil" /sys/kernel/tracing/uprobe_events && perf probe -q -x evil -a plain -f && perf probe -l >list 2>&1 &&
	test_grep "probe_evil:plain" list && perf probe -q -d "probe_evil:*" -d "t4540_kept:*" && test_grep ! "$here/evil" /sys/kernel/tracing/uprobe_events
'
test_expect_success PROGRAM 'paths that the kernel cannot be told' '
	for name in "two words" "new
p:t4540_evil/three /bin/sh:0" "tab	x"; do
		mkdir -p "$(dirname "$name")" && cp evil "$name" && ! perf probe -x "./$name" -D plain >out 2>err && test ! -s out &&
		test_grep "blank or a control character" err || return 1
	done &&
	cp evil "semi;x" && perf probe -x "./semi;x" -D plain >out && grep -qE "^p:probe_semi/plain [^ ]*:0x[0-9a-f]+$" out
'
test_expect_success PROGRAM 'events and groups of hostile names' '
	for name in "a b" "a
b" "a;b" "a/b/c" "$(printf "%0100d" 0)" "1a" "a-b" "\$(id)"; do
		! perf probe -x evil -D "$name=plain" >out 2>err && test ! -s out && test -s err || { echo "$name"; cat out; return 1; }
	done
'
cat >marker.c <<\E
int main(void) { asm volatile("1: nop\n.pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n.4byte 2f-3f, 5f-4f, 3\n3:.asciz \"stapsdt\"\n2:.balign 4\n4:.8byte 1b\n.8byte _.stapsdt.base\n.8byte 0\n"
	".asciz \"prov ider\\np:t4540_evil/four /bin/sh:0\"\n.asciz \"na;me\\nx\"\n.asciz \"8@%rdi\\n8@%rsi 4@$1;2 -8@8(%rsp) 99@%zz @ 8@\"\n5:.balign 4\n.popsection\n"
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n.weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base,1\n.popsection\n"); return 0; }
E
test_expect_success PROGRAM 'markers of hostile names' '
	test "$(uname -m)" = x86_64 && ${CC:-gcc} -o t4540_m marker.c || return 0
	for p in "%prov*:*" "%*:*" "%*:na*"; do
		perf probe -x t4540_m -D "$p" >out 2>err; ! crashed $? && test_grep ! "^p:t4540_evil" out &&
		! grep -avE "^p:sdt_[A-Za-z_0-9]+/[A-Za-z_0-9]+ [^ ]+:0x[0-9a-f]+( [a-z_0-9]+=[^ ]+)*$" out || return 1
	done
'
test_done
