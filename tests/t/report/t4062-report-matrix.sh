#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 4 of 8
test_description='report: many combinations of options, each as the reference prints it'
. "$(dirname "$0")/../../lib/tap.sh"
test_require REFERENCE

. "$SRC/tests/lib/matrix.sh"

mapfile -t list < <(matrix_files perf.data.lost_samples-4.4 perf.data.branch_stack_spec s390x-cpu-clock-callgraph.data)
for f in "${list[@]}"; do
	test_expect_success CORPUS "combinations on ${f##*/}" 'matrix report "$f"'
done
# More samples than one thread is worth starting for, and fields that rows are equal in.
test_expect_success CORPUS 'where rows were first seen, of many samples' '
	COMBOS=report-many-combos.txt matrix report "$CORPUS/perf.data.busy.1-3.8" "$CORPUS/perf.data.throttle-3.8" \
		"$CORPUS/perf.data.forkexit-3.4"
'
test_expect_success PERF_EVENTS 'a recording of now, with call chains of several threads' '
	perf record -q -F 900 -g -e cpu-clock -o now.data "$(program demo)" -n 8 >rec.out 2>rec.err &&
	matrix report now.data
'
# Two of one kind, so that rows have something to be compared with.
test_expect_success CORPUS 'differences of two recordings' '
	COMBOS=diff-combos.txt matrix diff \
		"$CORPUS/perf.data.throttle-3.8+$CORPUS/perf.data.busy.1-3.8" "$CORPUS/with-callchain.perf.data+$CORPUS/single-event-multi-process.perf.data"
'
# One of the events has no samples.
test_expect_success CORPUS 'differences of events without rows' '
	COMBOS=diff-empty-combos.txt matrix diff "$CORPUS/perf.data.hw_and_sw-3.4+$CORPUS/perf.data.raw-3.4"
'
# Branches of all kinds, loops among them, in functions whose lines are known.
test_expect_success GCC 'histories of branches' '
	for i in 0 1 2; do echo "__attribute__((aligned(1024))) int f$i(int x) { __asm__(\".skip 512, 0x90\"); return x; }"; done >prog.c &&
	echo "int main(void) { return 0; }" >>prog.c && gcc -g -no-pie -o prog prog.c &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD/prog" $(nm prog | sed -n "s/^\([0-9a-f]*\) T f0$/\1/p") <<-\EOF &&
		import random, sys
		import pdata as p
		base = int(sys.argv[2], 16)
		fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "BRANCH_STACK"]
		for seed in (1, 2, 3):
		    rng = random.Random(seed)
		    def place():
		        return base + rng.choice([0, 0x400, 0x800]) + rng.randrange(0x60) * 4
		    def branch():
		        kind = rng.choice([0, 1, 1, 2, 4, 6]) if seed % 2 else 0
		        return (place(), place(), rng.choice([1, 2, 2, 2, 10]) | rng.choice([0, 3, 7, 200]) << 4 | kind << 20)
		    paths = [[branch() for _ in range(rng.randrange(1, 9))] for _ in range(4)]
		    paths = [path + path[-2:] * rng.choice([0, 2]) for path in paths]
		    records = [p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1])]
		    for i in range(40):
		        path = rng.choice(paths)
		        records.append(p.sample(fields, TID=(100, 100), IP=path[0][1] + 4, TIME=10**9 + i, PERIOD=100 + i % 3,
		            BRANCH_STACK=path))
		    name = f"branches{seed}"
		    p.write(name, [(p.attr(0, 0, fields, branch=8), [1])], records)
		    p.add_features(name, [(3, b"\x40\0\0\0" + b"host".ljust(64, b"\0")), (15, b"")])
	EOF
	COMBOS=report-history-combos.txt matrix report branches1 branches2 branches3 \
		$(test -z "$CORPUS" || echo "$CORPUS/perf.data.branch_stack_spec")
'
test_expect_success GCC 'cycles of blocks' '
	perf report -f -i branches2 --total-cycles >out.txt && test_grep "%  *[0-9.K]*  *[0-9.]*%  *[0-9]*  *.f[012]+[0-9]* -> f[012]" out.txt &&
	perf report -f -i branches2 --total-cycles -t, --percent-limit 20 >some.txt &&
	test "$(grep -c "^[0-9]" some.txt)" -lt "$(grep -c "^  *[0-9]" out.txt)"
'
test_expect_success GCC 'kinds of branches' '
	perf report -f -i branches1 >out.txt && test_grep "^# Branch Statistics:" out.txt && test_grep "^COND_FWD: .*%$" out.txt &&
	perf report -f -i branches2 >out.txt && test_grep ! "Branch Statistics" out.txt
'
sed 's/^/#/; s/^## /# /' counts
test_done
