#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others but probes
# with sanitizers in check-long only
# turn 4 of 8
test_description='perf probe of programs of many units: the units that are read for a name are those that have it'
. "$(dirname "$0")/../../lib/tap.sh"

# A name is looked up in the bytes of the debug information, a pattern in all entries: both must
# find the same code. The program has 20 units, so that patterns are looked up by several threads.
cat >t4530.h <<\E
extern volatile int t4530_sum;
static inline __attribute__((always_inline)) int shared(int k) { t4530_sum += k; return t4530_sum * 3; }
static inline __attribute__((always_inline)) int re_shared(int k) { return shared(k) + shared(k + 1); }
static __attribute__((noinline)) int same(int k) { t4530_sum -= k; return t4530_sum; }
E
for i in $(seq 20); do
	echo '#include "t4530.h"'
	echo "struct only_$i { int (*call)(int); struct { int shared, same; } in; } only_$i;"
	case $((i % 3)) in
	0) echo "int unit_$i(int k) { return re_shared(k) + same(k); }" ;;
	1) echo "int unit_$i(int k) { return shared(k); }" ;;
	2) echo "int unit_$i(int k) { return same(k) ^ only_$i.in.same; }" ;;
	esac
done >all.c
awk '/^#include/ { n++ } { print > ("unit" n ".c") }' all.c
{
	echo 'volatile int t4530_sum; __attribute__((noinline)) int fn(int k) { asm(""); return k; }'
	for i in $(seq 20); do echo "int unit_$i(int);"; done
	echo 'int main(void) { return fn(1)'
	for i in $(seq 20); do echo "+ unit_$i($i)"; done
	echo '== 0; }'
} >main.c
test_lazy_prereq PROGRAM 'needs a C compiler with debug information' '
	cd cwd && ${CC:-gcc} -g -gdwarf-5 -O2 -o t4530.5 unit*.c main.c && ! perf probe -x t4530.5 -D unit_1 2>&1 | grep "no debug"
'
# same_code PROGRAM: a name and a pattern that has only this name find the same number of addresses.
same_code() {
	local one all f
	for f in shared re_shared same fn main unit_7 unit_20; do
		one=$(perf probe -x "$1" -D "$f" | sed 's/^[^ ]* //' | sort) || return 1
		all=$(perf probe -x "$1" -D "${f%?}[${f: -1}]" | sed 's/^[^ ]* //' | sort) || return 1
		test -n "$one" && test "$one" = "$all" || { echo "$f: $one != $all"; return 1; }
	done
}
test_expect_success PROGRAM 'DWARF 5' '
	same_code t4530.5 && perf probe -x t4530.5 -D shared >out && test_line_count = 19 out &&
	perf probe -x t4530.5 -D same >out && test_line_count = 13 out &&
	perf probe -x t4530.5 -D main.c:1 >out && test_grep "/fn " out &&
	! perf probe -x t4530.5 -D unit_77 2>err && test_grep "Did you mean unit_" err
'
test_expect_success PROGRAM 'DWARF 4, of 32 and of 64 bits' '
	${CC:-gcc} -g -gdwarf-4 -O2 -o t4530.4 unit*.c main.c && same_code t4530.4 &&
	if ${CC:-gcc} -g -gdwarf64 -O2 -o t4530.64 unit*.c main.c 2>/dev/null; then same_code t4530.64; fi
'
test_expect_success PROGRAM 'compressed sections' '
	objcopy --compress-debug-sections=zlib t4530.5 t4530.z && same_code t4530.z &&
	perf probe -x t4530.5 -D shared >plain && perf probe -x t4530.z -D shared | sed "s/t4530.z/t4530.5/; s/t4530_z/t4530_5/" >packed &&
	test_line_count = 19 packed
'
test_expect_success PROGRAM 'entries that refer to other units (link-time optimization)' '
	if ${CC:-gcc} -g -O2 -flto -o t4530.lto unit*.c main.c 2>err; then same_code t4530.lto; fi
'
test_expect_success PROGRAM 'entries in other files (split)' '
	mkdir -p split && (cd split && for f in ../unit*.c ../main.c; do ${CC:-gcc} -I.. -g -gsplit-dwarf -O2 -c $f || exit 1; done && ${CC:-gcc} -o t4530.split *.o) &&
	cd split && same_code t4530.split
'
# Of split entries all units are read, of others those up to the first one, and then those that have its file.
test_expect_success PROGRAM 'the lines of a function are those of all units' '
	for f in shared re_shared same@t4530.h fn unit_20; do
		perf probe -x t4530.5 -L $f >one &&
		(cd split && perf probe -x t4530.split -L $f) | sed "s|/split/\.\./|/|" >all &&
		test_grep "^ *[0-9]*  .* {" one && test_cmp all one || return 1
	done
'
test_expect_success PROGRAM 'so they are where many other units are between them' '
	mkdir -p far && cd far && ${CC:-gcc} -I.. -g -gdwarf-5 -O2 -c ../unit*.c ../main.c &&
	echo "static __attribute__((used)) int between(int k) { return k; }" >between.c &&
	${CC:-gcc} -g -O2 -c between.c && for i in {1..150}; do cp between.o between$i.o || return 1; done &&
	mv unit1.o first.o && ${CC:-gcc} -o t4530.far first.o between*.o unit*.o main.o &&
	for f in shared re_shared same@t4530.h fn unit_20; do
		perf probe -x ../t4530.5 -L $f >one && perf probe -x t4530.far -L $f | sed "s|/far/\.\./|/|" >all && test_cmp one all || return 1
	done && perf probe -x t4530.far -D shared >out && test_line_count = 19 out && perf probe -x t4530.far -L between.c >out && test_grep "^ *1  static" out
'
cat >scope.cc <<\E
namespace outer { struct holder { int member(int k); }; }
__attribute__((noinline)) int outer::holder::member(int k) { struct local { __attribute__((noinline)) static int inner(int k) { asm(""); return k * 3; } }; return local::inner(k); }
int main(int argc, char **) { outer::holder h; return h.member(argc); }
E
test_expect_success PROGRAM 'C++: functions of structures, by their names and by those of symbols' '
	${CXX:-g++} -g -O0 -o t4530.cc scope.cc || { echo "no C++ compiler"; return 0; }
	for f in member inner _ZN5outer6holder6memberEi outer::holder::member; do
		perf probe -x t4530.cc -D $f >out && test_line_count = 1 out || return 1
	done
'
test_done
