# SPDX-License-Identifier: GPL-2.0-or-later
"""What scripts of `perf script` share: nested dictionaries, and fields of events as words.

perf calls the define_* functions before the first sample of an event, when a script has them by
`from Core import *`; flag_str() and symbol_str() answer from what they were told.
"""
from collections import defaultdict


def autodict():
    """Return a dictionary whose missing entries are such dictionaries."""
    return defaultdict(autodict)


class _Words:
    """The words for the values of one field."""

    def __init__(self):
        self.delim = ""
        self.values = {}


# (event, field) -> words
_flags = {}
_symbols = {}


def _words(table, event_name, field_name):
    return table.setdefault((event_name, field_name), _Words())


def define_flag_field(event_name, field_name, delim):
    """Say that a field has flags, and what stands between them."""
    _words(_flags, event_name, field_name).delim = delim


def define_flag_value(event_name, field_name, value, field_str):
    """Say how a flag of a field is called."""
    _words(_flags, event_name, field_name).values[value] = field_str


def define_symbolic_field(event_name, field_name):
    """Say that values of a field have names."""
    _words(_symbols, event_name, field_name)


def define_symbolic_value(event_name, field_name, value, field_str):
    """Say how a value of a field is called."""
    _words(_symbols, event_name, field_name).values[value] = field_str


def flag_str(event_name, field_name, value):
    """Return the flags that are set in a value, such as "GFP_IO | GFP_FS"; "" when none is known."""
    words = _flags.get((event_name, field_name))
    if not words:
        return ""
    if not value:
        return words.values.get(0, "")
    names = []
    for flag in sorted(words.values):
        if flag and value & flag == flag:
            names.append(words.values[flag])
            value &= ~flag
    return (" " + words.delim + " " if words.delim else "").join(names)


def symbol_str(event_name, field_name, value):
    """Return the name of a value; "" when it has none."""
    words = _symbols.get((event_name, field_name))
    return words.values.get(value, "") if words else ""


# The bits of common_flags.
_TRACE_FLAGS = (
    (0x01, "IRQS_OFF"),
    (0x02, "IRQS_NOSUPPORT"),
    (0x04, "NEED_RESCHED"),
    (0x08, "HARDIRQ"),
    (0x10, "SOFTIRQ"),
)


def trace_flag_str(value):
    """Return the flags of an event, common_flags(), as words."""
    if not value:
        return "NONE"
    return " | ".join(name for bit, name in _TRACE_FLAGS if value & bit)


def taskState(state):
    """Return the letter for the state of a task that sched_switch took off a CPU."""
    return {0: "R", 1: "S", 2: "D", 64: "DEAD"}.get(state, "Unknown")


class EventHeaders:
    """What all tracepoints have."""

    def __init__(self, common_cpu, common_secs, common_nsecs, common_pid, common_comm, common_callchain):
        self.cpu = common_cpu
        self.secs = common_secs
        self.nsecs = common_nsecs
        self.pid = common_pid
        self.comm = common_comm
        self.callchain = common_callchain

    def ts(self):
        """Return the time in nanoseconds."""
        return self.secs * 10**9 + self.nsecs

    def ts_format(self):
        """Return the time as seconds and microseconds."""
        return "%d.%d" % (self.secs, self.nsecs // 1000)
