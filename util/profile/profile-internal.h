/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a profile while it runs, shared by the files of the room. */
#ifndef PERF_PROFILE_PROFILE_INTERNAL_H
#define PERF_PROFILE_PROFILE_INTERNAL_H

#include "base/int-list.h"
#include "base/name-list.h"
#include "datatype/datatype.h"
#include "profile/chain-ends.h"
#include "profile/fields.h"
#include "profile/namespaces.h"
#include "profile/parallelism.h"
#include "profile/profile.h"
#include "profile/runtimes.h"
#include "profile/wall.h"
#include "resolve/callchain.h"
#include "session/session.h"

struct profile_worker;

struct profile {
	struct profile_options o; /* settled further as the recording becomes known */
	struct recording *r;      /* borrowed; its filter has the CPUs */
	/* what the options say */
	struct name_list comm_list, dso_list, symbol_list; /* owned */
	struct sample_filter threads;
	struct int_list levels;
	/* columns */
	struct hist_columns cols;
	struct profile_fields fields_of_events;
	struct profile_known known[3];
	u32 nr_known;
	char *order, *keys; /* what is sorted by, as head lines say it and with the parent; owned */
	bool no_callers;    /* there are no chains to show Children of */
	bool asks_parent;   /* by more than a column of it */
	/* the state beside that of the recording */
	struct namespaces namespaces;
	struct parallelism parallelism; /* where a column may need it */
	bool note_parallelism;
	bool ahead; /* the kernel is known, and its symbols may be on their way */
	/* the run */
	bool chooses; /* samples are left out by time, CPU or switches */
	bool handed;  /* samples are handed in: they were chosen, their call chains are complete */
	bool leaves_out;         /* samples are in no row because of their thread or processor */
	bool wants_more;         /* of samples than where they were */
	struct symbols *symbols; /* those of the recording, where they are needed */
	struct resolver *resolver;
	struct datatypes
		*types; /* of accesses, while the hist is finished; NULL: none was asked for */
	struct callchain_conf chain_sources;
	struct profile_worker **of_worker;
	int nr_workers;
	u32 *leader;
	u32 *chains_of; /* by event: whose call graphs its rows show; NULL: their own */
	/* what came of it */
	enum profile_fault fault;
	struct hist *hist; /* NULL when there were no events */
	struct blocks *blocks;
	struct branch_kinds kinds;
	struct thread_counts *threads_read;
	struct wall wall;
	struct chain_ends ends; /* with o.quality */
	struct hist_stack_visitor visitor;
};

static inline struct evlist *events_of(const struct profile *p)
{
	return &p->r->session.evlist;
}

static inline const struct env *env_of(const struct profile *p)
{
	return &p->r->session.file->env;
}

/* ---- options and what the recording has: checks.c, filters.c, keys.c ---- */

/** profile_has_chains, _branches - do samples of any event have call chains, branch stacks? */
bool profile_has_chains(const struct profile *p);
bool profile_has_branches(const struct profile *p);
/** profile_settle_branches - make rows of branches where these were recorded, unless told
 * otherwise. */
void profile_settle_branches(struct profile *p);
/** profile_check_rows - check whether the recording has what chooses rows and stands in the
 * columns, which are known. Return: 0, -EINVAL and a sentence. */
int profile_check_rows(const struct profile *p, struct err *err);
/** profile_lists - read what the options say of names, unless that was done before. */
int profile_lists(struct profile *p, struct err *err);
/** profile_columns - set @p->cols by the keys and fields asked for, or by what the events are. */
int profile_columns(struct profile *p, struct err *err);
/** profile_left_out - tell, where p->leaves_out, whether the sample is in no row, but counts in
 * what shares are of. */
bool profile_left_out(const struct profile *p, const struct sample *s);
/** profile_chooses - tell, where p->chooses, whether the sample counts at all. */
bool profile_chooses(struct profile *p, const struct session_event *ev);
/** profile_end - return when the recording ends: its last sample, or the last switch of a thread
 * that is counted. After pass 1. */
u64 profile_end(const struct profile *p);

/* ---- when the events are known: setup.c ---- */

/** profile_make_hist - find groups and columns, check the samples, and make the hist. Return: 0, or
 * negative and a sentence. */
int profile_make_hist(struct profile *p, struct err *err);

/** profile_measure_chains - have @conf measure how call chains end, where that can be told. */
void profile_measure_chains(struct profile *p, struct hist_conf *conf);

/** profile_tell_unwound - one sentence for each thing that keeps copied stacks from being whole. */
void profile_tell_unwound(const struct profile *p, const struct notices *sentences);

/* ---- samples: worker.c ---- */

/** profile_worker_new - make a worker, which @p owns. */
struct profile_worker *profile_worker_new(struct profile *p);
void profile_worker_free(struct profile_worker *w);
/** profile_count - count one sample. @worker: a struct profile_worker. Return: 0. */
int profile_count(void *worker, const struct session_event *ev, struct err *err);
/** profile_count_many - do what profile_count() does for a sample that stands for @nr equal ones,
 * whose periods its period is the sum of. */
void profile_count_many(struct profile_worker *w, const struct session_event *ev, u32 nr);
/** profile_worker_kinds, _quality, _unwound, _busy - what a worker counted. */
const struct branch_kinds *profile_worker_kinds(const struct profile_worker *w);
const struct quality *profile_worker_quality(const struct profile_worker *w);
const struct unwind_counts *profile_worker_unwound(const struct profile_worker *w);
const struct busy_processes *profile_worker_busy(const struct profile_worker *w);

#endif
