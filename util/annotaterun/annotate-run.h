/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of a recording, counted by function and instruction for annotations. */
#ifndef PERF_ANNOTATERUN_ANNOTATE_RUN_H
#define PERF_ANNOTATERUN_ANNOTATE_RUN_H

#include "annotate/counts.h"
#include "recording/recording.h"

struct blocks;
struct annotate_run_worker;

/* A pass over a recording, and its result. */
struct annotate_run {
	struct recording *r; /* borrowed */
	/* Tell whether an address is wanted, as of annotate_counts_only(); NULL: all are. */
	bool (*asked)(void *ctx, u32 epoch, u8 cpumode, u64 ip);
	/* Tell, on any thread, whether a sample of those that @r takes is wanted; NULL: all are. */
	bool (*takes)(void *ctx, const struct session_event *ev);
	void *ctx;
	int workers;
	struct annotate_counts *counts; /* owned; from annotate_run_samples() on */
	/* The following members are private. */
	struct resolver *resolver;
	struct blocks *blocks; /* NULL: they are not wanted */
	struct annotate_run_worker **v;
	size_t nr, cap;
};

/**
 * annotate_run_samples - count the samples of a recording, which recording_prepare() has seen.
 * @blocks: what branch stacks say of cycles is wanted, too
 * Return: 0, or negative and a sentence. annotate_run_release() frees the result.
 */
int annotate_run_samples(struct annotate_run *run, bool blocks, struct err *err);
void annotate_run_release(struct annotate_run *run);

#endif
