# SPDX-License-Identifier: GPL-2.0-or-later
"""The time from the last wakeup for a processor until that processor switches tasks: shortest, longest and mean.

Wants: sched:sched_wakeup, sched:sched_switch
Usage: perf script wakeup-latency
"""
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import UnhandledEvents, time_of, words

words("wakeup-latency.py", 0)
unhandled = UnhandledEvents()
woken = {}  # cpu -> time of the last wakeup
latencies = []


def trace_unhandled(event, _context, fields):
    """Take one event; its fields by name, as kernels differ in what else there is."""
    now = time_of(fields)
    if event == "sched__sched_wakeup":
        woken[fields["target_cpu"]] = now
    elif event == "sched__sched_switch":
        since = woken.pop(fields["common_cpu"], None)
        if since is not None:
            latencies.append(now - since)
    else:
        unhandled.add(event)


def trace_end():
    """Print what was measured."""
    print("wakeup_latency stats:\n")
    print("total_wakeups: %u" % len(latencies))
    mean = sum(latencies) // len(latencies) if latencies else 0
    for name, value in (("avg", mean), ("min", min(latencies, default=0)), ("max", max(latencies, default=0))):
        print("%s_wakeup_latency (ns): %u" % (name, value))
    unhandled.show()
