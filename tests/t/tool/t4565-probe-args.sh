#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others but probes
# with sanitizers in check-long only
# turn 3 of 4
test_description='perf probe: each kind of argument, with the value that the program has'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq UPROBES 'needs root and uprobes' 'test -w /sys/kernel/tracing/uprobe_events'
test_lazy_prereq X86 'names registers of x86' 'test "$(uname -m)" = x86_64'

prog=t4565_$$
cat >t4565.c <<\E
#include <stdio.h>
struct two { int a, b; long c; };
struct small { short x, y; unsigned char k; char tag; short z; };
struct flags { unsigned a : 3, b : 7; int c : 5; unsigned long long d : 33; };
struct list { struct list *next; struct flags flags; union { int i; unsigned u; }; char name[8]; short m[2][3]; };
static int counter = 42;
static const int unwritten = 77;
static volatile int hidden = 31;
extern long elsewhere;
int table[4] = { 1, -2, 3, -4 };
const char *words = "pointed to";
char text[] = "in place";
long zeroed[300];
__thread int mine = 5;
volatile long sink;
__attribute__((noinline, noipa)) long take(long n, const char *s, struct two t, struct small m, struct list *l)
{
	static int calls = 6;

	sink = elsewhere + hidden + n + s[0] + t.a + t.b + t.c + m.x + m.k + l->i + counter + unwritten + mine + calls++;
	return n * 2;
}
__attribute__((noinline, noipa)) long touch(long n) { sink = n; return n; }
__attribute__((noinline, noipa)) long entered(long first)
{
	long n = touch(first + 1);
	touch(n);
	return n + 5;
}
__attribute__((noinline, noipa)) long constant(long n)
{
	int known = -1234;

	n *= known;
	return touch(n);
}
int main(void)
{
	struct list b = { .flags = { 5, 99, -7, 1ULL << 32 }, .i = -8, .name = "second", .m = { { 1, 2, 3 }, { 4, 5, -6 } } };
	struct list a = { .next = &b, .i = 3, .name = "first" };
	struct two t = { 7, 800000000, -900 };
	struct small m = { -3, 4, 200, 'x', 6 };

	zeroed[200] = 1L << 40;
	counter += sink;
	printf("%p %p %p\n", (void *)&a, (void *)text, (void *)words);
	return !(take(-9, "words", t, m, &a) + entered(3) + constant(2));
}
E
cat >other.c <<\E
static volatile int hidden = 99; /* before that of the other unit in memory, or behind it */
long elsewhere_user(void) { return hidden++; }
E
echo ".data; .globl elsewhere; .size elsewhere, 8; elsewhere: .quad 1234567; .section .note.GNU-stack" | tr ';' '\n' >elsewhere.s
cat >vla.c <<\E
#include <stdio.h>
__attribute__((noinline)) int sum(int n)
{
	int v[n], s = 0;

	for (int i = 0; i < n; i++)
		v[i] = i * 11 - 5;
	for (int i = 0; i < n; i++)
		s += v[i];
	return s;
}
int main(void) { return sum(7) == 0; }
E
cat >box.cc <<\E
struct box { int w, h; box(int k) : w(k), h(k * 3) {} box(const box &b) : w(b.w), h(b.h) {} ~box() { w = 0; } };
__attribute__((noinline)) int area(box b, box &r) { return b.w * b.h + r.w; }
int main() { box b(4), r(6); return area(b, r) == 0; }
E
test_lazy_prereq PROGRAM 'needs a C compiler with debug information' '
	cd cwd && ${CC:-gcc} -g -O2 -o $prog other.c t4565.c elsewhere.s && ! "$PERF" probe -x ./$prog -L take 2>&1 | grep -q "no debug"
'
clean() { test ! -w /sys/kernel/tracing/uprobe_events || perf probe -q -d "probe_$prog*:*" >/dev/null 2>&1 || :; }
trap 'clean; test_at_exit' EXIT

# The kinds: a name, the place, the argument, what is recorded (a regular expression; A, T and W stand for what the program prints).
cat >kinds <<\E
register|take|%di:s64|arg1=-9
register_other|take|v=%edi:x16|v=0xfff7
stack|take|$stack|arg1=0x[0-9a-f]*
stack_word|take|$stack0|arg1=0x[0-9a-f]*
retval|take%return|$retval:s64|arg1=-18
retval_alias|take%return|two=$retval:s32|two=-18
comm|take|$comm|arg1="PROG"
comm_string|take|c=$comm:string|c="PROG"
number|take|\42:u8|arg1=42
number_negative|take|k=\-5:s32|k=-5
params|take|$params|n=-9 s=0x[0-9a-f]* .*l=A
args|take|$args|n=-9 s=0x[0-9a-f]* .*l=A
vars|entered:3|$vars|n=4
parameter|take|n|n=-9
pointer|take|l|l=A
casts|take|a=n:u8 b=n:s8 c=n:x8 d=n:u16 e=n:s16 f=n:x16|a=247 b=-9 c=0xf7 d=65527 e=-9 f=0xfff7
casts_wide|take|a=n:u32 b=n:s32 c=n:x32 d=n:u64 e=n:s64 f=n:x64|a=4294967287 b=-9 c=0xfffffff7 d=18446744073709551607 e=-9 f=0xfffffffffffffff7
casts_short|take|a=n:u b=n:s c=n:x|a=18446744073709551607 b=-9 c=0xfffffffffffffff7
char|take|c=+1(%si):char|c='o'
string|take|s:string|s_string="words"
ustring|take|s:ustring|s_ustring="words"
bytes|take|b=+0(%si):u8\[4\]|b={119,111,114,100}
bytes_char|take|b=+0(%si):char\[3\]|b={'w','o','r'}
bits_written|take|b=%di:b4@4/64|b=15
read_user|take|u=+u0(%si):ustring|u="words"
nested|take|n=+16(+0(%r9)):s32|n=-8
in_register|take|t.a|a=7
in_register_high|take|t.b|b=800000000
in_second_register|take|t.c|c=-900
in_register_cast|take|v=t.b:u v2=t.c:x16|v=800000000 v2=0xfc7c
in_register_short|take|m.x m.y m.k m.tag m.z|x=-3 y=4 k=200 tag=120 z=6
member_union|take|l->i u=l->next->u:x32|i=3 u=0xfffffff8
member_chain|take|l->next->i|i=-8
bit_fields|take|l->next->flags.a l->next->flags.b l->next->flags.d|a=5 b=99 d=4294967296
char_array|take|l->next->name|name="second"
char_array_string|take|n=l->name:string|n="first"
array_row|take|m=l->next->m[1]|m={4,5,-6}
array_element|take|e=l->next->m[1][2]|e=-6
pointer_element|take|e=l[0].i|e=3
array|take|table|table={1,-2,3,-4}
array_index|take|e=table[3]|e=-4
array_range|take|e=table[1-2]|e={-2,3}
array_range_inner|take|m=l->next->m[0][1-2]:x16|m={0x2,0x3}
pointer_range|take|c=l->next->name[1-3]:u8|c={101,99,111}
array_cast|take|b=table:x8\[5\]|b={0x1,0x0,0x0,0x0,0xfe}
global_text|take|text|text="in place"
global_pointer|take|words words:string|words=W words_string="pointed to"
global_zeroed|take|z=zeroed[200]|z=1099511627776
static|take|counter|counter=42
static_of_function|take|calls|calls=6
symbol|take|c=@counter:s32|c=42
symbol_offset|take|c=@table+4:s32 d=@table+0xc:s32 e=@table-0:s32|c=-2 d=-4 e=1
symbol_text|take|t=@text:string|t="in place"
symbol_pointer|take|w=@words w2=+0(@words):string|w=W w2="pointed to"
symbol_zeroed|take|z=@zeroed+1600:s64|z=1099511627776
symbol_array|take|a=@table:s32\[4\]|a={1,-2,3,-4}
other_unit|take|hidden|hidden=31
declared_only|take|elsewhere|elsewhere=1234567
constant|constant:4|known|known=-1234
constant_global|take|unwritten|unwritten=77
entry_value|entered|first|first=3
E
definitions() { sed "s/\\\\\\[/[/g; s/\\\\\\]/]/g" kinds | awk -F'|' -v g="probe_$prog" '{ printf "%s:%s=%s %s\n", g, $1, $2, $3 }'; }
test_expect_success UPROBES,PROGRAM,X86 'all kinds of arguments at once' '
	clean && definitions | perf probe -q -x ./$prog -a - && perf record -q -o data -e "probe_$prog:*" ./$prog >printed &&
	perf script -i data >values && cat printed values
'
read -r a t w <printed
while IFS='|' read -r name _ arg want; do
	want=$(printf %s "$want" | sed "s/PROG/$prog/; s/=A/=$a/; s/=W/=$w/")
	test_expect_success UPROBES,PROGRAM,X86 "$name: $arg" '
		test_grep "probe_$prog:${name}[_a-z]*: (.*) .*$want" values
	'
done <kinds
test_expect_success UPROBES,PROGRAM,X86 'symbols and variables of a program at a fixed address, and by their distance from the code' '
	${CC:-gcc} -g -O2 -no-pie -fno-pie -o ${prog}f other.c t4565.c elsewhere.s && at=$(nm ${prog}f | sed -n "s/ D text$//p") &&
	file=$(($(readelf -SW ${prog}f | sed -n "s/^ *\[ *[0-9]*\] \.text  *PROGBITS  *\([0-9a-f]*\) \([0-9a-f]*\) .*/0x$at - 0x\1 + 0x\2/p"))) &&
	perf probe -q -x ./${prog}f "probe_$prog:fixed=take a=@text:string b=@+$file:string c=@0x$at:string text zeroed[200] d=@zeroed+1600:x64" &&
	perf record -q -o fixed -e "probe_$prog:fixed" ./${prog}f >/dev/null && perf script -i fixed >out && cat out &&
	test_grep "a=\"in place\" b=\"in place\" c=\"in place\" text=\"in place\" zeroed=1099511627776 d=0x10000000000" out
'
test_expect_success UPROBES,PROGRAM,X86 'without symbols, with a debug file' '
	cp $prog ${prog}s && objcopy --only-keep-debug ${prog}s ${prog}s.debug && strip ${prog}s && objcopy --add-gnu-debuglink=${prog}s.debug ${prog}s &&
	perf probe -q -x ./${prog}s "probe_$prog:stripped=take c=@counter:s32 t.b" && perf record -q -o stripped -e "probe_$prog:stripped" ./${prog}s >/dev/null &&
	perf script -i stripped >out && test_grep "c=42 b=800000000" out
'
test_expect_success UPROBES,PROGRAM,X86 'arrays whose length is not known before; objects of C++ that are passed by address' '
	${CC:-gcc} -g -O0 -o ${prog}v vla.c &&
	perf probe -q -x ./${prog}v "probe_$prog:vla=sum:8 a=v[1] b=v[6] c=v:s32[3]" &&
	perf record -q -o vla -e "probe_$prog:vla" ./${prog}v &&
	perf script -i vla >out && test_grep "a=6 b=61 c={-5,6,17}" out &&
	if ${CXX:-g++} -g -O0 -o ${prog}b box.cc; then
		perf probe -q -x ./${prog}b "probe_$prog:box=area b.w b.h x=r.w" &&
		perf record -q -o box -e "probe_$prog:box" ./${prog}b && perf script -i box >out &&
		test_grep "w=4 h=12 x=6" out
	fi
'
test_expect_success UPROBES,PROGRAM 'a type that the kernel does not have for programs is told' '
	for t in symbol symstr; do
		perf probe -q -x ./$prog "probe_$prog:type_$t=take a=%di:$t" 2>err && continue
		test_grep "Failed to write event" err || return 1
	done
'
clean
while IFS='|' read -r args why; do
	test_expect_success PROGRAM "refused: $args" '
		eval "words=($args)" && test_must_fail perf probe -x ./$prog "${words[@]}" >out 2>err && test_line_count = 0 out && test_grep "$why" err
	'
done <<\E
-D 'take mine'|mine is a variable of which each thread has its own
-D 'take @mine'|mine is a variable of which each thread has its own
-D 'take @conter'|Failed to find the symbol of @conter in .*
-D 'take @conter'|Did you mean counter
-D 'take t.d'|has no member d
-D 'take t.b:s32'|shows as an unsigned one
-D 'take l->flags.a:x8'|shows as an unsigned one
-D 'take table[2-1]'|Array index must be a number
-D 'take l[0-1].i'|with nothing behind
-D 'take l[0-1]'|elements of l cannot be fetched together
-D 'entered:3 first'|is that of a register when entered was entered: a probe at the entry can have it
-D 'entered nosuch'|Failed to find the location of the .nosuch. variable
E
test_expect_success PROGRAM 'a variable that is not at the place: the line that is told has it' '
	test_must_fail perf probe -x ./$prog -D "entered n" 2>err &&
	test_grep "in entered it is known from +[0-9]* to +[0-9]*.*; the nearest line that has it is entered:[0-9]*" err &&
	line=$(sed -n "s/.*nearest line that has it is //p" err) && perf probe -q -x ./$prog -D "$line n" >out && test_grep " n=" out
'
test_expect_success 'a variable of a function of the kernel is where it is, whatever its symbol is called' '
	cat >kernel.c <<-\EOF &&
	int count = 7;
	int work(int n) { static int count; return count += n; }
	int other(int n) { return count += n; }
	void _start(void) { for (;;) work(1); }
	EOF
	"${CC:-cc}" -g -O0 -nostdlib -static -Wl,--defsym,_text=__executable_start -Wl,--build-id=sha1 -o kernel kernel.c &&
	at() { nm kernel | awk -v n="$1" "\$3 ~ n { print \$1 }"; } &&
	perf probe -k kernel -D "work count" >out && test_grep " count=@_text+$((0x$(at "^count[.]") - 0x$(at "^_text\$"))):s32\$" out &&
	perf probe -k kernel -D "other count" >out && test_grep " count=@count+0:s32\$" out
'
# A prologue of code without optimization has not put variables in their places yet.
test_lazy_prereq CLANG 'needs clang' 'command -v clang'
# That of rustup is found below the home of the user, which is another one in tests.
rustc() { RUSTUP_HOME=${RUSTUP_HOME:-$(getent passwd "$(id -u)" | cut -d: -f 6)/.rustup} command rustc "$@"; }
test_lazy_prereq RUSTC 'no compiler for Rust' 'echo "fn main() {}" >x.rs && rustc -o x x.rs'
# behind PROGRAM ARGUMENTS WANT: what the first probes of its function area fetch
behind() {
	perf probe -q -x "./$1" -a "area $2" 2>err && perf record -q -e "probe_$1:*" -o v.data "./$1" >log && perf script -F trace -i v.data >out &&
		test "$(head -n 3 out | sed 's/.*) //' | tr '\n' ';')" = "$3"
}
test_expect_success UPROBES,X86,CLANG 'variables of code by clang without optimization, with frame pointers and without' '
	cat >area.c <<-\EOF &&
	__attribute__((noinline)) long area(long x, int y) { long t = x * y; return t; }
	int main(void) { long s = 0; for (int i = 0; i < 3; i++) s += area(i, 7); return s != 21; }
	EOF
	clang -g -O0 -o "${prog}k" area.c && clang -g -O0 -fomit-frame-pointer -o "${prog}l" area.c &&
	behind "${prog}k" "x y" "x=0 y=7;x=1 y=7;x=2 y=7;" && behind "${prog}l" "x y" "x=0 y=7;x=1 y=7;x=2 y=7;"
'
test_expect_success UPROBES,X86,RUSTC 'functions and variables of Rust' '
	cat >area.rs <<-\EOF &&
	pub struct Point { pub x: i64, pub y: i32 }
	mod shapes {
	    #[inline(never)]
	    pub fn area(p: &super::Point, scale: u32) -> i64 {
	        p.x * (p.y as i64) * (scale as i64)
	    }
	}
	fn main() {
	    let mut s = 0i64;
	    for i in 0..3 { s += shapes::area(&Point { x: i, y: 7 }, 3); }
	    std::process::exit((s != 63) as i32);
	}
	EOF
	rustc -g -o "${prog}r" area.rs && behind "${prog}r" "p->x p->y scale=scale:u32" "x=0 y=7 scale=3;x=1 y=7 scale=3;x=2 y=7 scale=3;" &&
	perf probe -x "./${prog}r" -F --filter "*area*" >out && line=$(grep "::shapes::area$" out) &&
	perf probe -x "./${prog}r" -D "$line scale" >out && test_grep "scale=" out
'
test_done
