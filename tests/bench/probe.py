#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How many times less time perf probe takes than the reference on a kernel with debug information:
medians of the runs of both in turns. "first": nothing is kept of the kernel on disk, as before its
first use; "kept": an earlier run has kept what it found. It judges nothing and never fails because
something is slow.

usage: probe.py [-n RUNS] [-r RUNS] VMLINUX [SOURCE] [CASE-GLOB...]
SOURCE is the folder of the kernel's source, without which the case of -L is left out. Of the
reference -r runs (1) are made. PERF and REF are those of bench.py; beside others only the cpu
columns mean much, and of a small kernel none."""
import argparse
import fnmatch
import os
import shutil
import statistics
import sys
import tempfile

import bench

# how many times faster it is asked to be, case, options
CASES = [
    (10, "function", "-D vfs_read"),
    (10, "line", "-D vfs_read:6"),
    (10, "file-line", "-D read_write.c:450"),
    (10, "argument", "-D 'vfs_read count pos file->f_flags'"),
    (10, "lines", "-L vfs_read"),
    (10, "file-lines", "-L fs/read_write.c"),
    (10, "variables", "-V vfs_read"),
    (20, "wildcard", "--max-probes 100000 -D {WILD}"),
    (5, "functions", "-F"),
]
WILD = "'t*_i*'"


def median(runs, i):
    return statistics.median(r[i] for r in runs)


def times(ref, ours):
    return f"{ref / max(ours, 1e-4):.1f}x"


def measure(command, tmp, runs, runs_of_ref):
    first, kept, ref = [], [], []
    for i in range(runs):
        if i < runs_of_ref:
            ref.append(bench.run(command.format(P=bench.REF)))
        shutil.rmtree(f"{tmp}/kept", ignore_errors=True)
        first.append(bench.run(command.format(P=bench.PERF)))
        bench.run(command.format(P=bench.PERF))  # what is kept may take two runs
        kept.append(bench.run(command.format(P=bench.PERF)))
    return first, kept, ref


def row(asked, name, command, tmp, o):
    first, kept, ref = measure(command, tmp, o.n, o.r)
    line = f"{name:12} {asked:4}x"
    for ours in (first, kept):
        for i in (0, 1):
            line += f" {times(median(ref, i), median(ours, i)):>8}"
        line += f" {median(ours, 1) * 1000:9.1f}"
    bad = {r[3] for r in first + kept + ref} - {0}
    print(f"{line} {median(ref, 1) * 1000:10.1f}{' exit ' + str(bad) if bad else ''}", flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("-n", type=int, default=5, help="runs of ours")
    ap.add_argument("-r", type=int, default=1, help="runs of the reference")
    ap.add_argument("vmlinux", nargs="?")
    ap.add_argument("source", nargs="?")
    ap.add_argument("cases", nargs="*")
    o = ap.parse_args()

    if not o.vmlinux or not os.path.exists(o.vmlinux):
        print("SKIP: needs a vmlinux with debug information: probe.py VMLINUX [SOURCE]")
        return
    if not os.access(bench.PERF, os.X_OK) or not os.access(bench.REF, os.X_OK):
        print(f"SKIP: needs {bench.PERF} and {bench.REF}")
        return
    print(f"# {bench.PERF} | {bench.REF} | how many times less, and ms   load {os.getloadavg()[0]:.1f}")
    print(f"{'case':12} {'asked':>5} {'first':>8} {'cpu':>8} {'ms':>9} {'kept':>8} {'cpu':>8}"
          f" {'ms':>9} {'reference':>10}")
    with tempfile.TemporaryDirectory(prefix="perf-bench.") as tmp:
        bench.prepare(tmp)
        for asked, name, what in CASES:
            if o.cases and not any(fnmatch.fnmatch(name, g) for g in o.cases):
                continue
            if "-L" in what and not o.source:
                print(f"{name:12} SKIP: needs the source")
                continue
            source = f"-s {o.source} " if o.source else ""
            command = "{P} probe -q -k " + f"{o.vmlinux} {source}" + what.replace("{WILD}", WILD)
            row(asked, name, command, tmp, o)


if __name__ == "__main__":
    main()
