# SPDX-License-Identifier: GPL-2.0-or-later
"""Count samples of memory accesses by the kind of memory that they went to.

Wants: a memory event with physical addresses (perf record -d --phys-data), on the machine that was recorded, whose
/proc/iomem says where which memory is. Only root sees addresses there.
Usage: perf script mem-phys-addr
"""
import bisect
import collections
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import words

IOMEM = "/proc/iomem"
words("mem-phys-addr.py", 0)
counts = collections.Counter()
event_name = None


def ranges():
    """Return the ranges of physical memory that are not inside others, (first, last, name), in the order of addresses."""
    try:
        with open(IOMEM, encoding="utf-8") as f:
            lines = [line.rstrip("\n").split(" : ", 1) for line in f if not line.startswith(" ")]
    except OSError as e:
        sys.exit("mem-phys-addr: cannot read %s: %s" % (IOMEM, e.strerror))
    found = [(*(int(end, 16) for end in addresses.split("-")), name) for addresses, name in lines]
    if not any(last for _, last, _ in found):
        print("mem-phys-addr: %s shows no addresses; run it as root" % IOMEM, file=sys.stderr)
    return sorted(found)


memory = ranges()
firsts = [first for first, _, _ in memory]


def kind(address):
    """Return the name of the range that an address is in, or "N/A". An address that is not known is 0."""
    at = bisect.bisect_right(firsts, address) - 1
    return memory[at][2] if address and at >= 0 and address <= memory[at][1] else "N/A"


def process_event(event):
    """Count one sample."""
    global event_name
    event_name = event["ev_name"]
    counts[kind(event["sample"]["phys_addr"])] += 1


def trace_end():
    """Print the table."""
    print("Event: %s" % event_name)
    print("%-40s  %10s  %10s" % ("Memory type", "count", "percentage"))
    print("%-40s  %10s  %10s" % ("-" * 40, "-" * 11, "-" * 11))
    for name, count in counts.most_common():
        print("%-40s  %10d  %10.1f%%" % (name, count, 100 * count / sum(counts.values())))
