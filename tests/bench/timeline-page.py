#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of perf timechart --html for a long recording: its size, how long the first view takes from the beginning
of the navigation, and how long steps of zooming and moving take, in ms; CPU is that of the browser's main thread, which
counts on a busy machine. Nothing fails.

usage: timeline-page.py [SWITCHES [TASKS]]     (1000000, 200)
environment: PERF (build/perf)"""
import os
import random
import struct
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "lib", "python"))
from browser import Browser
from timelinepage import SWITCH
from tracefile import TraceFile

PERF = os.environ.get("PERF", TOP + "/build/perf")
CPUS = 4
TID, RAW = 24, 60 # where a sample has its thread, with time and CPU behind it, and the fields of its event

# Each step is drawn at once, as the next frame would do.
STEPS = """const out = [], v = app.view, span = app.model.span;
    const time = f => { const t = performance.now(); f(); v.draw(); out.push(performance.now() - t); };
    for (let i = 0; i < 40; i++)
        time(() => v.zoom(1 / 1.4, span * 0.37));
    for (let i = 0; i < 20; i++)
        time(() => v.pan(0.3));
    for (let i = 0; i < 40; i++)
        time(() => v.zoom(1.4, span * 0.6));
    return out.sort((a, b) => a - b);"""


class Samples:
    """Many samples of one event: copies of the first one in which a few numbers differ."""

    def __init__(self, t, event, **values):
        t.add(event, 0, **values)
        self.records, self.sample = t.records, bytearray(t.records.pop())
        self.at = {f.name: RAW + f.at for f in t.events[event][1]}

    def add(self, time, cpu, tid, **numbers):
        sample = bytearray(self.sample)
        struct.pack_into("<IIQI", sample, TID, tid // 5 * 5, tid, time, cpu)
        for name, number in numbers.items():
            struct.pack_into("<I", sample, self.at[name], number)
        self.records.append(bytes(sample))


def record(path, switches, tasks):
    """Tasks of five threads each. A switch is to one that was woken before, so that there are runs, waits and sleeps."""
    rng = random.Random(5)
    t = TraceFile()
    t.event("sched:sched_switch", SWITCH)
    t.event("sched:sched_wakeup", "char comm[16]; pid_t pid; int prio; int target_cpu")
    t.event("signal:signal_generate", "int sig")
    switch = Samples(t, "sched:sched_switch", prev_comm="worker", next_comm="worker")
    signal = Samples(t, "signal:signal_generate")
    wakeup = Samples(t, "sched:sched_wakeup", comm="worker")
    tids = [1000 + i for i in range(tasks)]
    for tid in tids:
        t.comm(tid // 5 * 5, "worker", tid=tid)
    now, on = 10**12, [0] * CPUS
    sleeping, ready = list(tids), []
    for i in range(switches):
        now += rng.randrange(300, 20000)
        cpu = i % CPUS
        if sleeping and (i % 3 or not ready):
            ready.append(sleeping.pop(rng.randrange(len(sleeping))))
            wakeup.add(now, cpu, on[cpu], pid=ready[-1], target_cpu=cpu)
        if i % 4 == 0: # about as many marks as a page has at most
            signal.add(now, cpu, on[cpu], sig=10)
        now += rng.randrange(100, 3000)
        leaves, state = on[cpu], rng.choice((0, 1, 1, 1, 2))
        comes = ready.pop(0) if ready and rng.random() < 0.9 else 0
        switch.add(now, cpu, leaves, prev_pid=leaves, prev_state=state, next_pid=comes)
        if leaves:
            (sleeping if state else ready).append(leaves)
        on[cpu] = comes
    t.write(path)


def main():
    switches, tasks = (int(a) for a in (sys.argv[1:] + ["1000000", "200"][len(sys.argv) - 1:]))
    with tempfile.TemporaryDirectory() as folder:
        data, page = os.path.join(folder, "tl.data"), os.path.join(folder, "page.html")
        record(data, switches, tasks)
        subprocess.run([PERF, "timechart", "-f", "-i", data, "-o", page], check=True)
        print(f"page: {os.path.getsize(page) / 1e6:.1f} MB")
        with Browser() as b:
            first, cpu = [], 0
            for _ in range(3):
                b.open("about:blank")
                b.open(page)
                assert b.wait("return document.documentElement.dataset.ready") == "1"
                first.append(b.wait("return (performance.getEntriesByName('first view')[0] || {}).startTime"))
                cpu = cpu or b.cpu()
            print(f"first view: {min(first):.0f} ms ({', '.join('%.0f' % f for f in first)}), CPU {cpu:.0f} ms")
            print(f"intervals: {b.run('return app.model.nrIntervals')}, rows: {b.run('return app.view.seen.length')}")
            cpu = b.cpu()
            steps = b.run(STEPS)
            print(f"zoom step: {steps[len(steps) // 2]:.1f} ms median, {steps[-1]:.1f} ms longest, "
                  f"CPU {(b.cpu() - cpu) / len(steps):.1f} ms on average")


main()
