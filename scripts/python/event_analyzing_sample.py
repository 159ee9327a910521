# SPDX-License-Identifier: GPL-2.0-or-later
"""Count samples by thread, symbol and object; those of Intel's PEBS also by the source and latency of their data.

Wants: samples of any event but tracepoints.
Usage: perf script event_analyzing_sample
"""
import collections
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from EventClass import EVTYPE_GENERIC, EVTYPE_PEBS_LL, create_event
from Standard import words


class Group:
    """Samples of one kind, which are counted by some of their parts."""

    def __init__(self, table, title, parts):
        """parts: (attribute of a sample, width of the column, length of the line below its head)"""
        self.table, self.title, self.parts = table, title, parts
        self.number = 0
        self.counts = {name: collections.Counter() for name, _, _ in parts}

    def add(self, event):
        """Count a sample."""
        self.number += 1
        for name, counts in self.counts.items():
            counts[getattr(event, name)] += 1

    def show(self):
        """Print the number of samples, and what they were counted by."""
        print("There is %d records in %s table" % (self.number, self.table))
        if not self.number:
            return
        print("Statistics about the %s events grouped by %s: \n\n" % (self.title, "/".join(
            "thread" if name == "comm" else "latency" if name == "lat" else name for name, _, _ in self.parts)))
        for name, width, line in self.parts:
            if name != "comm":
                print()
            self.show_part(name, width, line)

    def show_part(self, name, width, line):
        """Print the table of one part: the most frequent first, latencies from the shortest."""
        print("%*s %8s     %s" % (width, "latency" if name == "lat" else name, "number", "   histogram"))
        print("=" * line)
        rows = sorted(self.counts[name].items())
        if name != "lat":
            rows.sort(key=lambda row: -row[1])
        for value, count in rows:
            # Each # more stands for twice as many.
            print("%*s %8d     %s" % (width, value, count, "#" * count.bit_length()))


words("event_analyzing_sample.py", 0)
general = Group("gen_events", "general", (("comm", 16, 42), ("symbol", 32, 58), ("dso", 40, 74)))
latency = Group("pebs_ll", "PEBS Load Latency", (("comm", 16, 42), ("symbol", 32, 58), ("dse", 32, 58), ("lat", 32, 58)))


def process_event(event):
    """Take one sample."""
    sample = create_event(event["ev_name"], event["comm"], event.get("dso", "Unknown_dso"),
                          event.get("symbol", "Unknown_symbol"), event["raw_buf"])
    if sample.ev_type == EVTYPE_GENERIC:
        general.add(sample)
    elif sample.ev_type == EVTYPE_PEBS_LL:
        latency.add(sample)


def trace_begin():
    """Say that it begins."""
    print("In trace_begin:\n")


def trace_end():
    """Print all tables."""
    print("In trace_end:\n")
    general.show()
    latency.show()
