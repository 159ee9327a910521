#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others but probes
# with sanitizers turn 2 of 4
test_description='perf probe --cache: definitions that are kept in the build-id cache, by both perfs'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq UPROBES 'needs root and uprobes' 'test -w /sys/kernel/tracing/uprobe_events'

prog=t4570_$$
cat >$prog.c <<\E
#include <stdio.h>
struct pair { int a; const char *n; };
__attribute__((noinline, noipa)) int work(struct pair *p, int n)
{
	int l = n * 3;

	printf("%d\n", l);
	return l + p->a;
}
__attribute__((noinline, noipa)) int other(int n) { return n + 1; }
int main(int c, char **v) { struct pair x = { c, v[0] }; return work(&x, other(c)) == 0; }
E
test_lazy_prereq PROGRAM 'needs a C compiler with debug information' 'cd cwd && ${CC:-gcc} -g -O1 -Wl,--build-id -o $prog $prog.c'
clean() { test ! -w /sys/kernel/tracing/uprobe_events || perf probe -q -d "probe_$prog:*" >/dev/null 2>&1 || :; }
trap 'clean; test_at_exit' EXIT
kept() { cat "$HOME/.debug$(pwd -P)/$prog"/*/probes; }

test_expect_success PROGRAM 'kept without a kernel (-n), beside the object; listed; by names' '
	perf probe -q -x ./$prog --cache -n -a work -a "twice=other%return \$retval" -a "g:v=work:4 l p->a" && here=$(pwd -P)/$prog && kept >have &&
	sed "s/0x[0-9a-f]*/0x/; s/l=%[a-z0-9]*:s32/l=R:s32/; s/(%[a-z]*)/(R)/" have | sort -u >got && cat >want <<-E && sort -u want >sorted && test_cmp sorted got &&
	#work
	p:probe_$prog/work $here:0x
	#probe_$prog:twice=other%return \$retval
	r:probe_$prog/twice__return $here:0x \$retval
	#g:v=work:4 l a=p->a
	p:g/v $here:0x l=R:s32 a=+0(R):s32
	E
	test -e "$HOME/.debug$here"/*/elf && perf probe -l --cache >out && test_grep "^$here ([0-9a-f]*):$" out &&
	test_line_count = 4 out && test_grep "^probe_$prog:twice=other%return .retval$" out && perf probe --list="g:*" --cache >out && test_line_count = 2 out &&
	perf probe -D %twice >out && grep "twice__return" have >want && test_cmp want out &&
	perf probe -x ./$prog -D %g:v >out && grep "^p:g/v" have >want && test_cmp want out &&
	perf probe -D %work >out && grep "[/]work " have >want && test_cmp want out
'
test_expect_success PROGRAM,REFERENCE 'the reference reads ours' '
	"$REF" probe -l --cache >ref 2>/dev/null && perf probe -l --cache >our && test_cmp ref our &&
	"$REF" probe --list="g:*" --cache >ref 2>/dev/null && perf probe --list="g:*" --cache >our &&
	test_cmp ref our &&
	"$REF" probe -q -x ./$prog -D %g:v >ref 2>/dev/null && perf probe -x ./$prog -D %g:v >our && test_cmp ref our
'
test_expect_success PROGRAM,REFERENCE,UPROBES 'we read and change those of the reference' '
	mkdir -p other && export HOME=$PWD/other && clean &&
	"$REF" probe -q -x ./$prog --cache -n -a work -a "twice=other%return \$retval" -a "g:v=work:4 l p->a" 2>/dev/null &&
	kept >ref &&
	perf probe -D %twice >out && grep twice__return ref >want && test_cmp want out &&
	perf probe -l --cache >our && "$REF" probe -l --cache >theirs 2>/dev/null && test_cmp theirs our &&
	perf probe -d "g:*" --cache 2>err && test_grep "^Removed cached event: g:v=work:4 l a=p->a$" err &&
	"$REF" probe -l --cache >theirs 2>/dev/null && test_line_count = 3 theirs &&
	perf probe -q -x ./$prog --cache -n -a "g:v=work:4 l p->a" && kept >our && test_cmp ref our
'
test_expect_success PROGRAM 'found again without debug information; kept anew; removed' '
	cp $prog full && perf probe -q -x ./$prog --cache -n -a "again=work n" && perf probe -x ./$prog -D "again=work n" >want && strip --strip-debug $prog &&
	perf probe -x ./$prog --cache -D "again=work n" >out && test_cmp want out &&
	test_must_fail perf probe -x ./$prog -D "again=work n" 2>err &&
	test_grep "has no debug information" err &&
	cp full $prog && perf probe -q -x ./$prog --cache -n -a "again=work n" && perf probe --list=again --cache >out && test_line_count = 2 out &&
	perf probe -x ./$prog -d again --cache 2>err && test_line_count = 1 err &&
	test_must_fail perf probe -D %again 2>err &&
	test_grep "no object in the build-id cache has such a marker or definition" err &&
	test_must_fail perf probe -d again --cache 2>err &&
	test_grep "does not hit any definition of the cache" err && perf probe -q -d "*" --cache &&
	perf probe -l --cache >out && test_line_count = 0 out
'
test_expect_success PROGRAM,UPROBES 'added by their names; a name that is taken; places of one event' '
	clean && perf probe -q -x ./$prog --cache -a "hit=work n" && perf probe -q -d "probe_$prog:hit" &&
	perf probe %hit 2>err && test_grep "probe_$prog:hit *(on %hit in .*/$prog)" err &&
	perf record -q -o data -e probe_$prog:hit ./$prog >/dev/null && perf script -i data -F event,trace >out && test_grep "hit: .* n=2$" out &&
	test_must_fail perf probe %hit 2>err && test_grep "event \"hit\" already exists" err &&
	perf probe -q -f %hit && perf probe -l "probe_$prog:*" >out && test_grep "hit_1" out && clean
'
test_expect_success PROGRAM 'another build of the object; an object without a build-id; options that exclude each other' '
	perf probe -q -x ./$prog --cache -n -a "old=work" && echo "int more;" >>$prog.c &&
	${CC:-gcc} -g -O0 -Wl,--build-id -o $prog $prog.c && test_must_fail perf probe -D %old 2>err &&
	test_grep "of another build of .*/$prog" err &&
	objcopy --remove-section=.note.gnu.build-id $prog bare && test_must_fail perf probe -x ./bare --cache -n -a work 2>err && test_grep "has no build-id" err &&
	test_expect_code 129 perf probe --cache -x ./$prog -F 2>err &&
	test_expect_code 129 perf probe --cache -l --json 2>err &&
	test_expect_code 129 perf probe -x ./$prog -l 2>err && test_grep "Don.t use --list with --exec" err
'
test_done
