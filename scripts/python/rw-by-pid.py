# SPDX-License-Identifier: GPL-2.0-or-later
"""What each thread reads and writes, and which of its calls fail.

Wants: syscalls:sys_enter_read, syscalls:sys_exit_read, syscalls:sys_enter_write, syscalls:sys_exit_write
Usage: perf script rw-by-pid
"""
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from ReadWrite import Traffic
from Standard import words

words("rw-by-pid.py", 0)
traffic = Traffic()


def trace_unhandled(event, _context, fields):
    """Take one event."""
    traffic.take(event, fields)


def head(title, form, *columns):
    """Print a title and the heads of columns. form: of a row; columns: (text, dashes)"""
    print("%s:\n" % title)
    print(form % tuple(text for text, _ in columns))
    print(form % tuple("-" * dashes for _, dashes in columns))


def show_failures(kind):
    """Print which calls failed."""
    head("failed %ss by pid" % kind, "%6s  %20s  %6s  %10s", ("pid", 6), ("comm", 20), ("error #", 6), ("# errors", 10))
    for row in traffic.failures(kind):
        print("%6d  %-20s  %6d  %10d" % row)


def trace_end():
    """Print the tables."""
    head("read counts by pid", "%6s  %20s  %10s  %10s  %10s", ("pid", 6), ("comm", 20), ("# reads", 11),
         ("bytes_requested", 10), ("bytes_read", 10))
    for tid, calls in traffic.most_read():
        print("%6d  %-20s  %10d  %10d  %10d" % (tid, calls.comm, calls.count, calls.requested, calls.done))
    print()
    show_failures("read")
    print()
    head("write counts by pid", "%6s  %20s  %10s  %10s", ("pid", 6), ("comm", 20), ("# writes", 11), ("bytes_written", 10))
    for tid, calls in traffic.most_written():
        print("%6d  %-20s  %10d  %10d" % (tid, calls.comm, calls.count, calls.requested))
    print()
    show_failures("write")
    traffic.unhandled.show()
