#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What perf triage takes to read a recording with all engines in one pass, beside the commands that have one of these
engines each, on the same recording; and what recording it adds to a program. Asked: under 1.5 times the dearest. Each
command runs RUNS times, in turns; medians of CPU time (user and system). Figures, not a test. Needs root.

usage: triage.py [-n RUNS] [-s SECONDS] [RECORDING]
environment: PERF (build/perf), BUILD (build)"""
import argparse
import os
import statistics
import subprocess
import tempfile

from turns import medians, spent

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("BUILD", TOP + "/build")
PERF = os.environ.get("PERF", BUILD + "/perf")
SLOW = BUILD + "/tests/programs/slow"


def record(folder, seconds):
    """Many switches, locks of programs and of the kernel, requests of a disk, page faults."""
    data, ms = folder + "/perf.data", str(seconds * 1000)
    load = " & ".join([f"{SLOW} {why} {ms}" for why in ("futex", "lock", "fault", "net")] +
                      [f"{SLOW} flush {ms} {folder}/written", "wait"])
    subprocess.run([PERF, "triage", "-o", data, "--", "sh", "-c", load], stdout=subprocess.DEVNULL, check=True)
    return data


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=5)
    parser.add_argument("-s", type=int, default=5)
    parser.add_argument("recording", nargs="?")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        data = args.recording or record(folder, args.s)
        commands = {
            "sched latency": ["sched", "latency"],
            "sched timehist": ["sched", "timehist"],
            "sched why": ["sched", "why", "--max"],
            "lock contention": ["lock", "contention"],
            "lock --user": ["lock", "contention", "--user"],
            "block": ["block", "report"],
            "kwork": ["kwork", "report"],
            "report": ["report", "--stdio"],
            "triage": ["triage"],
        }
        times = medians({name: [PERF, *words, "-i", data] for name, words in commands.items()}, args.n)
        dearest = max(cpu for name, (cpu, _) in times.items() if name != "triage")
        print(f"{os.path.getsize(data) / 1e6:.1f} MB")
        for name, (value, _) in times.items():
            print(f"{name:16} {value:8.3f} s {value / dearest:6.2f} of the dearest")
        ms = "1000"
        alone, all_ = ([spent([*before, SLOW, "futex", ms])[0] for _ in range(args.n)]
                       for before in ([], [PERF, "triage", "-o", folder + "/again", "--"]))
        print(f"a program with futexes takes {statistics.median(alone):.3f} s of CPU, {statistics.median(all_):.3f} s "
              "with its triage")


if __name__ == "__main__":
    main()
