#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mem.py PERF [-n RUNS] [-c COUNT]: reports of COUNT memory accesses (1 000 000), beside the reference's ($REF, /usr/bin/perf).

Two recordings: accesses as a server makes them, and each of a line of its own (accesses.py). Figures are seconds of CPU,
the least of RUNS runs in turn (3), and how many times as much the reference takes."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import turns

HERE = pathlib.Path(__file__).resolve().parent
REPORTS = ["c2c report --stdio", "c2c report --stats", "mem report --stdio"]

parser = argparse.ArgumentParser()
parser.add_argument("perf")
parser.add_argument("-n", type=int, default=3)
parser.add_argument("-c", type=int, default=1000000)
args = parser.parse_args()
reference = os.environ.get("REF", "/usr/bin/perf")

with tempfile.TemporaryDirectory() as folder:
    for kind in ("server", "apart"):
        path = f"{folder}/{kind}.data"
        subprocess.run([sys.executable, HERE / "accesses.py", path, str(args.c)] + ["apart"] * (kind == "apart"), check=True)
        for report in REPORTS:
            words = [*report.split(), "-i", path]
            ours, its = turns.least({"ours": [args.perf, *words], "reference": [reference, *words, "-f"]}, args.n).values()
            print(f"{kind:8s} {report:20s} {ours:7.3f} s  reference {its:7.3f} s  {its / ours:6.2f} times", flush=True)
