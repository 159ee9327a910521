# SPDX-License-Identifier: GPL-2.0-or-later
"""What a program reads from and writes to each of its file descriptors.

Wants: syscalls:sys_enter_read, syscalls:sys_enter_write
Usage: perf script rw-by-file COMM
"""
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import UnhandledEvents, words

(comm,) = words("rw-by-file.py <comm>", 1, 1)
unhandled = UnhandledEvents()
# kind of call -> file descriptor -> [number of calls, bytes that were asked for]
files = {"read": {}, "write": {}}


def trace_unhandled(event, _context, fields):
    """Take one event; its fields by name, as kernels differ in what else there is."""
    kind = event[len("syscalls__sys_enter_"):]
    if kind not in files or event != "syscalls__sys_enter_" + kind:
        unhandled.add(event)
    elif fields["common_comm"] == comm:
        sums = files[kind].setdefault(fields["fd"], [0, 0])
        sums[0] += 1
        sums[1] += fields["count"]


def show(kind, bytes_what):
    """Print the table of one kind of calls: the most bytes first."""
    print("file %s counts for %s:\n" % (kind, comm))
    print("%6s  %10s  %10s" % ("fd", "# %ss" % kind, bytes_what))
    print("%6s  %10s  %10s" % ("-" * 6, "-" * 10, "-" * 11))
    for fd, (count, size) in sorted(files[kind].items(), key=lambda item: -item[1][1]):
        print("%6u  %10u  %10u" % (fd, count, size))


def trace_end():
    """Print the tables."""
    show("read", "bytes_requested")
    print()
    show("write", "bytes_written")
    unhandled.show()
