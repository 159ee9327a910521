/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of a recording, counted: what report and diff show. */
#ifndef PERF_PROFILE_PROFILE_H
#define PERF_PROFILE_PROFILE_H

#include "base/int-list.h"
#include "hist/blocks.h"
#include "hist/hist.h"
#include "recording/sample-filter.h"
#include "profile/branch-kinds.h"
#include "recording/event-switch.h"
#include "recording/guest.h"
#include "profile/namespaces.h"
#include "profile/parallelism.h"
#include "profile/quality.h"
#include "profile/fields.h"
#include "recording/recording.h"
#include "profile/thread-counts.h"
#include "resolve/callchain.h"
#include "session/session.h"
#include "symbol/symbol.h"

/* A column that has the same name in each row, as no other one passes; borrowed. */
struct profile_known {
	const char *column, *name;
};

struct profile {
	/* asked for; strings are borrowed */
	const char *input, *sort, *fields, *symfs, *vmlinux, *kallsyms, *default_sort;
	const char *comms, *dsos, *symbols, *symbol_filter, *time;
	struct name_list comm_list, dso_list, symbol_list; /* what they say; owned */
	struct sample_filter
		threads;           /* --pid, --tid: what does not pass still counts in the total */
	struct sample_filter only; /* -C, --time: what does not pass does not exist */
	struct event_switch on_off;
	struct guest_options guest;
	int socket;             /* --socket-filter; -1: all */
	struct int_list levels; /* --parallelism, none: all; as @threads */
	bool reference_graphs;  /* --show-ref-call-graph */
	bool fixed_widths, nanosecs, force, no_demangle, demangle_kernel, ignore_vmlinux;
	bool latency; /* --latency: sorted by it, and its column first */
	bool modes;   /* with shares of the kernel and of user space */
	bool hierarchy;
	bool read_threads; /* -T */
	bool whole_paths;  /* --full-source-path */
	bool origins;      /* of objects and symbols: see struct hist_conf */
	bool group_set;    /* --group is given: events that are in none are one */
	int group_sort;    /* --group-sort-idx */
	bool children, nr_samples, total_period, group, hide_unresolved;
	bool glue_branches;          /* branch stacks in front of call chains */
	bool graph_asked, order_set; /* of chain: any, the order */
	bool branches, branches_set; /* -b; unset: when there are any */
	bool mem;                    /* --mem-mode */
	bool raw_trace;              /* tracepoints by their fields, not by their text */
	const char *parent; /* -p: expression; NULL: the default one, and no column of it */
	bool exclude_other; /* -x */
	struct chain_conf chain;
	unsigned int max_stack;
	bool inlines;                     /* functions that were inlined are frames */
	bool no_stacks;                   /* samples count without their call chains */
	u64 time_quantum;                 /* ns */
	bool quality;                     /* count what quality_tell() needs */
	bool cycles;                      /* count the blocks of branch stacks too */
	const struct stacks_dims *stacks; /* NULL, or no rows but what exports are made of */
	int workers;

	/* what came of it */
	struct session session;
	struct profile_known known[3];
	u32 nr_known;
	struct machine *machine;
	struct jitdumps *jit;
	struct formats formats;
	struct profile_fields fields_of_events;
	struct namespaces namespaces;
	struct parallelism parallelism; /* where a column may need it */
	bool note_parallelism;
	bool chooses;    /* @only or @on_off leave samples out */
	bool wants_more; /* of samples than where they were */
	struct symbols *symbolics;
	bool ahead; /* the kernel is known, and its symbols may be on their way */
	struct resolver *resolver;
	struct leaf_callers *leaves; /* owned; NULL: chains lack none */
	struct callchain_conf chain_sources;
	struct hist *hist;         /* NULL when there were no events */
	struct branch_kinds kinds; /* of all samples, when rows are branches */
	struct thread_counts *threads_read;
	struct blocks *blocks;
	struct hist_columns cols;
	bool no_callers;         /* there are no chains to show Children of */
	bool asks_parent;        /* by more than a column of it */
	bool bad_keys, bad_time; /* profile_run() failed because of them */
	char *order, *keys; /* what is sorted by, as head lines say it and with the parent; owned */
	struct profile_worker **of_worker;
	int nr_workers;
	u32 *leader;
	u32 *chains_of; /* by event: whose call graphs its rows show; NULL: their own */
};

/** profile_has_chains, _branches - do samples of any event have call chains, branch stacks? */
bool profile_has_chains(const struct profile *p);
bool profile_has_branches(const struct profile *p);
/** profile_check_keys - are there the keys and fields that are asked for? @known: its events are;
 * without them what may be a field of one passes. Return: 0, -EINVAL and a sentence. */
int profile_check_keys(struct profile *p, bool known, struct err *err);
/** profile_check_samples - do samples have what is asked for? Return: 0, -EINVAL and a sentence. */
int profile_check_samples(struct profile *p, struct err *err);
/** profile_check_rows - does the recording tell what chooses rows and stands in the columns, which
 * are known? Return: 0, -EINVAL and a sentence. */
int profile_check_rows(const struct profile *p, struct err *err);
/** profile_settle_branches - rows are branches where these were recorded, unless told otherwise. */
void profile_settle_branches(struct profile *p);
/** profile_lists - read what --comms, --dsos and --symbols say, unless that was done before. */
int profile_lists(struct profile *p, struct err *err);
/** profile_columns - set @p->cols by the keys and fields asked for, or by what the events are. */
int profile_columns(struct profile *p, struct err *err);
/**
 * profile_run - count the samples of p->session, which is open; p->hist then has the rows.
 * Call profile_release() afterwards, also when it failed. Return: 0, or negative and a sentence.
 */
int profile_run(struct profile *p, struct err *err);
/** profile_symbols - make p->symbolics, unless they are. */
void profile_symbols(struct profile *p);
/** profile_left_out - is the sample in no row, but counts in what shares are of? */
bool profile_left_out(const struct profile *p, const struct sample *s);
/** profile_groups - do groups share rows? Recorded ones, or all events where --group asks. */
bool profile_groups(const struct profile *p);
/** profile_has_samples - did any event have any? A hierarchy without levels shows none. */
bool profile_has_samples(const struct profile *p);
/** profile_release - all but the session is done with, and the process about to end. */
void profile_release(struct profile *p);
/** profile_quality - what a worker counted of it. */
const struct quality *profile_quality(const struct profile *p, int worker);
/** evlist_has_groups - was any event recorded in a group with others? */
bool evlist_has_groups(const struct evlist *l);
/** workers_wanted - PERF_WORKERS, or the CPUs there are. */
int workers_wanted(void);

#endif
