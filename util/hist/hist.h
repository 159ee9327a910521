/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aggregation. Samples are first counted by what is raw: (event, comm, thread, cpu, address,
 * stack); each worker has its own table and shares nothing, but that where addresses of stacks are
 * kept samples of one stack are handed to one worker's table. hist_finish() resolves each unique
 * address once, turns the sums into rows keyed by the sort keys that were asked for, and orders
 * them. Where all state is known before the first sample and no stacks are kept, addresses are
 * resolved while counting and only what they are in is kept: hist_resolve_early().
 *
 * What is raw is kept only as far as a column needs it: a report by comm alone keeps no addresses.
 * The result does not depend on the number of workers or on who counted what.
 *
 * Order of use: hist_new, hist_worker_new per worker, hist_add per sample (any thread, one per
 * worker), hist_finish, then read rows with hist_event/hist_row, chains with hist_chains.
 */
#ifndef PERF_HIST_HIST_H
#define PERF_HIST_HIST_H

#include <regex.h>

#include "base/name-list.h"
#include "base/strbuf.h"
#include "hist/column.h"
#include "resolve/branch-chain.h"
#include "resolve/resolve.h"

struct hist;
struct hist_worker;
struct stacks_dims; /* hist/counted-stacks.h */

/*
 * A text of a sample. Up to its first zero byte it is what is shown; what follows, if anything, is
 * what it is sorted by instead.
 */
struct hist_text {
	const char *text;
	size_t len;
};

/* KEY_TRACE: what the event says; KEY_CGROUP_ID: "4/0x1ab"; KEY_FIELD + n: of a field column. */
#define HIST_TEXT(key) ((key)-KEY_TRACE)
#define HIST_NR_TEXTS HIST_TEXT(NR_KEYS)

/* What one sample contributes. The caller (a builtin) fills it from the session's event and the
 * machine. */
struct hist_sample {
	u32 evsel;                             /* idx */
	u32 thread, comm, epoch, kernel_epoch; /* from struct thread_at */
	u32 pid, tid, cpu;
	u8 cpumode;
	u32 parallelism; /* threads that ran at that moment, itself included */
	u64 ip, period, time;
	u64 order;            /* file offset: stands in for the time where there is none */
	u64 nth;              /* of the branches of a sample: they follow each other */
	const u64_una *chain; /* raw call chain with context markers; NULL without */
	u64 nr_chain;
	u32 nr_glued; /* of them ends of branches in front; the limit is of the others */
	/* HIST_NR_TEXTS of them, HIST_TEXT() says where; those that no column asks for are not
	 * looked at. Borrowed for the call. */
	const struct hist_text *texts;
	const struct sample *sample; /* all of it, for columns that keep something of it */
	/*
	 * Of a hist of branches, whose samples are the entries of branch stacks: @ip is where one
	 * went (cpumode does not count then), and:
	 */
	u64 from;
	u64 flags;     /* as in struct perf_branch_entry: HIST_MISPRED.., cycles */
	bool filtered; /* counts in what shares are of, and in no row */
	bool lbr;      /* user addresses of @chain are those of calls, not those behind them */
};

/* What conf.origins puts in front of "[.] main": an address and a letter. */
#define HIST_ORIGIN_WIDTH 21

/* Bits of the flags of a branch, and where its cycles are. */
#define HIST_MISPRED 1
#define HIST_PREDICTED 2
#define HIST_IN_TX 4
#define HIST_ABORT 8
#define HIST_FILTERED 128 /* of a base: see struct hist_sample */
#define HIST_CYCLES(flags) ((flags) >> 4 & 0xffff)

/* Markers and words about branches in raw chains, as room resolve puts them there. */
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

/* Entries to the kernel, as they used to be named. */
#define HIST_PARENT "^sys_|^do_page_fault"

/* What times are rounded down to by default. */
#define HIST_TIME_QUANTUM 100000000ULL

enum chain_mode { CHAIN_NONE, CHAIN_GRAPH, CHAIN_FRACTAL, CHAIN_FLAT, CHAIN_FOLDED };
enum chain_value { CHAIN_PERCENT, CHAIN_PERIOD, CHAIN_COUNT };

struct chain_conf {
	enum chain_mode mode;
	enum chain_value value;
	bool caller;                   /* root first; false: the sampled function first */
	bool marks;                    /* chains have HIST_CONTEXT_BRANCHES */
	bool address;                  /* frames are places in functions; false: functions */
	bool line;                     /* frames are source lines of functions */
	const regex_t *ignore_callees; /* chains begin at these functions; NULL; borrowed */
	double min_percent;            /* branches under this share are not shown */
	u32 print_limit;               /* at most so many branches side by side; 0: all */
};

struct hist_conf {
	struct hist_columns cols; /* what to show and to sort by */
	struct chain_conf chain;
	bool chains;   /* samples carry call chains: keep and show them */
	bool children; /* add each sample to all its callers too (needs chains in the samples) */
	bool by_callchain;         /* rows of equal share: callers before callees */
	bool branches;             /* samples are branches: has the columns for them */
	bool inlines;              /* functions that were inlined are frames of call chains */
	bool hide_unresolved;      /* samples and frames without symbol do not count */
	const char *symbol_filter; /* only rows whose symbol has this in its name; NULL; borrowed */
	const char *parent;        /* expression for KEY_PARENT; NULL: HIST_PARENT; borrowed */
	bool exclude_other;        /* what has no parent does not pass; needs KEY_PARENT */
	u32 max_stack;             /* frames beyond are ignored */
	/* Of a group: 0, by the first event, then the second and so on; else by this one before the
	 * others but the first, or by the first alone when there is none such */
	int group_sort;
	u64 nr_addresses; /* so many different ones may come; 0: not known */
	u32 nr_events;
	/*
	 * By event: the leader of the group it is shown in (its own index when it is shown alone);
	 * NULL: no groups. Members follow their leader. Borrowed.
	 */
	const u32 *leader;
	/* By event: whose call graphs its rows show, scaled to them (its own index: its own);
	 * NULL: all their own. Borrowed. */
	const u32 *chains_of;
	int workers;          /* threads for hist_finish() */
	const s32 *socket_of; /* by CPU, -1 unknown; borrowed; NULL: not known */
	u32 nr_sockets_of;    /* CPUs in there */
	bool fixed_widths;    /* of some columns: addresses do not widen that of objects */
	bool nanosecs;        /* times are shown with 9 decimals */
	bool whole_paths;     /* source files are shown with their folders */
	/* Objects are shown by their paths, and symbols with the address of the first sample and
	 * where they are from: symtab_origin() */
	bool origins;
	u64 time_quantum;  /* ns: what times are rounded down to */
	u32 line_size;     /* bytes of a line of the caches, a power of two; 0: 64 */
	bool mem;          /* periods are weights */
	const char *order; /* of @mem: the sort keys, for the head lines; borrowed */
	/*
	 * NULL, or for stacks_of_hist(): what to tell apart there. No rows are made then, and
	 * samples that are filtered count nowhere. Borrowed.
	 */
	const struct stacks_dims *stacks;
	u64 first_time,
		last_time; /* of the samples to come, that slices are cut from; 0: not known */
	/* Filters, NULL: everything passes; borrowed. */
	const struct name_list *comms, *dsos, *symbols;
};

/*
 * Whose time samples took, for columns of NEED_MODES, and for those of NEED_LATENCY how much of it
 * passed on the wall: shares of threads that ran at the same time, in thousandths of a period.
 */
enum hist_mode {
	MODE_SYS,
	MODE_USER,
	MODE_GUEST_SYS,
	MODE_GUEST_USER,
	MODE_LATENCY,
	MODE_ACC_LATENCY,
	NR_MODES
};

struct hist_sums {
	u64 period, nr, acc_period, acc_nr;
};

/*
 * Of conf.origins: where the first sample of a row was seen. Addresses of callers are run-time
 * ones, others those in the object.
 */
struct hist_seen {
	u64 ip;       /* of branches, where it went at run time */
	u64 from, to; /* of branches */
};

/* What only some reports need of a row: with call chains, of groups, with columns of NEED_MODES. */
struct hist_row_more {
	struct hist_sums
		*members; /* of a group: the sums of each event but the leader; owned by the hist */
	u64 *modes;       /* NR_MODES sums of each event; NULL when no column needs them */
	u64 acc_period, acc_nr;         /* of the samples in it and in what it called (children) */
	const struct chain_node *chain; /* owned by the hist; NULL until hist_chains() or when
					   nothing is over the limit */
	u32 depth;                      /* of its longest chain */
	u32 first_member; /* of a group: what the first sample is of, if it can the leader */
	u32 first_pos;    /* in the chain of the first sample, as printed; 0: the sample itself */
	u32 stamp;        /* private: last tally that was counted in */
	struct hist_seen seen;
};

/* One row of the result. There may be as many as samples, so it is small. */
struct hist_row {
	u64 period, nr;             /* of the samples in it (of a group: of the leader's) */
	u64 first;                  /* time (or file offset) of the first sample */
	struct hist_row_more *more; /* owned by the hist; NULL: nothing needs it */
	u32 base;                   /* event, comm, thread, cpu: hist_base() */
	u32 place;                  /* object and symbol: hist_place() */
	u32 thread;                 /* of the first sample, from struct thread_at */
	char level;                 /* '.', 'k', 'g', 'u' or 'H': where the first sample was */
	bool filtered;              /* of a hierarchy: not shown, but in the sums above it */
};

static inline const struct chain_node *hist_row_chain(const struct hist_row *row)
{
	return row->more ? row->more->chain : NULL;
}

struct hist_base {
	u32 evsel, comm, tid, cpu; /* comm: of the machine */
	/* Of a branch; what no column asks for is 0: */
	u64 from; /* hist_place() of where it came from */
	u32 from_epoch;
	u16 cycles;
	u8 flags, from_mode;
	u64 key_set;     /* which set of kept numbers; private */
	u64 parallelism; /* private; not of rows */
};

/* Where rows and frames are: an object (by its short name) and a symbol or an address in it. There
 * may be as many as rows. */
struct hist_place {
	u64 start;                   /* of the symbol; the address when there is none */
	const struct symtab *symtab; /* borrowed */
	u32 dso;                     /* name: hist_dso_name() */
	u32 sym;                     /* in symtab; UINT32_MAX: none */
	u32 inlined; /* a function that was inlined: its name; then sym is 0, symtab NULL */
	char level;  /* as of a row; 0 when nothing is mapped there */
	char origin; /* symtab_origin() of its object */
};

/* A function in a call chain. */
struct hist_frame {
	u64 ip;    /* as sampled; what identifies a frame without symbol */
	u64 addr;  /* symbol start, or ip */
	u64 order; /* that frames of one object are ordered by: hist_chains() */
	u64 at;    /* in the object; of lines the lowest */
	u32 line;  /* hist_frame_line(); by address or line only */
	u32 place;
	u32 dso;    /* id of the object + 1, 0 unknown */
	char level; /* 0 when nothing is mapped there */
};

/* Sums over the branches of branch stacks that one frame of a call graph stands for. */
struct chain_mark {
	u64 nr, predicted, aborts; /* predicted, aborts, types..: of where branches led to */
	u64 types[16], back, pages, large_pages;
	u64 cycles, rounds, round_cycles; /* of where they came from */
	bool to;
};

/* A branch of a row's call graph: frames without a fork, what ended here, and what goes on. */
struct chain_node {
	const u32 *frames;              /* hist_frame() ids, in printing order */
	const struct chain_mark *marks; /* of each of them; NULL: no branches are known */
	u32 nr_frames, nr_children;
	struct chain_node **children;     /* over the limit only, in printing order */
	u64 period, nr;                   /* of chains that end here */
	u64 children_period, children_nr; /* of those that go on, the ones under the limit too */
};

/* A node of a hierarchy. */
struct hist_node {
	struct hist_row *row;        /* its sums, and what it is in the columns of its level */
	struct hist_node **children; /* in printing order */
	u32 nr_children, level;
};

/* All rows of one event. */
struct hist_event {
	u64 period, nr;               /* all samples */
	bool chains;                  /* for stacks: some samples have call chains */
	u64 passed_period, passed_nr; /* those that passed the filters */
	u64 latency, passed_latency;  /* as MODE_LATENCY; 0 when no column needs them */
	u32 nr_members; /* of the group it leads, itself included; 1 alone, 0 for a member */
	struct hist_row **rows; /* owned; in printing order; a member has none */
	size_t nr_rows;
	u16 width[HIST_MAX_COLUMNS]; /* of each column of conf.cols */
	struct hist_node *tree;      /* of a hierarchy: what holds the outermost nodes; owned */
};

/** hist_new - @conf is copied, what it points to is borrowed. Free with hist_free(). */
struct hist *hist_new(const struct hist_conf *conf);
void hist_free(struct hist *h);

/**
 * hist_resolve_early - all state is known: addresses may be resolved while samples are counted.
 * Call before hist_worker_new(), and hist_finish() with the same @m and @r. Without it addresses
 * are kept until then.
 */
void hist_resolve_early(struct hist *h, const struct machine *m, struct resolver *r);
/** hist_worker_new - a counting table for one thread; owned by the hist. Call from one thread. */
struct hist_worker *hist_worker_new(struct hist *h);
/** hist_add - count one sample. */
void hist_add(struct hist_worker *w, const struct hist_sample *s);

/** hist_needs_resolve - does any column or chain need addresses resolved, and symbols too? */
bool hist_needs_dso(const struct hist *h);
bool hist_needs_symbol(const struct hist *h);

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
/** hist_place_end - of its symbol; 0 without one. */
u64 hist_place_end(const struct hist_place *p);
const struct hist_frame *hist_frame(const struct hist *h, u32 frame);
/** hist_nr_places, hist_nr_frames - places and frames have the numbers below these. */
size_t hist_nr_places(const struct hist *h);
size_t hist_nr_frames(const struct hist *h);
/** hist_machine - return the machine that addresses were resolved on; borrowed. */
const struct machine *hist_machine(const struct hist *h);
/** hist_frame_line - of frames by address: "file.c:12", "+34" in a function, "object[1a0]". */
const char *hist_frame_line(const struct hist *h, u32 frame);
const char *hist_comm_name(const struct hist *h, u32 comm);
const char *hist_dso_name(const struct hist *h, u32 dso);
/** hist_dso_shown - what an object is shown as; borrowed. */
const char *hist_dso_shown(const struct hist *h, const struct dso *d);
/** hist_symbol_name - demangled; NULL when there is no symbol. */
const char *hist_symbol_name(const struct hist *h, u32 place);
/**
 * hist_missing - how many samples of the rows have no symbol, by the object: numbers of *@nr names,
 * see hist_dso_name(). Owned by the caller; all 0 where rows are not told apart by symbols.
 */
u64 *hist_missing(const struct hist *h, size_t *nr);
/** hist_inlined_mark - what stands behind the name of a function that was inlined, else "". */
static inline const char *hist_inlined_mark(const struct hist *h, u32 place)
{
	return hist_place(h, place)->inlined ? " (inlined)" : "";
}
/** hist_ask_row - have memory bring what the columns of a row will look at. */
void hist_ask_row(const struct hist *h, const struct hist_row *row, int step);
/** hist_thread_comm - the last name of the thread of a row. */
const char *hist_thread_comm(const struct hist *h, const struct hist_row *row);

#endif
