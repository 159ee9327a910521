# SPDX-License-Identifier: GPL-2.0-or-later
"""Count system calls, of the whole system or of the tasks of one name.

Wants: raw_syscalls:sys_enter, or in its place syscalls:sys_enter.
Usage: perf script syscall-counts [COMM|PID]
"""
import collections
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import Tasks, most_first, table_head, words
from Util import syscall_name

tasks = Tasks(*words("syscall-counts.py [comm]", 1))
counts = collections.Counter()


def raw_syscalls__sys_enter(_event, _context, _cpu, _secs, _nsecs, pid, comm, _callchain, id, _args):
    """Count one call."""
    if tasks.has(comm, pid):
        counts[id] += 1


def trace_begin():
    """Say how to end it."""
    print("Press control+C to stop and show the summary")


def trace_end():
    """Print the table."""
    table_head("syscall events" + tasks.suffix(), (("event", 40, 40), ("count", -10, 11)))
    for id, count in most_first(counts):
        print("%-40s  %10d" % (syscall_name(id), count))
