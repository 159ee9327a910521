/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole run of `perf inject`: a recording is opened, and written again with the additions that
 * the options ask for.
 *
 *	inject_open(&in, &options, &notices, &err);
 *	inject_run(&in, &err);
 *	inject_close(&in);
 */
#ifndef PERF_INJECT_RUN_H
#define PERF_INJECT_RUN_H

#include "inject/aslr.h"
#include "inject/guest.h"
#include "inject/inject.h"

/* Strings are borrowed, NULL: not given. */
struct inject_options {
	struct recording_options rec;
	const char *output;    /* "-": standard output */
	const char *known_ids; /* see known_ids_parse() */
	const char *vmlinux;   /* image of the recorded kernel */
	/* These choose which build-ids are added, and where: see struct inject_ids. */
	bool ids_of_hits, ids_of_all, ids_in_maps, ids_in_all_maps;
	bool merge_sched; /* one event of when and how long a task slept */
	bool unwind;      /* copied stacks become call chains */
	bool merge_jit;   /* add functions compiled at run time */
	bool aslr;        /* replace all addresses */
	bool strip;       /* leave samples out, unless there are instruction traces */
	bool verbose;
	struct guest_specs guests; /* recordings of guests, to be added */
};

struct inject {
	struct recording rec;
	/* private */
	const struct inject_options *options; /* borrowed */
	struct rewrite rw;
	struct inject_ids ids;
	struct sched_merge *sched;
	struct inject_jit *jit;
	struct inject_chains *chains;
	struct inject_aslr *aslr;
	struct inject_guests *guests;
	bool finished; /* the output is complete */
};

/**
 * inject_open - open the input, once it is clear that the output can be written.
 * @o: borrowed as long as @in lives
 * @notices: takes what is wrong with build-ids and dumps; borrowed
 * Return: 0, or negative errno and a sentence; then there is nothing to close.
 */
int inject_open(struct inject *in, const struct inject_options *o, const struct notices *notices,
		struct err *err);
/** inject_run - write the output. Return: 0, or negative errno and a sentence. */
int inject_run(struct inject *in, struct err *err);
/** inject_has_traces - tell whether the input has instruction traces, as far as it was read. */
bool inject_has_traces(const struct inject *in);
/** inject_close - close and free all. Tells when the output was removed for being incomplete. */
void inject_close(struct inject *in);

#endif
