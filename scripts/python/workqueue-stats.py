# SPDX-License-Identifier: GPL-2.0-or-later
"""Count the works that are queued and executed, by processor and workqueue.

Wants: workqueue:workqueue_queue_work, workqueue:workqueue_execute_start
Usage: perf script workqueue-stats
"""
import collections
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import UnhandledEvents, words

words("workqueue-stats.py", 0)
unhandled = UnhandledEvents()
counts = collections.defaultdict(lambda: [0, 0])  # (cpu, workqueue) -> [queued, executed]
queues = {}  # work -> the workqueue that it was last put into


def trace_unhandled(event, _context, fields):
    """Take one event; its fields by name, as kernels differ in what else there is."""
    if event == "workqueue__workqueue_queue_work":
        # Kernels of before 5.9 have no name there.
        name = str(fields["workqueue"]) if isinstance(fields["workqueue"], str) else "%x" % fields["workqueue"]
        queues[fields["work"]] = name
        counts[fields["common_cpu"], name][0] += 1
    elif event == "workqueue__workqueue_execute_start":
        counts[fields["common_cpu"], queues.get(fields["work"], "[unknown]")][1] += 1
    else:
        unhandled.add(event)


def trace_end():
    """Print the table."""
    print("workqueue work stats:\n")
    print("%3s %6s %6s\t%-20s" % ("cpu", "ins", "exec", "name"))
    print("%3s %6s %6s\t%-20s" % ("---", "---", "----", "----"))
    for (cpu, name), (queued, executed) in sorted(counts.items()):
        print("%3d %6d %6d\t%s" % (cpu, queued, executed, name))
    unhandled.show()
