# SPDX-License-Identifier: GPL-2.0-or-later
"""When each task was on a processor: each run with its beginning, end, length and the pause before it, and sums by task.

Wants: sched:sched_switch of all processors
Usage: perf script task-analyzer [--summary | --summary-only] [--limit-to-tasks TASKS] [--help for all options]

A run lasts from the switch to a task until the switch away from it on the same processor. A run that begins before the
recording, or ends after it, is left out: its length is not known.
"""
import argparse
import csv
import os
import re
import statistics
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import time_of, writing
from Util import nsecs, nsecs_str

COLORS = {"grey": 90, "red": 31, "green": 32, "yellow": 33, "blue": 34, "violet": 35, "cyan": 36}
FOREVER = float("inf")

# The distances between a run and the one before it of the same task, from the beginning or end of that to the beginning or
# end of this: (name, value in ns). The second table is shown when it is asked for.
OUT_IN = ("Out-In", lambda run: run.start - run.before[1])
OTHER_DISTANCES = (
    ("Out-Out", lambda run: run.end - run.before[1]),
    ("In-In", lambda run: run.start - run.before[0]),
    ("In-Out", lambda run: run.end - run.before[0]),
)


class Unit:
    """The unit in which times are shown, but for points in time, which are seconds."""

    def __init__(self, name, ns, decimals):
        self.name, self.ns, self.decimals = name, ns, decimals

    def text(self, ns):
        """Return a time; the text for no time is empty."""
        return "" if ns is None else "%.*f" % (self.decimals, ns / self.ns)


NANOSECONDS, MICROSECONDS, MILLISECONDS = Unit("ns", 1, 0), Unit("us", 1000, 0), Unit("ms", 10**6, 3)


class Run:
    """One stay of a task on a processor. A recording has very many."""

    __slots__ = "cpu", "pid", "tid", "comm", "start", "end", "before"

    def __init__(self, cpu, pid, tid, comm, times):
        self.cpu, self.pid, self.tid, self.comm = cpu, pid, tid, comm
        self.start, self.end = times
        self.before = None  # start and end of the run of the same task before this

    def length(self):
        """Return how long it lasted, in ns."""
        return self.end - self.start

    def distance(self, measure):
        """Return a distance from the run before it, in ns; None for the first run."""
        return measure(self) if self.before else None

    def names(self):
        """Return what options may call its task."""
        return str(self.pid), str(self.tid), self.comm


class Column:
    """A column of a table: its head, its width (that of texts is negative), and the function that makes a cell of it."""

    def __init__(self, head, width, cell):
        self.head, self.width, self.cell = head, width, cell


class Table:
    """Rows in columns: aligned on standard output, or in a file for programs that read tables."""

    def __init__(self, columns, path):
        self.columns, self.path, self.file = columns, path, None
        if path:
            with self.writing():
                self.file = open(path, "w", encoding="utf-8", newline="")
            self.csv = csv.writer(self.file, delimiter=";", lineterminator="\n")

    def writing(self):
        """Return the context in which the file is written."""
        return writing("task-analyzer", self.path)

    def put(self, cells, color=None):
        """Add a row. color: its number at the terminal, or None; files have no colours"""
        if self.file:
            with self.writing():
                self.csv.writerow([cell.strip() for cell in cells])
            return
        line = "  ".join("%*s" % (c.width, cell) for c, cell in zip(self.columns, cells)).rstrip()
        print("\x1b[%dm%s\x1b[0m" % (color, line) if color else line)

    def head(self):
        """Add the row of heads."""
        self.put([c.head for c in self.columns])

    def row(self, what, color=None):
        """Add the row of a run, or of the runs of a task."""
        self.put([c.cell(what) for c in self.columns], color)

    def close(self):
        """End the table."""
        if self.file:
            with self.writing():
                self.file.close()


# ---- the options ----


def task_list(text):
    """Return the tasks that an option names, each by pid, tid or comm."""
    return set(text.split(","))


def pairs(text, pattern, kind):
    """Return the pairs that are the items of an option, as a pattern has them."""
    found = [re.fullmatch(pattern, item) for item in text.split(",")]
    if not all(found):
        raise argparse.ArgumentTypeError("%r is no list of %s" % (text, kind))
    return [match.groups() for match in found]


def highlights(text):
    """Return the colours that an option gives to tasks, as their numbers at the terminal."""
    found = dict(pairs(text, "(.+):(.+)", "TASK:COLOR"))
    for color in found.values():
        if color not in COLORS:
            raise argparse.ArgumentTypeError("there is no colour %r; the colours are %s" % (color, ", ".join(COLORS)))
    return {task: COLORS[color] for task, color in found.items()}


def new_names(text):
    """Return the names that an option gives to threads."""
    return {int(tid): name for tid, name in pairs(text, r"(\d+):(.+)", "TID:NAME")}


def point(text, otherwise):
    """Return a time in seconds as ns, without going through floating-point numbers; what is empty is a limit without end."""
    if not text:
        return otherwise
    if not re.fullmatch(r"\d+(\.\d{1,9})?", text):
        raise argparse.ArgumentTypeError("%r is no time in seconds" % text)
    seconds, _, fraction = text.partition(".")
    return nsecs(int(seconds), int(fraction.ljust(9, "0")))


def time_limit(text):
    """Return the first and last time, in ns, of FROM:TO, FROM: or :TO."""
    start, colon, end = text.partition(":")
    if not colon:
        raise argparse.ArgumentTypeError("%r has no colon; a limit is FROM:TO, FROM: or :TO" % text)
    return point(start, 0), point(end, FOREVER)


def add_choices(parser):
    """Add the options that choose what is shown."""
    parser.add_argument("--time-limit", type=time_limit, default=(0, FOREVER), metavar="FROM:TO",
                        help="only runs between two times, in seconds; each of them may be left out")
    tasks = parser.add_mutually_exclusive_group()
    tasks.add_argument("--filter-tasks", type=task_list, metavar="TASKS",
                       help="leave out these pids, tids and names: 7,bash")
    tasks.add_argument("--limit-to-tasks", type=task_list, metavar="TASKS", help="only these pids, tids and names")
    parser.add_argument("--rename-comms-by-tids", type=new_names, default={}, metavar="TID:NAME,...",
                        help="give other names to threads: 7:reader,8:writer")
    summary = parser.add_mutually_exclusive_group()
    summary.add_argument("--summary", action="store_true", help="also print sums by task")
    summary.add_argument("--summary-only", action="store_true", help="print sums by task, and no runs")
    parser.add_argument("--summary-extended", action="store_true",
                        help="print sums by task with the longest pauses between runs")


def add_forms(parser):
    """Add the options for how it is shown."""
    units = parser.add_mutually_exclusive_group()
    units.add_argument("--ns", dest="unit", action="store_const", const=NANOSECONDS, help="show times in nanoseconds")
    units.add_argument("--ms", dest="unit", action="store_const", const=MILLISECONDS, help="show times in milliseconds")
    parser.set_defaults(unit=MICROSECONDS)
    parser.add_argument("--extended-times", action="store_true",
                        help="show all distances from the run of the same task before: Out-Out, In-In, In-Out")
    parser.add_argument("--highlight-tasks", type=highlights, default={}, metavar="TASK:COLOR,...",
                        help="colour rows of tasks: 7:red,bash:yellow; colours: " + ", ".join(COLORS))
    parser.add_argument("--stdio-color", choices=("always", "never", "auto"), default="auto",
                        help="whether to use colours; auto: when a terminal shows the output")
    parser.add_argument("--csv", metavar="FILE", help="write the runs to a file, with semicolons between columns")
    parser.add_argument("--csv-summary", metavar="FILE", help="write the sums by task to a file, likewise")


def arguments():
    """Return the options; ends with a message when they are wrong."""
    parser = argparse.ArgumentParser(prog="task-analyzer", description="Show when tasks ran.")
    add_choices(parser)
    add_forms(parser)
    given = parser.parse_args()
    if given.csv and given.summary_only:
        parser.error("--csv writes the runs, which --summary-only leaves out")
    given.summary |= given.summary_only or given.summary_extended or bool(given.csv_summary)
    given.color = given.stdio_color == "always" or given.stdio_color == "auto" and sys.stdout.isatty()
    return given


options = arguments()


# ---- the tables ----


def task_columns(of):
    """Return the columns that say which task a row is of. of: returns a run of the task from what the row is made of"""
    return [Column("PID", 8, lambda row: str(of(row).pid)), Column("TID", 8, lambda row: str(of(row).tid)),
            Column("Comm", 16, lambda row: of(row).comm)]


def run_columns():
    """Return the columns of the table of runs."""
    def distance(name, measure):
        """Return the column of a distance."""
        return Column("Time " + name, 12, lambda run: options.unit.text(run.distance(measure)))

    return [Column("Switched-In", 16, lambda run: nsecs_str(run.start)),
            Column("Switched-Out", 16, lambda run: nsecs_str(run.end)),
            Column("CPU", 3, lambda run: str(run.cpu)), *task_columns(lambda run: run),
            Column("Runtime", 12, lambda run: options.unit.text(run.length())), distance(*OUT_IN),
            *(distance(*other) for other in OTHER_DISTANCES if options.extended_times)]


def longest(runs, value):
    """Return (value, start) of the run whose value is the highest; (None, None) when none has any."""
    return max(((value(run), run.start) for run in runs if value(run) is not None), default=(None, None))


def longest_columns(head, value):
    """Return the columns for the highest value of a task's runs, and for the start of that run."""
    def start(runs):
        """Return the start of the run with the highest value."""
        at = longest(runs, value)[1]
        return "" if at is None else nsecs_str(at)

    return [Column(head, 12, lambda runs: options.unit.text(longest(runs, value)[0])), Column(head + " At", 16, start)]


def summary_columns():
    """Return the columns of the table of tasks, whose rows are made of all runs of a task."""
    def statistic(head, function):
        """Return the column of a number that is made of the lengths of all runs."""
        return Column(head, 12, lambda runs: options.unit.text(function([run.length() for run in runs])))

    columns = [*task_columns(lambda runs: runs[-1]), Column("Runs", 6, lambda runs: str(len(runs))),
               statistic("Accumulated", sum), statistic("Mean", statistics.mean), statistic("Median", statistics.median),
               statistic("Min", min), *longest_columns("Max", Run.length)]
    for name, measure in (OUT_IN, *OTHER_DISTANCES) if options.summary_extended else ():
        columns += longest_columns("Max " + name, lambda run, measure=measure: run.distance(measure))
    return columns


# ---- what comes from the recording ----

running = {}  # cpu -> (tid, since when)
last_runs = {}  # tid -> its last run
shown = {}  # tid -> the runs that are shown, for the summary
run_table = None if options.summary_only else Table(run_columns(), options.csv)
summary_table = Table(summary_columns(), options.csv_summary) if options.summary else None


def is_shown(run):
    """Say whether the options ask for a run."""
    first, last = options.time_limit
    if run.start < first or run.end > last:
        return False
    if options.limit_to_tasks is not None:
        return not options.limit_to_tasks.isdisjoint(run.names())
    return not options.filter_tasks or options.filter_tasks.isdisjoint(run.names())


def color(run):
    """Return the colour that is asked for a run, or None."""
    wanted = [options.highlight_tasks[name] for name in run.names() if name in options.highlight_tasks]
    return wanted[0] if wanted and options.color else None


def take(run):
    """Take a run that has ended."""
    last = last_runs.get(run.tid)
    run.before = (last.start, last.end) if last else None
    last_runs[run.tid] = run
    if not is_shown(run):
        return
    if run_table:
        run_table.row(run, color(run))
    if summary_table:
        shown.setdefault(run.tid, []).append(run)


def process_of(tid, sample):
    """Return the process of the thread that leaves. The kernel knows it no more when the thread has ended."""
    pid = sample["sample"]["pid"]
    if 0 < pid < 1 << 31:
        return pid
    return last_runs[tid].pid if tid in last_runs else tid


def trace_unhandled(event, _context, fields, sample):
    """Take one event: a switch ends the run of the thread that leaves, and begins one of the next. Thread 0 is no task."""
    if event != "sched__sched_switch":
        return
    now, cpu = time_of(fields), fields["common_cpu"]
    tid, since = running.get(cpu, (0, now))
    running[cpu] = fields["next_pid"], now
    # When events were lost, another thread leaves than the one that came.
    if tid and tid == fields["prev_pid"]:
        comm = options.rename_comms_by_tids.get(tid, fields["prev_comm"])
        take(Run(cpu, process_of(tid, sample), tid, comm, (since, now)))


def trace_begin():
    """Begin the table of runs."""
    if run_table:
        run_table.head()


def trace_end():
    """End the table of runs, and show that of tasks."""
    if not last_runs:
        sys.exit("task-analyzer: the recording has no runs of tasks; perf script record task-analyzer records them")
    if run_table:
        run_table.close()
    if not summary_table:
        return
    if not options.csv_summary:
        print("%sSummary (times in %s)" % ("\n" if run_table and not options.csv else "", options.unit.name))
    summary_table.head()
    for tid in sorted(shown):
        summary_table.row(shown[tid])
    summary_table.close()
