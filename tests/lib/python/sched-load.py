# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings of a scheduler's work that takes known times.

	sched-load.py FILE UNIT

A task on CPU 0 runs for 3 units of UNIT ns. Then the CPU is idle for 5 units, a timer wakes the task up, and it runs for
2 units and wakes up another one on CPU 1, which runs for a unit.
"""
import sys

from tracefile import TraceFile

NAMES = {0: "swapper", 100: "worker", 200: "helper"}

path, unit = sys.argv[1], int(sys.argv[2])
t = TraceFile()
t.event("sched:sched_switch", "char prev_comm[16]; pid_t prev_pid; int prev_prio; long prev_state; char next_comm[16]; "
        "pid_t next_pid; int next_prio")
t.event("sched:sched_waking", "char comm[16]; pid_t pid; int prio; int target_cpu")
for pid in (100, 200):
    t.comm(pid, NAMES[pid])


def switch(at, cpu, leaves, state, comes):
    t.add("sched:sched_switch", 10**9 + at * unit, cpu=cpu, pid=leaves, prev_comm=NAMES[leaves], prev_pid=leaves,
          prev_state=state, next_comm=NAMES[comes], next_pid=comes)


def wake(at, cpu, waker, task):
    t.add("sched:sched_waking", 10**9 + at * unit, cpu=cpu, pid=waker, comm_=NAMES[task], pid_=task, target_cpu=cpu)


switch(0, 0, 0, 0, 100)
switch(3, 0, 100, 1, 0)
wake(8, 0, 0, 100)
switch(8, 0, 0, 0, 100)
wake(10, 0, 100, 200)
switch(10, 0, 100, 1, 0)
switch(10, 1, 0, 0, 200)
switch(11, 1, 200, 1, 0)
t.write(path)
