#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='call-graph.record-mode = auto: frame pointers where all code keeps them, else tables; what -g recommends'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/called.sh"
test_require PERF_EVENTS
test_require UNWIND,CC
test_lazy_prereq SCRIPT 'no program script, which provides a terminal' 'command -v script'

printf '[call-graph]\n\trecord-mode = auto\n' >conf
export PERF_CONFIG=$PWD/conf
rec() { perf record -F 2000 -e cpu-clock:u -g -o "$1" "${@:2}" 2>err; }
tables() { test_grep "^\[ perf record: Stacks are copied and unwound (dwarf,unwind), as $1 keeps no frame pointers \]$" err; }
pointers() { test_grep "^\[ perf record: Stacks follow frame pointers (fp)$1 \]$" err; }
kept=", which the program and its libraries keep"

# Programs that need no library but those that are given, with functions that keep frame pointers or do not.
cat >frames.c <<-'END'
	static volatile long sink;
	__attribute__((noinline)) int PREFIX(depth)(int d) { for (int i = 0; i < 1000; i++) sink += i; return d ? PREFIX(depth)(d - 1) + 1 : 1; }
	__attribute__((noinline)) int PREFIX(other)(int d) { int made = PREFIX(depth)(d); sink += made; return made + PREFIX(depth)(2); }
END
cat >start.c <<-'END'
	int lib_other(int);
	__attribute__((noinline)) int PREFIX(all)(int n) { int made = 0; while (n--) made += PREFIX(other)(9); return made + LIB(9); }
	#if defined(__x86_64__)
	__asm__(".globl _start\n_start: xor %ebp, %ebp\n mov $2000, %edi\n and $-16, %rsp\n call my_all\n xor %edi, %edi\n mov $231, %eax\n syscall\n");
	#else
	__asm__(".globl _start\n_start: mov x29, xzr\n mov w0, 2000\n bl my_all\n mov w0, wzr\n mov w8, 94\n svc 0\n");
	#endif
END
bare="-O2 -w -nostdlib -fno-stack-protector -fno-optimize-sibling-calls -fasynchronous-unwind-tables"
with="-fno-omit-frame-pointer -mno-omit-leaf-frame-pointer" without="-fomit-frame-pointer"

test_expect_success 'a program without frame pointers is unwound by its tables' '
	build_called called && rec a.data ./called 0.3 rqt && tables called && perf evlist -v -i a.data >out && test_grep STACK_USER out &&
	perf script -i a.data -F ip,sym,dso >a.txt && possible a.txt
'
test_expect_success 'one that keeps them, with all its libraries, is not' '
	{ printf "#define PREFIX(n) my_##n\n#define LIB(n) 0\n" && cat frames.c start.c; } >kept.c &&
	$CC $bare $with -static -o kept kept.c && rec b.data ./kept && pointers "$kept" && perf evlist -v -i b.data >out && test_grep ! STACK_USER out &&
	perf script -i b.data -F ip,sym >out && test_grep my_all out
'
test_expect_success 'a library counts as well, where its loader finds it' '
	mkdir -p lib && { printf "#define PREFIX(n) lib_##n\n" && cat frames.c; } >lib.c && $CC $bare $without -shared -fPIC -o lib/liblost.so lib.c &&
	{ printf "#define PREFIX(n) my_##n\n#define LIB(n) lib_other(n)\n" && cat frames.c start.c; } >mixed.c &&
	$CC $bare $with -o mixed mixed.c -Llib -llost -Wl,-rpath,"\$ORIGIN/lib" && rec c.data ./mixed && tables liblost.so &&
	$CC $bare $with -shared -fPIC -o lib/liblost.so lib.c && rec c.data ./mixed && pointers "$kept"
'
test_expect_success 'scripts are their interpreters; PATH is searched; running processes have their own objects' '
	printf "#!$PWD/called\n" >words && chmod +x words && rec d.data ./words && tables called &&
	PATH=$PWD:$PATH rec d.data called 0.05 r && tables called &&
	{ ./called 30 r & } && pid=$! && wait_comm $pid called && rec d.data -p $pid sleep 0.1; kill $pid; tables called
'
test_expect_success 'of the whole system, the libraries of this machine count' '
	rec e.data -a true &&
	test_grep "Stacks are copied and unwound (dwarf,unwind), as lib\|Stacks are copied and unwound (dwarf,unwind), as ld-\|Stacks follow frame pointers (fp)" err
'
test_expect_success 'the size of copies, quiet runs, and what cannot be unwound' '
	perf record -q -e cpu-clock:u --call-graph auto,1024 -o f.data ./called 0.05 r 2>err && test_line_count = 0 err &&
	perf evlist -v -i f.data >out && test_grep "sample_stack_user: 1024" out &&
	perf record -e cpu-clock:u --call-graph auto --threads -o g.data ./called 0.05 r 2>err && pointers ", as they cannot be unwound here" &&
	test_expect_code 129 perf record -e cpu-clock:u --call-graph auto,x -o no.data true 2>err
'
test_expect_success SCRIPT '-g says on a terminal that a program keeps no frame pointers, and else nothing' '
	unset PERF_CONFIG &&
	script -qec "$PERF record -e cpu-clock:u -g -o h.data ./called 0.05 r" /dev/null >out </dev/null &&
	test "$(grep -c "called keeps no frame pointers: --call-graph dwarf,unwind finds the callers" out)" = 1 &&
	script -qec "$PERF record -e cpu-clock:u -g -o h.data ./kept" /dev/null >out </dev/null && test_grep ! "frame pointers" out &&
	script -qec "$PERF record -e cpu-clock:u -o h.data ./called 0.05 r" /dev/null >out </dev/null && test_grep ! "frame pointers" out &&
	perf record -e cpu-clock:u -g -o h.data ./called 0.05 r 2>err && test_grep ! "frame pointers" err
'
test_done
