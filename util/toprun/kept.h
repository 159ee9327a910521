/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samples that a live profile shows. Equal samples are kept once, with how many there were and
 * with the sum of their periods. Two samples are equal when they are of the same event and of the
 * same meaning (thread, name and address space at their time), and agree in all that the profile
 * looks at. Their times, ids and periods are not part of that.
 *
 * At each refresh one of eight samples is forgotten, evenly over all of them: so a sample weighs
 * less the older it is, what is idle now goes away, and numbers of samples stay whole. When more
 * samples come between refreshes than there is room for, the same is done to make room: however
 * late a refresh is, the next one has no more to count.
 */
#ifndef PERF_TOPRUN_KEPT_H
#define PERF_TOPRUN_KEPT_H

#include "machine/machine.h"
#include "session/session.h"

#define KEPT_FORGOTTEN 8 /* of so many samples one is forgotten at each refresh */

/* A profile looks at this, beside addresses and call chains. */
struct kept_conf {
	bool cpus;    /* CPUs of samples */
	bool raw;     /* their raw data: texts and fields of tracepoints */
	size_t limit; /* bytes of kept samples from which older ones make room for new ones */
};

struct kept_sample {
	u64 time; /* of the last one of the equal samples */
	u64 period;
	u32 nr;
	u32 evsel;       /* index of its event */
	u32 comm, epoch; /* as of struct thread_at */
	u32 size;
	size_t at; /* the record, in the bytes of all */
};

struct kept {
	struct kept_conf conf;
	struct wire_layout *layouts; /* owned; of the kept records, by event */
	u32 nr_layouts;
	struct kept_sample *v; /* owned */
	size_t nr, cap;
	struct strbuf bytes;  /* the records */
	struct map64 by_hash; /* hash -> index; the next hash when that is taken */
	u64 dropped;          /* samples that could not be kept */
	u32 owed;             /* samples that still count as forgotten, less than KEPT_FORGOTTEN */
};

/** kept_init - prepare for samples of the events of @l. kept_release() frees it. */
void kept_init(struct kept *k, const struct kept_conf *conf, const struct evlist *l);
void kept_release(struct kept *k);
/** kept_clear - forget all samples. */
void kept_clear(struct kept *k);

/**
 * kept_add - count a sample of the session.
 * @s: its content, in which the call chain may have replaced copied registers and stack
 * @at: its thread at its time
 */
void kept_add(struct kept *k, const struct session_event *ev, const struct sample *s,
	      const struct thread_at *at);
/** kept_age - forget one of KEPT_FORGOTTEN samples. */
void kept_age(struct kept *k);
/** kept_oldest - return the time of the oldest sample; UINT64_MAX: there is none. */
u64 kept_oldest(const struct kept *k);
/** kept_total - return the number of samples that are kept. */
u64 kept_total(const struct kept *k);

/**
 * kept_get - decode kept sample @i < k->nr. It is valid until k changes.
 * Return: the number of samples that it stands for; @out->period is the sum of their periods.
 */
u32 kept_get(const struct kept *k, size_t i, struct sample *out);

/* A machine was made anew, with other ids. */
typedef void kept_thread_fn(void *ctx, u32 pid, u32 tid, u64 time, struct thread_at *at);
/** kept_move - look up the threads of all samples again with @fn. */
void kept_move(struct kept *k, kept_thread_fn *fn, void *ctx);

#endif
