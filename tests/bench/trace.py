#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What perf trace adds to a system call, beside the reference and beside recording the two raw events; and the CPU time
of `trace -i`. Each command runs RUNS times, in turns; medians of CPU time (user and system, with the children's). Figures,
not a test. Needs root.

usage: trace.py [-n RUNS] [-c CALLS]
environment: PERF (build/perf), REF (/usr/bin/perf), BUILD (build)"""
import argparse
import os
import subprocess
import tempfile

from turns import medians

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("BUILD", TOP + "/build")
PERF = os.environ.get("PERF", BUILD + "/perf")
REF = os.environ.get("REF", "/usr/bin/perf")
ASKS = BUILD + "/tests/programs/asks"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=3)
    parser.add_argument("-c", type=int, default=200000)
    args = parser.parse_args()
    raw = ["-R", "-c", "1", "-m", "1024", "-e", "raw_syscalls:sys_enter,raw_syscalls:sys_exit"]
    with tempfile.TemporaryDirectory() as folder:
        out, data = folder + "/out", folder + "/perf.data"
        load = [ASKS, "many", str(args.c)]
        commands = {
            "alone": load,
            "record": [PERF, "record", "-q", "-o", data, *raw, *load],
            "trace": [PERF, "trace", "-o", out, *load],
            "trace -s": [PERF, "trace", "-s", "-o", out, *load],
            "trace -s from rings": [PERF, "trace", "-s", "--no-bpf-summary", "-o", out, *load],
            "reference": [REF, "trace", "-o", out, *load],
        }
        one = medians({name: [*command[:-1], "1"] for name, command in commands.items()}, args.n)
        live = medians(commands, args.n)  # the last recording of these is read below
        print(f"{'us a call':24} {'CPU':>8} {'wall':>8} {'CPU less that of one call':>26}")
        for name, (cpu, wall) in live.items():
            added = [1e6 * (t - live["alone"][i]) / args.c for i, t in enumerate((cpu, wall))]
            less = added[0] - 1e6 * (one[name][0] - one["alone"][0]) / args.c
            print(f"{name:24} {added[0]:8.2f} {added[1]:8.2f} {less:26.2f}")
        files = medians({f"{name} {mode}": [perf, *mode.split(), "-i", data, "-o", out]
                         for name, perf in (("ours", PERF), ("reference", REF)) for mode in ("trace", "trace -s")},
                        args.n)
        print(f"\n{'s for the recording':24} {'CPU':>8} {'wall':>8}")
        for name, (cpu, wall) in files.items():
            print(f"{name:24} {cpu:8.3f} {wall:8.3f}")


if __name__ == "__main__":
    main()
