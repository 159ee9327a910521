#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How fast, beside the reference: runs each case with both binaries in turns and prints medians and
ratios. It judges nothing and never fails because something is slow.

usage: bench.py [-n RUNS] [-l] [CASE-GLOB...]
environment: PERF (build/perf), REF (/usr/bin/perf), BENCH_DIR (/tmp/perf-bench/in): the recordings
a.flat.data, b.fp.data, d.tp.data, e.procs.data, tiny.data; those that are not there are recorded
small in a temporary folder.

wall, cpu: seconds (cpu: user and system, children included); anon: largest anonymous memory, MiB,
sampled every few milliseconds. Only ratios of one run mean something."""
import argparse
import fnmatch
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PERF = os.environ.get("PERF", TOP + "/build/perf")
REF = os.environ.get("REF", "/usr/bin/perf")
INPUTS = os.environ.get("BENCH_DIR", "/tmp/perf-bench/in")

# name, command, recording it needs
CASES = [
    ("start.version", "{P} --version", None),
    ("start.record_true", "{P} record -q -e cpu-clock -o {T}/rec.data true", None),
    ("start.record_a_true", "{P} record -q -a -e cpu-clock -o {T}/rec.data true", None),
    ("tiny.report", "{P} report --stdio -i {F}", "tiny.data"),
    ("tiny.script", "{P} script -i {F}", "tiny.data"),
    ("flat.report", "{P} report --stdio -i {F}", "a.flat.data"),
    ("flat.report_comm", "{P} report --stdio -s comm -i {F}", "a.flat.data"),
    ("flat.report_pid", "{P} report --stdio -s pid,dso,sym -i {F}", "a.flat.data"),
    ("flat.script", "{P} script -i {F}", "a.flat.data"),
    ("fp.report", "{P} report --stdio -i {F}", "b.fp.data"),
    ("fp.report_nochild", "{P} report --stdio --no-children -i {F}", "b.fp.data"),
    ("fp.report_caller", "{P} report --stdio --no-children -g caller -i {F}", "b.fp.data"),
    ("fp.script", "{P} script -i {F}", "b.fp.data"),
    ("tp.report", "{P} report --stdio -i {F}", "d.tp.data"),
    ("tp.script", "{P} script -i {F}", "d.tp.data"),
    ("procs.report", "{P} report --stdio -i {F}", "e.procs.data"),
]

# How to record a small one.
SMALL = {
    "tiny.data": "-F 999 -e cpu-clock -- {P} test -w noploop 0.3",
    "a.flat.data": "-F 20000 -e cpu-clock -- {P} test -w thloop 2 2",
    "b.fp.data": "-F 10000 -g -e cpu-clock -- {P} test -w thloop 2 2",
    "d.tp.data": "-e raw_syscalls:* -- {P} test -w context_switch_loop",
    "e.procs.data": "-F 4999 -e cpu-clock -- sh -c 'for i in $(seq 200); do /bin/true; done'",
}


def anon_kb(pid):
    try:
        with open(f"/proc/{pid}/status") as f:
            for line in f:
                if line.startswith("RssAnon:"):
                    return int(line.split()[1])
    except OSError:
        pass
    return 0


def run(command):
    """One run: (wall, cpu, anonymous MiB, exit status)."""
    before = os.times()
    start = time.monotonic()
    p = subprocess.Popen(shlex.split(command), stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while p.poll() is None:
        peak = max(peak, anon_kb(p.pid))
        time.sleep(0.003)
    wall = time.monotonic() - start
    after = os.times()
    cpu = (after.children_user - before.children_user
           + after.children_system - before.children_system)
    return wall, cpu, peak / 1024, p.returncode


def find_input(name, tmp):
    path = f"{INPUTS}/{name}"
    if os.path.exists(path):
        return path, ""
    path = f"{tmp}/{name}"
    if not os.path.exists(path):
        args = shlex.split(SMALL[name].format(P=PERF))
        subprocess.run([PERF, "record", "-q", "-o", path] + args, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return (path, " (small)") if os.path.exists(path) else (None, "")


def median(runs, i):
    return statistics.median(r[i] for r in runs)


def bench(name, command, needs, runs, tmp):
    path, note = find_input(needs, tmp) if needs else ("", "")
    if path is None:
        print(f"{name:20} no recording {needs}")
        return
    sides = [PERF] + ([REF] if shutil.which(REF) else [])
    out = [[] for _ in sides]
    for _ in range(runs):
        for side, binary in enumerate(sides):
            out[side].append(run(command.format(P=binary, F=path, T=tmp)))
    a = out[0]
    line = f"{name:20} {median(a, 0):8.3f} {median(a, 1):8.3f} {median(a, 2):7.1f}"
    if len(sides) > 1:
        b = out[1]
        line += f" | {median(b, 0):8.3f} {median(b, 1):8.3f} {median(b, 2):7.1f}"
        line += " | %7.1fx %7.1fx %7.1fx" % tuple(
            median(b, i) / max(median(a, i), 1e-3) for i in range(3))
    bad = [r[3] for side in out for r in side if r[3]]
    print(line + note + (f" exit {bad[0]}" if bad else ""), flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("-n", type=int, default=3, help="runs of each")
    ap.add_argument("-l", action="store_true", help="list the cases")
    ap.add_argument("cases", nargs="*")
    o = ap.parse_args()
    cases = [c for c in CASES
             if not o.cases or any(fnmatch.fnmatch(c[0], g) for g in o.cases)]
    if o.l:
        for name, command, needs in cases:
            print(name, "|", command, "|", needs or "")
        return
    if not os.access(PERF, os.X_OK):
        sys.exit(f"no binary {PERF}: run make, or set PERF")
    print(f"# {PERF} | {REF} | how many times less   load {os.getloadavg()[0]:.1f}")
    print(f"{'case':20} {'wall':>8} {'cpu':>8} {'anon':>7} | {'wall':>8} {'cpu':>8} {'anon':>7}"
          f" | {'wall':>8} {'cpu':>8} {'anon':>8}")
    with tempfile.TemporaryDirectory(prefix="perf-bench.") as tmp:
        for name, command, needs in cases:
            bench(name, command, needs, o.n, tmp)


if __name__ == "__main__":
    main()
