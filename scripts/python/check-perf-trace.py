# SPDX-License-Identifier: GPL-2.0-or-later
"""Use most of what perf offers to scripts, to check that it works: handlers, words of flags, the common fields.

Wants: kmem:kmalloc, irq:softirq_entry; anything else, such as kmem:kfree, is counted.
Usage: perf script check-perf-trace
"""
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Core import *  # perf defines words of fields by functions that are looked up here
from Standard import UnhandledEvents
from perf_trace_context import common_flags, common_lock_depth, common_pc

unhandled = UnhandledEvents()


def show_common(event, context, cpu, secs, nsecs, pid, comm):
    """Print what all tracepoints have."""
    print("%-20s %5u %05u.%09u %8u %-20s  common_preempt_count=%d, common_flags=%s, common_lock_depth=%d, " %
          (event, cpu, secs, nsecs, pid, comm, common_pc(context), trace_flag_str(common_flags(context)),
           common_lock_depth(context)))


def irq__softirq_entry(event, context, cpu, secs, nsecs, pid, comm, _callchain, vec):
    """Print an event with a symbol."""
    show_common(event, context, cpu, secs, nsecs, pid, comm)
    print("vec=%s" % symbol_str("irq__softirq_entry", "vec", vec))


def kmem__kmalloc(event, context, cpu, secs, nsecs, pid, comm, _callchain, call_site, ptr, bytes_req, bytes_alloc, gfp_flags,
                  *_later):
    """Print an event with flags. Later kernels have more fields behind them."""
    show_common(event, context, cpu, secs, nsecs, pid, comm)
    print("call_site=%u, ptr=%u, bytes_req=%u, bytes_alloc=%u, gfp_flags=%s" %
          (call_site, ptr, bytes_req, bytes_alloc, flag_str("kmem__kmalloc", "gfp_flags", gfp_flags) or "none"))


def trace_unhandled(event, _context, _fields):
    """Count other events."""
    unhandled.add(event)


def trace_begin():
    """Say that it begins."""
    print("trace_begin")


def trace_end():
    """Print how many other events there were."""
    unhandled.show("__")
    if unhandled.counts:
        print()
