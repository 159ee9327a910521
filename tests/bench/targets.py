#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The figures asked of report, script and diff, and those seen, in one table: how many times less
time than the reference takes, medians of the runs of both in turns; memory of ours and the
reference's in MiB; then how two workers do beside one, what stat costs over the command alone, and
the memory of a file of twice the size. It judges nothing and never fails because something is slow.

usage: targets.py [-n RUNS] [-r RUNS] [CASE-GLOB...]
Cases and environment are those of bench.py; beside others only the cpu column means much. Of the
reference -r runs (1) are made where one takes longer than ten seconds."""
import argparse
import fnmatch
import os
import statistics
import struct
import sys
import tempfile

import bench

# how many times faster, case of bench.py, what it is
ASKED = [
    (15, "flat.report", "flat report"),
    (18, "flat.report_kept", "flat report, kept symbols"),
    (100, "src.srcline", "source lines"),
    (300, "src.srcline_kept", "source lines, kept"),
    (100, "dwarf.inline", "inlined functions"),
    (300, "dwarf.inline_kept", "inlined functions, kept"),
    (50, "fp.report", "chain report, children"),
    (10, "fp.report_nochild", "chain report"),
    (10, "fp.report_folded", "chain report, folded"),
    (6, "tp.report", "tracepoint report"),
    (5, "flat.script", "script"),
    (8, "flat.script_ip", "script -F ip"),
    (8, "tp.script", "script of tracepoints"),
    (8, "fp.script", "script of chains"),
    (8, "procs.report", "report of many processes"),
    (6, "flat.diff", "diff"),
    (20, "flat.annotate_limit", "annotate, hot functions"),
    (20, "flat.annotate", "annotate, all functions"),
    (10, "tiny.report", "report of a tiny file"),
    (30, "fp.flamegraph", "flame graph, of a pipeline"),
    (30, "fp.html", "page, of the same"),
    (50, "tp.columnar", "columns of tracepoints"),
    (50, "flat.columnar", "columns of samples"),
    (5, "tp.python", "Python, positional arguments"),
    (8, "flat.python", "Python, process_event"),
    (3, "tp.perl", "Perl"),
]
LONG = 10  # seconds


def median(runs, i):
    return statistics.median(r[i] for r in runs)


def measure(case, command, path, tmp, runs, runs_of_long):
    ours, ref = [], []
    asked = bench.INSTEAD.get(case, command)
    for i in range(runs):
        if not ref or i < runs_of_long or median(ref, 0) < LONG:
            ref.append(bench.run(asked.format(P=bench.REF, F=path, T=tmp)))
        ours.append(bench.run_ours(case, command, path, tmp, i == 0))
    return ours, ref


def times(ref, ours):
    return f"{ref / ours:.1f}x" if ours else "-"


def row(asked, case, what, tmp, o):
    command, needs = next(c[1:] for c in bench.CASES if c[0] == case)
    path, note = bench.find_input(needs, tmp)
    ours, ref = measure(case, command, path, tmp, o.n, o.r)
    wall, cpu = (times(median(ref, i), median(ours, i)) for i in (0, 1))
    memory = [f"{median(ours, i):.1f}/{median(ref, i):.1f}" for i in (2, 4)]
    bad = {r[3] for r in ours + ref} - {0}
    print(f"{what:26} {asked:4}x {wall:>7} {cpu:>7} {median(ours, 0):8.3f} {memory[0]:>16}"
          f" {memory[1]:>16}{note}{' exit ' + str(bad) if bad else ''}", flush=True)


def scaling(tmp, runs):
    command = next(c[1] for c in bench.CASES if c[0] == "flat.report")
    path, note = bench.find_input("a.flat.data", tmp)
    out = {1: [], 2: []}
    for _ in range(runs):
        for workers, seen in out.items():
            os.environ["PERF_WORKERS"] = str(workers)
            seen.append(bench.run(command.format(P=bench.PERF, F=path, T=tmp)))
    del os.environ["PERF_WORKERS"]
    print(f"{'2 workers beside 1':26}  1.7x "
          f"{times(median(out[1], 0), median(out[2], 0)):>7}{note}", flush=True)


def over_nothing(runs):
    """What perf stat costs over the command by itself, ours in parts of the reference's."""
    many = "sh -c 'for i in $(seq 20); do {}/bin/true 2>/dev/null; done'"
    seen = {who: [] for who in ("", f"{bench.PERF} stat ", f"{bench.REF} stat ")}
    for _ in range(runs):
        for who, walls in seen.items():
            walls.append(bench.run(many.format(who)))
    alone, ours, ref = (median(walls, 0) for walls in seen.values())
    print(f"{'stat true over true':26}  0.33 {(ours - alone) / (ref - alone):.2f}"
          f" ({ours * 50:.1f} and {ref * 50:.1f} ms over {alone * 50:.1f} ms)", flush=True)


def double(path, out):
    """The same recording with all its records twice."""
    with open(path, "rb") as f:
        d = bytearray(f.read())
    at, size = struct.unpack_from("<QQ", d, 40)
    bits = sum(bin(w).count("1") for w in struct.unpack_from("<4Q", d, 72))
    struct.pack_into("<Q", d, 48, size * 2)
    for i in range(bits):  # the sections behind the records
        place = at + size + i * 16
        struct.pack_into("<Q", d, place, struct.unpack_from("<Q", d, place)[0] + size)
    with open(out, "wb") as f:
        f.write(d[:at + size] + d[at:])


def twice(tmp):
    """The memory of two files of the same stacks, one twice as large."""
    for case in ("flat.report", "fp.report_nochild", "fp.report", "fp.flamegraph", "fp.html"):
        command, needs = next(c[1:] for c in bench.CASES if c[0] == case)
        path, note = bench.find_input(needs, tmp)
        double(path, f"{tmp}/double.data")
        seen = [bench.run(command.format(P=bench.PERF, F=p, T=tmp))[2]
                for p in (path, f"{tmp}/double.data")]
        os.unlink(f"{tmp}/double.data")
        print(f"{'anon, twice the size: ' + case:39}  asked 1.2x {seen[1] / max(seen[0], .1):.2f}x"
              f" ({seen[0]:.1f} -> {seen[1]:.1f}){note}", flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("-n", type=int, default=5, help="runs of ours")
    ap.add_argument("-r", type=int, default=1, help="runs of the reference where they are long")
    ap.add_argument("cases", nargs="*")
    o = ap.parse_args()
    wanted = lambda name: not o.cases or any(fnmatch.fnmatch(name, g) for g in o.cases)

    if not os.access(bench.PERF, os.X_OK) or not os.access(bench.REF, os.X_OK):
        sys.exit(f"needs {bench.PERF} and {bench.REF}")
    print(f"# {bench.PERF} | {bench.REF}   load {os.getloadavg()[0]:.1f}")
    print(f"{'case':26} {'asked':>5} {'wall':>7} {'cpu':>7} {'seconds':>8} {'anon MiB':>16}"
          f" {'resident MiB':>16}")
    with tempfile.TemporaryDirectory(prefix="perf-bench.") as tmp:
        bench.prepare(tmp)
        for asked, case, what in ASKED:
            if wanted(case):
                row(asked, case, what, tmp, o)
        if wanted("scaling"):
            scaling(tmp, o.n)
        if wanted("stat"):
            over_nothing(o.n)
        if wanted("twice"):
            twice(tmp)


if __name__ == "__main__":
    main()
