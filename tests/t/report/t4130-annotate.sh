#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 2 of 8
test_description='perf annotate: instructions, source lines and samples of functions, as the reference has them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS,GCC
test_lazy_prereq OBJDUMP 'no objdump' 'command -v objdump'
test_lazy_prereq CAPSTONE 'built without capstone' 'grep -q libcapstone.so "$PERF"'
test_lazy_prereq LIBELF 'built without libelf' '"$PERF" version --build-options | grep -q "libelf: \[ on"'

# same LAYOUT [OPTION...]: what objdump writes is laid out as by the reference
same()
{
	"$REF" annotate "$@" 2>ref.err </dev/null | ties >ref.out
	perf annotate --objdump=objdump "$@" 2>our.err >our.all </dev/null && ties <our.all >our.out &&
		test_line_count -ge 10 our.out && test_cmp ref.out our.out
}
# Lines of the summary of -l that show the same first number stand in the order of rounding errors in sums.
ties()
{
	awk 'function flush(i, j, t) {
			for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j] < v[j - 1]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
			for (i = 1; i <= n; i++) print v[i]
			n = 0
		}
		/prog\.c:[0-9]+$/ && !/:.*:/ && $1 ~ /[0-9]\.[0-9]/ { if ($1 != last) flush(); last = $1; v[++n] = $0; next }
		{ flush(); last = ""; print }
		END { flush() }'
}

test_expect_success 'a program with loops, a call and an inlined function, and recordings of it' '
	cat >prog.c <<-\EOF &&
	#include <stdlib.h>
	static volatile unsigned long sink;	// a	comment

	static inline __attribute__((always_inline)) unsigned long mix(unsigned long x)
	{
		return x ^ x >> 7;	/* mix  */@
	}
	__attribute__((noinline)) unsigned long inner(unsigned long n, unsigned long x)
	{
		for (unsigned long i = 0; i < n; i++) {
			if (x & 1)
				x = x * 3 + 1;
			else
				x = mix(x);
		}
		return x;
	}
	/* far */
	/* away */
	/* lines */
	/* that */
	/* no */
	/* function */
	/* has */
	__attribute__((noinline)) unsigned long outer(unsigned long n)
	{
		unsigned long s = 0;

		while (n--)
			s += inner(3, n) / 3;
		return s;
	}
	int main(int argc, char **argv)
	{
		unsigned long n = strtoul(argv[1], 0, 0);

		sink = inner(n, 12345);
		sink += outer(n / 8);
		return 0;
	}
	EOF
	sed -i "s/@/   /" prog.c && gcc -O2 -g -o prog prog.c && gcc -O2 -o bare prog.c && gcc -O2 -g -no-pie -o fixed prog.c &&
	for p in prog bare fixed; do
		perf record -q -e cpu-clock:u -o $p.data ./$p 20000000 || return
	done &&
	perf record -q -e cpu-clock:u,task-clock:u -o two.data ./prog 20000000 &&
	perf record -q -e "{cpu-clock:u,task-clock:u}" -o group.data ./prog 20000000'

for o in '' -n --show-total-period '-l -d prog' '-l -P -d prog' '-l -n -d prog' --no-source --asm-raw '-M intel' '--percent-type global-period' \
	'--percent-type local-hits' '--percent-limit 20' '-s inner' outer '-d prog' -v '--stdio-color always' \
	'--prefix /nowhere --prefix-strip 1'; do
	test_every 4 REFERENCE,OBJDUMP "beside the reference: ${o:-no options}" "same --stdio -i prog.data $o"
done
test_expect_success REFERENCE,OBJDUMP 'beside the reference: no debug information, no position-independent code' '
	same --stdio -i bare.data -d bare && same --stdio -i fixed.data -d fixed'
test_expect_success REFERENCE,OBJDUMP 'beside the reference: several events' '
	same --stdio -i two.data -d prog && same --stdio -i two.data -d prog --group &&
	same --stdio -i two.data -d prog --group -l && same --stdio -i group.data -d prog &&
	same --stdio -i group.data -d prog -n --stdio-color always'
test_expect_success REFERENCE,OBJDUMP 'beside the reference: --stdio2' '
	for s in inner outer; do
		for o in "" -n --show-total-period --no-source; do
			same --stdio2 -i prog.data $o $s || return
		done &&
		same --stdio2 -i two.data $s && same --stdio2 -i two.data --group $s && same --stdio2 -i group.data $s &&
			same --stdio2 -i fixed.data $s || return
	done &&
	printf "[annotate]\n\tshow_linenr = true\n\toffset_level = 3\n\tuse_offset = false\n" >conf &&
	(PERF_CONFIG=$PWD/conf && export PERF_CONFIG && same --stdio2 -i prog.data outer)'

test_expect_success CAPSTONE,LIBELF 'in this process: the same lines, with their numbers, and targets with names' '
	perf annotate -i prog.data outer >out &&
	grep -q "^ Percent |.Source code & Disassembly of prog for cpu-clock:u ([0-9]* samples, percent: local period)" out &&
	grep -q "^         : 5 .*[0-9a-f]* <outer>:" out &&
	grep -Eq "^ +[0-9.]+ : .*(call|bl).* <inner>$" out &&
	line=$(grep -n "while (n--)" prog.c | cut -d: -f1) && grep -Eq "^         : $line +while \(n--\)$" out &&
	perf annotate -i prog.data inner >out && grep -Eq "^         : [0-9]+ +mix\(\):$" out'
test_expect_success CAPSTONE '--stdio2: arrows, targets by name, and numbers of jumps where they are wanted' '
	perf annotate --stdio2 -i prog.data outer >out && grep -q "^Samples: [0-9]*  of event .cpu-clock:u., [0-9]* Hz, " out &&
	grep -q "^outer() .*/prog$" out && grep -q "→ .* inner *$" out && grep -q "[↑↓] " out &&
	printf "[annotate]\n\tshow_nr_jumps = true\n" >conf &&
	PERF_CONFIG=$PWD/conf perf annotate --stdio2 -i prog.data outer >out && grep -Eq "^.{7} 1 +[0-9a-f]+: " out'
test_expect_success CAPSTONE 'percentages of a function are a hundred in sum' '
	perf annotate -i prog.data inner --no-source | awk "/^ +[0-9.]+ :/ { sum += \$1 } END { print sum; exit !(sum > 99.5 && sum < 100.5) }"'
test_expect_success CAPSTONE 'through a pipe, and of some CPUs' '
	perf record -q -e cpu-clock:u -o - ./prog 20000000 | perf annotate -i - inner >out && grep -q "<inner>:" out &&
	perf record -q -e cpu-clock:u --sample-cpu -o cpu.data ./prog 20000000 &&
	perf annotate -i cpu.data -C 0 inner >out && test_no_crash perf annotate -i cpu.data -C 4000 inner'
test_expect_success OBJDUMP 'the variable annotate.disassemblers' '
	perf annotate -i prog.data --objdump=objdump inner >want &&
	perf config --user annotate.disassemblers=objdump,capstone && perf annotate -i prog.data inner >out && test_cmp want out &&
	perf config --user annotate.disassemblers=capstone && perf annotate -i prog.data inner >out && ! cmp -s want out &&
	rm "$HOME/.perfconfig"'

# made PROGRAM SYMBOL BASE: made.data, two samples at the second instruction of four bytes of a function of PROGRAM
made()
{
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD/$1" "$((0x$(nm "$1" | sed -n "s/ [Tt] $2\$//p")))" "$3" <<-\EOF
	import sys, pdata as p
	prog, at, base = sys.argv[1], int(sys.argv[2]), int(sys.argv[3], 0)
	fields = ["IP", "TID", "TIME", "PERIOD"]
	kernel = base >> 63
	at = base + 4 + (at - 0xffffffff81000000 if kernel else at) % (1 << 64)
	maps = p.mmap2(0xffffffff, base, 0x100000, base, "[kernel.kallsyms]_text", 1) if kernel else \
	    p.mmap2(100, base, 0x100000, 0, prog)
	p.write("made.data", [(p.attr(1, 0, fields), [1])], [p.comm(100, 100, "prog"), maps] + [
	    p.sample(fields, IP=at, TID=(100, 100), TIME=5 + i, PERIOD=1, **({"misc": 1} if kernel else {}))
	    for i in range(2)])
	EOF
}
test_expect_success CAPSTONE,PYTHON 'branch stacks: cycles of blocks' '
	cat >block.s <<-\EOF &&
	.globl spin
	.type spin, @function
	spin:
	.ifdef X86
		nop
		nop
		nop
		nop
	1:	nop
		jmp 1b
	.endif
	.size spin, .-spin
	EOF
	case $(uname -m) in x86_64) ;; *) echo "not this machine"; return 0 ;; esac
	gcc -shared -nostdlib -Wa,--defsym,X86=1 -o block.so block.s &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD/block.so" "$((0x$(nm block.so | sed -n "s/ T spin$//p")))" <<-\EOF &&
	import sys, pdata as p
	fields = ["IP", "TID", "TIME", "PERIOD", "BRANCH_STACK"]
	at = 0x400000 + int(sys.argv[2])
	jump = (at + 5, at + 4, 2 | 4 << 4)
	p.write("block.data", [(p.attr(1, 0, fields, branch=8), [1])], [
	    p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x10000, 0, sys.argv[1])] + [
	    p.sample(fields, IP=at + 5, TID=(100, 100), TIME=5 + i, PERIOD=1, BRANCH_STACK=[jump, jump, jump])
	    for i in range(5)])
	EOF
	perf annotate --stdio2 -i block.data spin >out && grep -Eq "^Percent   IPC Cycle *$" out &&
	grep -Eq "^         0.50 +4:   nop *$" out && grep -Eq "^100.00   0.50     4 +↑ jmp +4 *$" out &&
	perf annotate --json -i block.data spin >out && grep -q "\"ipc\":0.5000,\"cycles\":4,\"counts\":\[{\"event\":0,\"samples\":5," out'
test_lazy_prereq ARM64_GCC 'no gcc for arm64' 'command -v aarch64-linux-gnu-gcc'
test_lazy_prereq GCC_32 'no programs of 32 bits here' 'echo "void _start(void) { __asm__ volatile(\"int \$0x80\" :: \"a\"(1), \"b\"(0)); }" >m.c && gcc -m32 -nostdlib -static -o m m.c && ./m'
test_expect_success CAPSTONE,ARM64_GCC,PYTHON 'code of arm64, whatever machine recorded it' '
	aarch64-linux-gnu-gcc -O2 -g -shared -nostdlib -fPIC -o libarm.so -xc - <<-\EOF &&
	volatile int sink;
	__attribute__((noinline)) int callee(int x) { return x * 7 + sink; }
	__attribute__((noinline)) int spin(int n)
	{
		int s = 0;
		while (n--) {
			if (n & 4)
				s += callee(n);
			sink = s;
		}
		return s;
	}
	EOF
	made libarm.so spin 0x400000 && perf annotate -i made.data spin >out && grep -Eq "^  100.00 : +[0-9a-f]+: +[a-z]" out &&
	perf annotate -i made.data --stdio2 spin >out && grep -Eq "→ bl +callee" out && grep -q "↑ b" out && grep -q "← ret" out'
test_expect_success CAPSTONE,GCC_32 'a program of 32 bits' '
	cat >narrow.c <<-\EOF &&
	__attribute__((noinline)) unsigned int spin(unsigned int n)
	{
		unsigned int s = 0;
		while (n--)
			s = s * 3 + n;
		return s;
	}
	void _start(void)
	{
		unsigned int r = spin(100000000);
		__asm__ volatile("int $0x80" : : "a"(1), "b"(r & 1));
	}
	EOF
	gcc -m32 -O2 -g -nostdlib -static -fno-pic -no-pie -o narrow narrow.c &&
	{ perf record -q -e cpu-clock:u -o narrow.data ./narrow || :; } &&
	perf annotate -i narrow.data spin >out && grep -Eq "%e[a-d]x" out && test_grep ! -E "%r[a-d]x|\(bad\)" out'
test_expect_success CAPSTONE,PYTHON 'the kernel, from a vmlinux, where it was relocated to' '
	cat >kernel.c <<-\EOF &&
	int spin(int n);
	int _text(int n) { return spin(n) + 1; }
	int spin(int n) { volatile int s = 0; while (n--) s += n; return s; }
	EOF
	gcc -O2 -g -nostdlib -static -fno-pic -no-pie -fno-inline -fno-toplevel-reorder -mcmodel=kernel -Wl,--build-id=none -Wl,-e,_text \
		-Wl,-Ttext=0xffffffff81000000 -o vmlinux kernel.c || { echo "no such program here"; return 0; }
	made vmlinux spin 0xffffffff91000000 && perf annotate -i made.data -k vmlinux spin >out &&
	grep -Eq "^  100.00 : +ffffffff81[0-9a-f]+: +[a-z]" out && test_grep ! "(bad)" out &&
	test_must_fail perf annotate -i made.data -k /nonexistent spin 2>err && grep -q nonexistent err'
test_expect_success CAPSTONE 'code compiled at run time, from its jitdump' '
	perf record -q -k mono -F 500 -o jit.data perf test -w jitdump 1 && perf annotate -i jit.data jitdump_generated >out &&
	grep -Eq "^ +[1-9][0-9.]+ : +[0-9a-f]+: +[a-z]" out && test_grep ! "(bad)" out &&
	rm jit-*.dump && perf annotate -i jit.data jitdump_generated >out 2>err; test ! -s out'

test_expect_success 'what is missing is told' '
	perf annotate -i prog.data nosuch >out 2>err && test ! -s out && grep -q "has no samples" err &&
	perf annotate -i prog.data --objdump=/nonexistent/objdump inner >out 2>err && test ! -s out &&
	grep -q "^Couldn.t annotate inner:$" err && grep -q "cannot run /nonexistent/objdump: " err &&
	perf annotate -i prog.data --objdump=/nonexistent/objdump --skip-missing inner >out 2>err && test ! -s err &&
	perf annotate -i prog.data --objdump=false inner 2>err && grep -q "false wrote no instructions" err'
test_expect_success PYTHON 'samples of no known function' '
	made prog inner 0x400000 && mv prog moved && perf annotate -i made.data 2>err; mv moved prog &&
	grep -q "None of the samples is in a known function" err'
test_expect_success 'options that make no sense are refused' '
	test_expect_code 129 perf annotate -i prog.data a b &&
	test_expect_code 129 perf annotate -i prog.data --percent-type most 2>err && grep -q "invalid --percent-type .most." err &&
	test_must_fail perf annotate -i prog.data -n --show-total-period 2>err && grep -q "cannot be used with" err &&
	test_must_fail perf annotate -i prog.data --prefix-strip 1 2>err && grep -q "requires --prefix" err &&
	test_must_fail perf annotate -i nosuch 2>err && grep -q nosuch err'
test_expect_success 'a damaged program, and one that is gone' '
	cp prog.data gone.data && cp prog kept &&
	dd if=/dev/urandom of=prog bs=64 count=1 conv=notrunc 2>/dev/null &&
	test_no_crash perf annotate -i gone.data --symfs / inner >out 2>&1 &&
	head -c 3000 kept >prog && test_no_crash perf annotate -i gone.data inner >out 2>&1 &&
	rm prog && test_no_crash perf annotate -i gone.data inner >out 2>&1 && mv kept prog'

test_done
