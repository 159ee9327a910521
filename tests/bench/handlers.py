# SPDX-License-Identifier: GPL-2.0-or-later
"""A script for perf script -s: it counts events, and looks at a few parts of samples."""
events = samples = 0


def raw_syscalls__sys_enter(event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm,
                            common_callchain, id, args):
    global events
    events += 1


def raw_syscalls__sys_exit(event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm,
                           common_callchain, id, ret):
    global events
    events += 1


def sched__sched_switch(event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm,
                        common_callchain, prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio):
    global events
    events += 1


def process_event(sample):
    global samples
    samples += sample["sample"]["period"] > 0 and sample["comm"] != "" and "symbol" in sample


def trace_end():
    print(events, samples)
