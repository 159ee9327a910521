#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""live-functions.py COMMAND [ARGUMENT...]: run a command, and show each second in which functions it spends its time."""
import collections
import subprocess
import sys
import time

import perf


def show(counts):
    total = sum(counts.values())
    for (function, dso), n in counts.most_common(10):
        print(f"{n / total:7.1%}  {function or '[unknown]'} ({dso or '[unknown]'})")
    print(flush=True)


def watch(command):
    with subprocess.Popen(command) as child:
        events = perf.parse_events("cpu-clock:u", threads=perf.thread_map(child.pid))
        events.config(freq=1000)
        counts, shown = collections.Counter(), time.monotonic()
        with perf.LiveSession(events) as session:
            for sample in session:
                counts[sample.symbol, sample.dso] += 1
                if time.monotonic() - shown >= 1:
                    show(counts)
                    counts.clear()
                    shown = time.monotonic()
        if counts:
            show(counts)


if __name__ == "__main__":
    try:
        watch(sys.argv[1:] or sys.exit(__doc__))
    except KeyboardInterrupt:
        pass
    except OSError as e:
        sys.exit(f"live-functions.py: {e.strerror}")
