/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of the rings of several CPUs in the order of time. Each CPU has a queue of pages. */
#ifndef PERF_FTRACEPAGES_MERGE_H
#define PERF_FTRACEPAGES_MERGE_H

#include "base/strbuf.h"
#include "ftracepages/pages.h"

struct fmerge;

/* One event of a CPU, and what was lost right in front of it. */
struct fmerge_event {
	struct fpage_event ev;
	u32 cpu;
	bool lost;   /* events of this CPU were lost before this one */
	u64 nr_lost; /* how many; 0: the kernel does not tell */
};

/**
 * Get more pages of a CPU, whose queue is empty: whole pages are appended to @out.
 * Return: 0, also when there are none; a negative errno ends the queue.
 */
typedef int (*fmerge_more)(void *ctx, u32 cpu, struct strbuf *out);

/**
 * fmerge_new - make empty queues for the CPUs 0 .. @nr_cpus - 1. fmerge_free() frees them.
 * @more: called when a queue is empty; NULL: nobody is asked
 */
struct fmerge *fmerge_new(const struct fpage_layout *l, u32 nr_cpus, fmerge_more more, void *ctx);
void fmerge_free(struct fmerge *m);

/** fmerge_put - append a page to the queue of a CPU; it is copied. */
void fmerge_put(struct fmerge *m, u32 cpu, const void *page, size_t size);
/**
 * fmerge_next - get the oldest event, when its time is not after @until. Its payload stays valid
 * until the next call of any function here.
 * Return: false when there is none.
 */
bool fmerge_next(struct fmerge *m, u64 until, struct fmerge_event *out);
/**
 * fmerge_peek - look at the event of a CPU that follows the one handed out last, whose payload is
 * gone with that. Return: false when it is not there yet. fmerge_skip() passes over it.
 */
bool fmerge_peek(struct fmerge *m, u32 cpu, struct fpage_event *out);
void fmerge_skip(struct fmerge *m, u32 cpu);
/** fmerge_newest - return the latest time of the events that have been looked at: those that were
 * read, and the first ones of pages. 0: there were none. */
u64 fmerge_newest(const struct fmerge *m);
/** fmerge_bad - return the number of pages that could not be read, or not to their end. */
u64 fmerge_bad(const struct fmerge *m);

#endif
