/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This engine follows what threads do: they run, wait for a CPU, or wait for something else in a
 * call chain that tells what. Samples on CPUs, page faults and system calls are counted beside it.
 *
 *	switch to it -- run -- switch away -- wait -- waking -- run queue -- switch to it
 *
 * Memory grows with the number of threads and of pairs of a thread and a call chain, not of events.
 */
#ifndef PERF_TRIAGE_STATES_H
#define PERF_TRIAGE_STATES_H

#include "analyze/sched-events.h"
#include "triage/kinds.h"

#define TRIAGE_NOBODY UINT32_MAX

/* These are the numbers of events in the table of the engine. */
enum triage_event {
	TRIAGE_SWITCH,
	TRIAGE_WAKING,
	TRIAGE_WAKEUP_NEW,
	TRIAGE_SAMPLE, /* of a clock or of cycles */
	TRIAGE_FAULTS,
	TRIAGE_CALLS, /* raw_syscalls:sys_enter, maybe one of many */
	TRIAGE_FUTEX_CALL,
	TRIAGE_LOCK_BEGIN,
	TRIAGE_LOCK_END,
	TRIAGE_EVENTS
};

/* A sum of spans of time, in ns. */
struct triage_sum {
	u64 ns, nr, max;
};

static inline void triage_sum_add(struct triage_sum *s, u64 ns)
{
	s->ns += ns;
	s->nr++;
	s->max = s->max > ns ? s->max : ns;
}

/* A thread, by its number in the table of tasks. Its times are in ns. */
struct triage_thread {
	bool seen;
	u32 pid, tid;
	u64 first, last; /* of its life, as far as the recording reaches */
	u64 run;
	struct triage_sum queue;
	struct triage_sum locks; /* waits for locks of the kernel, asleep or not */
	struct triage_sum irqs;  /* interrupts that hit it */
	u32 rival;               /* the thread that had its CPU for the longest wait, or NOBODY */
	u64 samples, weight;     /* on CPUs */
	u64 faults, calls;       /* as far as sampled events tell: sums of periods */
};

/* A thread waits in one way. */
struct triage_wait {
	u32 thread, chain;
	char state;
	u8 futex;  /* enum triage_futex */
	u32 waker; /* the thread that has ended the longest wait, or NOBODY */
	struct triage_sum sum;
};

/* A thread runs in one call chain. */
struct triage_spot {
	u32 thread, chain;
	u64 samples, weight; /* the sum of periods */
};

struct triage_states;

/** triage_states_new - prepare; triage_states_free() frees the state. @tasks: borrowed */
struct triage_states *triage_states_new(struct task_table *tasks);
void triage_states_free(struct triage_states *s);
/** triage_states_engine - return the engine for a state, which it borrows. */
struct engine triage_states_engine(struct triage_states *s);

/** triage_states_interrupt - count an interrupt that took @ns of a thread. */
void triage_states_interrupt(struct triage_states *s, u32 pid, u32 tid, u64 time, u64 ns);

/* The results, borrowed. @nr: their number */
const struct triage_thread *triage_threads(const struct triage_states *s, u32 *nr);
const struct triage_wait *triage_waits(const struct triage_states *s, u32 *nr);
const struct triage_spot *triage_spots(const struct triage_states *s, u32 *nr);
/** triage_chain - return the addresses of a call chain, innermost first, with context markers. */
const u64_una *triage_chain(const struct triage_states *s, u32 chain, u64 *nr);
/** triage_span - return the time of the first and of the last event. */
void triage_span(const struct triage_states *s, u64 *first, u64 *last);
/** triage_torn - return how many spans reach over a time in which events were lost. */
u64 triage_torn(const struct triage_states *s);
/** triage_bound - return bits of the events that the recording has. */
u32 triage_bound(const struct triage_states *s);

#endif
