# SPDX-License-Identifier: GPL-2.0-or-later
"""Memory accesses, as processors of different makers record them.

	mem-files.py FILE intel|amd|arm|powerpc|every|random [program=PATH] [writer=ADDRESS] [reader=ADDRESS] [count=N] [lines=N] [big] [bare] [nophys] [chains]

Two nodes of two CPUs each. In the first four, threads 101 and 102 of process 100 contend on known lines: 101 on CPU 0 and 1
(node 0) stores at 0x10 of the line at 0x7f0000001000 and loads at 0x20 of it; 102 on CPU 2 and 3 loads at 0x18. every: each
meaning of a data source once, a line of its own for each. random: many accesses to many lines. program: its functions
"writer" and "reader" (or the addresses given as writer=0x... and reader=0x...) are the code, its variables "shared" and "other" the data. bare: the features and CPUs are left out.
chains: samples have call chains, in which "main" or the other of the two functions is the caller.
"""
import random
import subprocess
import sys

import pdata as p

DATA = 1 << 13
LOAD, STORE, PREFETCH, EXEC = 2, 4, 8, 16
LVL_NA, HIT, MISS, L1, LFB, L2, L3, RAM, RAM1, RAM2, CCE1, CCE2, IO, UNC = (1 << i for i in range(14))
SNOOP_NA, NONE, SNOOP_HIT, SNOOP_MISS, HITM = (1 << i for i in range(5))
FWD, PEER = 1, 2
N_L1, N_L2, N_L3, N_L4, N_ANY, N_LFB, N_RAM, N_PMEM, N_NA = 1, 2, 3, 4, 11, 12, 13, 14, 15


def source(op, level, snoop=SNOOP_NA, lock=1, tlb=1, number=0, remote=0, snoopx=0, blocked=1, hops=0):
    return (op | level << 5 | snoop << 19 | lock << 24 | tlb << 26 | number << 33 | remote << 37 | snoopx << 38 |
            blocked << 40 | hops << 43)


words = dict(a.partition("=")[::2] for a in sys.argv[3:])
kind = sys.argv[2]
if "big" in words:
    p.big_endian()
names = {}
program = words.get("program")
text_at, loads = 0x400000, []
if program:
    for line in subprocess.run(["nm", program], stdout=subprocess.PIPE, check=True, encoding="ascii").stdout.splitlines():
        if len(line.split()) == 3:
            names[line.split()[2]] = int(line.split()[0], 16)
    for line in subprocess.run(["readelf", "-lW", program], stdout=subprocess.PIPE, check=True, encoding="ascii").stdout.splitlines():
        if line.split()[:1] == ["LOAD"]:
            loads.append(line.split())
writer = int(words["writer"], 16) if "writer" in words else names.get("writer", 0x400100)
reader = int(words["reader"], 16) if "reader" in words else names.get("reader", 0x400200)
line = names.get("shared", 0x7f0000001000)
other = names.get("other", 0x7f0000002000)
fields = ["IDENTIFIER", "IP", "TID", "TIME", "ADDR", "CPU", "PERIOD", "WEIGHT", "DATA_SRC", "PHYS_ADDR"]
if "bare" in words:
    fields = [f for f in fields if f not in ("CPU", "PHYS_ADDR")]
if "nophys" in words:
    fields.remove("PHYS_ADDR")
if "chains" in words:
    fields.append("CALLCHAIN")
FLAGS = p.SAMPLE_ID_ALL
EVENTS = {"intel": ["cpu/mem-loads,ldlat=30/P", "cpu/mem-stores/P"], "amd": ["ibs_op//"],
          "arm": ["arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,min_latency=30/"],
          "powerpc": ["cpu/mem-loads/", "cpu/mem-stores/"]}
events = EVENTS.get(kind, EVENTS["intel"])
records, now = [], 10**9


def mapping(pid, start, length, pgoff, name, data=False, dev=8):
    return p.record(10, p.USER | (DATA if data else 0), p.pack("IIQQQIIQQII", pid, pid, start, length, pgoff, dev, 1 if dev else 0, 123 if dev else 0,
                    0, 3 if data else 5, 2) + p.text(name) + trailer(pid))


def trailer(pid):
    """What SAMPLE_ID_ALL puts behind a record."""
    return p.pack("IIQ", pid, pid, 0) + (p.pack("II", 0, 0) if "CPU" in fields else b"") + p.pack("Q", 1)


def task(pid, tid, name):
    return p.record(3, 0, p.pack("II", pid, tid) + p.text(name) + trailer(pid))


for pid, tid, name in ((100, 100, "prog"), (100, 101, "writer"), (100, 102, "reader"), (200, 200, "second")):
    records.append(task(pid, tid, name))
for pid in (100, 200):
    for l in loads:
        start, off = int(l[2], 16) & ~4095, int(l[1], 16) & ~4095
        size = (int(l[5], 16) + int(l[2], 16) % 4096 + 4095) & ~4095
        records.append(mapping(pid, start, size, off, program, "E" not in "".join(l[6:-1])))
    if not program:
        records.append(mapping(pid, text_at, 0x10000, 0, "/opt/prog"))
    records.append(mapping(pid, 0x7f0000000000, 0x10000000, 0, "//anon", True, 0))


def chain(ip, turn):
    """Callers of an address: one, or two of them, in turns. A call returns behind the beginning of a function."""
    main = names.get("main", text_at)
    return [(1 << 64) - 512, ip] + ([(reader if ip < reader else writer) + 1] if turn % 3 == 0 else []) + [main + 4 + turn % 2]


def access(event, cpu, tid, ip, addr, src, weight=0, pid=100, misc=p.USER, phys=None):
    global now
    now += 1000
    records.append(p.sample(fields, misc=misc, IDENTIFIER=1 + event, IP=ip, TID=(pid, tid), TIME=now, ADDR=addr, CPU=cpu, PERIOD=1000,
                            CALLCHAIN=chain(ip, now // 1000), WEIGHT=weight, DATA_SRC=src, PHYS_ADDR=(addr & 0xfffff) + 0x40000000 if phys is None else phys))


TLB = 2 | 8
if kind == "intel":
    hitm = source(LOAD, HIT | L3, HITM, tlb=TLB, number=N_L3)
    far = source(LOAD, HIT | CCE1, HITM, tlb=TLB, number=N_L3, remote=1)
    for i in range(40):
        access(1, i % 2, 101, writer + 4 * (i % 2), line + 0x10, source(STORE, (HIT if i % 4 else MISS) | L1, lock=2 if i % 8 == 0 else 1, tlb=TLB))
    for i in range(20):
        access(0, 2 + i % 2, 102, reader, line + 0x18, far, 300 + i)
    for i in range(10):
        access(0, 1, 101, writer + 8, line + 0x20, hitm, 100 + i)
    for i in range(5):
        access(0, 2, 102, reader + 4, line + 0x18, source(LOAD, HIT | L1, NONE, tlb=TLB, number=N_L1), 7)
    for i in range(6):
        access(0, 3, 102, reader + 8, other + 8 * i, [far, hitm, source(LOAD, HIT | RAM, SNOOP_MISS, tlb=TLB, number=N_RAM)][i % 3], 200)
    for i in range(3):
        access(0, i, 200, reader, 0x7f0000004000 + 8 * i, [hitm, source(LOAD, HIT | LFB, NONE, number=N_LFB), source(LOAD, HIT | L2, NONE)][i], 60, pid=200)
elif kind == "amd":
    for i in range(30):
        access(0, i % 2, 101, writer, line + 0x10, source(STORE, (HIT if i % 3 else MISS) | L1, tlb=TLB))
    for i in range(20):
        access(0, 2 + i % 2, 102, reader, line + 0x18, source(LOAD, HIT | [L3, CCE1, CCE2, RAM][i % 4], HITM if i % 4 < 3 else SNOOP_NA, tlb=TLB), 150 + i)
    access(0, 0, 101, writer, line, source(1, 0))
elif kind == "arm":
    for i in range(30):
        access(0, i % 2, 101, writer, line + 0x10, source(STORE, HIT | L1, tlb=TLB))
    for i in range(24):
        access(0, 2 + i % 2, 102, reader, line + 0x18, [
            source(LOAD, HIT | L3, snoopx=PEER, number=N_L3), source(LOAD, HIT | CCE1, snoopx=PEER, number=N_ANY, remote=1),
            source(LOAD, HIT | L3, HITM, number=N_L3), source(LOAD, HIT | L2, snoopx=PEER)][i % 4], 80 + i)
elif kind == "powerpc":
    for i in range(30):
        access(1, i % 2, 101, writer, line + 0x10, source(STORE, [HIT | L1, MISS | L1, LVL_NA][i % 3]))
    for i in range(20):
        access(0, 2 + i % 2, 102, reader, line + 0x18, [source(LOAD, HIT | CCE1, HITM, remote=1, hops=2), source(LOAD, HIT | L2, HITM),
               source(LOAD, HIT | CCE2, SNOOP_HIT, remote=1, hops=3), source(LOAD, HIT | L3)][i % 4], 40 + i)
elif kind == "every":
    at = 0x7f0000010000
    for op in (1, 2, 4, 6, 8, 16, 0):
        for level in [0, LVL_NA] + [r | 1 << n for r in (0, HIT, MISS, HIT | MISS) for n in range(3, 14)] + [HIT, MISS]:
            for snoop, snoopx in ((1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (4, 2), (1, 2), (16, 2), (1, 1)):
                if op not in (2, 4) and snoopx:
                    continue
                access(0, (at >> 6) % 4, 101 + (at >> 6) % 2, writer if op == 4 else reader, at, source(
                    op, level, snoop, 1 + (at >> 7) % 2, snoopx=snoopx, blocked=1 << (at >> 8) % 3), 10 + (at >> 6) % 50)
                at += 64
    access(0, 0, 101, reader, 0, source(LOAD, HIT | L1))
    access(1, 0, 101, writer, 0, source(STORE, HIT | L1))
    access(0, 0, 101, 0x1234, at, source(LOAD, HIT | L1))
    access(0, 0, 101, reader, 0xdead000000, source(LOAD, HIT | L1))
    access(0, 0, 101, reader, at, source(LOAD, HIT | L1), misc=p.KERNEL)
elif kind == "random":
    r = random.Random(int(words.get("seed", 1)))
    lines, count = int(words.get("lines", 100)), int(words.get("count", 10000))
    loads_of = [source(LOAD, HIT | L1, NONE), source(LOAD, HIT | LFB, NONE), source(LOAD, HIT | L2, NONE), source(LOAD, HIT | L3, SNOOP_HIT),
                source(LOAD, HIT | L3, HITM), source(LOAD, HIT | CCE1, HITM), source(LOAD, HIT | CCE1, SNOOP_HIT), source(LOAD, HIT | RAM, SNOOP_MISS),
                source(LOAD, HIT | RAM1, SNOOP_HIT), source(LOAD, HIT | L3, snoopx=PEER), source(LOAD, HIT | CCE1, snoopx=PEER)]
    stores_of = [source(STORE, HIT | L1), source(STORE, MISS | L1), source(STORE, LVL_NA), source(STORE, HIT | L1, lock=2)]
    for i in range(count):
        tid = r.choice((100, 101, 102, 200))
        at = 0x7f0000000000 + 64 * int(r.random() ** 2 * lines) + 8 * r.randrange(8)
        store = r.random() < 0.4
        access(int(store), r.randrange(4), tid, r.choice((writer, reader)) + 4 * r.randrange(6), at,
               r.choice(stores_of if store else loads_of), 0 if store else r.randrange(400), pid=200 if tid == 200 else 100)
else:
    sys.exit("unknown kind " + kind)

attrs = [p.attr(4, 0x1cd + e, fields, flags=FLAGS) for e in range(len(events))]
p.write(sys.argv[1], [(a, [1 + e]) for e, a in enumerate(attrs)], records)

if "bare" not in words:
    machine = {"arm": "aarch64", "powerpc": "ppc64le"}.get(kind, "x86_64")
    p.add_features(sys.argv[1], p.two_nodes(machine, events, attrs))
