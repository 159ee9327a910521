/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samples of a recording, counted into rows: what report and diff show and exports write.
 * Options go in, the rows (struct hist) and what else was counted on the way come out.
 *
 *	p = profile_new(&options, &recording);
 *	profile_run(p, &err);
 *	... profile_hist(p) ...
 *	profile_free(p);
 *
 * Whatever fails between is one sentence. Which sentence comes first when several things are wrong
 * follows perf 6.1, so there is a check for each moment at which a command has to speak.
 */
#ifndef PERF_PROFILE_PROFILE_H
#define PERF_PROFILE_PROFILE_H

#include "hist/blocks.h"
#include "hist/hist.h"
#include "profile/branch-kinds.h"
#include "profile/quality.h"
#include "profile/thread-counts.h"
#include "recording/recording.h"

/*
 * What is asked for. Strings are borrowed and outlive the profile; NULL: not given. Which time and
 * which events switch is asked of the recording.
 */
struct profile_options {
	/* rows and columns */
	const char *sort, *fields; /* keys, as users write them */
	const char *default_sort;  /* keys of a command that has its own; NULL: those of report */
	const char *parent;        /* -p: expression; NULL: the default one, and no column of it */
	bool latency;              /* sorted by latency, and its column comes first */
	bool modes;                /* with shares of the kernel and of user space */
	bool hierarchy;
	bool children, nr_samples, total_period; /* columns */
	bool branches, branches_set;             /* rows are branches; unset: when there are any */
	bool mem;                                /* rows are of memory accesses */
	bool raw_trace;        /* tracepoints are shown by their fields, not by their text */
	bool group, group_set; /* groups share rows; set by users: events in none are one group */
	int group_sort;        /* the event of the group that rows are sorted by */
	bool fixed_widths, nanosecs, whole_paths;
	bool origins;     /* of objects and symbols: see struct hist_conf */
	u64 time_quantum; /* ns */
	/* which samples */
	const char *pids, *tids; /* what does not pass still counts in the total, */
	const char *levels;      /* of parallelism: as those, */
	const char *cpus;        /* what does not pass does not exist */
	const char *comms, *dsos, *symbols, *symbol_filter;
	int socket;         /* only CPUs of this processor; -1: all */
	bool exclude_other; /* only samples whose callers match @parent */
	bool hide_unresolved;
	/* call chains */
	struct chain_conf chain;
	bool graph_asked, order_set; /* of @chain: any, the order */
	bool glue_branches;          /* branch stacks in front of call chains */
	bool reference_graphs;       /* events without call chains show those of another event */
	bool no_stacks;              /* samples count without their call chains */
	bool inlines;                /* functions that were inlined are frames */
	unsigned int max_stack;
	/* what else is counted */
	bool read_threads;                /* what counters of threads had at their end */
	bool quality;                     /* what profile_tell_quality() needs */
	bool cycles;                      /* the blocks of branch stacks too */
	const struct stacks_dims *stacks; /* borrowed; NULL, or no rows but what exports are of */
	int workers;                      /* threads */
};

struct profile;
struct stacks;

/** profile_ask_stacks - ask for stacks of the same samples instead of rows: profile_stacks(). */
void profile_ask_stacks(struct profile_options *o);

/** profile_new - make a profile; nothing is read yet. @o is copied, @r is opened and borrowed. */
struct profile *profile_new(const struct profile_options *o, struct recording *r);
/** profile_free - free it; NULL is fine. Memory stays where it is when the process is about to end
 * and nobody looks (heap_is_checked()). */
void profile_free(struct profile *p);
/** profile_drop - do what profile_free() does, in a process that goes on. */
void profile_drop(struct profile *p);

/* ---- before the run ---- */

/** profile_take_threads, _levels, _cpus - read what the options say of threads, of levels of
 * parallelism and of CPUs. Return: 0, -EINVAL and a sentence. */
int profile_take_threads(struct profile *p, struct err *err);
int profile_take_levels(struct profile *p, struct err *err);
int profile_take_cpus(struct profile *p, struct err *err);
/** profile_check_keys - check whether there are the keys and fields that are asked for. @known: its
 * events are; without them what may be a field of one passes. Return: 0, -EINVAL and a sentence. */
int profile_check_keys(struct profile *p, bool known, struct err *err);
/** profile_check_samples - do samples have what is asked for? Return: 0, -EINVAL and a sentence. */
int profile_check_samples(struct profile *p, struct err *err);
/** profile_settle_columns - find the columns, unless they were found before. Return: 0, -EINVAL and
 * a sentence. */
int profile_settle_columns(struct profile *p, struct err *err);

/* ---- the run ---- */

/**
 * profile_run - prepare the recording and count its samples; profile_hist() then has the rows.
 * Return: 0, or negative and a sentence, of which profile_fault() tells the cause.
 */
int profile_run(struct profile *p, struct err *err);

/*
 * Instead of the run: of a recording that has not ended, some samples are handed in by the caller,
 * who has chosen them. The state of the recording stays as it is from profile_start() until the
 * profile is freed.
 */

/** profile_start - prepare for samples. Return: 0, or negative and a sentence, as profile_run(). */
int profile_start(struct profile *p, struct err *err);
/** profile_take_state - note a state record, in the order of time, before the first sample. Those
 * of namespaces are what the key cgroup_id is about. */
void profile_take_state(struct profile *p, const wire_header *rec, u64 time);
/**
 * profile_take - count a sample that stands for @nr equal ones. Its period is the sum of theirs,
 * and its call chain is complete.
 */
void profile_take(struct profile *p, const struct session_event *ev, u32 nr);
/** profile_finish - make the rows. */
void profile_finish(struct profile *p);

enum profile_fault {
	PROFILE_FAULT_OTHER,  /* or none */
	PROFILE_FAULT_KEYS,   /* a key or field does not exist */
	PROFILE_FAULT_TIME,   /* --time makes no sense */
	PROFILE_FAULT_SWITCH, /* an event that switches is not there */
};
/** profile_fault - return why profile_run() failed. */
enum profile_fault profile_fault(const struct profile *p);

/* ---- what came of it; pointers are borrowed ---- */

/** profile_hist - return the rows; NULL when there were no events. */
struct hist *profile_hist(const struct profile *p);
/**
 * profile_stacks - make the tree of a profile that has stacks (options.stacks). The caller frees it
 * with stacks_free().
 * @last: free the counts on the way; afterwards the profile can only be freed
 */
struct stacks *profile_stacks(const struct profile *p, bool last);
/** profile_has_samples - tell whether any event had any. A hierarchy without levels shows none. */
bool profile_has_samples(const struct profile *p);
/** profile_has_gaps - tell whether samples may be missing between others. Of a single span of time
 * all that were in it are there. */
bool profile_has_gaps(const struct profile *p);
/** profile_of_branches - tell whether rows are branches. */
bool profile_of_branches(const struct profile *p);
/** profile_groups - do groups share rows? Recorded ones, or all events where that is asked for. */
bool profile_groups(const struct profile *p);
/** profile_borrows_chains - tell whether the call chains that are shown for that event are those of
 * another one. */
bool profile_borrows_chains(const struct profile *p, u32 evsel);
/** profile_sort - return the keys that were asked for and are in use; NULL: none are. */
const char *profile_sort(const struct profile *p);

/* A column that is not shown: each row has the same name in it, as no other one passes. */
struct profile_known {
	const char *column, *name; /* borrowed */
};
/** profile_known - return these columns, in their order. @nr: how many */
const struct profile_known *profile_known(const struct profile *p, u32 *nr);

/** profile_blocks - return the blocks that were counted with options.cycles, else NULL. */
const struct blocks *profile_blocks(const struct profile *p);
/** profile_branch_kinds - return the kinds of branches of all samples, when rows are branches. */
const struct branch_kinds *profile_branch_kinds(const struct profile *p);
/** profile_thread_counts - return the counts of threads with options.read_threads, else NULL. */
const struct thread_counts *profile_thread_counts(const struct profile *p);
/** profile_quality - add up what all workers counted of the quality. */
void profile_quality(const struct profile *p, struct quality *sum);

/** profile_tell_stacks - tell in one sentence, without a line end, for each thing that is wrong
 * with the call chains: that they are broken, cut off, or their dumps full. */
void profile_tell_stacks(const struct profile *p, const struct notices *sentences);
/** profile_tell_runtimes - tell in one sentence, likewise, for each process of a runtime (python,
 * node, java, ruby) that does not name the functions that it runs, and has a good share of the
 * samples. */
void profile_tell_runtimes(const struct profile *p, const struct notices *sentences);
/**
 * profile_tell_quality - give one notice for each thing that matters, and what to do about it.
 * @told: why symbols are missing was said before
 */
void profile_tell_quality(const struct profile *p, bool told, const struct notices *notices);
/** profile_tell_symbols - give a notice for each object that samples fell in and whose symbols are
 * missing or partial, with the reason. */
void profile_tell_symbols(const struct profile *p, const struct notices *notices);

/** profile_takes - tell whether a sample that the recording takes is in a row, as far as options
 * choose threads, processors and sockets. @p: was run */
bool profile_takes(const struct profile *p, const struct sample *s);

#endif
