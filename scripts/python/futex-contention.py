# SPDX-License-Identifier: GPL-2.0-or-later
"""Measure how long threads wait for locks: the time that each spends in FUTEX_WAIT, by lock.

Wants: syscalls:sys_enter_futex, syscalls:sys_exit_futex
Usage: perf script futex-contention
"""
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import words
from Util import FUTEX_CMD_MASK, FUTEX_WAIT, add_stats, nsecs

words("futex-contention.py", 0)
comms = {}
waiting = {}  # tid -> (address of the lock, since when)
waits = {}  # (tid, address) -> (minimum, maximum, mean, number), in ns


def syscalls__sys_enter_futex(_event, _context, _cpu, secs, ns, tid, comm, _callchain, _nr, uaddr, op, _val, _utime,
                              _uaddr2, _val3):
    """Take note of a wait that begins."""
    if op & FUTEX_CMD_MASK == FUTEX_WAIT:
        comms[tid] = comm
        waiting[tid] = uaddr, nsecs(secs, ns)


def syscalls__sys_exit_futex(_event, _context, _cpu, secs, ns, tid, _comm, _callchain, _nr, _ret):
    """Add a wait that ends."""
    if tid in waiting:
        uaddr, since = waiting.pop(tid)
        add_stats(waits, (tid, uaddr), nsecs(secs, ns) - since)


def trace_begin():
    """Say how to end it."""
    print("Press control+C to stop and show the summary")


def trace_end():
    """Print one line for each lock of each thread."""
    for (tid, uaddr), (least, most, mean, count) in waits.items():
        print("%s[%d] lock %x contended %d times, %d avg ns [max: %d ns, min %d ns]" %
              (comms[tid], tid, uaddr, count, mean, most, least))
