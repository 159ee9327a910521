/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call chains of switches and wakeups in one line of text, without the frames of the scheduler. */
#ifndef PERF_SCHEDTEXT_CHAINS_H
#define PERF_SCHEDTEXT_CHAINS_H

#include "analyze/engine.h"
#include "recording/recording.h"

struct sched_chains;

/** sched_has_chains - tell whether samples of any event have call chains. */
bool sched_has_chains(const struct evlist *l);

/**
 * sched_chains_new - prepare; sched_chains_free() frees it.
 * @r: borrowed; its symbols are not opened before the first chain
 * @max_stack: so many frames of a chain are shown
 */
struct sched_chains *sched_chains_new(struct recording *r, u32 max_stack);
void sched_chains_free(struct sched_chains *c);

/** sched_chains_put - append "inner <- outer <- ...", the chain of an event; nothing without one. */
void sched_chains_put(struct sched_chains *c, const struct engine_input *in, struct strbuf *out);

/* A chain that was kept, and in which thread and when it was. */
struct sched_chain_at {
	u32 pid, tid;
	u64 time;           /* ns */
	const u64_una *ips; /* borrowed; innermost first, with context markers */
	u64 nr;
};

/** sched_chains_put_at - append such a chain in the same way. */
void sched_chains_put_at(struct sched_chains *c, const struct sched_chain_at *at,
			 struct strbuf *out);

#endif
