# SPDX-License-Identifier: GPL-2.0-or-later
"""Time that threads spend on compaction of memory, and what its scanners did meanwhile.

Wants: compaction:mm_compaction_begin, _end, _migratepages, _isolate_migratepages, _isolate_freepages
Usage: perf script compaction-times -- [-h] [-u] [-p|-pv] [-t | [-m] [-fs] [-ms]] [PID|PID-RANGE|COMM-REGEX]
"""
import os
import re
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import time_of

USAGE = ("usage: perf script report compaction-times.py -- [-h] [-u] [-p|-pv] [-t | [-m] [-fs] [-ms]] "
         "[pid|pid-range|comm-regex]\n")
HELP = """
-h	display this help
-p	display by process
-pv	display by process (verbose)
-t	display stall times only
-m	display stats for migration
-fs	display stats for free scanner
-ms	display stats for migration scanner
-u	display results in microseconds (default nanoseconds)
"""
EVENTS = "compaction__mm_compaction_"
# option -> (title, two names)
PARTS = {
    "-m": ("migration", "moved", "failed"),
    "-fs": ("free_scanner", "scanned", "isolated"),
    "-ms": ("migration_scanner", "scanned", "isolated"),
}


class Options:
    """What the arguments ask for."""

    def __init__(self, words):
        self.shown = set()
        self.by_process = self.verbose = self.micro = self.times_only = False
        self.wanted = lambda pid, comm: True
        for word in words:
            self.take(word)
        if not self.shown and not self.times_only:
            self.shown = set(PARTS)

    def take(self, word):
        """Take one argument."""
        if word == "-h":
            print(USAGE + HELP, end="")
            sys.exit(0)
        elif word in ("-p", "-pv"):
            self.by_process = True
            self.verbose |= word == "-pv"
        elif word == "-u":
            self.micro = True
        elif word == "-t":
            self.times_only = True
        elif word in PARTS:
            self.shown.add(word)
        elif word.startswith("-"):
            sys.exit(USAGE)
        else:
            self.wanted = self.filter(word)

    @staticmethod
    def filter(word):
        """Return the function that chooses tasks: PID, FIRST-LAST of which each may be missing, or a regex of comms."""
        numbers = re.fullmatch(r"(\d*)(-?)(\d*)", word)
        if numbers and word != "-":
            low = int(numbers[1] or 0)
            high = int(numbers[3]) if numbers[3] else float("inf") if numbers[2] else low
            return lambda pid, comm: low <= pid <= high
        try:
            regex = re.compile(word)
        except re.error:
            sys.exit("invalid regex '%s'\n%s" % (word, USAGE))
        return lambda pid, comm: regex.search(comm)

    def time(self, ns):
        """Return a time as text."""
        return "%dus" % ((ns + 500) // 1000) if self.micro else "%dns" % ns


class Stall:
    """What one compaction, or several together, took and did."""

    def __init__(self, started=0):
        self.started = started
        self.ns = 0
        self.counts = {part: [0, 0] for part in PARTS}

    def count(self, part, first, second):
        """Add to the two counts of a part."""
        self.counts[part][0] += first
        self.counts[part][1] += second

    def add(self, other):
        """Add another one."""
        self.ns += other.ns
        for part, counts in other.counts.items():
            self.count(part, *counts)

    def text(self):
        """Return it as a line."""
        parts = ["%s: %s=%d %s=%d" % (title, first, self.counts[part][0], second, self.counts[part][1])
                 for part, (title, first, second) in PARTS.items() if part in options.shown]
        return "%s %s" % (options.time(self.ns), " ".join(parts))


class Task:
    """The compactions of one thread."""

    def __init__(self, pid, comm):
        self.name = "%d[%s]" % (pid, comm)
        self.total = Stall()
        self.stalls = []
        self.current = None


options = Options(sys.argv[1:])
tasks = {}
total = Stall()


def begin(task, now, _fields):
    """A compaction begins."""
    task.current = Stall(now)


def end(task, now, _fields):
    """A compaction ends."""
    task.current.ns = now - task.current.started
    for sum_of in (task.total, total):
        sum_of.add(task.current)
    if options.verbose:
        task.stalls.append(task.current)
    task.current = None


# event -> function that takes it
HANDLERS = {
    "begin": begin,
    "end": end,
    "migratepages": lambda t, now, f: t.current.count("-m", f["nr_migrated"], f["nr_failed"]),
    "isolate_freepages": lambda t, now, f: t.current.count("-fs", f["nr_scanned"], f["nr_taken"]),
    "isolate_migratepages": lambda t, now, f: t.current.count("-ms", f["nr_scanned"], f["nr_taken"]),
}


def trace_unhandled(event, _context, fields):
    """Take one event; its fields by name, as kernels differ in what else there is."""
    name = event[len(EVENTS):]
    pid, comm = fields["common_pid"], fields["common_comm"]
    if not event.startswith(EVENTS) or name not in HANDLERS or not options.wanted(pid, comm):
        return
    task = tasks.get(pid) or tasks.setdefault(pid, Task(pid, comm))
    if name != "begin" and not task.current:
        print("missing start compaction event for pid %d" % pid, file=sys.stderr)
    else:
        HANDLERS[name](task, time_of(fields), fields)


def trace_end():
    """Print the sums."""
    print("total: " + total.text())
    if not options.by_process:
        return
    for task in tasks.values():
        if not task.total.ns:
            continue
        print("%s: %s" % (task.name, task.total.text()))
        for number, stall in enumerate(task.stalls, 1):
            print("%s.%d: %s" % (task.name, number, stall.text()))
