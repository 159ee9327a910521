# SPDX-License-Identifier: GPL-2.0-or-later
"""Count the system calls of each thread.

Wants: raw_syscalls:sys_enter
Usage: perf script syscall-counts-by-pid [COMM|PID]
"""
import collections
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import Tasks, most_first, table_head, words
from Util import syscall_name

tasks = Tasks(*words("syscall-counts-by-pid.py [comm]", 1))
# comm -> pid -> number of the call -> count
counts = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))


def raw_syscalls__sys_enter(_event, _context, _cpu, _secs, _nsecs, pid, comm, _callchain, id, _args):
    """Count one call."""
    if tasks.has(comm, pid):
        counts[comm][pid][id] += 1


def trace_begin():
    """Say how to end it."""
    print("Press control+C to stop and show the summary")


def trace_end():
    """Print the calls of each thread."""
    table_head("syscall events" + (tasks.suffix() or " by comm/pid"), (("comm [pid]/syscalls", 40, 40), ("count", -10, 10)))
    for comm, pids in counts.items():
        for pid, calls in pids.items():
            print("\n%s [%d]" % (comm, pid))
            for id, count in most_first(calls):
                print("  %-38s  %10d" % (syscall_name(id), count))
