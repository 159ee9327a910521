#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 2
test_description='perf annotate --json and --inlined: instructions, sources, counts and inlined callees of functions'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS,GCC,PYTHON
test_lazy_prereq OBJDUMP 'no objdump' 'command -v objdump'
test_lazy_prereq CAPSTONE 'built without capstone' 'grep -q libcapstone.so "$PERF"'
test_lazy_prereq LIBELF 'built without libelf' '"$PERF" version --build-options | grep -q "libelf: \[ on"'

# look FILE...: what annotate.py makes of the document
look() { PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/annotate.py" "$@"; }

test_expect_success 'a program whose time is in inlined functions, one within the other' '
	cat >prog.c <<-\EOF &&
	static volatile unsigned long sink;
	#define ALWAYS static inline __attribute__((always_inline))
	ALWAYS unsigned long step(unsigned long x)
	{
	    for (int i = 0; i < 20; i++)
	    	x = x * 3 ^ x >> 7;
	    return x;
	}
	ALWAYS unsigned long twice(unsigned long x)
	{
	    x = step(x);
	    return step(x + 1);
	}
	__attribute__((noinline)) unsigned long inner(unsigned long n)
	{
		unsigned long x = n;

		while (n--)
			x = twice(x);
		return x;
	}
	int main(void)
	{
		sink = inner(3000000);
		return 0;
	}
	EOF
	gcc -O2 -g -o prog prog.c && perf record -q -e cpu-clock:u,page-faults:u -o prog.data ./prog'

test_expect_success CAPSTONE 'counts, shares and texts are those of --stdio' '
	perf annotate -i prog.data --json >all.json && perf annotate -i prog.data --stdio --group --no-source >all.txt &&
	look same all.json all.txt &&
	for o in "--percent-type global-hits" "--percent-limit 50" "-d prog" "--skip-empty -s inner"; do
		perf annotate -i prog.data --json $o >some.json && perf annotate -i prog.data --stdio --group --no-source $o >some.txt &&
		look same some.json some.txt || return
	done'
test_expect_success CAPSTONE,LIBELF 'bytes, flow, source and inlined calls; sums by inlined callee' '
	look sound all.json && look sums all.json inner >sums && test_cmp - sums <<-\EOF
	step total and self are sums of its instructions
	twice total and self are sums of its instructions
	step is called at prog.c:11 and 1 other place
	twice is called at prog.c:19
	EOF'
test_expect_success CAPSTONE,LIBELF '--inlined: the same as text, in both layouts' '
	for layout in --stdio --stdio2; do
		perf annotate -i prog.data $layout --inlined inner >out &&
		look text all.json inner out && test_grep "step(): inlined at prog.c:11 into twice, at prog.c:19 into inner" out &&
		perf annotate -i prog.data $layout --inlined -P -n inner >out &&
		test_grep "^inlined: *[0-9]*, itself *[0-9]*  step, called at /.*/prog.c:11 and 1 other place$" out || return
	done &&
	perf annotate -i prog.data inner >out && test_grep ! "inlined" out'
test_expect_success OBJDUMP,CAPSTONE 'by the program objdump: the same addresses, bytes, counts and places' '
	perf annotate -i prog.data --json --objdump=objdump -d prog >objdump.json && perf annotate -i prog.data --json -d prog >own.json &&
	look alike own.json objdump.json'
test_expect_success 'a function without code is told with the reason' '
	perf annotate -i prog.data --json --objdump=/nonexistent/objdump inner >none.json 2>err && test_grep "cannot run /nonexistent/objdump" err &&
	look errors none.json >out && test_grep "^inner: cannot run /nonexistent/objdump" out &&
	perf annotate -i prog.data --json --objdump=/nonexistent/objdump --skip-missing inner >none.json && look errors none.json >out && test ! -s out'
test_expect_success 'hostile names stay texts' '
	cat >bad.c <<-\EOF &&
	int main(void) { for (volatile long i = 0; i < 30000000; i++); return 0; }
	EOF
	gcc -g -o bad bad.c && objcopy --redefine-sym main="\"]}</script>$(printf "\\377")" bad && perf record -q -e cpu-clock:u -o bad.data ./bad &&
	perf annotate -i bad.data -d bad --json >bad.json && look names bad.json >out && test_grep "^\"\]}</script>.xff$" out'
test_expect_success 'what does not go together is refused' '
	for o in --stdio --stdio2 -l -P --asm-raw --data-type --insn-stat; do
		test_must_fail perf annotate -i prog.data --json $o >out 2>err && test ! -s out && test_grep "^ *--json " err || return
	done'

test_done
