#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='report says on stderr what a profile lacks, when it matters'
. "$(dirname "$0")/../../lib/tap.sh"

test_require GCC
test_expect_success 'recordings' '
	echo "int main(void) { return 0; }" >prog.c && gcc -no-pie -o prog prog.c && cp prog bare && strip bare &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD" $(nm prog | sed -n "s/^\([0-9a-f]*\) T main$/\1/p") <<-\EOF
		import struct, sys
		import pdata as p
		main = int(sys.argv[2], 16) + 1
		base = ["IP", "TID", "TIME"]
		def make(name, n, fields=base, prog="prog", lost=0, **values):
		    records = [p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1] + "/" + prog)]
		    for i in range(n):
		        records.append(p.sample(fields, TID=(100, 100), TIME=10**9 + i, IP=main,
		            **{k: v(i) for k, v in values.items()}))
		    if lost:
		        records.append(p.record(2, 0, struct.pack("<QQ", 1, lost)))
		    p.write(name, [(p.attr(1, 0, fields), [1])], records)
		def chain(n):
		    return [2**64 - 512] + [main] * n
		make("good", 1000)
		make("lost-many", 1000, lost=250)
		make("lost-few", 1000, lost=5)
		make("deep", 100, base + ["CALLCHAIN"], CALLCHAIN=lambda i: chain(127 if i < 7 else 20))
		make("flat", 1000, base + ["CALLCHAIN"], CALLCHAIN=lambda i: chain(127 if i < 7 else 126))
		make("dumps", 100, base + ["STACK_USER"], STACK_USER=lambda i: (bytes(512), 512 if i % 4 else 256))
		make("bare.data", 100, prog="bare")
		make("gone.data", 100, prog="gone")
	EOF
'
# notes FILE ARGS...: what stderr says
notes() {
	local f=$1

	shift
	perf report --stdio -f -i "$f" "$@" 2>err >out </dev/null
}
test_expect_success 'nothing to say' '
	notes good && test ! -s err && notes lost-few && test_grep ! Note err && notes flat && test ! -s err'
test_expect_success 'samples lost' '
	notes lost-many && test_grep "Note: 20.0% of the samples were lost (250): .*-m" err'
test_expect_success 'stacks cut' '
	notes deep && test_grep "Note: 7.0% of the call chains are cut off at 127 frames" err && test_line_count = 1 err &&
	notes dumps && test_grep "Note: 75.0% of the stack dumps are full.*more than 512 bytes" err && test_line_count = 1 err'
test_expect_success 'symbols missing: in what, why, how to get them' '
	notes bare.data && test_grep "Note: 100.0% of the samples are in bare and without symbol: .*no symbols.*debug package" err && test_line_count = 1 err &&
	notes gone.data && test_grep "in gone and without symbol: cannot open .*--symfs" err && notes bare.data -s dso && test ! -s err'
test_expect_success 'standard output is as ever, and it can be switched off' '
	notes lost-many && mv out loud && notes lost-many -q && test_grep ! Note err && PERF_CONFIG=$PWD/rc && export PERF_CONFIG &&
	printf "[report]\nquality = false\n" >rc && notes lost-many && test_cmp loud out && test_grep ! Note err && rm rc'
test_expect_success 'why is told once' '
	notes gone.data -v && grep -c "cannot open" err >n && echo 1 | test_cmp - n && test_grep "in .*/gone and without symbol: give" err'
test_done
