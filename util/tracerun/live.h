/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A live run: events are opened, their rings are read as they fill, and lines are written at once.
 * The rings wake the reader when they are a quarter full; a timer of a few milliseconds brings what
 * comes slowly.
 */
#ifndef PERF_TRACERUN_LIVE_H
#define PERF_TRACERUN_LIVE_H

#include "recorder/opened.h"
#include "tracerun/tracerun.h"

struct trace_live_conf {
	/* All are borrowed. */
	const struct sysroot *sysroot;
	struct record_opts *opts; /* settled (recordopts/settle.h) */
	struct evlist *events;    /* changed to what was really opened */
	const struct record_notes *notes;
	const struct recording_options *source; /* where symbols come from; switches */
	const struct trace_asked *asked;
	const struct int_list *left_out; /* processes that are not traced */
	struct call_sums *counted;       /* opened if asked->counted; the caller closes it */
	struct trace_output out;
};

/* It tells what has become of a run. */
struct trace_live_result {
	u64 strings;   /* calls whose strings were read from memory of their processes */
	u64 copied;    /* calls whose strings were copied by BPF programs */
	u64 lost;      /* events that the kernel has dropped */
	size_t pages;  /* of each ring */
	size_t needed; /* pages of each ring that would have been enough; 0: unknown */
	bool target;   /* what failed was finding the target */
};

/**
 * trace_live - run until the command or the target ends, a signal comes, or all lines that were
 * asked for are there. The summary is written as well.
 * Return: 0, or negative errno and a sentence.
 */
int trace_live(const struct trace_live_conf *conf, struct trace_live_result *result,
	       struct err *err);

#endif
