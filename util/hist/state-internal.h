/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a histogram, and questions about its configuration that several files ask. The
 * tables in which a worker counts are in tables-internal.h.
 */
#ifndef PERF_HIST_STATE_INTERNAL_H
#define PERF_HIST_STATE_INTERNAL_H

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "hist/index.h"
#include "base/intern.h"
#include "base/pool.h"
#include "hist/sort.h"
#include "hist/counted-stacks.h"
#include "hist/hist.h"
#include "hist/values.h"

struct counting;

/* The numbers that an address was resolved to. */
struct addr_info {
	u32 place; /* of a sample whose address it is */
	u32 frame; /* of a chain that has it */
};

struct hist {
	struct hist_conf conf;
	unsigned int keep;               /* enum hist_need of columns and filters */
	const struct counting *counting; /* the strategy: see counting-internal.h */
	struct hist_worker **workers;
	int nr_workers;
	struct crew *crew; /* owned; it does one job after the other */
	struct stack_counting stacks;
	const struct machine *machine; /* borrowed */
	struct resolver *resolver;     /* borrowed */
	bool own_callers;              /* rows of callers are told apart by where they call */

	/* The bases and key values of all workers: */
	struct hist_base *bases;
	size_t nr_bases, cap_bases;
	u64 *key_values; /* sets of @set_size words */
	size_t cap_key_values;
	u32 set_size;
	u16 key_word[NR_KEYS + HIST_MAX_NUMBERS]; /* by key: its word of a set, or with KEY_OF_KIND
						     that of a kind */
	bool own_sets; /* each tally of a worker, and each row, has the set of its own number; see
			  count-keyed.c. Then hist_row.base is that number */
	/* With own_sets. The first word of a set is the number of a kind, and of a row in the upper
	 * half that of its base. */
	u64 *kinds; /* of @kind_size words: values of which samples have few different ones */
	size_t nr_kinds, cap_kinds;
	u32 kind_size;
	struct intern texts;
	u32 *text_rank;
	struct key_addr *key_addrs; /* in an order that does not depend on the workers */
	size_t nr_key_addrs;
	struct srclines *srclines;   /* while addresses are resolved; NULL: not needed so far */
	u32 *lines;                  /* by value of KEY_DATA_LINE: an address in that line */
	struct hist_thread *threads; /* by thread id */
	u32 nr_threads;

	/* The places of samples and frames: */
	struct intern dso_names; /* 0 is the unknown object */
	struct hist_place *places;
	u64 *place_ips; /* of branches: addresses as recorded of places without symbol, which tell
			   processes apart; NULL for other samples */
	const char **place_names; /* borrowed from the symbol tables; NULL without symbol */
	bool *place_used;         /* some row is there */
	u64 *place_samples;       /* of the rows that are shown */
	size_t nr_places;
	struct hist_frame *frames;
	size_t nr_frames, cap_frames;
	bool frames_ordered; /* hist_frame.order is set */
	struct intern frame_lines;
	bool *cuts;              /* by frame: chains are cut there; NULL: none is */
	struct addr_info *addrs; /* by number of the histogram, until rows are made */
	u64 *file_addrs;         /* by the same: the address in its object; NULL when nobody asks */
	bool *dso_hit;           /* by dso id: samples or frames were in the object */
	size_t nr_dso_hit;
	/* These are made with conf.inlines, if an object has debug information; else NULL: */
	bool *calls;     /* by address: it is behind a call */
	u32 *runs;       /* by address: where its frames begin in run_frames; 0: it has one frame */
	u32 *run_frames; /* of each run the number of frames, then the frames, innermost first */
	u32 nr_run_frames;
	size_t cap_run_frames;
	struct intern inline_names;

	/* Rows: */
	u32 nr_parts;   /* of the tallies, see tallies.c; 0: they are not sorted by parts */
	u32 *part_keys; /* by part the first place key in it, and behind the last the end */
	struct hist_row *rows;
	size_t nr_rows, cap_rows;
	bool row_more;       /* rows have .more */
	struct map64 by_row; /* of rows with stacks: base << 32 | place key -> row */
	struct hist_event *events;
	struct arena *chain_arenas; /* of call graphs */
	size_t nr_chain_arenas, cap_chain_arenas;
	struct arena tree_arena; /* of hierarchies */
	const char **comm_names; /* by comm, in @comm_arena; see hist_keep_comms() */
	u32 nr_comm_names;
	struct arena comm_arena;

	/* Ranks: equal texts have equal ranks, in the order of the texts. */
	u32 *comm_rank;  /* by comm id of the machine */
	u32 *dso_rank;   /* by number of the name; the unknown object is last */
	u32 *name_rank;  /* by place: of symbol names; the unresolved are last, and all equal */
	u32 *place_rank; /* by place: no two places share one */

	/* Filters; NULL: everything passes. */
	bool *dso_pass, *place_pass; /* by number of the name, by place */
	bool *comm_pass;
};

/** hist_lines - return what source lines are looked up in; it is opened the first time. */
struct srclines *hist_lines(struct hist *h);

#define KEY_OF_KIND 0x8000

/** hist_keeps_stacks - tell whether anything asks for call chains. */
static inline bool hist_keeps_stacks(const struct hist *h)
{
	return h->conf.chains || h->conf.children || h->keep & NEED_PARENT || h->conf.stacks;
}

/** hist_keeps_from - tell whether a column asks where branches came from. */
static inline bool hist_keeps_from(const struct hist *h)
{
	return h->conf.branches && (h->keep & (NEED_DSO_FROM | NEED_SYM_FROM));
}

/** hist_leader - return the event that leads the group of @evsel: itself when it is in none. */
static inline u32 hist_leader(const struct hist *h, u32 evsel)
{
	return h->conf.leader && evsel < h->conf.nr_events ? h->conf.leader[evsel] : evsel;
}

/** hist_sorted_member - return the @k-th event whose sums are compared when rows of a group are
 * sorted; -1: there are no more. */
static inline int hist_sorted_member(const struct hist *h, const struct hist_event *ev, u32 k)
{
	int idx = h->conf.group_sort, nr = MAX(ev->nr_members, 1u), m = k;

	if (idx && nr > 1) {
		if (idx < 0 || idx >= nr)
			return k ? -1 : 0;
		m = !k ? idx : m < idx ? m : m + 1;
	}
	return m < nr ? m : -1;
}

/** hist_any_mode - return the cpumode of an address of which no cpumode was recorded: an address
 * that can only be the kernel's is the same for all processes. */
static inline u8 hist_any_mode(u64 ip)
{
	return (s64)ip < 0 && ip < 0xffffffffff600000ULL ? PERF_RECORD_MISC_KERNEL
							 : RESOLVE_ANY_MODE;
}

/** hist_ip_mode - return the address space that the address of a sample of @cpumode belongs to.
 * The cpumode of a sample says nothing of its branches. */
static inline u8 hist_ip_mode(const struct hist *h, u64 ip, u8 cpumode)
{
	return likely(!h->conf.branches) ? cpumode : hist_any_mode(ip);
}

/** hist_whole_objects - do all addresses of an object without symbols count as one? */
static inline bool hist_whole_objects(const struct hist *h)
{
	return h->conf.stacks && !h->conf.stacks->addresses;
}

/** hist_place_key - return a number that is equal for places that the columns do not tell apart. */
static inline u32 hist_place_key(const struct hist *h, u32 place)
{
	return h->conf.cols.need & NEED_SYM   ? place
	       : h->conf.cols.need & NEED_DSO ? h->places[place].dso
					      : 0;
}

/** hist_place_keys - return a number that all place keys are below. */
static inline size_t hist_place_keys(const struct hist *h)
{
	return MAX(h->nr_places, h->dso_names.nr) + 1;
}

/** hist_hidden - tell whether hist_conf.hide_unresolved leaves out samples at this place. */
static inline bool hist_hidden(const struct hist *h, u32 place)
{
	return h->conf.hide_unresolved && h->places[place].sym == UINT32_MAX;
}

/* names.c */

/** hist_dso_id - return the number of the name of an object, made when it is new. Where a filter
 * may ask for the other name of the object, that stands behind the one that is shown. */
u32 hist_dso_id(struct hist *h, const struct dso *d);

#endif
