# SPDX-License-Identifier: GPL-2.0-or-later
"""Count system calls again and again, each time those since the last: system calls as top shows processes.

Wants: raw_syscalls:sys_enter, as they happen or from a file.
Usage: perf script sctop [COMM|PID] [SECONDS]
"""
import collections
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import Refresher, Tasks, most_first, number, table_head, words
from Util import clear_term, syscall_name

USAGE = "sctop.py [comm] [interval]"
DEFAULT_SECONDS = 3


def arguments():
    """Return the tasks and the seconds between two tables. One number alone is the seconds."""
    given = words(USAGE, 2)
    if len(given) == 1 and given[0].isdecimal():
        given.insert(0, None)
    return Tasks(*given[:1]), number(USAGE, given[1]) if len(given) > 1 else DEFAULT_SECONDS


tasks, seconds = arguments()
counts = collections.Counter()


def show():
    """Print the table of what was counted, and count anew."""
    global counts
    shown, counts = counts, collections.Counter()
    clear_term()
    table_head("syscall events" + tasks.suffix(), (("event", 40, 40), ("count", -10, 10)))
    # The other thread may still add to what it had taken hold of before.
    for id, count in most_first(dict(shown)):
        print("%-40s  %10d" % (syscall_name(id), count))
    sys.stdout.flush()


def raw_syscalls__sys_enter(_event, _context, _cpu, _secs, _nsecs, pid, comm, _callchain, id, _args):
    """Count one call."""
    if tasks.has(comm, pid):
        counts[id] += 1


refresher = Refresher(seconds, show)


def trace_begin():
    """Begin to print tables."""
    refresher.begin()


def trace_end():
    """Print what was counted since the last table."""
    refresher.end()
    show()
