/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of the scheduler and their fields, as all engines on scheduling read them. */
#ifndef PERF_ANALYZE_SCHED_EVENTS_H
#define PERF_ANALYZE_SCHED_EVENTS_H

#include "analyze/engine.h"
#include "analyze/task-table.h"
#include "base/intern.h"

#define SCHED_MAX_CPUS 8192U /* that Linux can be built for; a higher number is damage */

/* An engine that needs only the first ones has a shorter table. */
enum sched_event {
	SCHED_SWITCH,
	SCHED_WAKEUP,     /* sched_waking, or sched_wakeup in older recordings */
	SCHED_WAKEUP_NEW, /* of a task that was forked */
	SCHED_MIGRATE,
	SCHED_RUNTIME,
	SCHED_NR_EVENTS
};

/* Events that few engines take, behind those. */
enum timeline_input {
	SCHED_FORK = SCHED_NR_EVENTS,
	SCHED_EXIT,
	POWER_IDLE,
	POWER_FREQUENCY,
	IRQ_ENTRY,
	IRQ_EXIT,
	SOFTIRQ_ENTRY,
	SOFTIRQ_EXIT,
	SCHED_IOWAIT, /* a woken task had slept for I/O; kernels with CONFIG_SCHEDSTATS tell it */
	SCHED_ALL_EVENTS
};

/* Fields of SCHED_SWITCH. */
enum {
	SWITCH_PREV_COMM,
	SWITCH_PREV_PID,
	SWITCH_PREV_STATE,
	SWITCH_NEXT_COMM,
	SWITCH_NEXT_PID,
	SWITCH_PREV_PRIO,
	SWITCH_NEXT_PRIO
};

/* Fields of the other events of the scheduler: the task that they are about. */
enum {
	TASK_COMM,
	TASK_PID,
	TASK_RUNTIME,
	TASK_FROM_CPU = TASK_RUNTIME,
	TASK_FLAGS = TASK_RUNTIME, /* of a wakeup: whether it happens in an interrupt */
	TASK_TO_CPU,
	TASK_PARENT = TASK_RUNTIME,
	TASK_DELAY = TASK_RUNTIME
};

/* The bits of TASK_FLAGS that say so: one for interrupts of hardware, one for softirqs. */
#define TASK_FLAGS_INTERRUPT 0x18U

/* Fields of events on the power of CPUs, and of those on interrupts. */
enum { POWER_STATE, POWER_CPU };
enum { INTERRUPT_NUMBER };

extern const struct engine_event sched_events[SCHED_ALL_EVENTS];

/* The letters of the states in which tasks leave a CPU, by the number of the lowest bit. */
#define SCHED_STATES 32
struct sched_states {
	char letters[SCHED_STATES]; /* 0: unknown */
};

/* Results are made of so many points in time, and these do not fit together. */
struct sched_counts {
	u64 times;
	u64 unordered; /* times before the one that they follow */
	u64 bugs;      /* switches from a task that had not been put on that CPU */
	u64 gaps;      /* results that reach over a time in which events were lost */
};

/** sched_states_init - learn the letters from the format of sched_switch. */
void sched_states_init(struct sched_states *s, const struct tf_event *format);
/** sched_state_letter - return the letter of a state: 'R' of a task that could go on running. */
char sched_state_letter(const struct sched_states *s, u64 state);

/** sched_prev - return the task that a switch takes off its CPU. Valid until the next call. */
const struct task_at *sched_prev(struct task_table *t, const struct engine_input *in);
/** sched_next - return the task that a switch puts on its CPU. */
const struct task_at *sched_next(struct task_table *t, const struct engine_input *in);
/** sched_subject - return the task that another event is about. */
const struct task_at *sched_subject(struct task_table *t, const struct engine_input *in);

/** sched_chain - keep the call chain of an event, each different one once. Return: its number; 0:
 * the event has none. */
u32 sched_chain(struct intern *chains, const struct engine_input *in);
/** sched_chain_ips - return the addresses of a kept chain with context markers, innermost first;
 * borrowed. @nr: their number */
const u64_una *sched_chain_ips(const struct intern *chains, u32 chain, u64 *nr);

#endif
