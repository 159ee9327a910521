# SPDX-License-Identifier: GPL-2.0-or-later
"""Small helpers of scripts: times, sums, names of system calls and errors."""
import errno

import perf_trace_context

FUTEX_WAIT = 0
FUTEX_WAKE = 1
FUTEX_PRIVATE_FLAG = 128
FUTEX_CLOCK_REALTIME = 256
FUTEX_CMD_MASK = ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)

NSECS_PER_SEC = 10**9


def avg(total, n):
    """Return the mean of @n values."""
    return total / n


def nsecs(secs, nsecs):
    """Return a time in nanoseconds."""
    return secs * NSECS_PER_SEC + nsecs


def nsecs_secs(nsecs):
    """Return the whole seconds of a time in nanoseconds."""
    return nsecs // NSECS_PER_SEC


def nsecs_nsecs(nsecs):
    """Return the nanoseconds behind the whole seconds."""
    return nsecs % NSECS_PER_SEC


def nsecs_str(nsecs):
    """Return a time as "seconds.nanoseconds"."""
    return "%5u.%09u" % (nsecs_secs(nsecs), nsecs_nsecs(nsecs))


def add_stats(dict, key, value):
    """Add a value to the (minimum, maximum, mean, number) of an entry."""
    if key not in dict:
        dict[key] = (value, value, value, 1)
        return
    least, most, mean, nr = dict[key]
    dict[key] = (min(least, value), max(most, value), mean + (value - mean) / (nr + 1), nr + 1)


def clear_term():
    """Clear the terminal."""
    print("\x1b[H\x1b[2J")


def _audit_name(id):
    """Return what the package audit calls a system call of this machine, or None; it knows all machines."""
    try:
        import audit
    except ImportError:
        return None
    return audit.audit_syscall_to_name(id, audit.audit_detect_machine())


def syscall_name(id):
    """Return the name of a system call, or its number as text when it is not known."""
    return _audit_name(id) or perf_trace_context.syscall_name(id) or str(id)


def strerror(nr):
    """Return the symbol of an error number, such as ENOENT."""
    return errno.errorcode.get(abs(nr), "Unknown %d errno" % nr)
