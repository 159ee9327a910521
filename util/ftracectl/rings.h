/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rings of an instance, one for each CPU, read as binary pages (trace_pipe_raw). While a run is
 * watched, pages are read into memory in rounds. A run that is looked at later has its pages moved
 * to files by splice(2), which copies nothing.
 */
#ifndef PERF_FTRACECTL_RINGS_H
#define PERF_FTRACECTL_RINGS_H

#include "ftracectl/instance.h"
#include "ftracepages/merge.h"

struct frings {
	struct fpage_layout layout;
	struct fring *rings; /* owned, one for each CPU that is there */
	u32 nr;              /* of them */
	u32 nr_cpus;         /* the highest number of a CPU, and one */
	void *page;          /* owned: room for one */
};

/**
 * frings_open - open the rings of all CPUs of an instance.
 * @spooled: pages go to files without names in $TMPDIR
 * Return: 0, or a negative errno and a sentence.
 */
int frings_open(struct frings *r, const struct ftrace_instance *in, bool spooled, struct err *err);
void frings_close(struct frings *r);
/**
 * frings_round - take what the rings have: to @m, or to the files.
 * @all: take everything, to the last page; that is for a ring which is off, and the last round
 * Return: the number of pages, or a negative errno and a sentence.
 */
long frings_round(struct frings *r, struct fmerge *m, bool all, struct err *err);
/** frings_fd - return the descriptor of the @i-th ring, which can be polled: half full. */
int frings_fd(const struct frings *r, u32 i);
/** frings_more - read pages back from the file of a CPU; a fmerge_more, @ctx: the struct frings. */
int frings_more(void *ctx, u32 cpu, struct strbuf *out);
/** frings_lost - return how many events the kernel has dropped in the rings of @in. */
u64 frings_lost(const struct ftrace_instance *in, const struct frings *r);

#endif
