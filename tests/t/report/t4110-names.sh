#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='names of functions: where they come from when the program itself has none'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS
test_require GCC
CC=${CC:-cc}
test_lazy_prereq BINUTILS 'needs objcopy and strip' 'command -v objcopy && command -v strip'
test_lazy_prereq XZ 'needs xz, and a perf with liblzma' '
	command -v xz && perf version --build-options | grep -q "lzma: \[ on"'

share() { # share FILE NAME [-s KEYS]: percent of its samples
	perf report -i "$1" --stdio --no-children -g none -F overhead,sym 2>/dev/null |
		awk -v n="$2" '$NF == n { sub("%", "", $1); s += $1 } END { print int(s) }'
}
at_least() { # at_least PERCENT FILE NAME
	local got
	got=$(share "$2" "$3") && test_say "$3: $got %" && test "$got" -ge "$1"
}
work() { # work FUNCTION: a function that takes time, as C
	echo "__attribute__((noinline)) void $1(void)"
	echo '{ for (volatile long i = 0; i < 150000000; i++) ; }'
}

test_expect_success BINUTILS,XZ 'a stripped program whose symbols are in .gnu_debugdata' '
	{ work hidden_hot && echo "int main(void) { hidden_hot(); return 0; }"; } >mini.c && $CC -O1 -g -o full mini.c &&
	objcopy --only-keep-debug full debug && objcopy -S --keep-symbol=hidden_hot debug mini && xz -kf mini &&
	strip --strip-all -o prog full && cp prog bare && objcopy --add-section .gnu_debugdata=mini.xz prog &&
	perf record -q -F 499 -o m.data ./prog && at_least 50 m.data hidden_hot
'
test_expect_success BINUTILS,XZ 'what is damaged there is told, and is no reason to stop' '
	head -c 100 mini.xz >cut.xz && cp bare prog2 && objcopy --add-section .gnu_debugdata=cut.xz prog2 &&
	perf record -q -F 499 -o c.data ./prog2 && perf report -v --stdio -i c.data >out 2>err &&
	test_grep "gnu_debugdata of .*prog2. is cut off or damaged" err && test_grep "prog2" out
'
test_expect_success BINUTILS 'an exported name without a size ends where the next function starts' '
	cat >lib.c <<-\END &&
	__asm__(".text\n.globl entry_point\n.type entry_point, @function\nentry_point:\n.cfi_startproc\nret\n.cfi_endproc\n");
	static __attribute__((noinline)) void inner(void) { for (volatile long i = 0; i < 150000000; i++) ; }
	void run(void) { inner(); }
	END
	echo "void run(void); int main(void) { run(); return 0; }" >user.c &&
	$CC -O1 -fno-toplevel-reorder -shared -fPIC -o libx.so lib.c && strip --strip-all libx.so &&
	$CC -o user user.c ./libx.so && perf record -q -F 499 -o l.data ./user &&
	test "$(share l.data entry_point)" -eq 0 &&
	perf report -i l.data --stdio -s dso,sym 2>/dev/null >out && test_grep "libx.so .*0x0" out
'

test_expect_success 'script -F +srcline: a line below each frame that has a name' '
	cat >asm.c <<-\END && $CC -O1 -g -fno-omit-frame-pointer -o asm asm.c &&
	__asm__(".text\n.globl bare_hot\n.type bare_hot, @function\nbare_hot:\n"
	#ifdef __x86_64__
		"push %rbp\nmov %rsp, %rbp\nmov $2000000, %ecx\n1: dec %ecx\njnz 1b\npop %rbp\n"
	#endif
		"ret\n.size bare_hot, . - bare_hot\n");
	void bare_hot(void);
	int main(void) { for (int i = 0; i < 200; i++) bare_hot(); }
	END
	perf record -q -g -F 499 -o asm.data ./asm && perf script -F +srcline -i asm.data >out 2>/dev/null &&
	awk "/^\t/ { if (due) exit 1; due = !/\\[unknown\\] \(/; n++; next } /^  / || /^ *\$/ { if (/^ *\$/ && due) exit 1; due = 0 }
		END { exit n < 10 }" out && { test "$(uname -m)" != x86_64 || test_grep "^  ??:0" out; }
'

test_expect_success 'clones of a function are told apart, or not with --bare-names; OCaml names' '
	for n in _ZN1A3fooEv _ZN1A3fooEv.cold plain.part.0 camlStdlib__List__map_12; do
		printf ".globl \"%s\"\n.type \"%s\",@function\n\"%s\":\n" $n $n $n &&
		printf "mov \$14000000,%%ecx\n1: dec %%ecx\njnz 1b\nret\n.size \"%s\",.-\"%s\"\n" $n $n
	done >names.s && echo "int main(void) { __asm__ volatile(\"call _ZN1A3fooEv\ncall _ZN1A3fooEv.cold\ncall plain.part.0\n\"
		\"call camlStdlib__List__map_12\" ::: \"ecx\", \"memory\"); }" >names.c || return 1
	test "$(uname -m)" = x86_64 || return 0
	$CC -O1 -mno-red-zone -o names names.c names.s && perf record -q -F 999 -o n.data ./names &&
	perf report -i n.data --stdio -s sym 2>/dev/null >out && test_grep "A::foo\$" out &&
	test_grep "A::foo \[clone .cold\]\$" out && test_grep "plain.part.0\$" out && test_grep "Stdlib.List.map_12\$" out &&
	perf script -i n.data -F ip,sym --bare-names 2>/dev/null | sort -u >out &&
	test_grep "plain\$" out && test_grep "A::foo\$" out && test_grep ! clone out && test_grep ! plain.part out
'

# Code that is made at run time.
made() { # made KIND...: record it; its maps are in /tmp, until unmade
	perf record -q -F 499 -o j.data "$(program madecode)" "$@" >maps 2>err
}
unmade() { xargs rm -f <maps; }
test_expect_success 'memory without a file that a process inherited: its own map, then that of the process it was forked from' '
	made anon fork && at_least 20 j.data made_by_parent && at_least 10 j.data made_by_child &&
	perf report -i j.data --stdio -s pid,dso,sym 2>/dev/null >out && child=$(sed -n "2s/[^0-9]//gp" maps) &&
	test_grep "$child:.*\[JIT\] tid $child *\[\.\] made_by_child" out &&
	test_grep "$child:.*\[JIT\] tid $child *\[\.\] made_by_parent" out
'
unmade
test_expect_success 'memory that has a name' '
	made memfd && at_least 50 j.data made_by_parent &&
	perf report -i j.data --stdio -s dso,sym 2>/dev/null >out && test_grep "memfd:made (deleted) *\[\.\] made_by_parent" out &&
	perf script -i j.data 2>/dev/null >out && test_grep "made_by_parent+0x.* (/memfd:made (deleted))" out
'
unmade
test_expect_success 'a file that is no ELF file, also when it is gone' '
	made "$PWD/code.bin" && at_least 50 j.data made_by_parent &&
	rm code.bin && at_least 50 j.data made_by_parent
'
unmade
test_done
