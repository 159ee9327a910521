/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aggregation. Samples are first counted by what is raw: (event, comm, thread, cpu, address,
 * stack); each worker has its own table and shares nothing. hist_finish() resolves each unique
 * address once, folds the sums into rows keyed by the sort keys that were asked for, and orders
 * them. Where all state is known before the first sample and no stacks are kept, addresses are
 * resolved while counting and only what they are in is kept: hist_resolve_at_once().
 *
 * What is raw is kept only as far as a column needs it: a report by comm alone keeps no addresses.
 * The result does not depend on the number of workers or on who counted what.
 *
 * Order of use: hist_new, hist_worker_new per worker, hist_add per sample (any thread, one per
 * worker), hist_finish, then read rows with hist_event/hist_row, chains with hist_chains.
 */
#ifndef PERF_HIST_HIST_H
#define PERF_HIST_HIST_H

#include "base/strbuf.h"
#include "hist/column.h"
#include "resolve/resolve.h"

struct hist;
struct hist_worker;

/* What one sample contributes. The caller (a builtin) fills it from the session's event and the
 * machine. */
struct hist_sample {
	u32 evsel;                             /* idx */
	u32 thread, comm, epoch, kernel_epoch; /* from struct thread_at */
	u32 pid, tid, cpu;
	u8 cpumode;
	u64 ip, period, time;
	u64 order;            /* file offset: stands in for the time where there is none */
	const u64_una *chain; /* raw call chain with context markers; NULL without */
	u64 nr_chain;
};

enum chain_mode { CHAIN_NONE, CHAIN_GRAPH, CHAIN_FRACTAL, CHAIN_FLAT, CHAIN_FOLDED };
enum chain_value { CHAIN_PERCENT, CHAIN_PERIOD, CHAIN_COUNT };

struct chain_conf {
	enum chain_mode mode;
	enum chain_value value;
	bool caller;        /* root first; false: the sampled function first */
	double min_percent; /* branches under this share are not shown */
	u32 print_limit;    /* at most so many branches side by side; 0: all */
};

struct hist_conf {
	struct hist_columns cols; /* what to show and to sort by */
	struct chain_conf chain;
	bool chains;   /* samples carry call chains: keep and show them */
	bool children; /* add each sample to all its callers too (needs chains in the samples) */
	bool by_callchain;         /* rows of equal share: callers before callees */
	bool hide_unresolved;      /* samples and frames without symbol do not count */
	const char *symbol_filter; /* only rows whose symbol has this in its name; NULL; borrowed */
	u32 max_stack;             /* frames beyond are ignored */
	u32 nr_events;
	/*
	 * By event: the leader of the group it is shown in (its own index when it is shown alone);
	 * NULL: no groups. Members follow their leader. Borrowed.
	 */
	const u32 *leader;
	int workers; /* threads for hist_finish() */
	/* Filters, NULL: everything passes. Names are separated by commas; all borrowed. */
	const char *comms, *dsos, *symbols;
};

struct hist_sums {
	u64 period, nr, acc_period, acc_nr;
};

/* One row of the result. */
struct hist_row {
	u32 base;  /* event, comm, thread, cpu: hist_base() */
	u32 place; /* object and symbol: hist_place() */
	struct hist_sums
		*members; /* of a group: the sums of each event but the leader; owned by the hist */
	u64 period, nr;   /* of the samples in it (of a group: of the leader's) */
	u64 acc_period, acc_nr;         /* and of the samples in what it called (children) */
	u64 first;                      /* time (or file offset) of the first sample */
	u32 thread;                     /* of the first sample, from struct thread_at */
	u32 depth;                      /* of its longest chain */
	u32 stamp;                      /* private: last sample set that was counted in */
	char level;                     /* '.', 'k', 'g', 'u' or 'H': where the first sample was */
	const struct chain_node *chain; /* owned by the hist; NULL until hist_chains() or when
					   nothing is over the limit */
};

struct hist_base {
	u32 evsel, comm, tid, cpu; /* comm: of the machine */
};

/* Where rows and frames are: an object (by its short name) and a symbol or an address in it. */
struct hist_place {
	u32 dso;                     /* name: hist_dso_name() */
	u32 sym;                     /* in symtab; UINT32_MAX: none */
	const struct symtab *symtab; /* borrowed */
	u64 start, end;              /* of the symbol; start is the address when there is none */
	u32 key;                     /* equal for places that the columns do not tell apart */
};

/* A function in a call chain. */
struct hist_frame {
	u64 ip;   /* as sampled; what identifies a frame without symbol */
	u64 addr; /* symbol start, or ip: what frames of one object are ordered by */
	u32 place;
	u32 dso;    /* id of the object + 1, 0 unknown */
	char level; /* 0 when nothing is mapped there */
};

/* A branch of a row's call graph: frames without a fork, what ended here, and what goes on. */
struct chain_node {
	const u32 *frames; /* hist_frame() ids, in printing order */
	u32 nr_frames, nr_children;
	struct chain_node **children;     /* over the limit only, in printing order */
	u64 period, nr;                   /* of chains that end here */
	u64 children_period, children_nr; /* of those that go on, the ones under the limit too */
};

/* All rows of one event. */
struct hist_event {
	u64 period, nr;               /* all samples */
	u64 passed_period, passed_nr; /* those that passed the filters */
	u32 nr_members; /* of the group it leads, itself included; 1 alone, 0 for a member */
	struct hist_row **rows; /* owned; in printing order; a member has none */
	size_t nr_rows;
	u16 width[HIST_MAX_COLUMNS]; /* of each column of conf.cols */
};

/** hist_new - @conf is copied, what it points to is borrowed. Free with hist_free(). */
struct hist *hist_new(const struct hist_conf *conf);
void hist_free(struct hist *h);

/**
 * hist_resolve_at_once - all state is known: addresses may be resolved while samples are counted.
 * Call before hist_worker_new(), and hist_finish() with the same @m and @r. Without it addresses
 * are kept until then.
 */
void hist_resolve_at_once(struct hist *h, const struct machine *m, struct resolver *r);
/** hist_worker_new - a counting table for one thread; owned by the hist. Call from one thread. */
struct hist_worker *hist_worker_new(struct hist *h);
/** hist_add - count one sample. */
void hist_add(struct hist_worker *w, const struct hist_sample *s);

/** hist_needs_resolve - does any column or chain need addresses resolved, and symbols too? */
bool hist_needs_dso(const struct hist *h);
bool hist_needs_symbol(const struct hist *h);
/** hist_kernel_seen - did any sample so far have a kernel address in it? Call when no worker is
 * counting. */
bool hist_kernel_seen(const struct hist *h);

/**
 * hist_finish - turn counts into ordered rows.
 * @m, @r: sealed machine and a resolver on it (NULL when hist_needs_dso() is false); borrowed until
 * hist_free()
 */
void hist_finish(struct hist *h, const struct machine *m, struct resolver *r);
/** hist_chains - build the call graphs of the rows of an event whose share is at least @percent. */
void hist_chains(struct hist *h, u32 evsel, double percent);

/** hist_dso_hit - were any samples or frames in the object of this id? */
bool hist_dso_hit(const struct hist *h, u32 dso);
const struct hist_conf *hist_config(const struct hist *h);
/** hist_event - the rows of an event; one without samples when the hist never heard of it. */
const struct hist_event *hist_event(const struct hist *h, u32 evsel);
const struct hist_base *hist_base(const struct hist *h, u32 base);
const struct hist_place *hist_place(const struct hist *h, u32 place);
const struct hist_frame *hist_frame(const struct hist *h, u32 frame);
const char *hist_comm_name(const struct hist *h, u32 comm);
const char *hist_dso_name(const struct hist *h, u32 dso);
/** hist_symbol_name - demangled; NULL when there is no symbol. */
const char *hist_symbol_name(const struct hist *h, u32 place);
/** hist_thread_comm - the last name of the thread of a row. */
const char *hist_thread_comm(const struct hist *h, const struct hist_row *row);

#endif
