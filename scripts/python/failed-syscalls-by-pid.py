# SPDX-License-Identifier: GPL-2.0-or-later
"""Count the errors that system calls returned to each thread.

Wants: raw_syscalls:sys_exit
Usage: perf script failed-syscalls-by-pid [COMM|PID]
"""
import collections
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import Tasks, most_first, table_head, words
from Util import strerror, syscall_name

tasks = Tasks(*words("failed-syscalls-by-pid.py [comm|pid]", 1))
# (comm, pid) by comm -> number of the call -> what it returned -> count
counts = collections.defaultdict(
    lambda: collections.defaultdict(lambda: collections.defaultdict(collections.Counter)))


def raw_syscalls__sys_exit(_event, _context, _cpu, _secs, _nsecs, pid, comm, _callchain, id, ret):
    """Count one call that failed."""
    if ret < 0 and tasks.has(comm, pid):
        counts[comm][pid][id][ret] += 1


def trace_begin():
    """Say how to end it."""
    print("Press control+C to stop and show the summary")


def trace_end():
    """Print the errors of each thread."""
    table_head("syscall errors" + tasks.suffix(), (("comm [pid]", 30, 30), ("count", -10, 10)))
    for comm, pids in counts.items():
        for pid, calls in pids.items():
            print("\n%s [%d]" % (comm, pid))
            for id, errors in calls.items():
                print("  syscall: %-16s" % syscall_name(id))
                for ret, count in most_first(errors):
                    print("    err = %-20s  %10d" % (strerror(ret), count))
