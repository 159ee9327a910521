# SPDX-License-Identifier: GPL-2.0-or-later
"""What threads read and write, again and again, each time since the last: those who do the most first, as in top.

Wants: syscalls:sys_enter_read, syscalls:sys_exit_read, syscalls:sys_enter_write, syscalls:sys_exit_write
Usage: perf script rwtop [SECONDS]
"""
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from ReadWrite import Traffic
from Standard import Refresher, number, words
from Util import clear_term

USAGE = "rwtop.py [interval]"
ROWS = 20
given = words(USAGE, 1)
traffic = Traffic()


def trace_unhandled(event, _context, fields):
    """Take one event."""
    traffic.take(event, fields)


def show():
    """Print the tables of what was done, and begin anew."""
    reads, writes = traffic.most_read(), traffic.most_written()
    traffic.forget()
    clear_term()
    print("read counts by pid:\n\n%6s  %20s  %10s  %10s  %10s" % ("pid", "comm", "# reads", "bytes_req", "bytes_read"))
    print("%6s  %-20s  %10s  %10s  %10s" % ("-" * 6, "-" * 20, "-" * 10, "-" * 10, "-" * 10))
    for tid, calls in reads[:ROWS]:
        print("%6d  %-20s  %10d  %10d  %10d" % (tid, calls.comm, calls.count, calls.requested, calls.done))
    print("\nwrite counts by pid:\n\n%6s  %20s  %10s  %13s" % ("pid", "comm", "# writes", "bytes_written"))
    print("%6s  %-20s  %10s  %13s" % ("-" * 6, "-" * 20, "-" * 10, "-" * 13))
    for tid, calls in writes[:ROWS]:
        print("%6d  %-20s  %10d  %13d" % (tid, calls.comm, calls.count, calls.requested))
    sys.stdout.flush()


refresher = Refresher(number(USAGE, given[0]) if given else 3, show)


def trace_begin():
    """Begin to print tables."""
    refresher.begin()


def trace_end():
    """Print what was done since the last tables."""
    refresher.end()
    traffic.unhandled.show()
    show()
