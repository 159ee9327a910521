# SPDX-License-Identifier: GPL-2.0-or-later
"""Count the network packets that the kernel drops, by the place in the kernel that drops them.

Wants: skb:kfree_skb, recorded on the running kernel, whose symbols are taken from /proc/kallsyms.
Usage: perf script net_dropmonitor
"""
import bisect
import collections
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import words

words("net_dropmonitor.py", 0)
counts = collections.Counter()


def kernel_symbols():
    """Return the functions of the running kernel, (address, name), in the order of addresses."""
    try:
        with open("/proc/kallsyms", encoding="ascii", errors="replace") as f:
            symbols = [(int(words[0], 16), words[2]) for words in map(str.split, f) if words[1] in "tTwW"]
    except OSError as e:
        print("net_dropmonitor: no names: cannot read %s: %s" % (e.filename, e.strerror), file=sys.stderr)
        return []
    return sorted(s for s in symbols if s[0])


def place(symbols, address):
    """Return (name, offset) of an address; (the address, 0) when its function is not known."""
    at = bisect.bisect_right(symbols, (address, "\U0010ffff")) - 1
    return (symbols[at][1], address - symbols[at][0]) if at >= 0 else (str(address), 0)


def trace_begin():
    """Say how to end it."""
    print("Starting trace (Ctrl-C to dump results)")


def trace_unhandled(event, _context, fields):
    """Count one packet; the fields by name, as kernels differ in what else there is."""
    if event == "skb__kfree_skb":
        counts[fields["location"]] += 1


def trace_end():
    """Print the table."""
    print("Gathering kallsyms data")
    symbols = kernel_symbols()
    print("%25s %25s %25s" % ("LOCATION", "OFFSET", "COUNT"))
    for location, count in counts.items():
        print("%25s %25d %25d" % (*place(symbols, location), count))
