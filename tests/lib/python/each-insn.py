# SPDX-License-Identifier: GPL-2.0-or-later
"""each-insn.py OBJECT OUT [FUNCTION...]: a recording with one sample at each instruction of OBJECT.

The instructions are those that objdump finds in .text, or in the functions that are named. OBJECT is an
ELF file of 64 bits in little endian.
"""
import os
import re
import struct
import subprocess
import sys

import pdata as p

path, out, wanted = os.path.abspath(sys.argv[1]), sys.argv[2], set(sys.argv[3:])
PID, BASE, PAGE = 4242, 0x555500000000, 0x1000
FIELDS = ["IP", "TID", "TIME", "PERIOD"]


def segment():
    """The executable segment: where it is in the file and in memory, and its size."""
    with open(path, "rb") as f:
        elf = f.read()
    kind, phoff, phentsize, phnum = (struct.unpack_from("<H", elf, 16)[0], *struct.unpack_from("<Q", elf, 32),
                                     *struct.unpack_from("<HH", elf, 54))
    for i in range(phnum):
        p_type, flags, offset, vaddr, _, size = struct.unpack_from("<IIQQQQ", elf, phoff + i * phentsize)
        if p_type == 1 and flags & 1:
            return kind, offset, vaddr, size
    sys.exit(f"{path} has no code")


def instructions():
    tool = os.environ.get("OBJDUMP", "objdump")
    text = subprocess.run([tool, "-d", "--no-show-raw-insn", "-j", ".text", path], capture_output=True, text=True,
                          check=True).stdout
    function = None
    for line in text.splitlines():
        if m := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            function = m[1]
        elif (m := re.match(r" *([0-9a-f]+):\t(?!\(bad\))", line)) and (not wanted or function in wanted):
            yield int(m[1], 16)


kind, offset, vaddr, size = segment()
bias = BASE if kind == 3 else 0
start = (vaddr & -PAGE) + bias
length = (size + vaddr % PAGE + PAGE - 1) & -PAGE
records = [p.comm(PID, PID, "each"), p.mmap2(PID, start, length, offset & -PAGE, path)]
records += [p.sample(FIELDS, IP=addr + bias, TID=(PID, PID), TIME=at + 1, PERIOD=1)
            for at, addr in enumerate(instructions())]
p.write(out, [(p.attr(1, 0, FIELDS), [])], records)
