#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others but probes
# with sanitizers in check-long only
test_description='perf probe: markers of programs (SDT), labels of assembler, stripped programs, names that would be orders'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq UPROBES 'needs root and uprobes' 'test -w /sys/kernel/tracing/uprobe_events'

prog=t4520_$$
cat >$prog.S <<-E
	#include "sdt.inc"
	990: nop
	note $prog, mark, "8@%rdi -4@%esi"
	990: nop
	note $prog, mark, "8@%rdx"
	990: nop
	note $prog, plain, ""
	990: nop
	note $prog, counted, "8@%rdi", sem_v
	xor %eax,%eax
	ret
	.section .probes,"aw"
	sem_v: .2byte 0
E
test_lazy_prereq PROGRAM 'needs a C compiler for x86-64' 'cd cwd && ${CC:-gcc} -I"$SRC/tests/lib" -o $prog $prog.S && test "$(uname -m)" = x86_64'
clean() { test ! -w /sys/kernel/tracing/uprobe_events || perf probe -q -d "*_$prog:*" >/dev/null 2>&1 || :; }
trap 'clean; test_at_exit' EXIT

test_expect_success PROGRAM 'markers by -x, by their names alone, by patterns' '
	at=$((0x$(nm $prog | sed -n "s/ T main$//p"))) && here=$(pwd -P)/$prog &&
	perf probe -x ./$prog -D %sdt_$prog:mark >out && cat >want <<-E && test_cmp want out &&
	p:sdt_$prog/mark $here:$(printf 0x%x $at) arg1=%di:u64 arg2=%si:s32
	p:sdt_$prog/mark_1 $here:$(printf 0x%x $((at + 1))) arg1=%dx:u64
	E
	perf probe -x ./$prog -D %plain >out && test_grep "^p:sdt_$prog/plain $here:0x[0-9a-f]*$" out &&
	perf probe -D "%sdt_$prog:counted@$here" >out && test_grep "(0x[0-9a-f]*) arg1=%di:u64$" out &&
	perf probe -x ./$prog -D "%*" >out && test_line_count = 4 out && perf probe -x ./$prog -D "sdt_$prog:plain mine=%di" >out && test_grep " mine=%di$" out
'
test_expect_success PROGRAM 'markers by the build-id cache' '
	test_must_fail perf probe -D %sdt_$prog:mark 2>err && test_grep "perf buildid-cache --add" err &&
	perf buildid-cache --add ./$prog && perf probe -D %sdt_$prog:mark >out && test_line_count = 2 out &&
	test_must_fail perf probe -x ./$prog -D %sdt_$prog:mork 2>err && test_grep "Did you mean mark?" err
'
test_expect_success UPROBES,PROGRAM 'markers are made, hit and removed; the counter is raised' '
	perf probe "sdt_$prog:*" 2>err && test_grep "  sdt_$prog:counted *(on %\* in .*$prog)" err &&
	perf probe -l "sdt_$prog:*" >out && test_line_count = 4 out &&
	test_grep "plain *(on main+2 in .*/$prog)" out &&
	perf stat -x, -e "sdt_$prog:*" ./$prog 2>counts && test "$(grep -c "^1,," counts)" = 4 && perf probe -d "sdt_$prog:*" 2>err && test_line_count = 4 err
'
test_expect_success PROGRAM 'stripped: the debug file beside it, or what is missing is told' '
	${CC:-gcc} -x c -g -O1 -o st - <<-\E && objcopy --only-keep-debug st st.debug && strip -o bare st && strip st && objcopy --add-gnu-debuglink=st.debug st &&
	int __attribute__((noinline)) hidden(int n) { return n + 1; }
	int main(int c, char **v) { (void)v; return hidden(c) == 0; }
	E
	perf probe -x ./st -D hidden -D "hidden n" >out && test_grep "hidden .*/st:0x" out &&
	test_grep " n=%di:s32$" out && perf probe -x ./st -L hidden:0 2>err; test_grep "source file" err &&
	mv st.debug away && test_must_fail perf probe -x ./bare -D hidden 2>err &&
	test_grep "Please ensure the file is not stripped" err && test_grep "Failed to load symbols" err
'
test_expect_success PROGRAM 'stubs by which a program calls libraries: by name, with debug information and stripped; listed' '
	${CC:-gcc} -x c -g -O1 -Wl,-z,lazy -o stubs - <<-\E && strip -o stubs_bare stubs &&
	#include <stdio.h>
	#include <stdlib.h>
	__attribute__((noinline)) int own(int n) { return n ? puts("a line") + abs(n) : 0; }
	int main(int c, char **v) { (void)v; return own(c) + own(c + 1) + own(c + 2) == 0 || getenv("t4520") != NULL; }
	E
	for p in stubs stubs_bare; do
		perf probe -x ./$p -F "*@plt" >$p.list && test_grep "^puts@plt$" $p.list &&
		perf probe -x ./$p -D puts@plt >$p.1 && test_grep "^p:probe_$p/puts .*/$p:0x" $p.1 &&
		perf probe -x ./$p -D "puts\\@plt" >$p.2 && test_cmp $p.1 $p.2 && perf probe -x ./$p -D puts >$p.2 && test_cmp $p.1 $p.2 || return 1
	done &&
	test_cmp stubs.list stubs_bare.list && perf probe -x ./stubs -F >out && test_grep "^own$" out &&
	test_grep ! "@plt" out && perf probe -x ./stubs -D "*u*" >out && test_grep ! "/puts" out &&
	test_must_fail perf probe -x ./stubs_bare -F 2>err &&
	test_grep "Please ensure the file is not stripped" err &&
	test_must_fail perf probe -x ./stubs_bare -D own 2>err &&
	test_grep "Please ensure the file is not stripped" err
'
test_expect_success PROGRAM,REFERENCE 'stubs as the reference' '
	"$REF" probe -q -x ./stubs -F "*@plt" >ref 2>/dev/null && test_cmp ref stubs.list &&
	printf "#include <stdio.h>\nint main(void) { return puts(\"a\") < 0; }\n" | ${CC:-gcc} -x c -rdynamic -s -o stubs_dyn - &&
	"$REF" probe -q -x ./stubs_dyn -D puts >ref 2>/dev/null &&
	perf probe -x ./stubs_dyn -D puts@plt >our && test_cmp ref our
'
test_expect_success PROGRAM,UPROBES 'stubs are hit' '
	perf probe -q -x ./stubs_bare puts@plt && perf probe -l "probe_stubs_bare:*" >out && test_grep "probe_stubs_bare:puts *(on puts@plt in .*/stubs_bare)" out &&
	perf stat -x, -e probe_stubs_bare:puts ./stubs_bare 2>counts >/dev/null; perf probe -q -d "probe_stubs_bare:*"; test_grep "^3,," counts
'
test_expect_success PROGRAM 'names of a program are no orders' '
	${CC:-gcc} -x assembler -o evil - <<-\E &&
	.globl main
	main: ret
	.globl "fXp:evil/x /bin/true:0x0"
	.type "fXp:evil/x /bin/true:0x0", @function
	"fXp:evil/x /bin/true:0x0": ret
	.size "fXp:evil/x /bin/true:0x0", 1
	.section .note.GNU-stack,"",@progbits
	E
	sed -i "s/fXp:evil/f\np:evil/" evil &&
	perf probe -x ./evil -F "f*evil*" >out && test_line_count = 1 out && test_grep "^f.x0ap:evil/x /bin/true:0x0$" out &&
	perf probe -x ./evil -D "f?p*" >out && test_line_count = 1 out && test_grep "^p:probe_evil/f_p_evil_x_bin_true_0x0 " out &&
	mkdir "a b" && cp evil "a b/x" && test_must_fail perf probe -x "a b/x" -D main >out 2>err &&
	test_line_count = 0 out && test_grep "has a blank or a control character" err
'
test_lazy_prereq NAMESPACES 'needs mount namespaces' 'unshare -m true'
test_expect_success UPROBES,PROGRAM,NAMESPACES 'a program of another mount namespace' '
	mkdir -p inner
	unshare -m sh -c "mount -t tmpfs t inner && cp $prog inner/$prog && touch ready && exec sleep 60" &
	pid=$!
	for _ in $(seq 100); do test -e ready && break; sleep 0.05; done &&
	test_must_fail perf probe -x "$PWD/inner/$prog" main 2>err &&
	perf probe --target-ns $pid -x "$PWD/inner/$prog" main >err 2>&1; rc=$?; perf probe -l "probe_$prog:*" >out
	kill $pid; wait $pid 2>/dev/null; test $rc = 0 && test_grep "main .*inner/$prog" out && perf probe -d "probe_$prog:main" 2>err
'
test_expect_success PROGRAM '--bootconfig, refused for programs' '
	test_must_fail perf probe -x ./$prog --bootconfig -D main 2>err &&
	test_grep "bootconfig doesn.t support uprobes" err &&
	test_expect_code 129 perf probe --bootconfig -a main 2>err
'
test_lazy_prereq ADDRESSES 'addresses of the kernel are hidden' 'grep -q "^[0-9a-f]*[1-9a-f][0-9a-f]* T schedule$" /proc/kallsyms'
test_expect_success ADDRESSES,REFERENCE 'the kernel: -D as the reference, without kprobes the reason' '
	for d in "vfs_read%return \$retval" "g:e=vfs_read+4 a=%di"; do
		"$REF" probe -q -D "$d" >ref 2>/dev/null && perf probe -q -D "$d" >our && test_cmp ref our || return 1
	done &&
	perf probe --bootconfig -D vfs_read%return >out && test_grep "^ftrace.event.kprobes.vfs_read__return.probes += .vfs_read+0%return.$" out &&
	{ test -e /sys/kernel/tracing/kprobe_events || { test_must_fail perf probe schedule 2>err && test_grep "rebuild kernel with CONFIG_KPROBE_EVENTS=y" err; }; }
'
test_done
