# SPDX-License-Identifier: GPL-2.0-or-later
"""A recording in durations.data, and how long what its samples show went on: event, samples and ns, a line each, as
`exports.py totals` prints them, in want; event, thread and ns in want.threads.

	durations.py [SAMPLES]"""
import random
import struct
import sys
from collections import defaultdict

import pdata as p

CLOCK = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD"]
NAMES = ["cycles", "cpu-clock", "say:it"]


def length(at, samples):
    """What the manual says, looked for among all samples."""
    event, tid, cpu, time, period = at
    later = [s for s in samples if s[3] > time]
    if event == 1:
        return period
    if event == 2:
        ends = [s[3] for s in later if s[1] == tid and (tid or s[2] == cpu)]
    else:
        ends = [s[3] for s in later if not s[0] and (s[2] == cpu or tid and s[1] == tid)]
    return min(ends, default=time) - time


def main(nr):
    draw = random.Random(7)
    say, raw = p.saying(300, 8)
    samples, records = [], [p.comm(t, t, "t%d" % t) for t in (100, 101, 102)]
    time = 10**9
    for _ in range(nr):
        time += draw.choice((0, 1, 1000, 12345))
        at = draw.choice((0, 0, 1, 2)), draw.choice((0, 100, 101, 102)), draw.randrange(3), time, draw.randrange(1, 99)
        samples.append(at)
        event, tid, cpu, _, period = at
        more = {"RAW": raw("x")} if event == 2 else {}
        records.append(p.sample(CLOCK + list(more), p.KERNEL, IDENTIFIER=event + 1, IP=0xffffffff81000000, TID=(tid, tid),
                                TIME=time, CPU=cpu, PERIOD=period, **more))
    attrs = [p.attr(0, 0, CLOCK, flags=p.FREQ), p.attr(1, 0, CLOCK, flags=p.FREQ), p.attr(2, 300, CLOCK + ["RAW"])]
    events = struct.pack("<II", len(attrs), len(attrs[0]))
    for i, name in enumerate(NAMES):
        events += attrs[i] + struct.pack("<II", 1, len(p.text(name))) + p.text(name) + struct.pack("<Q", i + 1)
    p.write("durations.data", [(a, [i + 1]) for i, a in enumerate(attrs)], records)
    p.add_features("durations.data", [(1, p.tracing_data([("say", [say.replace("name: say", "name: it")])])), (12, events)])
    sums = defaultdict(lambda: [0, 0])
    threads = defaultdict(int)
    for at in samples:
        n = length(at, samples)
        sums[NAMES[at[0]]][0] += 1
        sums[NAMES[at[0]]][1] += n
        threads["%s %d" % (NAMES[at[0]], at[1])] += n
    with open("want", "w", encoding="ascii") as f:
        f.writelines("%s %d %d\n" % (name, *sums[name]) for name in sorted(sums))
    with open("want.threads", "w", encoding="ascii") as f:
        f.writelines("%s %d\n" % (name, n) for name, n in sorted(threads.items()))


main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
