# SPDX-License-Identifier: GPL-2.0-or-later
"""How many tasks wait for each processor, over time, and which tasks move between processors.

Wants: sched:sched_switch, sched:sched_wakeup, sched:sched_wakeup_new, sched:sched_migrate_task, of all processors
Usage: perf script sched-migration [FILE.svg]

Prints tables of processors, of moves between them, and of tasks that moved. A file that is named gets a chart: a lane for
each processor, the darker the more tasks are runnable there, with a line for each move.
"""
import collections
import html
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import time_of, words, write_file

# A task that a switch leaves runnable has no state, or only the mark of preemption behind those that are shown.
STATES = 0xff
WIDTH, LANE, GAP, LEFT = 1200, 28, 6, 60
# Colours of a lane by the number of runnable tasks.
COLORS = ("#f4f4f4", "#cfe3c4", "#f2d98b", "#eeb06a", "#e27d57", "#c94a48", "#8e2340")


class Processor:
    """The tasks that are runnable on one processor, and what was measured."""

    def __init__(self):
        self.tasks = set()
        self.changes = []  # (time, number of tasks)
        self.switches = self.came = self.left = 0

    def add(self, now, tid):
        """A task becomes runnable here."""
        if tid and tid not in self.tasks:
            self.tasks.add(tid)
            self.changes.append((now, len(self.tasks)))

    def remove(self, now, tid):
        """A task goes to sleep, or elsewhere."""
        if tid in self.tasks:
            self.tasks.remove(tid)
            self.changes.append((now, len(self.tasks)))

    def spans(self):
        """Return (from, to, number of tasks) of all times at which there are any."""
        ends = [time for time, _ in self.changes[1:]] + [last]
        return [(time, end, count) for (time, count), end in zip(self.changes, ends) if count and end > time]


outputs = words("sched-migration.py [file.svg]", 1)
processors = collections.defaultdict(Processor)
comms = {}
moves = []  # (time, tid, from, to)
first = last = None


def switch(now, cpu, fields):
    """A processor goes from one task to another."""
    p = processors[cpu]
    p.switches += 1
    comms[fields["next_pid"]] = fields["next_comm"]
    # The first switch shows who was there before.
    if fields["prev_state"] & STATES:
        p.remove(now, fields["prev_pid"])
    else:
        p.add(now, fields["prev_pid"])
    p.add(now, fields["next_pid"])


def wake(now, _cpu, fields):
    """A task wakes up."""
    comms[fields["pid"]] = fields["comm"]
    processors[fields["target_cpu"]].add(now, fields["pid"])


def migrate(now, _cpu, fields):
    """A task moves to another processor; one that sleeps is no load on either."""
    tid, origin, goal = fields["pid"], processors[fields["orig_cpu"]], processors[fields["dest_cpu"]]
    comms[tid] = fields["comm"]
    moves.append((now, tid, fields["orig_cpu"], fields["dest_cpu"]))
    origin.left += 1
    goal.came += 1
    if tid in origin.tasks:
        origin.remove(now, tid)
        goal.add(now, tid)


HANDLERS = {
    "sched__sched_switch": switch,
    "sched__sched_wakeup": wake,
    "sched__sched_wakeup_new": wake,
    "sched__sched_migrate_task": migrate,
}


def trace_unhandled(event, _context, fields):
    """Take one event; its fields by name, as kernels differ in what else there is."""
    global first, last
    handler = HANDLERS.get(event)
    if handler:
        last = time_of(fields)
        first = last if first is None else first
        handler(last, fields["common_cpu"], fields)


def show_processors():
    """Print the table of processors."""
    length = max(1, last - first)
    print("%5s %10s %8s %8s %8s %8s %8s" % ("CPU", "switches", "busy", "mean", "most", "came", "left"))
    for cpu, p in sorted(processors.items()):
        spans = p.spans()
        busy = sum(end - start for start, end, _ in spans)
        load = sum((end - start) * count for start, end, count in spans)
        print("%5d %10d %7.1f%% %8.2f %8d %8d %8d" % (cpu, p.switches, 100 * busy / length, load / length,
                                                      max((count for _, count in p.changes), default=0), p.came, p.left))


def show_moves():
    """Print the tables of moves."""
    print("\n%5s %5s %10s" % ("from", "to", "moves"))
    for (origin, goal), count in collections.Counter((o, g) for _, _, o, g in moves).most_common():
        print("%5d %5d %10d" % (origin, goal, count))
    print("\n%-16s %8s %10s" % ("task", "tid", "moves"))
    for tid, count in collections.Counter(tid for _, tid, _, _ in moves).most_common():
        print("%-16s %8d %10d" % (comms[tid], tid, count))


def lane(p):
    """Return the load of a processor as (column, number of columns, tasks): the highest load of each column counts."""
    columns = [0] * (WIDTH + 1)
    for start, end, count in p.spans():
        for at in range(column(start), column(end) + 1):
            columns[at] = max(columns[at], count)
    found = []
    for at, count in enumerate(columns):
        if found and found[-1][2] == count:
            found[-1][1] += 1
        else:
            found.append([at, 1, count])
    return found


def column(time):
    """Return where a time is in the chart."""
    return (time - first) * WIDTH // max(1, last - first)


def chart():
    """Return the chart."""
    rows = {cpu: GAP + at * (LANE + GAP) for at, cpu in enumerate(sorted(processors))}
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">' %
           (LEFT + WIDTH + GAP, GAP + len(rows) * (LANE + GAP) + 20)]
    for cpu, top in rows.items():
        out.append('<text x="4" y="%d">CPU %d</text>' % (top + LANE // 2 + 4, cpu))
        for at, width, count in lane(processors[cpu]):
            out.append('<rect x="%d" y="%d" width="%d" height="%d" fill="%s"><title>%d runnable</title></rect>' %
                       (LEFT + at, top, width, LANE, COLORS[min(count, len(COLORS) - 1)], count))
    for time, tid, origin, goal in moves:
        out.append('<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="#334" stroke-opacity="0.6"><title>%s</title></line>' %
                   (LEFT + column(time), LEFT + column(time), rows[origin] + LANE // 2, rows[goal] + LANE // 2,
                    html.escape("%s [%d] at %.6f s" % (comms[tid], tid, time / 1e9))))
    out.append('<text x="%d" y="%d">%.6f s</text>' % (LEFT, GAP + len(rows) * (LANE + GAP) + 14, first / 1e9))
    out.append('<text x="%d" y="%d" text-anchor="end">%.6f s</text>' %
               (LEFT + WIDTH, GAP + len(rows) * (LANE + GAP) + 14, last / 1e9))
    return "\n".join(out + ["</svg>", ""])


def trace_end():
    """Print the tables, and write the chart."""
    if first is None:
        sys.exit("sched-migration: the recording has none of its events; perf script record sched-migration records them")
    show_processors()
    show_moves()
    for path in outputs:
        write_file("sched-migration", path, chart())
