/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A histogram: samples in, ordered rows out. Each worker counts samples in tables of its own, by
 * event, thread, CPU, key values, address and stack. hist_finish() resolves each unique address
 * once, makes rows that the sort keys tell apart, and orders them. Where all state is known before
 * the first sample, addresses may be resolved while samples are counted: hist_resolve_early().
 * There are several strategies of counting (counting-internal.h); all give the same result.
 *
 * Only what a column asks for is kept of samples: a report by comm alone keeps no addresses. The
 * result depends neither on the number of workers nor on who counted what.
 *
 * Order of use: hist_new, hist_worker_new per worker, hist_add per sample (any thread, one per
 * worker), hist_finish; then read rows with hist_event and call graphs with hist_chains.
 */
#ifndef PERF_HIST_HIST_H
#define PERF_HIST_HIST_H

#include <regex.h>

#include "base/name-list.h"
#include "base/strbuf.h"
#include "hist/column.h"
#include "resolve/branch-chain.h"
#include "resolve/resolve.h"
#include "wire/access.h"

struct hist;
struct hist_worker;
struct stacks_dims; /* hist/counted-stacks.h */

/*
 * A text of a sample. It is shown up to its first zero byte. What follows that byte, if anything,
 * is what the text is sorted by.
 */
struct hist_text {
	const char *text;
	size_t len;
};

/*
 * The index in hist_sample.texts of a key: what the event says (KEY_TRACE), "4/0x1ab"
 * (KEY_CGROUP_ID), or the text of a field column (KEY_FIELD + n).
 */
#define HIST_TEXT(key) ((key)-KEY_TRACE)
#define HIST_NR_TEXTS HIST_TEXT(NR_KEYS)

/*
 * What one sample contributes. The caller fills it from an event of the session and from the
 * machine.
 */
struct hist_sample {
	u32 evsel;                             /* idx */
	u32 thread, comm, epoch, kernel_epoch; /* from struct thread_at */
	u32 pid, tid, cpu;
	u8 cpumode;
	u32 parallelism; /* threads that ran at that moment, itself included */
	u64 ip, period, time;
	u64 order;            /* file offset: stands in for the time where there is none */
	u64 nth;              /* number of a branch in its sample: branches follow each other */
	const u64_una *chain; /* raw call chain with context markers; NULL without */
	u64 nr_chain;
	u32 nr_glued; /* words in front that are ends of branches */
	/*
	 * There are HIST_NR_TEXTS of them, at HIST_TEXT(key). Only those that a column asks for
	 * are read. They are borrowed for the call.
	 */
	const struct hist_text *texts;
	const struct sample *sample; /* the whole sample */
	/*
	 * In a histogram of branches each sample is one entry of a branch stack. Then @ip is the
	 * branch's target, cpumode does not count, and:
	 */
	u64 from;
	u64 flags;     /* as in struct perf_branch_entry: HIST_MISPRED and so on, and the cycles */
	bool filtered; /* it counts in the total that shares are of, and in no row */
	u64 lasts; /* ns from @time on, over which trees with slices spread the period; 0: it is a
		      moment */
	bool lbr;  /* user addresses of @chain are those of calls, not of what follows them */
	bool many; /* it stands for @nr equal samples, whose periods add up to @period */
	u32 nr;
};

/** hist_sample_nr - return the number of samples that @s stands for. */
static inline u32 hist_sample_nr(const struct hist_sample *s)
{
	return unlikely(s->many) ? s->nr : 1;
}

/* The width of what conf.origins puts in front of "[.] main": an address and a letter. */
#define HIST_ORIGIN_WIDTH 21

/* Bits of the flags of a branch. HIST_CYCLES() extracts the cycles. */
#define HIST_MISPRED 1
#define HIST_PREDICTED 2
#define HIST_IN_TX 4
#define HIST_ABORT 8
#define HIST_FILTERED 128 /* in a base: its samples are filtered */
#define HIST_CYCLES(flags) ((flags) >> 4 & 0xffff)

/* Markers and words about branches that room resolve puts into call chains. */
#define HIST_CONTEXT_ANY BRANCH_CONTEXT_ANY
#define HIST_CONTEXT_BRANCHES BRANCH_CONTEXT_MARKS
#define HIST_BRANCH BRANCH_MARK
#define HIST_BRANCH_TO BRANCH_MARK_TO
#define HIST_BRANCH_PREDICTED BRANCH_MARK_PREDICTED
#define HIST_BRANCH_ABORT BRANCH_MARK_ABORT
#define HIST_BRANCH_BACK BRANCH_MARK_BACK
#define HIST_BRANCH_4K BRANCH_MARK_4K
#define HIST_BRANCH_2M BRANCH_MARK_2M
#define HIST_BRANCH_TYPE(word) BRANCH_MARK_TYPE(word)
#define HIST_BRANCH_CYCLES(word) BRANCH_MARK_CYCLES(word)
#define HIST_BRANCH_ROUNDS(word) BRANCH_MARK_ROUNDS(word)
#define HIST_BRANCH_ROUND_CYCLES(word) BRANCH_MARK_ROUND_CYCLES(word)

/*
 * The default of hist_conf.parent: functions through which the kernel was entered in its early
 * days.
 */
#define HIST_PARENT "^sys_|^do_page_fault"

/* The default of hist_conf.time_quantum, in ns. */
#define HIST_TIME_QUANTUM 100000000ULL

enum chain_mode { CHAIN_NONE, CHAIN_GRAPH, CHAIN_FRACTAL, CHAIN_FLAT, CHAIN_FOLDED };
enum chain_value { CHAIN_PERCENT, CHAIN_PERIOD, CHAIN_COUNT };

struct chain_conf {
	enum chain_mode mode;
	enum chain_value value;
	bool caller;                   /* print the root first; false: the sampled function first */
	bool marks;                    /* chains have HIST_CONTEXT_BRANCHES */
	bool address;                  /* frames are places in functions; false: functions */
	bool line;                     /* frames are source lines of functions */
	const regex_t *ignore_callees; /* chains begin at these functions; NULL; borrowed */
	double min_percent;            /* branches under this share are not shown */
	u32 print_limit;               /* at most so many branches side by side; 0: all */
};

/*
 * Something that looks at the stacks of samples once addresses are frames, each different stack of
 * a worker once. One thread calls both functions.
 */
struct stack;
struct hist_stack_visitor {
	void *ctx;
	/** classify - return a number for a stack, whose ids are frames in printing order. */
	u64 (*classify)(void *ctx, const struct hist *h, const struct stack *s);
	/** count - take @nr samples of an event whose stack has that number. */
	void (*count)(void *ctx, u32 evsel, u64 class, u64 nr);
};

struct hist_conf {
	struct hist_columns cols; /* what to show and to sort by */
	struct chain_conf chain;
	bool chains;       /* samples carry call chains: keep and show them */
	bool children;     /* add each sample to the rows of all its callers, too (needs chains) */
	bool by_callchain; /* sort rows of equal share so that callers stand before callees */
	bool branches;     /* samples are branches */
	bool inlines;      /* functions that were inlined are frames of call chains, where debug
			      information tells of them */
	bool hide_unresolved;      /* samples and frames without symbol do not count */
	const char *symbol_filter; /* only rows whose symbol has this in its name; NULL; borrowed */
	const char *parent;        /* expression for KEY_PARENT; NULL: HIST_PARENT; borrowed */
	bool exclude_other;        /* samples without a parent do not pass; needs KEY_PARENT */
	u32 max_stack;             /* frames beyond this number are ignored */
	/*
	 * What rows of a group are sorted by. 0: the first event, then the second and so on.
	 * Otherwise this event decides before the others but the first; if there is none such, the
	 * first decides alone.
	 */
	int group_sort;
	u64 nr_addresses; /* how many different addresses may come; 0: it is not known */
	u32 nr_events;
	/*
	 * By event, the leader of the group that it is shown in (its own index when it is shown
	 * alone); NULL: there are no groups. Members follow their leader. Borrowed.
	 */
	const u32 *leader;
	/*
	 * By event, the event whose call graphs its rows show, scaled to their sums; NULL: each
	 * shows its own. Borrowed.
	 */
	const u32 *chains_of;
	int workers;          /* threads for hist_finish() */
	const s32 *socket_of; /* by CPU; -1: unknown; borrowed; NULL: none is known */
	u32 nr_sockets_of;    /* number of CPUs in @socket_of */
	bool fixed_widths;    /* widths were given: addresses do not widen that of objects */
	bool nanosecs;        /* times are shown with 9 decimals */
	bool whole_paths;     /* source files are shown with their folders */
	/*
	 * Show objects by their paths, and symbols with the address of the first sample and with
	 * where they are from: symtab_origin()
	 */
	bool origins;
	u64 time_quantum;  /* ns; times are rounded down to a multiple */
	u32 line_size;     /* bytes of a cache line, a power of two; 0: 64 */
	bool mem;          /* periods are weights */
	const char *order; /* with @mem: the sort keys, for the head lines; borrowed */
	/*
	 * What a tree of stacks tells apart, for stacks_of_hist(); NULL: rows are made. With it no
	 * rows are made, and samples that are filtered count nowhere. Borrowed.
	 */
	const struct stacks_dims *stacks;
	const struct hist_stack_visitor *visitor; /* borrowed; NULL: nobody looks at stacks */
	u64 first_time, last_time; /* the span of the samples to come, which is cut into slices; 0:
				      it is not known */
	/*
	 * Appends the text of KEY_TYPE, KEY_TYPE_OFF or KEY_TYPE_LINE for a location. Needed when a
	 * column shows one; called by one thread, within hist_finish().
	 */
	void (*place_text)(const struct hist_conf *conf, enum hist_key what,
			   const struct location *l, struct strbuf *out);
	void *place_text_ctx; /* borrowed */
	/* Filters; NULL: everything passes. Borrowed. */
	const struct name_list *comms, *dsos, *symbols;
};

/*
 * Sums of a row by the mode of its samples (NEED_MODES), and sums of latency (NEED_LATENCY): the
 * part of the period that passed on the wall, which threads that ran at the same time share, in
 * thousandths.
 */
enum hist_mode {
	MODE_SYS,
	MODE_USER,
	MODE_GUEST_SYS,
	MODE_GUEST_USER,
	MODE_LATENCY,
	MODE_ACC_LATENCY,
	MODE_CLASSES, /* sums by enum access_class, with NEED_CLASSES alone */
	NR_MODES = MODE_CLASSES + ACCESS_CLASSES
};

/** hist_nr_modes - return how many of these sums rows have with such columns. */
static inline u32 hist_nr_modes(const struct hist_columns *c)
{
	return c->need & NEED_CLASSES ? NR_MODES : MODE_CLASSES;
}

struct hist_sums {
	u64 period, nr, acc_period, acc_nr;
};

/*
 * With conf.origins: where the first sample of a row was seen. Addresses of callers are those at
 * run time, others those in the object.
 */
struct hist_seen {
	u64 ip;       /* of a branch, its target at run time */
	u64 from, to; /* of branches */
};

/*
 * What only some reports need of a row: those with call chains, with groups, or with columns of
 * NEED_MODES.
 */
struct hist_row_more {
	struct hist_sums *members; /* of a group: the sums of each event but the leader; owned by
				      the histogram */
	u64 *modes; /* hist_nr_modes() sums for each event; NULL when no column needs them */
	u64 acc_period, acc_nr; /* of the samples in the row and in what it called (children) */
	const struct chain_node *chain; /* owned by the histogram; NULL until hist_chains(), or when
					   nothing is over the limit */
	u32 depth;                      /* of the longest chain */
	u32 first_member; /* of a group: the event of the first sample, the leader if it has any */
	u32 first_pos; /* the frame's position in the first sample's chain as printed; 0: the sample
			  itself */
	u32 stamp;     /* private: the tally that was added last */
	struct hist_seen seen;
};

/* One row of the result. It is small, as there may be as many rows as samples. */
struct hist_row {
	u64 period, nr;             /* of the samples in the row (of a group: of the leader's) */
	u64 first;                  /* time (or file offset) of the first sample */
	struct hist_row_more *more; /* owned by the histogram; NULL: nothing needs it */
	u32 base;                   /* event, comm, thread, cpu: hist_base() */
	u32 place;                  /* object and symbol: hist_place() */
	u32 thread;                 /* of the first sample, from struct thread_at */
	char level;                 /* '.', 'k', 'g', 'u' or 'H': where the first sample was */
	bool filtered; /* of a hierarchy: the row is not shown, but it is in the sums above */
};

static inline const struct chain_node *hist_row_chain(const struct hist_row *row)
{
	return row->more ? row->more->chain : NULL;
}

struct hist_base {
	u32 evsel, comm, tid, cpu; /* @comm is an id of the machine */
	/* These describe a branch; they are 0 when no column asks: */
	u64 from; /* hist_place() of where it came from */
	u32 from_epoch;
	u16 cycles;
	u8 flags, from_mode;
	u64 key_set;     /* number of the set of key values; private */
	u32 parallelism; /* private; rows do not have it */
	u32 classes;     /* the same: access_classes() */
};

/*
 * A place, where rows and frames are: an object (by its short name), and a symbol or an address in
 * it. There may be as many places as rows.
 */
struct hist_place {
	u64 start;                   /* where the symbol starts; the address when there is none */
	const struct symtab *symtab; /* borrowed */
	u32 dso;                     /* number of its name: hist_dso_name() */
	u32 sym;                     /* in symtab; UINT32_MAX: none */
	u32 inlined; /* of a function that was inlined, the number of its name; then @sym is 0 and
			@symtab NULL */
	char level;  /* as in a row; 0 when nothing is mapped there */
	char origin; /* symtab_origin() of its object */
};

/* A function in a call chain. */
struct hist_frame {
	u64 ip;    /* as sampled; what identifies a frame without symbol */
	u64 addr;  /* where the symbol starts, or @ip */
	u64 order; /* which hist_chains() orders frames of one object by */
	u64 at;    /* the address in the object; of a line the lowest one */
	u32 line;  /* for hist_frame_line(), if frames are addresses or lines */
	u32 place;
	u32 dso;    /* id of the object + 1, 0 unknown */
	char level; /* 0 when nothing is mapped there */
};

/* Sums over those entries of branch stacks that one frame of a call graph stands for. */
struct chain_mark {
	u64 nr;
	/* These are known of targets: */
	u64 predicted, aborts;
	u64 types[16], back, pages, large_pages;
	u64 cycles, rounds, round_cycles; /* of sources */
	bool to;
};

/*
 * A node of a row's call graph: frames without a fork, the chains that end there, and the nodes
 * that go on.
 */
struct chain_node {
	const u32 *frames;              /* hist_frame() ids, in printing order */
	const struct chain_mark *marks; /* of each frame; NULL: no branches are known */
	u32 nr_frames, nr_children;
	struct chain_node **children;     /* those over the limit, in printing order */
	u64 period, nr;                   /* of chains that end here */
	u64 children_period, children_nr; /* of chains that go on, those under the limit included */
};

/* A node of a hierarchy. */
struct hist_node {
	struct hist_row *row;        /* the sums, and the values of the columns of its level */
	struct hist_node **children; /* in printing order */
	u32 nr_children, level;
};

/* All rows of one event. */
struct hist_event {
	u64 period, nr;               /* all samples */
	bool chains;                  /* for trees of stacks: some samples have call chains */
	u64 passed_period, passed_nr; /* of the samples that passed the filters */
	u64 latency, passed_latency;  /* as MODE_LATENCY; 0 when no column needs them */
	u32 nr_members; /* of the group that it leads, itself included; 1: it is alone; 0: it is a
			   member */
	struct hist_row **rows; /* owned; in printing order; a member has none */
	size_t nr_rows;
	u16 width[HIST_MAX_COLUMNS]; /* of each column of conf.cols */
	struct hist_node *tree;      /* of a hierarchy: the node above the outermost ones */
};

/**
 * hist_new - make a histogram. @conf is copied, what it points to is borrowed. Free with
 * hist_free().
 */
struct hist *hist_new(const struct hist_conf *conf);
void hist_free(struct hist *h);

/**
 * hist_resolve_early - allow that addresses are resolved while samples are counted, as all state
 * is known. Call it before hist_worker_new(), and hist_finish() with the same @m and @r. Without
 * it addresses are kept until then.
 */
void hist_resolve_early(struct hist *h, const struct machine *m, struct resolver *r);
/**
 * hist_worker_new - return the tables that one thread counts in; the histogram owns them. Call it
 * from one thread.
 */
struct hist_worker *hist_worker_new(struct hist *h);
/** hist_add - count one sample. */
void hist_add(struct hist_worker *w, const struct hist_sample *s);

/**
 * hist_needs_dso, hist_needs_symbol - tell whether any column, filter or call chain asks for the
 * objects of addresses, or even for their symbols.
 */
bool hist_needs_dso(const struct hist *h);
bool hist_needs_symbol(const struct hist *h);

/**
 * hist_finish - turn counts into ordered rows.
 * @m,
 * @r: the sealed machine and a resolver on it (NULL when hist_needs_dso() is false); borrowed
 * until hist_free()
 */
void hist_finish(struct hist *h, const struct machine *m, struct resolver *r);
/** hist_chains - build the call graphs of the rows of an event whose share is at least @percent. */
void hist_chains(struct hist *h, u32 evsel, double percent);

/**
 * hist_cut - leave out the rows of an event that have less than @least samples, and those behind
 * the first @nr of the rest. Its columns are as wide as what is left needs. Rows of a hierarchy
 * stay.
 */
void hist_cut(struct hist *h, u32 evsel, u64 least, size_t nr);

/** hist_dso_hit - tell whether any samples or frames were in the object of this id. */
bool hist_dso_hit(const struct hist *h, u32 dso);
const struct hist_conf *hist_config(const struct hist *h);
/** hist_event - return the rows of an event. An event that no sample named has none. */
const struct hist_event *hist_event(const struct hist *h, u32 evsel);
const struct hist_base *hist_base(const struct hist *h, u32 base);
const struct hist_place *hist_place(const struct hist *h, u32 place);
/** hist_place_end - return where the symbol of a place ends; 0 without one. */
u64 hist_place_end(const struct hist_place *p);
const struct hist_frame *hist_frame(const struct hist *h, u32 frame);
/**
 * hist_nr_places, hist_nr_frames - return how many places and frames there are; their numbers are
 * below that.
 */
size_t hist_nr_places(const struct hist *h);
size_t hist_nr_frames(const struct hist *h);
/** hist_machine - return the machine that addresses were resolved on; borrowed. */
const struct machine *hist_machine(const struct hist *h);
/**
 * hist_frame_line - return the text of a frame that is an address or a line: "file.c:12", "+34" in
 * a function, "object[1a0]".
 */
const char *hist_frame_line(const struct hist *h, u32 frame);
/**
 * hist_keep_comms - copy the names of threads that rows have, after hist_finish(), so that the rows
 * can still be read when the machine has gone on: machine_unseal().
 */
void hist_keep_comms(struct hist *h);
const char *hist_comm_name(const struct hist *h, u32 comm);
const char *hist_dso_name(const struct hist *h, u32 dso);
/** hist_dso_shown - return the name that an object is shown by; borrowed. */
const char *hist_dso_shown(const struct hist *h, const struct dso *d);
/** hist_symbol_name - return the demangled name of a place's symbol; NULL when there is none. */
const char *hist_symbol_name(const struct hist *h, u32 place);
/**
 * hist_missing - count the samples in the rows that have no symbol, by object.
 * Return: the counts by number of hist_dso_name(), *@nr of them; the caller frees. All are 0 where
 * rows are not told apart by symbols.
 */
u64 *hist_missing(const struct hist *h, size_t *nr);
/**
 * hist_inlined_mark - return what is written after the name of a function that was inlined, else
 * "".
 */
static inline const char *hist_inlined_mark(const struct hist *h, u32 place)
{
	return hist_place(h, place)->inlined ? " (inlined)" : "";
}
/**
 * hist_bring_rows - have memory bring what the columns of @nr rows are going to read. A first cache
 * has room for what about 64 rows have.
 */
void hist_bring_rows(const struct hist *h, struct hist_row *const *rows, size_t nr);
/** hist_thread_comm - return the last name of the thread of a row. */
const char *hist_thread_comm(const struct hist *h, const struct hist_row *row);

#endif
