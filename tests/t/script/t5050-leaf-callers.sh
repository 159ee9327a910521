#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='arm64: the caller of a function that has not saved its return address'
. "$(dirname "$0")/../../lib/tap.sh"

command -v aarch64-linux-gnu-gcc >/dev/null || test_skip_all 'no aarch64-linux-gnu-gcc'
grep -q libdw.so "$PERF" || test_skip_all 'built without libdw'

# start calls mid, mid calls leaf, which saves nothing; untold is a leaf nothing is told of.
make_file() {
	cat >leaf.S <<-\EOF &&
		.globl start, mid, leaf, untold
		.type start,@function; .type mid,@function; .type leaf,@function; .type untold,@function
		leaf:	.cfi_startproc; sub sp, sp, #16; .cfi_adjust_cfa_offset 16; nop; add sp, sp, #16
			.cfi_adjust_cfa_offset -16; ret; .cfi_endproc; .size leaf,.-leaf
		mid:	.cfi_startproc; stp x29, x30, [sp, #-16]!; .cfi_def_cfa_offset 16; .cfi_offset 29, -16
			.cfi_offset 30, -8; mov x29, sp; bl leaf; ldp x29, x30, [sp], #16; .cfi_restore 30
			.cfi_restore 29; .cfi_def_cfa_offset 0; ret; .cfi_endproc; .size mid,.-mid
		start:	.cfi_startproc; .cfi_undefined 30; bl mid; nop; .cfi_endproc; .size start,.-start
		untold:	nop; ret; .size untold,.-untold
	EOF
	aarch64-linux-gnu-gcc -shared -nostdlib -Wl,-Bsymbolic -Wl,--build-id -o leaf.so leaf.S &&
		aarch64-linux-gnu-nm leaf.so >names &&
		PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD/leaf.so" <<-\EOF
			import struct, sys
			import pdata as p
			at = {w[2]: 0x400000 + int(w[0], 16) for w in (line.split() for line in open("names")) if len(w) == 3}
			leaf, mid, start, untold = at["leaf"], at["mid"], at["start"], at["untold"]
			user, kernel = 2**64 - 512, 2**64 - 128
			fields = ["IP", "TID", "TIME", "CALLCHAIN", "REGS_USER"]
			def write(path, mask, lr_at, machine):
			    records = [p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x10000, 0, sys.argv[1])]
			    def sample(chain, lr, abi=2, misc=p.USER):
			        regs = [0x77] * bin(mask).count("1")
			        regs[lr_at] = lr
			        records.append(p.sample(fields, misc=misc, IP=chain[1], TID=(100, 100), TIME=10**9 + len(records) * 1000,
			                                CALLCHAIN=chain, REGS_USER=(abi, regs if abi else [])))
			    sample([user, leaf + 4, start + 4], mid + 12)  # 2: mid is missing
			    sample([user, leaf + 4, mid + 12, start + 4], mid + 12)  # 3: it is there
			    sample([user, mid, 0x999], start + 4)  # 4: nothing saved yet
			    sample([user, mid + 12, start + 4], mid + 12)  # 5: saved, and lr stale
			    sample([user, mid + 16, 0x999], start + 4)  # 6: taken back
			    sample([kernel, 0xffff800008001000, user, leaf + 4, start + 4], mid + 12, misc=p.KERNEL)  # 7
			    sample([user, start, 0x999], mid + 12)  # 8: nobody called it
			    sample([user, untold, start + 4], mid + 12)  # 9: no rules
			    sample([user, leaf + 4], 0x2a0000000000000 | mid + 12)  # 10: signed
			    sample([user, leaf + 4, start + 4], 0x900000)  # 11: nothing is mapped there
			    sample([user, leaf + 4, start + 4], 0, abi=0)  # 12: no registers
			    p.write(path, [(p.attr(1, 0, fields, regs_user=mask), [1])], records)
			    name = machine.encode().ljust(12, b"\0")
			    p.add_features(path, [(6, struct.pack("<I", 12) + name)])
			write("lr.data", 1 << 30, 0, "aarch64")
			write("more.data", 7 << 29 | 1, 2, "aarch64")
			write("other.data", 1 << 30, 0, "riscv64")
		EOF
}
chains() { perf script -F time,ip,sym "$@" 2>/dev/null | awk '/:/ { n = $1 + 0; printf "%s%d:", s, (n - 1) * 1e6 + 0.5; s = "\n" } $2 { printf " %s", $2 } END { print "" }'; }

cat >want <<-\EOF
	2: leaf mid start
	3: leaf mid start
	4: mid start [unknown]
	5: mid start
	6: mid start [unknown]
	7: [unknown] leaf mid start
	8: start [unknown]
	9: untold start
	10: leaf mid
	11: leaf start
	12: leaf start
EOF
test_expect_success 'a program and samples of it' 'make_file'
test_expect_success 'script: the caller that lr holds has its place' '
	chains -i lr.data >out && test_cmp want out &&
	chains -i more.data >out && test_cmp want out
'
test_expect_success 'other machines have no such register' '
	chains -i other.data >out && ! test_cmp want out >/dev/null && test_grep "^2: leaf start$" out
'
test_expect_success 'report: the same chains, from a file and from a pipe' '
	perf report --stdio --no-children -g folded,0,callee,function,count -s sym -i lr.data 2>/dev/null >out &&
	test_grep "^2 leaf;mid;start$" out && test_grep "^1 leaf;mid$" out &&
	perf inject -i lr.data -o - 2>/dev/null |
		perf report --stdio --no-children -g folded,0,callee,function,count -s sym -i - 2>/dev/null >out &&
	test_grep "^2 leaf;mid;start$" out && test_grep "^1 leaf;mid$" out
'
test_done
