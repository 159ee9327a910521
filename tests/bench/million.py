#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A recording with many different stacks, for the page: 16 threads on 4 CPUs, stacks of 8 to 40
functions that share their outer parts, one sample each 100 us.

usage: million.py OUT [SAMPLES [STACKS [FUNCTIONS]]]     (1000000, 100000, 4000)
Functions are addresses of a map file, /tmp/perf-PID.map, as a JIT writes it: it is written to
OUT.map, and has to be put there (PID 4194000, which no process has on most systems)."""
import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "python"))
import pdata as p

PID, BASE = 4194000, 0x10000000
FIELDS = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD", "CALLCHAIN"]


def stacks(rng, nr, functions):
    """Each goes on from some inner frame of one that was there before: a tree, as programs have."""
    out = [[0]]
    for _ in range(nr - 1):
        old = out[rng.randrange(max(0, len(out) - 20000), len(out))]
        keep = rng.randrange(len(old) // 2, len(old)) + 1
        out.append((old[:keep] + [rng.randrange(functions) for _ in range(rng.randrange(1, 8))])[:40])
    return out


def main():
    path = sys.argv[1]
    samples, nr, functions = (int(a) for a in (sys.argv[2:] + ["1000000", "100000", "4000"][len(sys.argv) - 2:]))
    rng = random.Random(7)
    chains = [[2**64 - 512] + [BASE + f * 64 + 8 for f in reversed(s)] for s in stacks(rng, nr, functions)]
    threads = [(PID, PID + i) for i in range(16)]
    records = [p.comm(PID, PID + i, f"worker-{i}") for i in range(16)]
    records.append(p.mmap2(PID, BASE, functions * 64, 0, "//anon"))
    for i in range(samples):
        # phases: stacks that were made together come together
        chain = chains[(i * nr // samples // 2 + int(rng.random() ** 2 * nr / 2)) % nr if i >= nr else i]
        records.append(p.sample(FIELDS, IDENTIFIER=1, PERIOD=100000, TID=threads[i % 16], TIME=10**9 + i * 100000,
                                CPU=i // 3 % 4, CALLCHAIN=chain, IP=chain[1]))
    p.write(path, [(p.attr(1, 0, FIELDS, flags=p.FREQ), [1])], records)
    with open(path + ".map", "w") as f:
        for i in range(functions):
            f.write(f"{BASE + i * 64:x} 40 module{i % 37}::handle_request_part_{i}(int, char const*)\n")


main()
