#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the recorder itself costs, beside the reference: its own CPU time (user and system, not the
workload's) at the highest tracepoint rate this machine makes, bytes per event, lost events, what is
left to do at the end; the wall time of `record -a true` with many processes; and that of hundreds of
tracepoints. The two binaries in the
order A B B A, so that a machine that gets busier or quieter meanwhile does so for both; medians and ratios.
Figures, not a test. Needs root.

The workload is a number of system calls, not a time: `made` is what there was to record (samples and
lost ones), `rate` that in a second of the workload, which is the faster the less it is held up. CPU time
is to be compared per sample (`ns`), as whoever records more has more to do.

usage: recorder.py [-n RUNS] [-w WRITES] [-p PROCESSES] [flood|flood-z|flood-threads|procs|tracepoints...]
environment: PERF (build/perf), REF (/usr/bin/perf), BUILD (build)"""
import argparse
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("BUILD", TOP + "/build")
PERF = os.environ.get("PERF", BUILD + "/perf")
REF = os.environ.get("REF", "/usr/bin/perf")
MANY = BUILD + "/tests/programs/many"
FLOODS = {"flood": [], "flood-z": ["-z"], "flood-threads": ["--threads"]}


def size_of(path):
    if os.path.isdir(path):
        return sum(os.path.getsize(os.path.join(path, f)) for f in os.listdir(path))
    return os.path.getsize(path) if os.path.exists(path) else 0


def remove(path):
    for p in (path, path + ".old"):
        if os.path.isdir(p):
            shutil.rmtree(p)
        elif os.path.exists(p):
            os.unlink(p)


def events_of(path):
    """Samples and lost events, by our own reader for both."""
    out = subprocess.run([PERF, "report", "--stats", "-i", path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True).stdout
    found = re.search(r"^ *SAMPLE events: *(\d+)", out, re.M)
    lost = 0
    for kind in ("LOST_SAMPLES", "LOST"):
        dump = subprocess.run(f"{PERF} report -D -i {path} 2>/dev/null | grep -a 'RECORD_{kind}[ :]'", shell=True,
                              stdout=subprocess.PIPE, text=True, errors="replace").stdout
        lost = sum(int(n) for n in re.findall(r"lost[: ]+(\d+)", dump))
        if lost:
            break
    return int(found.group(1)) if found else 0, lost


def flood(perf, options, writes, path):
    """One recording of two processes that make system calls as fast as they can."""
    remove(path)
    p = subprocess.Popen([perf, "record", "-q", "-a", "-e", "raw_syscalls:*", "-o", path] + options,
                         stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while size_of(path) < 5000:
        time.sleep(0.05)
    time.sleep(1)  # the reference describes the processes for a while
    begin = time.time()
    subprocess.run([MANY, "writes", str(writes)], check=True)
    worked = time.time() - begin
    p.send_signal(signal.SIGINT)
    start = time.time()
    _, _, usage = os.wait4(p.pid, 0)
    end = time.time() - start
    p.returncode = 0
    samples, lost = events_of(path)
    size = size_of(path)
    remove(path)
    return {"cpu": usage.ru_utime + usage.ru_stime, "end": end, "samples": samples, "lost": lost,
            "made": samples + lost, "rate": (samples + lost) / worked,
            "ns": (usage.ru_utime + usage.ru_stime) / max(samples, 1) * 1e9,
            "bytes": size / max(samples, 1)}


def all_processes(perf, path):
    remove(path)
    start = time.time()
    before = os.times()
    subprocess.run([perf, "record", "-q", "-a", "-o", path, "true"], stdin=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    after = os.times()
    return {"wall": time.time() - start,
            "cpu": after.children_user + after.children_system - before.children_user - before.children_system}


def tracepoints(perf, path):
    """Hundreds of tracepoints: until perf is done, and until the kernel has let go of them, too."""
    remove(path)
    start = time.time()
    subprocess.run([perf, "record", "-q", "-a", "-e", "syscalls:*", "-o", path, "true"],
                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    wall = time.time() - start
    while b"perf-close" in subprocess.run(["ps", "-eo", "stat,comm"], stdout=subprocess.PIPE).stdout.replace(
            b"Zs   perf-close", b""):
        time.sleep(0.1)
    return {"wall": wall, "closed": time.time() - start}


def measure(name, runs, once):
    got = {PERF: [], REF: []}
    for i in range(runs):
        for perf in [PERF, REF] if i % 2 == 0 else [REF, PERF]:
            if os.access(perf, os.X_OK):
                got[perf].append(once(perf))
    rows = {}
    for perf, results in got.items():
        if results:
            rows[perf] = {k: statistics.median(r[k] for r in results) for k in results[0]}
            cells = "  ".join(f"{k} {v:.3f}" if v < 100 else f"{k} {v:.0f}" for k, v in rows[perf].items())
            print(f"{name:14} {'perf' if perf == PERF else 'reference':10} {cells}", flush=True)
    if len(rows) == 2:
        cells = "  ".join(f"{k} {rows[PERF][k] / rows[REF][k]:.2f}" for k in rows[PERF] if rows[REF][k])
        print(f"{name:14} {'ratio':10} {cells}", flush=True)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", type=int, default=4, metavar="RUNS")
    ap.add_argument("-w", type=int, default=500000, metavar="WRITES")
    ap.add_argument("-p", type=int, default=2000, metavar="PROCESSES")
    ap.add_argument("cases", nargs="*")
    args = ap.parse_args()
    cases = args.cases or list(FLOODS) + ["procs", "tracepoints"]
    if os.geteuid():
        sys.exit("recorder.py: needs root")
    tmp = tempfile.mkdtemp()
    os.environ.update(HOME=tmp, LC_ALL="C")
    path = tmp + "/x.data"
    try:
        for name in cases:
            if name in FLOODS:
                measure(name, args.n, lambda perf, o=FLOODS[name]: flood(perf, o, args.w, path))
            elif name == "tracepoints":
                measure(name, args.n, lambda perf: tracepoints(perf, path))
            elif name == "procs":
                sleepers = [subprocess.Popen(["sleep", "600"]) for _ in range(args.p)]
                try:
                    measure(name, args.n, lambda perf: all_processes(perf, path))
                finally:
                    for s in sleepers:
                        s.kill()
                    for s in sleepers:
                        s.wait()
            else:
                sys.exit(f"recorder.py: no case {name}")
    finally:
        shutil.rmtree(tmp)


main()
