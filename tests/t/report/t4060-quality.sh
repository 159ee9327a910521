#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 3 of 4
test_description='report says on stderr what a profile lacks, when it matters'
. "$(dirname "$0")/../../lib/tap.sh"

test_require GCC
PERF_CONFIG=$PWD/rc && export PERF_CONFIG
printf "[report]\nquality = always\n" >rc
test_expect_success 'recordings' '
	echo "int work(void) { return 1; } int main(void) { return 0; }" >prog.c && gcc -no-pie -o prog prog.c && cp prog bare && strip bare &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD" $(nm prog | sed -n "s/^\([0-9a-f]*\) T \(main\|work\)$/\1/p" | sort -r) <<-\EOF
		import struct, sys
		import pdata as p
		main, work = int(sys.argv[2], 16) + 1, int(sys.argv[3], 16) + 1
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
		unmapped = 0x414d564149415500
		make("broken", 1000, base + ["CALLCHAIN"], CALLCHAIN=lambda i: [2**64 - 512] + ([work] * 3 + [main] if i % 5 == 0 else [work, unmapped]))
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
	notes lost-many && mv out loud && notes lost-many -q && test_grep ! Note err &&
	printf "[report]\nquality = false\n" >rc && notes lost-many && test_cmp loud out && test_grep ! Note err &&
	printf "[report]\nquality = always\n" >rc'
test_expect_success 'why is told once' '
	notes gone.data -v && grep -c "cannot open" err >n && echo 1 | test_cmp - n && test_grep "in .*/gone and without symbol: give" err'
test_expect_success 'chains that do not reach the start of their thread, said first, where pictures and exports say it' '
	notes broken && sed -n 1p err >first && test_line_count = 1 err &&
	test_grep "Note: 80% of the stacks of prog are broken: it has no frame pointers; record with --call-graph dwarf,unwind$" first &&
	perf report -i broken --flamegraph b.svg --ndjson b.ndjson --html b.html 2>/dev/null && test_grep "class=.note.*>80% of the stacks of prog" b.svg &&
	test_grep "\"notes\":\[\"80% of the stacks of prog" b.ndjson && test_grep ! "0.0% of" b.ndjson && notes flat && test ! -s err'
# on_terminal COMMAND: what it says when stderr is one
on_terminal() { python3 -c "import pty, sys; pty.spawn(sys.argv[1:])" sh -c "$* >/dev/null" | tr -d "\r"; }
test_expect_success 'said to a terminal, and into files only when asked' '
	: >rc && notes broken && test ! -s err && notes lost-many && test_grep ! Note err && notes lost-many -v && test_grep "Note: 20.0%" err &&
	on_terminal perf report --stdio -i broken >err && test_grep "Note: 80% of the stacks" err &&
	on_terminal perf report -q --stdio -i broken >err && test_grep ! Note err'
test_done
