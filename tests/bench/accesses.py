#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A recording of many memory accesses, as a server makes them: 16 threads on 4 CPUs of two nodes,
300 places in the code, each of which accesses a field of the objects of one kind; 40 kinds of 100
lines each. Few objects have most accesses, and a quarter of the kinds is stored to by all threads.

usage: accesses.py OUT [COUNT] [apart]     (1000000)
apart: each access is of a line of its own, which is the worst for whoever counts by lines.
The code is OUT.prog, a program with as many functions, which $CC (cc) makes."""
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib", "python"))
import pdata as p

PID, TEXT, HEAP = 300, 0x401000, 0x7f0000000000
THREADS, CPUS, SITES, KINDS, OBJECTS = 16, 4, 300, 40, 100
FIELDS = ["IDENTIFIER", "IP", "TID", "TIME", "ADDR", "CPU", "PERIOD", "WEIGHT", "DATA_SRC", "PHYS_ADDR"]
LOAD, STORE = 2, 4
HIT, L1, BUFFER, L2, L3, RAM, FAR = 2 << 5, 8 << 5, 16 << 5, 32 << 5, 64 << 5, 128 << 5, 1024 << 5
NONE, MISS, HITM = 2 << 19, 8 << 19, 16 << 19
TLB = (2 | 8) << 26
# share, data source and least latency of loads: of memory that nobody stores to, and of contended one
OWN = [(80, HIT | L1 | NONE, 5), (88, HIT | BUFFER | NONE, 20), (94, HIT | L2 | NONE, 14), (98, HIT | L3 | NONE, 45), (100, HIT | RAM | MISS, 200)]
SHARED = [(50, HIT | L1 | NONE, 5), (60, HIT | BUFFER | NONE, 40), (70, HIT | L3 | NONE, 50), (85, HIT | L3 | HITM, 90), (100, HIT | FAR | HITM, 250)]


def program(path):
    """Make the program; return where its functions are."""
    text = "".join(f"long place_{i}(long n) {{ return n * {i + 3} ^ n >> 3; }}\n" for i in range(SITES)) + "int main(void) { return 0; }\n"
    subprocess.run([os.environ.get("CC", "cc"), "-O1", "-no-pie", "-x", "c", "-o", path, "-"], input=text.encode(), check=True)
    lines = subprocess.run(["nm", path], stdout=subprocess.PIPE, check=True, encoding="ascii").stdout.splitlines()
    at = {line.split()[2]: int(line.split()[0], 16) for line in lines if len(line.split()) == 3}
    return [at[f"place_{i}"] + 4 for i in range(SITES)]


def main():
    path, count, apart = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000000, "apart" in sys.argv
    rng = random.Random(11)
    sites = []
    for ip in program(path + ".prog"):
        kind = min(int(rng.expovariate(0.08)), KINDS - 1)
        sites.append((ip, kind, 8 * rng.randrange(8), rng.random() < 0.35, kind % 4 == 0))
    weights = [1 / (1 + i) for i in range(SITES)]
    chosen = rng.choices(sites, weights, k=count)
    records = [p.comm(PID, PID + i, f"worker-{i}") for i in range(THREADS)]
    records.append(p.mmap2(PID, TEXT, 0x10000, 0x1000, os.path.abspath(path) + ".prog"))
    records.append(p.record(10, p.USER | 1 << 13, p.pack("IIQQQIIQQII", PID, PID, HEAP, 0x10000000, 0, 0, 0, 0, 0, 3, 2) + p.text("//anon")))
    for i, (ip, kind, offset, store, contended) in enumerate(chosen):
        thread = rng.randrange(THREADS)
        cpu = thread % CPUS if rng.random() < 0.95 else rng.randrange(CPUS)
        object_ = int(rng.random() ** 3 * OBJECTS)
        if not contended:  # an object of the thread's own
            object_ = (object_ * THREADS + thread) % OBJECTS
        line = i if apart else kind * OBJECTS + object_
        weight = 0
        if store:
            source = STORE | HIT | L1
        else:
            dice = rng.random() * 100
            source, weight = next((LOAD | s, w) for share, s, w in (SHARED if contended else OWN) if dice < share)
            weight += int(rng.expovariate(2 / weight))
        addr = HEAP + 64 * line + offset
        records.append(p.sample(FIELDS, IDENTIFIER=1 + store, IP=ip, TID=(PID, PID + thread), TIME=10**9 + i * 10000, ADDR=addr, CPU=cpu,
                                PERIOD=1000, WEIGHT=weight, DATA_SRC=source | TLB | 1 << 24, PHYS_ADDR=addr - HEAP + 0x40000000))
    attrs = [p.attr(4, 0x1cd + e, FIELDS, flags=0) for e in range(2)]
    p.write(path, [(a, [1 + e]) for e, a in enumerate(attrs)], records)
    p.add_features(path, p.two_nodes("x86_64", ["cpu/mem-loads,ldlat=30/P", "cpu/mem-stores/P"], attrs))


if __name__ == "__main__":
    main()
