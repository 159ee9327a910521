# SPDX-License-Identifier: GPL-2.0-or-later
"""typed.py FILE: a made-up recording of a tracepoint, sys:typed, with a field of each type, of another without a name in
scripts, sys:plain, and of page faults with branch stacks in the program that is named as a second argument."""
import struct
import sys

import pdata as p

COMMON = [("unsigned short common_type", 0, 2, 0), ("unsigned char common_flags", 2, 1, 0),
          ("unsigned char common_preempt_count", 3, 1, 0), ("int common_pid", 4, 4, 1)]
TYPED = [("s64 low", 8, 8, 1), ("u64 high", 16, 8, 0), ("int minus", 24, 4, 1), ("s8 tiny", 28, 1, 1),
         ("u8 byte", 29, 1, 0), ("short small", 30, 2, 1), ("u32 list[3]", 32, 12, 0), ("int mask", 44, 4, 1),
         ("char name[8]", 48, 8, 0), ("char bytes[4]", 56, 4, 0), ("__data_loc char[] text", 60, 4, 0),
         ("__rel_loc char[] near", 64, 4, 0), ("void * pointer", 72, 8, 0), ("int kind", 80, 4, 1)]
PRINT = ('"%d %s %s", REC->low, __print_flags(REC->mask, "|", { 1, "ONE" }, { 4, "FOUR" }), '
         '__print_symbolic(REC->kind, { 0, "ZERO" }, { 7, "SEVEN" })')


def event(name, number, fields, text):
    lines = ["name: " + name, "ID: %d" % number, "format:"]
    for i, f in enumerate(COMMON + fields):
        if i == len(COMMON):
            lines.append("")
        lines.append("\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;" % f)
    return "\n".join(lines + ["", "print fmt: " + text, ""])


def typed(i):
    """The payload of the @i-th sample."""
    head = struct.pack("<HBBi", 50, 1, 2, 100 + i)
    body = struct.pack("<qQibBh3Iiq", -1 - i, 2**63 + 5 + i, -2, -7, 249, -300, 1, 2**32 - 1, i, 5, 0)[:40]
    body += b"na\xffme\0x\0" if i == 1 else b"name\0\0\0\0"
    body += b"\1\2\3\4" + struct.pack("<I", 88 | 5 << 16) + struct.pack("<I", 25 | 4 << 16)
    body += bytes(4) + struct.pack("<Qi", 0xffff800000000000 + i, 7 * (i % 2)) + bytes(4)
    return head + body + b"word\0" + b"odd\0" + bytes(7)


def main():
    fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "RAW", "IDENTIFIER"]
    faults = ["IP", "TID", "TIME", "CPU", "PERIOD", "ADDR", "BRANCH_STACK", "CALLCHAIN", "WEIGHT", "DATA_SRC", "IDENTIFIER"]
    records = [p.comm(100, 100, "prog"), p.comm(101, 101, "odd")]
    records[1] = records[1].replace(b"odd", b"o\xffd")
    if len(sys.argv) > 2:
        records.append(p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[2]))
    for i in range(4):
        records.append(p.sample(fields, IP=0x1000, TID=(100 + i % 2, 100 + i % 2), TIME=10**9 + 1000 * i, CPU=i, PERIOD=1,
                                RAW=typed(i), IDENTIFIER=1))
        records.append(p.sample(fields, IP=0x1000, TID=(100, 100), TIME=10**9 + 1000 * i + 1, CPU=i, PERIOD=1,
                                RAW=struct.pack("<HBBii", 51, 0, 0, 100, i), IDENTIFIER=2))
        records.append(p.sample(faults, IP=0x401000 + i, TID=(100, 100), TIME=10**9 + 1000 * i + 2, CPU=i, PERIOD=i,
                                ADDR=0x401100 + i, BRANCH_STACK=[(0x401000, 0x402000, 2 + 16 * i)] * i, WEIGHT=i,
                                CALLCHAIN=[p_user(), 0x401000 + i, 0x402000], DATA_SRC=0x68100142, IDENTIFIER=3))
    p.write(sys.argv[1], [(p.attr(2, 50, fields, 1, read=4), [1]),
                          (p.attr(2, 51, fields, 1, read=4), [2]),
                          (p.attr(1, 2, faults, 1, branch=8, read=4), [3])], records)
    p.add_features(sys.argv[1], [(1, p.tracing_data([("sys", [
        event("typed", 50, TYPED, PRINT), event("plain", 51, [("int count", 8, 4, 1)], '"%d", REC->count')])]))])


def p_user():
    """The marker of a call chain in front of addresses of programs."""
    return 2**64 - 512


main()
