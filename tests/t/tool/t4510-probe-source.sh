#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others but probes
# with sanitizers in check-long only
# turn 3 of 4
test_description='perf probe with debug information: lines, text, inlined copies, variables and their values'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq UPROBES 'needs root and uprobes' 'test -w /sys/kernel/tracing/uprobe_events'

prog=t4510_$$
cat >t4510.c <<\E
#include <stdbool.h>
#include <stdio.h>
struct bits { unsigned a : 3; unsigned b : 7; int c : 5; unsigned long long d : 33; };
struct node { struct bits bits; union { int i; float f; }; char name[8]; short m[2][3]; struct node *next; bool ok; };
static struct node outer = { .name = "glob" };
int counter = 42;
static inline __attribute__((always_inline)) int twice(int k)
{
	int z = k * 2;
	return z + counter;
}
__attribute__((noinline)) long walk(struct node *n, const char *text, unsigned char c, long big)
{
	int list[3] = { 5, 6, 7 };
	long sum = 0;

	for (; n; n = n->next)
		sum += n->i + list[1];
	sum += twice((int)sum);
	printf("%ld %s %d %ld %p\n", sum, text, c, big, (void *)list);
	return sum;
}
int main(void)
{
	struct node b = { .bits = { 5, 99, -7, 1ULL << 32 }, .i = 8, .name = "second", .m = { { 1, 2, 3 }, { 4, 5, -6 } }, .ok = true };
	struct node a = { .i = 3, .name = "first", .next = &b };

	outer.next = &a;
	return walk(&a, "words", 200, -5) == 0;
}
E
test_lazy_prereq PROGRAM 'needs a C compiler with debug information' '
	cd cwd && for o in 0 1 2; do ${CC:-gcc} -g -gdwarf-5 -O$o -o $prog.$o t4510.c || exit 1; done &&
	ln -s $prog.0 $prog && ! "$PERF" probe -x $prog.1 -L walk 2>&1 | grep -q "no debug"
'
clean() { test ! -w /sys/kernel/tracing/uprobe_events || perf probe -q -d "probe_$prog:*" >/dev/null 2>&1 || :; }
trap 'clean; test_at_exit' EXIT

test_expect_success PROGRAM '-L: the lines that can be probed' '
	perf probe -x $prog.0 -L walk:0-3 >out && cat >want <<-\E &&
	<walk@HERE/t4510.c:0>
	      0  __attribute__((noinline)) long walk(struct node *n, const char *text, unsigned char c, long big)
	         {
	      2  	int list[3] = { 5, 6, 7 };
	      3  	long sum = 0;
	E
	sed "s|@.*/|@HERE/|; s/\t//g" out >ours && sed "s/\t//g" want >theirs && test_cmp theirs ours &&
	perf probe -x $prog.0 -L t4510.c:14+1 >out && test_grep "^     14  .int list" out && test_line_count = 2 out
'
# on_terminal COMMAND...: what it prints on one.
on_terminal() { TERM=xterm python3 -c "import pty, sys; pty.spawn(sys.argv[1:])" "$@" | tr -d "\r"; }
test_lazy_prereq TERMINAL 'needs python3' 'python3 -c "import pty"'
blue() { printf "\033[34m"; }
test_expect_success PROGRAM,TERMINAL '-L on a terminal: lines that cannot be probed are blue' '
	on_terminal "$PERF" --no-pager probe -x $prog.0 -L walk:1-2 >out &&
	printf "%s         {\033[m\n      2  \tint list[3] = { 5, 6, 7 };\n" "$(blue)" >want &&
	sed 1d out >ours && test_cmp want ours &&
	NO_COLOR=1 on_terminal "$PERF" --no-pager probe -x $prog.0 -L walk >out &&
	test_grep ! "$(blue)" out && perf probe -x $prog.0 -L walk >out && test_grep ! "$(blue)" out &&
	on_terminal "$PERF" --no-pager probe --json -x $prog.0 -L walk >out && test_grep ! "$(blue)" out &&
	on_terminal "$PERF" --no-pager -c color.ui=false probe -x $prog.0 -L walk >out && test_grep ! "$(blue)" out
'
test_expect_success PROGRAM,TERMINAL,REFERENCE '-L on a terminal: as the reference' '
	on_terminal "$REF" --no-pager probe -x $prog.0 -L walk 2>/dev/null >ref && on_terminal "$PERF" --no-pager probe -x $prog.0 -L walk >our &&
	e=$(printf "\033") && sed -z "s/\n$e\[m/$e[m\n/g; s/$e\[m$e\[34m//g" ref >theirs && test_cmp theirs our
'
for o in 0 1 2; do
	test_expect_success PROGRAM,REFERENCE "-O$o: -L and -V as the reference" '
		for l in walk walk:2 walk:4-7 main t4510.c t4510.c:10-20 twice; do
			"$REF" probe -x $prog.$o -L $l >ref 2>/dev/null && perf probe -x $prog.$o -L $l >our && test_cmp ref our || return 1
		done &&
		for v in walk main walk%return; do
			"$REF" probe -q -x $prog.$o -V $v >ref 2>/dev/null && perf probe -x $prog.$o -V $v >our && test_cmp ref our || return 1
		done
	'
	test_expect_success PROGRAM,REFERENCE "-O$o: -D as the reference" '
		n=0 && while read -r def; do
			"$REF" probe -q -x $prog.$o -D "$def" >ref 2>/dev/null && perf probe -q -x $prog.$o -D "$def" >our 2>err &&
			test_cmp ref our || { echo "$def"; cat err; return 1; }
			n=$((n + 1))
		done <<-\E && test $n -ge 20
		walk
		walk n
		walk n text c big
		walk text:string
		walk n->i
		walk n->next->next
		walk x=n->next->name:string
		walk n->next->ok
		walk n->f
		walk n[0].ok
		walk n[1].next->i:x16
		walk c:x8 big:u
		walk c:s
		walk%return
		walk%return \$retval
		walk@t4510.c
		walk+4 %di
		walk:8
		w*lk
		w=walk:9
		g:w=main
		t4510.c:23
		walk;printf*
		E
	'
done
test_expect_success UPROBES,PROGRAM 'the values are what the program has: without optimization' '
	clean && perf probe -q -x $prog "one=walk:9 n sum text:string c big list list[2] counter gname=outer.name on=outer.next->next->name" &&
	perf probe -q -x $prog "two=walk n->next->bits.a n->next->bits.b x=n->next->bits.c n->next->bits.d n->next->m[1] y=n->next->m[1][2] n->next->name ok=n->next->ok:u8 n->i" &&
	perf record -q -o data -e "probe_$prog:*" ./$prog >/dev/null; perf script -i data -F event,trace >out 2>/dev/null && cat out &&
	test_grep "one: .* n=0x0 sum=[0-9]* text_string=\"words\" c=0xc8 big=-5 list={5,6,7} list_1=7 counter=42 gname=\"glob\" on=\"second\"" out &&
	test_grep "two: .* a=5 b=99 x=25 d=4294967296 m={4,5,-6} y=-6 name=\"second\" ok=1 i=3" out && clean
'
for o in 1 2; do
	test_expect_success UPROBES,PROGRAM "the values are what the program has: -O$o" '
		clean && ln -sf $prog.$o $prog.x && cp $prog.$o $prog.run &&
		perf probe -q -x $prog.run "probe_$prog:w$o=walk \$params name=n->next->name a=n->next->bits.a counter" &&
		perf record -q -o data -e "probe_$prog:w$o" ./$prog.run >/dev/null; perf script -i data -F event,trace >out 2>/dev/null && cat out &&
		test_grep "w$o: .* n=0x[0-9a-f]* text=0x[0-9a-f]* c=0xc8 big=-5 name=\"second\" a=5 counter=42" out && clean
	'
done
test_expect_success UPROBES,PROGRAM '-l tells the place in the source' '
	clean && perf probe -q -x $prog -a walk -a walk:9 -a walk%return -a "t4510.c:29" && perf probe -l "probe_$prog:*" >out && cat out &&
	test_grep "walk  *(on walk@.*/t4510.c in .*/$prog.0)" out && test_grep "walk_L9  *(on walk:9@.*/t4510.c in" out &&
	test_grep "walk__return *(on walk%return@.*/t4510.c in" out && test_grep "main  *(on main:[0-9]*@.*/t4510.c in" out && clean
'
test_expect_success PROGRAM '-V: ranges, variables outside of functions, filters' '
	perf probe -x $prog.2 --range -V walk >out && test_grep "^		\[VAL\]	.*struct node\*	n	@<walk+\[0-" out && test_grep "\[OPT\]	long int	sum" out &&
	perf probe -x $prog.0 --externs -V walk:3 >out && test_grep "^		int	counter$" out && test_grep "^		struct node	outer$" out &&
	perf probe -x $prog.0 --filter "l*|t*" -V walk >out &&
	printf "Available variables at walk\n\t@<walk+0>\n\t\tchar*\ttext\n\t\tint*\tlist\n" >want &&
	test_cmp want out
'
test_expect_success PROGRAM 'inlined copies, without them' '
	perf probe -q -x $prog.2 -D twice >out && test_line_count = 1 out &&
	test_must_fail perf probe -x $prog.2 --no-inlines -D twice 2>err &&
	test_grep "inlined everywhere" err &&
	test_must_fail perf probe -x $prog.2 -D twice%return 2>err && test_grep "nothing returns from it" err
'
test_expect_success PROGRAM 'a variable that is not at the place: where it is, and the nearest line' '
	test_must_fail perf probe -x $prog.2 -D "walk sum" 2>err && test_grep "in walk it is known from +[0-9]* to +[0-9]*.*; the nearest" err &&
	line=$(sed -n "s/.*nearest line that has it is //p" err) && test -n "$line" && perf probe -q -x $prog.2 -D "$line sum" >out && test_line_count -ge 1 out &&
	echo "int main(int c, char **v) { int never; (void)never; (void)v; return c; }" >never.c && ${CC:-gcc} -g -gdwarf-5 -O2 -o never never.c &&
	test_must_fail perf probe -x ./never -D "main never" 2>err && test_grep "no code of the function has it" err
'
while IFS='|' read -r args why; do
	test_expect_success PROGRAM "refused: $args" '
		eval "words=($args)" && test_must_fail perf probe -x ./$prog "${words[@]}" >out 2>err && test_line_count = 0 out && test_grep "$why" err
	'
done <<\E
-D walk:4|lines of the function with code next to it: 3, 5
-D walk:400|Probe point .walk:400. not found
-D 'walk nosuch'|Failed to find the location of the .nosuch. variable
-D 'walk tex'|Did you mean text?
-D 'walk n->nxt'|has no member nxt
-D 'walk n->nxt'|Did you mean next?
-D 'walk n.next'|next must be referred by .->.
-D 'walk big->x'|big is not a data structure nor a union
-D 'walk big:string'|is not a pointer nor array
-D 'walk n:string'|is not (unsigned) char
-D 'walk%return n'|specify local variable for kretprobe
-D 'walk $retval'|only there where a function returns
-D t4511.c:3|names no source file t4511.c with code
-D t4510.c:1|lines of the file with code next to it: [0-9]*$
-D t4510.c:9999|lines of the file with code next to it: [0-9]*$
-L nosuch|knows no function nosuch
-L walk:3-2|Start line must be smaller
-L 'w*'|is not a valid function name
-V 'walk n'|only a place is taken here
E
test_done
