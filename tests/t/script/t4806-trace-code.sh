#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='script: the code between branches of a trace, with source and disassembled'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON,GCC
. "$SRC/tests/lib/python/scripts.sh"
test_require RUNNER

# Branches on two processors in main() of a program: (processor, from, to), relative to main; None: elsewhere.
printf "%s\n" "int add(int a, int b)" "{" "	return a + b;" "}" "int main(int argc, char **argv)" "{" \
	"	int n = add(argc, 1);" "	return n > 5 ? add(n, 2) : 0;" "}" >prog.c
"${CC:-gcc}" -g -O0 -o prog prog.c || exit 1
PYTHONPATH=$SRC/tests/lib/python python3 - "$PWD/prog" "$(nm prog | sed -n 's/ T main$//p')" <<\END || exit 1
import struct
import sys

import pdata as p

fields = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD", "ADDR"]
main = int(sys.argv[2], 16)
start = main & ~0xfff
base = 0x555555554000 if start < 0x400000 else 0
attr = p.attr(4, 0, fields, 1)
records = [p.comm(100, 100, "prog"), p.mmap2(100, base + start, 0x1000, start & 0x3fffff, sys.argv[1])]
for i, (cpu, ip, to) in enumerate(((0, 0, 0), (1, 4, 8), (0, 8, 0), (0, None, 4), (0, 4, None), (0, 8, 0))):
    ip, to = (0 if at is None else base + main + at for at in (ip, to))
    records.append(p.sample(fields, IDENTIFIER=1, IP=ip, TID=(100, 100), TIME=10**9 + i, CPU=cpu, PERIOD=1, ADDR=to))
p.write("code.data", [(attr, [1])], records)
name = struct.pack("<II", 1, len(attr)) + attr + struct.pack("<II", 1, 64) + b"branches".ljust(64, b"\0") + struct.pack("<Q", 1)
p.add_features("code.data", [(12, name)])
END

test_expect_success 'from the target of a branch to the next' '
	ours code arm-cs-trace-disasm >out && head -1 out | grep -q "^ARM CoreSight" && tail -1 out | grep -qx End &&
	grep -c "^ *prog *100/100 *\\[0000\\] .* main+0x[48] " out >n && echo 2 | test_cmp - n &&
	grep -q "^Start address 0x0 is out of range .* for dso $PWD/prog$" out && grep -q "prog.c  *6 {" out
'
test_lazy_prereq OBJDUMP 'no objdump' 'command -v objdump'
test_expect_success OBJDUMP 'disassembled' '
	ours code arm-cs-trace-disasm -d objdump >out && at=$(sed -n "s/^\t\([0-9a-f]*\):.*/\1/p" out | head -1) &&
	test $((0x$at & 0xfff)) = $((0x$(nm prog | sed -n "s/ T main$//p") & 0xfff)) && test "$(grep -c "^	[0-9a-f]*:	" out)" -gt 4 &&
	! ours code arm-cs-trace-disasm -d no-such-objdump >out 2>err && grep -q "cannot run no-such-objdump" err
'
test_expect_success REF_SCRIPTS 'the reference prints the same' 'same code arm-cs-trace-disasm && same code arm-cs-trace-disasm -v'
test_done
