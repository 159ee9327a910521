# SPDX-License-Identifier: GPL-2.0-or-later
"""The same work of the scheduler as kernels of different versions record it.

	sched-kernels.py FILE LAYOUT [big] [lost] [bugs] [odd] [back]

LAYOUT: 3.10, 3.10-32 (whose longs have 32 bits), 4.14, 6.1, 6.18. big: of a big-endian machine. lost: some events are. bugs:
switches from tasks that were not there. odd: CPUs with numbers that cannot be. back: at last, time runs back.

Two CPUs: a worker computes, sleeps, is preempted by a daemon, moves and ends; a task that it forks gets its tid again
afterwards.
"""
import sys

import pdata as p
import tracefile

MS = 10**6
SLEEPS, BLOCKED, DEAD, ZOMBIE, PREEMPTED = "SDXZR"
NEW = {"S": 1, "D": 2, "T": 4, "t": 8, "X": 16, "Z": 32, "P": 64, "I": 128}
OLD = {"S": 1, "D": 2, "T": 4, "t": 8, "Z": 16, "X": 32, "x": 64, "K": 128, "W": 256, "P": 512}
NAMES = {0: "swapper", 100: "worker", 200: "daemon"}
FIXED, ANY = "char %s[16]", "__data_loc char[] %s"


class Layout:
    def __init__(self, states, wakeup="sched_waking", success=False, vruntime=True, fork=FIXED, long=8, preempted=0x100):
        self.states, self.wakeup, self.success, self.vruntime = states, wakeup, success, vruntime
        self.fork, self.long, self.preempted = fork, long, preempted


LAYOUTS = {
    "3.10": Layout(OLD, "sched_wakeup", True, preempted=1024),
    "3.10-32": Layout(OLD, "sched_wakeup", True, long=4, preempted=1024),
    "4.14": Layout(NEW, success=True),
    "6.1": Layout(NEW),
    "6.18": Layout(NEW, vruntime=False, fork=ANY),
}


class Work:
    """A recording of one layout."""

    def __init__(self, layout):
        self.layout = layout
        self.t = tracefile.TraceFile(flags=p.SAMPLE_ID_ALL)
        tracefile.SIZES["long"] = layout.long
        words = ", ".join('{ %#x, "%s" }' % (bit, letter) for letter, bit in layout.states.items())
        self.t.event("sched:sched_switch", "char prev_comm[16]; pid_t prev_pid; int prev_prio; long prev_state; "
                     "char next_comm[16]; pid_t next_pid; int next_prio",
                     '"prev_state=%%s", __print_flags(REC->prev_state & 0x%x, "|", %s)' % (layout.preempted - 1, words))
        task = "char comm[16]; pid_t pid; int prio; " + ("int success; " if layout.success else "")
        for name in (layout.wakeup, "sched_wakeup_new"):
            self.t.event("sched:" + name, task + "int target_cpu")
        self.t.event("sched:sched_migrate_task", "char comm[16]; pid_t pid; int prio; int orig_cpu; int dest_cpu")
        self.t.event("sched:sched_stat_runtime", "char comm[16]; pid_t pid; u64 runtime" +
                     ("; u64 vruntime" if layout.vruntime else ""))
        self.t.event("sched:sched_process_fork", "; ".join(
            [layout.fork % "parent_comm", "pid_t parent_pid", layout.fork % "child_comm", "pid_t child_pid"]))

    def record(self, kind, at, cpu, pid, body, misc=0):
        """A record that is no sample: its trailer tells when and where."""
        self.t.records.append(p.record(kind, misc, body + p.pack("IIQIIQ", pid, pid, 10**9 + int(at * MS), cpu, 0, 300)))

    def comm(self, at, tid, name):
        NAMES[tid] = name
        self.record(3, at, 0, tid, p.pack("II", tid, tid) + p.text(name))

    def task(self, kind, at, tid, parent):
        self.record(kind, at, 0, tid, p.pack("IIIIQ", tid, parent, tid, parent, 10**9 + int(at * MS)))

    def add(self, name, at, cpu, pid, **values):
        self.t.add("sched:" + name, 10**9 + int(at * MS), cpu=cpu, pid=pid, **values)

    def switch(self, at, cpu, leaves, state, comes):
        bits = {PREEMPTED: 0, "R+": self.layout.preempted}.get(state) or self.layout.states.get(state, 0)
        self.add("sched_switch", at, cpu, leaves, prev_comm=NAMES[leaves], prev_pid=leaves, prev_prio=120, prev_state=bits,
                 next_comm=NAMES[comes], next_pid=comes, next_prio=120)

    def wake(self, at, cpu, waker, task, target, name=None):
        self.add(name or self.layout.wakeup, at, cpu, waker, comm_=NAMES[task], pid_=task, prio=120, target_cpu=target,
                 **({"success": 1} if self.layout.success else {}))

    def runtime(self, at, cpu, task, ms):
        self.add("sched_stat_runtime", at, cpu, task, comm_=NAMES[task], pid_=task, runtime=int(ms * MS))

    def migrate(self, at, cpu, waker, task, source, target):
        self.add("sched_migrate_task", at, cpu, waker, comm_=NAMES[task], pid_=task, prio=120, orig_cpu=source, dest_cpu=target)


def usual(w):
    w.switch(0, 0, 0, PREEMPTED, 100)
    w.runtime(2.9, 0, 100, 2.9)
    w.switch(3, 0, 100, SLEEPS, 0)
    w.wake(5, 1, 0, 100, 0)
    w.switch(5.5, 0, 0, PREEMPTED, 100)
    w.wake(6, 0, 100, 200, 0)
    w.switch(6.5, 0, 100, "R+", 200)
    w.switch(8, 0, 200, SLEEPS, 100)
    w.add("sched_process_fork", 9, 0, 100, parent_comm=NAMES[100], parent_pid=100, child_comm="child", child_pid=300)
    w.task(7, 9, 300, 100)
    w.comm(9, 300, "child")
    w.wake(9, 0, 100, 300, 1, "sched_wakeup_new")
    w.switch(9.25, 1, 0, PREEMPTED, 300)
    w.switch(10, 0, 100, BLOCKED, 0)
    w.migrate(11, 1, 300, 100, 0, 1)
    w.wake(11, 1, 300, 100, 1)
    w.task(4, 11.4, 300, 100)
    w.switch(11.5, 1, 300, DEAD, 100)
    w.switch(12, 1, 100, ZOMBIE, 0)
    # Another task gets the tid of the child.
    w.task(7, 12.5, 300, 200)
    w.comm(12.5, 300, "again")
    w.wake(13, 0, 0, 300, 0)
    w.switch(13.5, 0, 0, PREEMPTED, 300)
    w.switch(14, 0, 300, SLEEPS, 0)


def lost(w):
    w.record(2, 14.5, 0, 0, p.pack("QQ", 300, 17))


def back(w):
    # What comes behind two rounds should be later than all that was before them.
    w.switch(20, 1, 0, PREEMPTED, 200)
    w.t.records += [p.record(68, 0, b""), p.record(68, 0, b"")]
    w.switch(18, 1, 200, SLEEPS, 0)


def bugs(w):
    # These tasks were on no CPU.
    w.switch(15, 0, 200, SLEEPS, 100)
    w.switch(15.5, 1, 100, SLEEPS, 200)


def odd(w):
    for cpu in (-1, 1 << 30):
        w.migrate(16, 0, 100, 200, cpu, -1)
        w.wake(16.2, cpu & 0xffffffff, 100, 200, -1)
        w.switch(16.4, cpu & 0xffffffff, 100, SLEEPS, 200)
    w.runtime(17, 0, 100, 2**50 / MS)


if "big" in sys.argv:
    p.big_endian()
work = Work(LAYOUTS[sys.argv[2]])
for tid in (100, 200):
    work.comm(-1, tid, NAMES[tid])
usual(work)
for more in (lost, bugs, odd, back):
    if more.__name__ in sys.argv:
        more(work)
work.t.write(sys.argv[1])
