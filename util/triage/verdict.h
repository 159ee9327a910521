/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures of programs become verdicts: what takes the time, the worst first. This is a function of
 * plain data and looks at nothing else.
 */
#ifndef PERF_TRIAGE_VERDICT_H
#define PERF_TRIAGE_VERDICT_H

#include "triage/kinds.h"

#define TRIAGE_NONE UINT32_MAX

/* The threads of one name had this time of a kind. */
struct triage_cell {
	u64 ns, nr, max; /* nr: of waits, or samples; max: the longest wait */
	char *what;  /* owned; the function, lock or device that has most of it; NULL: unknown */
	u64 what_ns; /* of that, of the same unit as @ns */
	char *whom;  /* owned; the task on the other side; NULL: unknown */
};

/* All threads of one name are one program. */
struct triage_program {
	char *name; /* owned */
	u32 pid;    /* of the first of them */
	u32 parent; /* the number of the program that has started it, or TRIAGE_NONE */
	u32 processes, threads;
	u64 wall;  /* ns: the lives of all threads */
	u64 spare; /* ns of it in which threads other than the first one had nothing to do */
	u64 samples;
	u64 faults; /* page faults, about */
	struct triage_cell cells[TRIAGE_KINDS];
};

/* The recording has events of these kinds. */
enum triage_source {
	TRIAGE_HAS_SWITCHES = 1, /* with wakeups */
	TRIAGE_HAS_CHAINS = 2,   /* of switches */
	TRIAGE_HAS_SAMPLES = 4,
	TRIAGE_HAS_LOCKS = 8,
	TRIAGE_HAS_FUTEXES = 16,
	TRIAGE_HAS_BLOCKS = 32,
	TRIAGE_HAS_INTERRUPTS = 64,
	TRIAGE_HAS_KERNEL = 128, /* samples in the kernel */
};

struct triage_facts {
	struct triage_program *v; /* owned */
	u32 nr;
	size_t cap;
	u64 span; /* ns that were looked at */
	u32 has;  /* enum triage_source */
	bool all; /* the whole machine was asked about, so idle programs do not matter */
	u64 lost, torn;
	u64 unseen; /* ns of threads that no sample and no switch explains */
};

void triage_facts_release(struct triage_facts *f);

enum triage_sure { TRIAGE_SURE, TRIAGE_LIKELY, TRIAGE_GUESS };

/** triage_sure_name - return "sure", "likely" or "a guess". */
const char *triage_sure_name(enum triage_sure sure);

struct triage_verdict {
	enum triage_kind kind;
	u32 program; /* its number */
	u32 waiter;  /* the program that waits for this one, or TRIAGE_NONE */
	u64 ns;
	double share; /* of the time of the program */
	enum triage_sure sure;
	double score; /* the order */
	bool matters; /* it is large enough to look at */
};

/* The rules have these bounds. */
#define TRIAGE_MATTERS 0.10    /* losses from this part of the time on matter */
#define TRIAGE_HOT 0.30        /* so do a function with this part, and system calls */
#define TRIAGE_MOST 0.50       /* and an idle time of a command */
#define TRIAGE_SHOWN 0.01      /* smaller ones are left out */
#define TRIAGE_WORK_WEIGHT 0.5 /* work is not lost, but can be made less */

struct triage_judgement {
	struct triage_verdict *v; /* owned; the worst first */
	u32 nr;
	size_t cap;
	bool healthy; /* nothing matters but that a command was idle */
};

/** triage_judge - judge. triage_judgement_release() frees what is returned. */
struct triage_judgement triage_judge(const struct triage_facts *f);
void triage_judgement_release(struct triage_judgement *j);

/** triage_active - return the ns of a program that verdicts are shares of: without waits that
 * others explain, and without the idle time of spare threads. */
u64 triage_active(const struct triage_program *p);

/** triage_sees - tell whether the events of the recording can tell of a kind. */
bool triage_sees(const struct triage_facts *f, enum triage_kind kind);

#endif
