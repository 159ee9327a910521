#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""ftrace.py PERF [-n RUNS] [-c CALLS]: what recording with `perf ftrace -e` adds to system calls, beside splicing the rings raw.

A program makes CALLS system calls (500 000), each of which is two events: alone, while ring.c does nothing but splice the
rings to files, and while perf ftrace records the same events to a file. Figures are medians of RUNS runs in turn (5): ns
of CPU for a call in the program, and us of CPU that the recorder takes for a thousand events; of perf ftrace with the
text that it makes when the program has ended, and without. Recording is to be within 1.3 times raw."""
import argparse
import os
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("perf")
parser.add_argument("-n", type=int, default=5)
parser.add_argument("-c", type=int, default=500000)
args = parser.parse_args()
EVENTS = "raw_syscalls:sys_enter,raw_syscalls:sys_exit"


def run(*command, out=subprocess.DEVNULL):
    """Returns the words of standard error as a dict, and the CPU time of the command and its children in us."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, check=True, encoding="ascii").stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e6
    lost = re.search(r"(\d+) events were lost", text)
    return {k: int(v) for k, v in re.findall(r"^(ns|bytes|us) (\d+)$", text, re.M)}, cpu, int(lost[1]) if lost else 0


with tempfile.TemporaryDirectory() as folder:
    ring = folder + "/ring"
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-o", ring, str(pathlib.Path(__file__).with_name("ring.c"))], check=True)
    calls = str(args.c)
    # A span of time without events leaves nothing to be printed.
    ours = {"perf ftrace": [], "without text": ["--time", "0,0.000001"]}
    seen = {"alone": [], "raw": [], **{name: [] for name in ours}}
    lost = 0
    for _ in range(args.n):
        words, alone, _ = run(ring, "calls", calls)
        seen["alone"].append((words["ns"] / args.c, 0))
        words, _, _ = run(ring, "raw", "/sys/kernel/tracing/instances/bench-%d" % os.getpid(), calls)
        seen["raw"].append((words["ns"] / args.c, words["us"] / args.c / 2 * 1000))
        for name, more in ours.items():
            with open(folder + "/out", "w") as out:
                words, cpu, n = run(args.perf, "ftrace", "-m", "4M", "-e", EVENTS, *more, "--", ring, "calls", calls, out=out)
            lost += n
            seen[name].append((words["ns"] / args.c, (cpu - words["ns"] / 1e3) / args.c / 2 * 1000))
    raw = statistics.median(v[0] for v in seen["raw"])
    print("%-12s %12s %8s %24s" % ("", "ns a call", "of raw", "us CPU for 1000 events"))
    for name, values in seen.items():
        ns = statistics.median(v[0] for v in values)
        print("%-12s %12.0f %8.2f %24.0f" % (name, ns, ns / raw, statistics.median(v[1] for v in values)))
    print("%d of %d events lost" % (lost, args.n * args.c * 2 * len(ours)))
