#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 1 of 4
test_description='reports of branches are what the reference prints'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/report.sh"
test_require REFERENCE,CORPUS

W=$PWD

# same FILE [OPTION...]
same() {
	local f=$CORPUS/$1

	shift
	"$REF" report --stdio --no-inline -f -i "$f" "$@" 2>ref.err </dev/null | steady >ref.out
	perf report --stdio --no-inline -f -i "$f" "$@" 2>our.err </dev/null | steady >our.out
	# Cycles are no negative numbers: Documentation/differences.md
	sed -i -E "s/([ ,])(-23395|42141) *\$/\1many/" ref.out our.out
	test_line_count -ge 2 our.out && cmp ref.out our.out
}

for f in perf.data.branch-4.14 perf.data.branch_stack_spec perf.data.raw_callgraph_branch-3.4; do
	for opts in '' '-b' '--no-branch-stack --no-children' '-s comm,dso_from,dso_to' '-s pid,cpu,dso_to' '-s mispredict' \
		'-s in_tx,abort,comm' '-s cycles' '-s comm,sym' '-F overhead,comm,symbol_from' '-n' '-t,' \
		'-F comm,overhead,sample,dso_to -s cycles' '-g none' '--percent-limit 1'; do
		test_expect_success "$f $opts" 'same $f $opts'
	done
done
# Calls that have not returned yet are the user part of call chains (--call-graph lbr).
test_expect_success 'branch stacks that are call chains, and ends of branches with symbols' '
	cp "$PERF" "$W/a-program-with-a-rather-long-name" &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$W/a-program-with-a-rather-long-name" <<-\EOF &&
		import random, sys
		import pdata as p
		fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "CALLCHAIN", "BRANCH_STACK"]
		KERNEL, USER = 2**64 - 128, 2**64 - 512
		def make(path, branch):
		    rng = random.Random(5)
		    def addr():
		        return 0x440000 + rng.randrange(40) * 0x400
		    records = [p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1])]
		    for i in range(90):
		        kernel = rng.random() < .4
		        ip = 0xffffffff81000100 if kernel else addr()
		        chain = [KERNEL, ip, 0xffffffff81000200] if kernel else []
		        chain += [USER, addr() if kernel else ip] + [addr() for _ in range(rng.randrange(3))]
		        if i % 13 == 12:
		            chain = chain[:3] if kernel else []
		        records.append(p.sample(fields, misc=p.KERNEL if kernel else p.USER, IP=ip, TID=(100, 100),
		            TIME=10**9 + i * 1000, PERIOD=1 + i, CALLCHAIN=chain,
		            BRANCH_STACK=[(addr(), addr(), rng.getrandbits(7)) for _ in range(rng.randrange(1, 6))]))
		    p.write(path, [(p.attr(0, 0, fields, branch=branch), [1])], records)
		make("calls.data", 0x801)
		make("branches.data", 8)
	EOF
	for opts in "" --no-children "-g none" "-g caller --no-children"; do
		CORPUS=$PWD same calls.data $opts || { echo "$opts"; return 1; }
	done &&
	for opts in -b "-b -s dso_to,dso_from" "-b -s cycles,comm" ""; do
		CORPUS=$PWD same branches.data $opts || { echo "$opts"; return 1; }
	done &&
	"$REF" script -i calls.data >ref.out 2>/dev/null && perf script --no-inline -i calls.data >our.out && cmp ref.out our.out
'
test_expect_success 'the number of workers does not matter' '
	f=$CORPUS/perf.data.raw_callgraph_branch-3.4 &&
	PERF_WORKERS=1 perf report --stdio -f -i $f | grep -v Tip >one &&
	PERF_WORKERS=5 perf report --stdio -f -i $f | grep -v Tip >five &&
	test_cmp one five
'
test_expect_success 'no branches to report' '
	f=$CORPUS/perf.data.true.v2 &&
	for opts in -b "-s cycles" "-F dso_to"; do
		perf report --stdio -f -i $f $opts >out 2>err
		test_grep -E "no branch data|Invalid --(sort|fields) key" err || return 1
	done
'
test_done
