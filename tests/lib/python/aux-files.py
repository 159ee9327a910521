# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings with traces of processors behind AUXTRACE records.

	aux-files.py FILE spe|pt|bts|random [packets] [hex=BYTES] [sources] [cpuid=ID] [numa] [truncated] [seed=N] [size=N] [program=PATH] [index] [compressed]

spe, pt, bts: a trace of one CPU with known accesses, flow and branches. packets: each kind of packet once instead, in the
order of their numbers; hex: these bytes. sources: accesses with
each data source, of a processor of that number; with numa its nodes are told. truncated: the last packet is cut off. index: the header tells that there
are traces. compressed: records of the kernel are compressed. random: bytes of SPE that mean nothing.
"""
import random
import struct
import subprocess
import sys

import pdata as p

words = dict(a.partition("=")[::2] for a in sys.argv[3:])
kind = sys.argv[2]
PMU = 8


def u(form, *values):
    return struct.pack("<" + form, *values)


# ---- Arm SPE ----

EVENTS, SOURCE, OTHER, MEMORY, BRANCH, TIME = 0x42, 0x43, 0x48, 0x49, 0x4a, 0x71


def address(index, value):
    return u("BQ", 0xb0 | index, value)


def counter(index, value):
    return u("BH", 0x98 | index, value)


def events(bits):
    return u("BH", EVENTS | 0x10, bits)


def operation(kind_of, payload):
    return u("BB", kind_of, payload)


def spe_record(pc, op, bits, to=0, phys=None, latency=0, source=None, time=None):
    """A record as the processor writes one: up to where its time is, padded to 64 bytes."""
    b = address(0, pc | 0x80 << 56) if pc is not None else b""
    b += operation(*op) if op else b""
    if to:
        b += address(1, to | 0x80 << 56) if op and op[0] == BRANCH else address(2, to)
    if phys is not None:
        b += address(3, phys | 1 << 63)
    b += counter(0, latency + 10) + counter(1, latency) + counter(2, 3)
    b += events(bits)
    b += u("BB", SOURCE, source) if source is not None else b""
    b += u("BQ", TIME, time) if time is not None else b"\1"
    return b + bytes(-len(b) % 64)


def every_spe_packet():
    b = b"\0" * 3 + b"\1"
    for n in range(8):
        b += u("BQ", 0xb0 | n, 0xa123456789abcdef)
    for n in range(4):
        b += address(0, 0x400100 | n << 61) + address(3, 0x400100 | n << 62)
    for n in range(8):
        b += counter(n, 100 + n)
    b += b"\x21" + u("BQ", 0xb1, 5) + b"\x20" + u("BH", 0x9a, 6) + b"\x23" + counter(7, 9)
    for size in range(4):
        b += u("B", EVENTS | size << 4) + u("Q", (1 << 8 << size) - 1)[:1 << size]
        b += u("B", SOURCE | size << 4) + u("Q", 0x0807060504030201)[:1 << size]
    for bit in range(24):
        b += u("BI", EVENTS | 0x20, 1 << bit)
    for sub in range(256):
        b += operation(OTHER, sub) + operation(MEMORY, sub) + operation(BRANCH, sub) + (operation(0x4b, sub) if sub < 4 else b"")
    for n in range(4):
        b += u("BI", 0x64 | n, 0x1234 + n)
    b += u("BQ", TIME, 0x123456789)
    for n in range(256):
        if n not in (0, 1, 0x20, 0x21, 0x22, 0x23, 0x71) and n & 0xcf not in (0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b) and n & 0xf8 not in (0x98, 0xb0):
            b += u("B", n)
    for n in range(10):
        b += u("BB", 0x20, n)
        b += b"\0" * 2
    return b


def spe_trace():
    load, store, other, branch = (MEMORY, 0), (MEMORY, 1), (OTHER, 0), (BRANCH, 1)
    b = b""
    data = 0x7f0000001000
    rows = [
        (load, 0x04 | 0x02 | 0x10 | 0, 0),                         # L1 hit
        (load, 0x04 | 0x08 | 0x02, 0),                             # L1 miss
        (load, 0x04 | 0x08 | 0x100 | 0x02, 0),                     # L1 miss, LLC access
        (load, 0x04 | 0x08 | 0x100 | 0x200 | 0x02, 9),             # LLC miss
        (load, 0x04 | 0x08 | 0x100 | 0x200 | 0x400 | 0x02, 0x0d),  # remote
        (store, 0x04 | 0x02, None),
        (store, 0x04 | 0x08 | 0x10 | 0x20 | 0x02, None),           # TLB walk
        (branch, 0x80 | 0x02, None),                               # mispredicted
        (branch, 0x02, None),
        (other, 0x02, None),
        ((MEMORY, 0x04), 0x04 | 0x02, 0),                          # SIMD load
        ((MEMORY, 0x02), 0x04 | 0x02, 8),                          # atomic
    ]
    for i, (op, bits, source) in enumerate(rows):
        to = 0x400800 + i if op[0] == BRANCH else data + 8 * i if op[0] == MEMORY else 0
        b += spe_record(0x400100 + 16 * i, op, bits, to, (to & 0xfffff) + 0x40000000 if op[0] == MEMORY else None, 20 + i,
                        source, 10**9 + 100 + i)
    return b


def every_spe_source():
    """Loads, stores and branches with each set of events that says something of the memory, and each data source."""
    b, n = b"", 0
    for op in ((MEMORY, 0), (MEMORY, 1), (BRANCH, 0), (OTHER, 0)):
        for cache in range(8):
            for rest in (0, 0x10, 0x30, 0x400, 0x430, 0x80):
                for source in range(-1, 16) if cache in (2, 7) and rest in (0, 0x10) else (None, 0):
                    source = None if source == -1 else source
                    bits = 2 | (4 if cache else 0) | (8 if cache & 1 else 0) | (0x100 if cache & 2 else 0) | (0x200 if cache & 4 else 0) | rest
                    n += 1
                    b += spe_record(0x400000 + 4 * n, op, bits, 0x7f0000000000 + 8 * n, 0x40000000 + 8 * n, n % 500, source, 10**9 + 100 + n)
    return b


# ---- Intel PT ----

PSB, PSBEND, CBR, OVF, EXSTOP, PIP = b"\x02\x82" * 8, b"\x02\x23", b"\x02\x03", b"\x02\xf3", b"\x02\x62", b"\x02\x43"


def every_pt_packet():
    b = PSB + b"\0" + u("B", 0x19) + u("Q", 0x123456789abcde)[:7] + CBR + u("H", 0x24) + PSBEND
    for ip in (0x0d, 0x11, 0x01, 0x1d):
        for size in (0, 1, 2, 3, 4, 6):
            b += u("B", ip | size << 5) + u("Q", 0x7f1122334455)[:(0, 2, 4, 6, 6, 0, 8)[size]]
    for tnt in (0x04, 0x06, 0x08, 0x3a, 0xfe, 0xaa):
        b += u("B", tnt)
    for n in (1, 2, 5, 1 << 46 | 5, (1 << 47) - 1):
        b += b"\x02\xa3" + u("Q", n)[:6]
    b += PIP + u("Q", 0x12345678 << 1 | 1)[:6] + PIP + u("Q", 0x12345678 << 1)[:6]
    for mode in (0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x20, 0x21, 0x22, 0x23, 0x40, 0xe0):
        b += u("BB", 0x99, mode)
    b += b"\x02\x83" + OVF + EXSTOP + b"\x02\xe2"
    b += b"\x02\x73" + u("HBH", 0x1234, 0, 0x155)
    b += b"\x02\xc8" + u("I", 0x12345678)[:4] + b"\0"
    b += b"\x02\xc3\x88" + u("Q", 0x1234)[:8]
    b += u("BB", 0x59, 0x77)
    for cyc in (b"\x03", b"\xfb", b"\x07\x02", b"\xff\x03\x06", b"\xff\xff\xff\xff\x02"):
        b += cyc
    for ext in (0x12, 0x92, 0x32, 0xb2):
        b += b"\x02" + u("B", ext) + u("Q", 0x1122334455667788)[:4 if not ext & 0x20 else 8]
    b += b"\x02\xc2" + u("Q", 0x0000001100000022) + b"\x02\x22" + u("H", 0x0103)[:2] + b"\x02\xa2" + u("Q", 0x1234567890)[:5]
    b += b"\x02\x63\x14" + b"\x04" + u("Q", 0x99) + b"\x02\x63\x04" + b"\x04" + u("I", 0x98) + b"\x02\x33" + b"\x02\xb3"
    b += b"\x02\x13\x85\x20" + b"\x02\x53\x01" + u("Q", 0x5566)
    b += b"\x02\x0b\xff\x05\x09" + PSB + PSBEND + b"\0\0"
    return b


def pt_trace():
    b = PSB + u("B", 0x19) + u("Q", 0x1000)[:7] + PIP + u("Q", 0x2468)[:6] + u("BB", 0x99, 1) + CBR + u("H", 0x20) + PSBEND
    b += u("B", 0x11 | 3 << 5) + u("Q", 0x400100)[:6] + b"\x06\x1c" + u("B", 0x0d | 1 << 5) + u("H", 0x123) + u("BB", 0x59, 9)
    return b + u("B", 0x01) + b"\0" * 3


def bts_trace():
    return b"".join(u("QQQ", 0x400100 + 8 * i, 0x400200 + 8 * i, 0x10 if i % 3 == 0 else 0) for i in range(6))


fields = ["IDENTIFIER", "IP", "TID", "TIME", "ADDR", "CPU"]
numbers = {"pt": 1, "bts": 2, "spe": 4, "random": 4}
names = {"pt": "intel_pt//u", "bts": "intel_bts//u", "spe": "arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,branch_filter=1/",
         "random": "arm_spe_0//"}
if kind == "random":
    r = random.Random(int(words.get("seed", 1)))
    trace = bytes(r.randrange(256) for _ in range(int(words.get("size", 4096))))
elif "packets" in words:
    trace = {"spe": every_spe_packet, "pt": every_pt_packet, "bts": bts_trace}[kind]()
else:
    trace = {"spe": spe_trace, "pt": pt_trace, "bts": bts_trace}[kind]()
if "sources" in words:
    trace = every_spe_source()
if "hex" in words:
    trace = bytes.fromhex(words["hex"])
if "truncated" in words:
    trace = trace[:-5]
private = {1: [PMU, 0, 1, 0, 1, 0x400, 0x800, 0, 0, 0, 0x200, 0x3c000, 0, 0, 2, 0, 0], 2: [PMU, 0, 1, 0, 1, 0], 4: [PMU, 1]}
now = 10**9


def trailer(pid, tid):
    return p.pack("IIQIIQ", pid, tid, now, 0, 0, 1)


# The conversion of times comes first: the reference divides by its multiplier when it meets the description of the trace.
records = [p.record(79, 0, p.pack("QQQQQBBBBBBBB", 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)),
           p.record(70, 0, p.pack("II", numbers[kind], 0) + p.pack("%dQ" % len(private[numbers[kind]]), *private[numbers[kind]])),
           p.record(3, 0, p.pack("II", 100, 101) + p.text("prog") + trailer(100, 101))]
program = words.get("program")
if program:
    for line in subprocess.run(["readelf", "-lW", program], stdout=subprocess.PIPE, check=True, encoding="ascii").stdout.splitlines():
        l = line.split()
        if l[:1] == ["LOAD"] and "E" in "".join(l[6:-1]):
            records.append(p.record(10, p.USER, p.pack("IIQQQIIQQII", 100, 101, int(l[2], 16), int(l[5], 16) + 4095 & ~4095, int(l[1], 16),
                           8, 1, 123, 0, 5, 2) + p.text(program) + trailer(100, 101)))
else:
    records.append(p.record(10, p.USER, p.pack("IIQQQIIQQII", 100, 101, 0x400000, 0x10000, 0, 8, 1, 123, 0, 5, 2) + p.text("/opt/prog") +
                   trailer(100, 101)))
records.append(p.record(12, 0, p.pack("II", 100, 101) + trailer(100, 101)))  # ITRACE_START
now += 1000
records.append(p.record(11, 0, p.pack("QQQ", 0, len(trace), 0) + trailer(100, 101)))  # AUX
if "compressed" in words:
    packed = subprocess.run(["zstd", "-q", "-c"], input=b"".join(records[2:]), stdout=subprocess.PIPE, check=True).stdout
    records[2:] = [p.pack("IHH", 81, 0, 8 + len(packed)) + packed]
records.append(p.record(71, 0, p.pack("QQQIIII", len(trace) + -len(trace) % 8, 0, 0x77, 0, 101, 0, 0)) + trace + bytes(-len(trace) % 8))
records.append(p.record(68, 0, b""))
attr = p.attr(PMU, 0, fields, period=1024, flags=p.SAMPLE_ID_ALL)
p.write(sys.argv[1], [(attr, [1])], records)


def string(s):
    s = s.encode() + b"\0"
    s += bytes(-len(s) % 64)
    return p.pack("I", len(s)) + s


desc = p.pack("II", 1, len(attr)) + attr + p.pack("I", 1) + string(names[kind]) + p.pack("Q", 1)
p.add_features(sys.argv[1], [(6, string("aarch64" if numbers[kind] == 4 else "x86_64")), (7, p.pack("II", 1, 1))] +
               ([(9, string(words["cpuid"]))] if "cpuid" in words else []) + [(12, desc)] +
               ([(14, p.pack("IIQQ", 1, 0, 1 << 20, 1 << 19) + string("0"))] if "numa" in words else []) +
               ([(18, p.pack("Q", 0))] if "index" in words else []) +
               ([(27, p.pack("IIIII", 1, 1, 1, 2, 1 << 19))] if "compressed" in words else []))
