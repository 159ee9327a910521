# SPDX-License-Identifier: GPL-2.0-or-later
"""Count the system calls that fail, by the name of the thread.

Wants: raw_syscalls:sys_exit
Usage: perf script failed-syscalls [COMM]
"""
import collections
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import Tasks, words

tasks = Tasks(*words("failed-syscalls.py [comm]", 1))
counts = collections.Counter()


def raw_syscalls__sys_exit(_event, _context, _cpu, _secs, _nsecs, pid, comm, _callchain, _id, ret):
    """Count one call that failed."""
    if ret < 0 and tasks.has(comm, pid):
        counts[comm] += 1


def trace_end():
    """Print the table."""
    print("\nfailed syscalls by comm:\n\n%-20s  %10s" % ("comm", "# errors"))
    print("%-20s  %-20s  " % ("-" * 20, "-" * 10))
    for comm, count in counts.most_common():
        print("%-20s  %10d" % (comm, count))
