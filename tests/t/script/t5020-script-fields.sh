#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 3 of 8
test_description='script: columns of memory accesses, registers and branches, as the reference prints them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require REFERENCE

# same FILE [OPTION...]
same() {
	"$REF" script -f --no-inline -i "$@" >ref.out 2>ref.err </dev/null
	perf script -f --no-inline -i "$@" >our.out 2>our.err </dev/null
	test -s our.out && cmp ref.out our.out && return 0
	diff ref.out our.out | head -n 6
	return 1
}

# Samples with everything, of several kinds of events: mem-TYPE.data, and with WEIGHT_STRUCT mem-s.data.
make_files() {
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PERF" <<-\EOF
		import random, sys
		import pdata as p
		fields = ["IP", "TID", "TIME", "ADDR", "CPU", "PERIOD", "BRANCH_STACK", "REGS_USER", "WEIGHT", "DATA_SRC",
		          "TRANSACTION", "REGS_INTR", "PHYS_ADDR", "CGROUP", "DATA_PAGE_SIZE", "CODE_PAGE_SIZE"]
		def data_src(rng, i):
		    if i < 43:
		        return 1 << i
		    v = rng.getrandbits(43) & rng.getrandbits(43)
		    return v | rng.randrange(5) << 43
		def flags(rng):
		    return rng.getrandbits(20) | rng.randrange(15) << 20
		def make(path, kind, fields, config=0x1cd, period=1000):
		    rng = random.Random(path)
		    records = [p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1])]
		    for i in range(300):
		        records.append(p.sample(fields, misc=rng.choice([p.KERNEL, p.USER]), IP=0x400000 + i * 2048,
		            TID=(100, 100), TIME=10**9 + i * 1000, ADDR=rng.choice([0x7fff00000000 + i, 0x400100 + i * 64]),
		            CPU=i % 4, PERIOD=i + 1, WEIGHT=rng.getrandbits(12), WEIGHT_STRUCT=rng.getrandbits(64),
		            DATA_SRC=data_src(rng, i), TRANSACTION=rng.getrandbits(6), PHYS_ADDR=rng.getrandbits(48),
		            CGROUP=i % 3, DATA_PAGE_SIZE=rng.choice([0, 123, 4096, 65536, 2 << 20, 1 << 30]),
		            CODE_PAGE_SIZE=rng.choice([4096, 2 << 20]),
		            REGS_INTR=(2, [rng.getrandbits(64) for _ in range(5)]),
		            REGS_USER=rng.choice([(2, [1, 2, 3]), (1, [7, 8, 9]), (0, [])]),
		            BRANCH_STACK=[(rng.choice([0, 0x401000 + i * 16, 0xffffffff81000100]), 0x402000 + i * 7,
		                           flags(rng)) for _ in range(rng.randrange(5))]))
		    p.write(path, [(p.attr(kind, config, fields, period, branch=8, regs_user=0x103, regs_intr=0x10f), [1])],
		            records)
		for kind in 0, 1, 3, 4, 5, 8:
		    make("mem-%d.data" % kind, kind, fields)
		make("mem-s.data", 4, [f if f != "WEIGHT" else "WEIGHT_STRUCT" for f in fields])
		make("branches.data", 0, fields, 4, 1)
		make("faults.data", 1, fields, 2)
	EOF
}

test_expect_success 'make the files' make_files
# The kinds of events differ in what they show by default, and in what is taken from that.
for f in mem-0 mem-1 mem-3 mem-5 mem-8 mem-s; do
	test_expect_success "$f: the default columns, and all" '
		same $f.data && same $f.data -F +brstack,+misc,+uregs &&
		same $f.data -F comm,tid,cpu,time,event,addr,data_src,weight,ip,sym,dso,period,iregs,uregs,brstack,phys_addr,misc
	'
done
for f in mem-4 branches faults; do
	test_expect_success "$f: the default columns" 'same $f.data'
	for c in data_src,weight iregs,uregs brstack brstacksym phys_addr,ip data_page_size,code_page_size misc \
		ip,brstack,dso ip,brstacksym,sym,dso ip,sym,addr event,misc,flags,addr,ip; do
		test_expect_success "$f: $c" 'same $f.data -F $c'
	done
done
test_expect_success 'a weight in parts' '
	same mem-s.data -F ins_lat,ip && same mem-s.data -F weight,ins_lat,period &&
	perf script -i mem-s.data -F retire_lat >out && test_line_count = 300 out
'
test_expect_success CORPUS 'branches of recorded files' '
	for f in perf.data.branch-4.14 perf.data.branch_stack_spec; do
		for c in brstack brstack,dso brstackoff ip,brstackoff,dso brstacksym,sym; do
			same "$CORPUS/$f" -F $c || { echo "$f $c"; return 1; }
		done
	done
	same "$CORPUS/perf.data.callgraph_and_branch-3.4" -F brstack
'
test_expect_success CORPUS 'what the events do not have is refused' '
	for c in data_src ins_lat iregs uregs data_page_size code_page_size cgroup; do
		perf script -i "$CORPUS/perf.data.armv7-3.4" -F $c >out 2>err; test_grep . err && test ! -s out || return 1
	done
'
test_expect_success PERF_EVENTS 'what this kernel records' '
	"$REF" record -q --no-bpf-event -e cpu-clock -c 200000 -d -W --phys-data --data-page-size --code-page-size --intr-regs=ax,ip,sp \
		--user-regs=bx,ip -o live.data "$PERF" test -w noploop 0.1 &&
	for c in addr weight phys_addr iregs uregs,ip data_page_size,ip code_page_size,ip data_src,ip; do
		same live.data -F $c || return 1
	done
'

# Branches through a program of which every byte is known: code.data.
make_code() {
	cat >code.S <<-\EOF &&
		.globl one, two, three
		.type one,@function; .type two,@function; .type three,@function
		one:	.rept 5; nop; .endr; .size one,.-one
		two:	.rept 400; nop; .endr; ret; .size two,.-two
		three:	syscall; int $0x80; jmp *%rax; .byte 0x66,0x0f,0x1f,0x44,0,0; .byte 6; hlt; ret; .size three,.-three
	EOF
	"${CC:-cc}" -shared -nostdlib -Wl,--build-id -o code.so code.S &&
		PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD/code.so" <<-\EOF
			import sys
			import pdata as p
			fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "BRANCH_STACK"]
			records = [p.comm(100, 100, "prog"), p.mmap2(100, 0x401000, 0x1000, 0x1000, sys.argv[1])]
			def sample(ip, *branches):  # newest first: from, to, cycles, flags
			    stack = [(0x400000 + b[0], 0x400000 + b[1], b[2] << 4 | (b[3] if len(b) > 3 else 2)) for b in branches]
			    records.append(p.sample(fields, IP=0x400000 + ip, TID=(100, 100), TIME=10**9 + len(records), PERIOD=1,
			                            BRANCH_STACK=stack))
			sample(0x1012, (0x1003, 0x1002, 5))
			sample(0x1020, (0x1006, 0x1002, 5), (0x1002, 0x1002, 5, 1), (0x1003, 0x1001, 70, 4), (0x1003, 0x1001, 7, 8))
			sample(0x1001, (0x1003, 0x1010, 5))
			sample(0x119c, (0x1003, 0x119b, 5))
			sample(0x11a4, (0x1003, 0x119b, 5))
			sample(0x11a9, (0x1003, 0x11a1, 5, 8))
			sample(0x11a0, (0x1003, 0x119d, 5))
			sample(0x11a9, (0x1003, 0x11a1, 5))
			sample(0x1003, (0x1003, 0x1002, 5))
			sample(0x1190, (0x1005, 0x1002, 5))
			sample(0x10f0, (0x1005, 0x1002, 5), (0x118e, 0x1012, 3), (0x118e, 0x1012, 3))
			sample(0x1010, (0x1005, 0x500000, 5), (0x1003, 0x1000, 2))
			sample(0x1010, (0x119c, 0x1005, 5), (0x1003, 0x1192, 2))
			sample(0x1010)
			p.write("code.data", [(p.attr(0, 0, fields, 1000, branch=8), [1])], records)
		EOF
}

test_expect_success GCC 'a program and branches through it' make_code
for c in "brstackinsn" "ip,brstackinsnlen" "ip,sym,brstackinsn --max-blocks 2" "+brstackinsn,+misc" "brstackinsn,brstack,ip" \
	"brstackinsn --max-blocks 1"; do
	test_expect_success GCC "what ran between branches: $c" 'same code.data -F $c && grep -q "insn: 90" our.out'
done
# counted.data: branches with counters of two events of a group; bare.data: the same, but it is not said how wide these are
make_counted() {
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD/code.so" <<-\EOF
		import struct, sys
		import pdata as p
		def string(s):
		    return struct.pack("<I", 64) + s.encode().ljust(64, b"\0")
		fields = ["IDENTIFIER", "IP", "TID", "TIME", "PERIOD", "BRANCH_STACK"]
		who = [p.comm(100, 100, "prog"), p.mmap2(100, 0x401000, 0x1000, 0x1000, sys.argv[1])]
		def sample(i, *counters):
		    stack = [(0x401003, 0x401002, 5 << 4 | 2)] * len(counters)
		    return p.sample(fields, IDENTIFIER=10, IP=0x401003, TID=(100, 100), TIME=10**9 + i, PERIOD=1, BRANCH_STACK=(stack, list(counters)))
		# two bits each: the first event, then the second
		records = [sample(0, 0b0010, 0b0101, 0), sample(1, 0b1111, 0b0100)]
		attrs = [(p.attr(0, 4, fields, 1000, branch=8 | 1 << 19), [10]), (p.attr(0, 1, fields, 1000, branch=8), [11]),
			 (p.attr(0, 5, fields, 1000, branch=8 | 1 << 19), [12])]
		group = (17, struct.pack("<I", 1) + string("") + struct.pack("<II", 0, 3))
		caps = struct.pack("<I", 2) + string("branch_counter_nr") + string("4") + string("branch_counter_width") + string("2")
		for name, features in (("counted", [group, (28, caps)]), ("bare", [group]), ("pmus", [group, (31,
			struct.pack("<I", 2) + struct.pack("<I", 0) + string("msr") + caps + string("cpu_core"))])):
		    p.write(name + ".data", attrs, who + records)
		    p.add_features(name + ".data", features)
	EOF
}
test_expect_success GCC 'branch counters: letters, which are explained first' '
	make_counted && perf script -i counted.data -F brstackinsn,brcntr >out && head -n 5 out >head &&
	printf "%s\n" "# Branch counter abbr list:" "# branches:HG = A" "# branch-misses:HG = B" "# .-. No event occurs" \
		"# .+. Event occurrences may be lost due to branch counter saturated" | tr . "\047" | test_cmp - head &&
	sed -n "s/.*	br_cntr: \([^	]*\)	# PRED 5 cycles.*/\1/p" out >counts && printf "%s\n" - AB AA B AAA+BBB+ | test_cmp - counts
'
test_expect_success GCC 'branch counters: names, of streams and of other headers' '
	perf script -v -i counted.data -F brstackinsn,brcntr >out 2>err && test_grep ! "^#" out &&
	test_grep "	br_cntr: branches:HG 2 branch-misses:HG 0	# PRED" out && test_grep "	br_cntr: branches:HG 3+ branch-misses:HG 3+	#" out &&
	perf script -i counted.data -F brstackinsn,brcntr >file && perf script -i pmus.data -F brstackinsn,brcntr >out && test_cmp file out &&
	perf inject -i counted.data -o - | perf script -i - -F brstackinsn,brcntr >pipe && test_cmp file pipe
'
test_expect_success GCC 'branch counters: what cannot be shown is told' '
	perf script -i bare.data -F brstackinsn,brcntr >out 2>err && test_grep "branch_counter_width" err && test_grep "	br_cntr: 0xf	" out &&
	test_must_fail perf script -i counted.data -F ip,brcntr 2>err >out && test_grep "brstackinsn" err &&
	test_must_fail perf script -i code.data -F brstackinsn,brcntr 2>err >out && test_grep "no branch counters" err
'
test_lazy_prereq CAPSTONE 'built without libcapstone' 'perf version --build-options | grep -q "libcapstone: .*on"'
test_expect_success GCC,CAPSTONE 'the same as text' '
	perf script -i code.data -F brstackinsnlen,brstackinsn >bytes 2>/dev/null && perf script -i code.data -F brstackinsnlen,brstackdisasm >out &&
	test_line_count = "$(wc -l <bytes)" out && test_grep "^	[0-9a-f]*	nop	ilen: 1$" out &&
	test_grep "^	[0-9a-f]*	addb %al, (%rsi)	ilen: 2$" out && test_grep "	nop  *	ilen: 1	# PRED" out &&
	sed "s/	insn:[^	]*/	X/" bytes >a && sed -E "s/^(	[0-9a-f]{16}	)[^	<]*/\1X/" out >b && test_cmp a b
'
# The library may not know the newest instructions: these remain bytes.
test_expect_success PERF_EVENTS,CAPSTONE 'instructions of samples as text' '
	perf script -i live.data -F ip,insn >bytes && perf script -i live.data -F ip,disasm >out &&
	all=$(grep -c insn: bytes) known=$(grep -c "^ *[0-9a-f]*		[a-z]" out) unknown=$(grep -c insn: out)
	test "$all" -ge 10 && test $((known + unknown)) = "$all" && test $((unknown * 10)) -le "$all"
'
test_expect_success PERF_EVENTS 'of other stacks it is refused' '
	! perf script -i live.data -F +brstackinsn >out 2>err && grep -q "non all-branch filter" err
'
test_expect_success PERF_EVENTS 'instructions of samples, and where they are in the object' '
	for c in insn ip,insnlen,insn,uregs,phys_addr; do
		same live.data -F $c || return 1
	done
	perf script -i live.data -F ip,sym,dso,dsoff >out && grep -q "perf+0x[0-9a-f]*)$" out
'

test_lazy_prereq LIBELF 'built without libelf' '"$PERF" version --build-options | grep -q "libelf: \[ on"'
test_expect_success PERF_EVENTS,GCC,LIBELF 'lines of source' '
	cat >lines.c <<-\EOF &&
		__attribute__((noinline)) static int leaf(int x)
		{
			volatile int s = 0;
			for (int i = 0; i < x; i++)
				s += i * i;
			return s;
		}
		int main(void)
		{
			volatile int s = 0;
			for (int i = 0; i < 300; i++)
				s += leaf(30000) + leaf(20000);
			return s == 1;
		}
	EOF
	gcc -O1 -g -fno-omit-frame-pointer -o lines lines.c &&
	"$REF" record -q -B -N --no-bpf-event -e cpu-clock:u -F 2000 -o lines.data ./lines &&
	for c in ip,sym,srcline +srcline,+srccode "+srccode --full-source-path" "+srcline --full-source-path"; do
		# shellcheck disable=SC2086
		same lines.data --comms lines -S leaf,main -F $c || return 1
	done &&
	perf script -i lines.data -F ip,srccode >out && grep -q "^|5        *	*s += i \* i;" out &&
	! perf script -i lines.data -F srcline >out 2>err && grep -q "no address to lookup" err
'
test_expect_success 'metric: what the counts of a group mean' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF &&
		import struct
		import pdata as p
		fields = ["IP", "TID", "TIME", "CPU", "READ", "IDENTIFIER"]
		def group(name, events):
		    p.write(name, [(p.attr(t, c, fields, read=12), [i + 1]) for i, (t, c) in enumerate(events)], [
		        p.sample(fields, IDENTIFIER=1, IP=0x1000, TID=(5, 5), TIME=10**9, CPU=1, READ=(4, 1000000, 1, 2500000, 2, 400, 3, 25, 4)),
		        p.sample(fields, IDENTIFIER=1, IP=0x1010, TID=(5, 5), TIME=2 * 10**9, CPU=1, READ=(4, 3000000, 1, 3500000, 2, 500, 3, 90, 4))])
		    text = b"g".ljust(64, b"\0")
		    p.add_features(name, [(17, struct.pack("<II", 1, 64) + text + struct.pack("<II", 0, len(events)))])
		group("hw.data", [(0, 0), (0, 1), (0, 4), (0, 5)])
		group("sw.data", [(1, 1), (0, 1), (1, 2), (1, 3)])
	EOF
	perf script -i hw.data -F time,event,metric >out && grep metric out >rows &&
	printf "    %s: \tmetric: %s\n" 1.000000 "   2.50  insn per cycle" 1.000000 "   6.25% of all branches" \
		2.000000 "   0.50  insn per cycle" 2.000000 "  65.00% of all branches" >want && test_cmp want rows &&
	"$REF" script -i hw.data -F time,event,metric >ref && grep -v insn.per.cycle ref >want && grep -v insn.per.cycle out >rows && test_cmp want rows &&
	perf script -i sw.data -F time,event,metric >out && grep -q "metric:  400.000 K/sec" out && grep -q "metric:   25.000 K/sec" out &&
	perf script -i mem-0.data -F comm,metric >out && ! grep metric out
'
# As wide as the reference has it; a record that is no sample, too.
test_expect_success '-L: short names and bare CPUs' '
	same mem-0.data -L && same mem-0.data -L -F comm,pid,tid,cpu,time,misc && same mem-0.data -L -F comm --show-task-events &&
	same mem-0.data -L -F comm,ip,sym
'
test_done
