/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the hist room share. */
#ifndef PERF_HIST_HIST_INTERNAL_H
#define PERF_HIST_HIST_INTERNAL_H

#include <pthread.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "hist/index.h"
#include "base/intern.h"
#include "base/pool.h"
#include "hist/sort.h"
#include "hist/counted-stacks.h"
#include "hist/hist.h"
#include "hist/address-cache.h"
#include "hist/values.h"

/* Samples that are the same in all that is kept of them. */
struct tally {
	/* Where addresses are resolved at once: in the object, of a symbol its start; 0 when nobody
	 * asks. */
	u64 ip;
	u32 base;
	/* At once: id of the object + 1. */
	u32 epoch;
	u32 stack; /* of the worker, UINT32_MAX none */
	u32 nr;    /* of more samples than it can say there are several */
	u64 period, first;
	u32 place;       /* set by hist_finish, first to an id of ip; at once: symbol */
	u32 thread : 29; /* of the first sample */
	u32 mode : 3;    /* cpumode */
};
_Static_assert(sizeof(struct tally) == 48, "there are as many as stacks, or more");

/* An address and its id. */
struct chain_near {
	u64 ip;
	u64 where; /* epoch and mode; ~0: none yet */
	u32 id;
};

/* What was last found of a place: @id of a row or a list; 0: nothing yet. */
struct row_near {
	u32 base, id;
};

/* Where the chain of a sample is converted; all as long as the longest. */
struct chain_buffers {
	struct chain_near *near; /* by distance from the end of the chain */
	u32 *ids, *key_addrs;
	u64 *info;
	size_t cap;
};

/* What a resolved address is: the symbol it is in, or else the address itself. */
struct early_frame {
	u64 addr; /* in the object; 0 with a symbol, or when symbols are not asked for */
	u32 dso;  /* id + 1; 0 unknown */
	u32 sym;  /* in the object's table; UINT32_MAX: none */
};

/* An object that addresses were in. */
struct object {
	const struct dso *dso; /* borrowed; NULL: none were */
	const struct symtab *symtab;
	const struct map *map; /* the one seen last */
	u8 cpumode;
};

#define NEARS 64 /* mappings that a worker found addresses in; by 4 MB of addresses and by epoch */

/*
 * The tables are larger than any cache, so samples wait in a short queue while the slot they
 * need is fetched from memory.
 */
#define PENDING 64
#define BASE_CACHE 64
struct pending {
	struct tally tally;
	u64 hash; /* raw_hash() */
	struct address_key key;
};

/* A sample that is about to be counted. */
struct stack_pending {
	u64 ip, period, time, hash, site_hash;
	u32 base, stack, epoch, thread;
	u8 mode;
	struct site_count site;
};

/* Samples on their way to a table; handoff.c. */
struct handoff_list {
	struct handoff_block *first, *last;
	u32 nr;
};

/* What one thread reads with, and a table. Where samples are handed on, the lock is held by who
 * counts in it, and what the reader has for that is not of the table. */
struct hist_worker {
	struct hist *h;
	struct handoff_list *handoffs;     /* of the reader, by table; NULL: none yet */
	struct handoff_block *spare_block; /* the same */
	u32 nr_handoff_blocks;             /* the same */
	pthread_mutex_t lock;
	struct pending queue[PENDING];
	u32 nr_queued;
	struct hist_thread *threads; /* by thread id */
	size_t nr_threads;
	struct tally *tallies;
	size_t nr_tallies, cap_tallies;
	struct index by_tally;
	size_t *part_at;         /* where tallies of each part begin, see parts.c; and the end */
	struct hist_base *bases; /* comm still of the machine, or 0 */
	size_t nr_bases, cap_bases;
	struct index by_base;
	u32 base_cache[BASE_CACHE]; /* id + 1 of bases seen last */
	struct chain_buffers chain;
	struct stack *stacks;
	size_t nr_stacks, cap_stacks;
	struct index by_stack;
	struct resolve_req *addrs; /* unique addresses of this worker */
	size_t nr_addrs, cap_addrs;
	struct index by_addr;
	struct stack_pending *stack_queue; /* of trees of stacks, as the next ones; else NULL */
	struct stack_count *counts;
	size_t nr_counts, cap_counts;
	struct index by_count;
	struct site_count *site_counts;
	size_t nr_site_counts, cap_site_counts;
	struct index by_site_count;
	u32 site_base_cache[16]; /* id + 1 */
	struct hist_log *log;    /* in the order of counting */
	size_t nr_log, cap_log;
	struct arena arena;
	struct intern texts; /* of KEY_TRACE and on */
	struct key_addr *key_addrs;
	size_t nr_key_addrs, cap_key_addrs;
	struct index by_key_addr;
	struct map64 caller_bases; /* base << 32 | address -> base; callers.c */
	u64 *key_values;           /* sets of cols.nr_kept numbers */
	size_t nr_key_sets, cap_key_values;
	struct index by_key_set;
	struct address_cache cache; /* empty unless addresses are resolved at once */
	struct resolve_near near[NEARS];
	struct early_frame *early_frames;
	size_t nr_early_frames, cap_early_frames;
	struct index by_early_frame;
	struct object *objects; /* by dso id */
	size_t nr_objects;
	/* hist_finish: */
	u32 *addr_ids; /* own address id -> id in the hist; own early frame -> frame */
	u32 *base_ids; /* own base id -> id in the hist */
	/* Of conf.origins, else NULL: addresses in the objects, of tallies and of where bases came
	 * from, and those at run time, of ats: */
	u64 *tally_addrs, *from_addrs, *key_addr_ips;
};

/* What an address is, as the ip of a sample and as a frame of a chain. */
struct addr_info {
	u32 place; /* as the ip */
	u32 frame;
};

struct hist {
	struct hist_conf conf;
	unsigned int keep; /* enum hist_need of columns and filters */
	struct hist_worker **workers;
	int nr_workers;
	struct crew *crew; /* owned; of its jobs, one after the other */
	struct stack_counting stacks;
	const struct machine *machine; /* borrowed */
	struct resolver *resolver;     /* borrowed */
	bool early;        /* addresses are resolved when they are counted, and not kept: */
	bool early_places; /* as what they are in, or else (stacks) as early frames */
	bool hands_off;    /* samples of one chain are counted in one table; handoff.c */
	bool own_callers;  /* rows of callers are told apart by where they call */

	struct hist_base *bases;
	size_t nr_bases, cap_bases;
	u64 *key_values; /* sets of conf.cols.nr_kept numbers */
	struct intern texts;
	u32 *text_rank;
	struct key_addr *key_addrs; /* in an order of their own */
	size_t nr_key_addrs;
	struct srclines *srclines; /* while kept addresses are resolved */
	u32 *lines;                /* of KEY_DATA_LINE: an address in it */
	struct intern dso_names;   /* 0: unknown */
	struct hist_place *places;
	u64 *place_ips; /* of branches, without symbol: as recorded, which tells processes apart;
			   NULL: of no interest */
	const char **place_names; /* borrowed from the symbol tables; NULL without symbol */
	bool *place_used;         /* some row is there */
	u64 *place_samples;       /* of the rows that are shown */
	size_t nr_places;
	u32 nr_parts;   /* of tallies, 0: they are in none */
	u32 *part_keys; /* place key that each part begins with, and the end */
	struct hist_frame *frames;
	size_t nr_frames, cap_frames;
	bool frames_ordered; /* their order is known */
	struct addr_info *addrs;
	size_t nr_addrs;
	u64 *file_addrs; /* by address: in its object; of stacks that want code sites; NULL */
	/* Of conf.inlines, else NULL: */
	bool *calls;     /* by address: it is behind a call */
	u32 *runs;       /* by address: where its frames begin; 0: it has one */
	u32 *run_frames; /* of a run how many, then they, the innermost first */
	u32 nr_run_frames;
	size_t cap_run_frames;
	struct intern inline_names;

	struct hist_row *rows;
	size_t nr_rows, cap_rows;
	bool row_more;       /* rows have .more */
	struct map64 by_row; /* of those with stacks: base << 32 | place key -> row */
	struct hist_event *events;
	u32 *comm_rank;  /* by machine comm id: equal texts, equal rank; order of the texts */
	u32 *dso_rank;   /* by name id, the same; unknown last */
	u32 *name_rank;  /* by place: order of symbol names, unresolved last and all equal */
	u32 *place_rank; /* by place: total order */
	struct arena *chain_arenas; /* of chain trees */
	size_t nr_chain_arenas, cap_chain_arenas;
	struct arena tree_arena;
	bool *dso_pass, *place_pass; /* filters, by name id and place; NULL: all pass */
	bool *comm_pass;
	struct hist_thread *threads; /* by thread id, from the workers */
	u32 nr_threads;
	struct intern frame_lines;
	bool *cuts;    /* by frame: chains are cut there; NULL: none */
	bool *dso_hit; /* by dso id: samples or frames were there */
	size_t nr_dso_hit;
};

/* Places, and what they and frames are found by, while they are made. */
struct tables {
	struct hist_place *places;
	u64 *place_ips;
	size_t nr_places, cap_places, cap_place_ips;
	struct index by_place, by_frame;
	u32 *dso_name; /* dso id -> name id; owned, or of other tables */
	struct srclines *lines;
	struct strbuf line;
	size_t nr_dsos;
};

/* Of the cpumode of an address, with conf.inlines: it is the one behind a call. */
#define ADDR_CALL 0x80

/* tallies.c */
/** hist_count - count a sample in the table of a worker. */
void hist_count(struct hist_worker *w, const struct hist_sample *s);
/* handoff.c */
/** handoff_add - have a sample that a worker reads counted, in whichever table. */
void handoff_add(struct hist_worker *w, const struct hist_sample *s);
/** handoff_finish - no more samples will come. */
void handoff_finish(struct hist *h);
void handoff_release(struct hist_worker *w);
/* stacks.c */
/** addr_id - the number of an address among those of a worker. */
u32 addr_id(struct hist_worker *w, u64 ip, u32 epoch, u8 mode);
/** stack_id - the number of the sample's chain among those of a worker; UINT32_MAX without one. */
u32 stack_id(struct hist_worker *w, const struct hist_sample *s);
void chain_buffers_release(struct chain_buffers *b);
/* hist.c */
/** hist_dso_id - the number of the name of an object. Where a filter may ask for it, its other name
 * stands behind the one that is shown. */
u32 hist_dso_id(struct hist *h, const struct dso *d);
/* frames.c: addresses -> places and frames; afterwards tally.place and stacks hold final ids */
void hist_resolve(struct hist *h);
/** hist_place_id - the place of a location, made when new. @addr: what it is without a symbol; @ip:
 * what it is for branches then */
u32 hist_place_id(struct hist *h, struct tables *t, const struct location *l, u64 addr, u64 ip);
#define PLACE_TALLIES 32
/** hist_place_tallies - the places of up to PLACE_TALLIES tallies that were resolved at once (see
 * struct tally), after tables_expect(). */
void hist_place_tallies(struct hist *h, struct tables *t, const struct hist_worker *w,
			struct tally *r, size_t nr);
/** hist_frame_id - the frame of a location, made when new. @ip: what it is without a symbol */
u32 hist_frame_id(struct hist *h, struct tables *t, const struct location *l, u64 ip);
/** tables_init - begin with place 0, which is nowhere: of rows that no address tells apart. */
void tables_init(const struct hist *h, struct tables *t);
/** tables_expect - at most so many places will come. */
void tables_expect(struct tables *t, size_t nr);
/** tables_name_object - give the object of a location its name; else that is done when something is
 * found in it. */
void tables_name_object(struct hist *h, struct tables *t, const struct location *l);
/** tables_done - all places are there: they are the hist's then. */
void tables_done(struct hist *h, struct tables *t);
/** frame_lines - where lines are looked for, opened when that is first done. */
struct srclines *frame_lines(struct hist *h, struct tables *t);
/** frame_at_line - the frame of a location with a symbol, at @line (of h->frame_lines) of it.
 * @inlined: of h->inline_names: a function that was inlined there; 0: the one with the symbol */
u32 frame_at_line(struct hist *h, struct tables *t, const struct location *l, u64 ip, u32 inlined,
		  u32 line);
/* inlines.c */
/** addrs_take_calls - the addresses will have runs; @reqs lose ADDR_CALL. */
void addrs_take_calls(struct hist *h, struct resolve_req *reqs, size_t nr);
/** inline_run_make - the run of an address, where anything was inlined. @l: of the call, if it is
 * behind one */
void inline_run_make(struct hist *h, struct tables *t, const struct location *l, size_t addr,
		     u64 ip);
/** stack_add_runs - addresses of a stack to frames, with all that were inlined. */
void stack_add_runs(const struct hist *h, struct hist_worker *w, struct stack *s);
void inline_runs_release(struct hist *h);
/* early-frames.c: the same at once, while counting */
/** object_note, object_location - of its id (+ 1; 0: unknown) and symbol, a location without
 * addresses. */
void object_note(struct hist_worker *w, const struct location *l);
struct location object_location(const struct hist_worker *w, u32 dso, u32 sym);
static inline struct resolve_near *object_near(struct hist_worker *w, u64 ip, u32 epoch)
{
	return &w->near[(ip >> 22 ^ epoch) % NEARS];
}
/** early_frame_of - the number of what an address is in, among those of a worker. */
u32 early_frame_of(struct hist_worker *w, u64 ip, u32 epoch, u8 mode);
/** early_frame_find - the same. *@addr: where it is in the object, with dims.sites */
u32 early_frame_find(struct hist_worker *w, u64 ip, u32 epoch, u8 mode, u64 *addr);
/** early_finish - what was counted has places then, or frames. */
void early_finish(struct hist *h);
void early_release(struct hist_worker *w);
/* early-places.c: where no stacks are kept */
/** early_places_find - the samples in the queue get what they are in, and are hashed. */
void early_places_find(struct hist_worker *w);
/** early_places_finish - of all workers. */
void early_places_finish(struct hist *h);
/* parts.c: where no stacks are kept */
/* Which of @nr parts it is in: no place is in two. */
typedef u32 tally_part_fn(const struct hist *h, const struct tally *r, u32 nr);
/** parts_wanted - so many threads are worth their while. */
u32 parts_wanted(const struct hist *h);
/** parts_make - sort what all workers counted. The caller sets h->part_keys. */
void parts_make(struct hist *h, u32 nr, tally_part_fn *part);
/** part_size - the tallies in one. */
size_t part_size(const struct hist *h, size_t part);
/** parts_by_place - the same, once places are known: as many as are worth their while. */
void parts_by_place(struct hist *h);
/* parent.c */
/** parents_part - of KEY_PARENT: set it, once places are known. */
void parents_part(struct hist *h);
/* callers.c */
/** callers_differ - do columns ask for what callers have of their own? */
bool callers_differ(const struct hist_conf *conf);
/** callers_part - make the bases of callers. */
void callers_part(struct hist *h);
/** caller_base - the worker's base of the row of a frame of a sample's stack. */
static inline u32 caller_base(const struct hist_worker *w, const struct tally *tally,
			      const struct stack *s, u32 frame)
{
	return s->key_addrs
		       ? map64_get(&w->caller_bases, (u64)tally->base << 32 | s->key_addrs[frame])
		       : tally->base;
}
/* key-addrs.c */
/** at_id - the number of an address among those of a worker. */
u64 key_addr_id(struct hist_worker *w, const struct key_addr *at);
/** key_addrs_merge - resolve them; the sets of the workers then have what columns compare. */
void key_addrs_merge(struct hist *h);
static inline bool key_is_addr(enum hist_key what)
{
	return what >= KEY_DATA && what < KEY_TRACE;
}
static inline bool key_is_text(enum hist_key what)
{
	return what >= KEY_TRACE;
}
/* key-values.c */
/** key_set_of - the set of what is kept of a sample, as a number of the worker's. */
u64 key_set_of(struct hist_worker *w, const struct hist_sample *s);
/** key_set_change - a set of a worker with another number at a place. */
u64 key_set_change(struct hist_worker *w, u64 set, u32 at, u64 value);
/** key_sets_merge - sets of all workers become sets of the hist; bases then have its numbers. */
void key_sets_merge(struct hist *h);
/** rank_texts - the rank of each of @nr texts among them; owned by the caller. */
u32 *rank_texts(const struct hist *h, const struct intern *texts);
/* rows.c: counts -> rows */
/** hist_base_hash, hist_same_base - of bases as those of rows of @evsel. */
u64 hist_base_hash(const struct hist *h, const struct hist_base *b, u32 evsel);
bool hist_same_base(const struct hist *h, const struct hist_base *a, const struct hist_base *b);
void rows_make(struct hist *h);
/** hist_add_members - what rows of a group have of their other events, and of modes. */
void hist_add_members(const struct hist *h, struct hist_row *to, const struct hist_row *from);
/* hierarchy.c: the rows of an event -> its tree */
void hist_hierarchy(struct hist *h, u32 evsel);
/* stack-counts.c: counting for trees of stacks */
/** stacks_prepare - derive what has to be kept of samples from conf.stacks. */
void stacks_prepare(struct hist *h);
/** stacks_of_functions - is nothing more asked of their frames than in which function they are? */
bool stacks_of_functions(const struct hist *h);
/** stacks_finish - merge what workers counted once frames are known; makes no rows. */
void stacks_finish(struct hist *h);
/** stacks_add_sample - count a sample in the table of a worker. */
void stacks_add_sample(struct hist_worker *w, const struct hist_sample *s);
/** stacks_count_done - count what waits in the queue, and free what is needed only to find entries.
 */
void stacks_count_done(struct hist_worker *w);
void stacks_count_release(struct hist_worker *w);
/* rows.c */
/** hist_count_members - how many events there are; more may have come with the samples. */
void hist_count_members(struct hist *h);
/* tallies.c */
/** base_find - the number of a base of a worker, made when new. */
u32 base_find(struct hist_worker *w, const struct hist_base *b);
bool base_same(const struct hist_base *a, const struct hist_base *b);
void hist_flush(struct hist_worker *w);
/* order.c */
void hist_order(struct hist *h);
/* compared.c */
/** hist_compared - by row: does another sample equal it in the keys before the column that is
 * measured if compared? Owned by the caller. */
bool *hist_compared(const struct hist *h, const struct hist_event *ev);
/* rank.c: names to numbers in their order */
void hist_rank_comms(struct hist *h);
void hist_rank_dsos(struct hist *h);
/** hist_rank_places - a total order of the places that rows show: dso_rank is there. Half of the
 * workers do it: the others find the names meanwhile. */
void hist_rank_places(struct hist *h);
/** hist_rank_names - that of their names: place_names is there. The unresolved are last. */
void hist_rank_names(struct hist *h);
/* filter.c */
void hist_filters_init(struct hist *h);
/** hist_passes - do samples of a base (of a worker) at a place pass the filters? */
bool hist_passes(const struct hist *h, const struct hist_base *b, u32 place);

static inline u64 tally_hash(const struct tally *r)
{
	return hash_u64(r->ip ^ (u64)r->place << 36 ^
			hash_u64(((u64)r->base << 32 | r->stack) ^ (u64)r->epoch << 20 ^ r->mode));
}
/* Fetch the slot that a tally of this hash will need. */
static inline void tally_prefetch(const struct hist_worker *w, u64 hash)
{
	if (w->by_tally.slots)
		__builtin_prefetch(&w->by_tally.slots[hash & w->by_tally.mask]);
}
static inline bool hist_keeps_stacks(const struct hist *h)
{
	return h->conf.chains || h->conf.children || h->keep & NEED_PARENT || h->conf.stacks;
}
/* The @k-th event whose sums are compared when rows are sorted; -1: no more. */
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
static inline u32 hist_leader(const struct hist *h, u32 evsel)
{
	return h->conf.leader && evsel < h->conf.nr_events ? h->conf.leader[evsel] : evsel;
}
/*
 * Whose an address of a sample of this cpumode is. Of branches the cpumode says nothing; but what
 * can only be the kernel's is the same for all processes.
 */
static inline u8 hist_any_mode(u64 ip)
{
	return (s64)ip < 0 && ip < 0xffffffffff600000ULL ? PERF_RECORD_MISC_KERNEL
							 : RESOLVE_ANY_MODE;
}
static inline u8 hist_ip_mode(const struct hist *h, u64 ip, u8 cpumode)
{
	return likely(!h->conf.branches) ? cpumode : hist_any_mode(ip);
}
/* Nobody asks where in an object without symbols something was. */
static inline bool hist_whole_objects(const struct hist *h)
{
	return h->conf.stacks && !h->conf.stacks->addresses;
}
static inline bool hist_keeps_from(const struct hist *h)
{
	return h->conf.branches && (h->keep & (NEED_DSO_FROM | NEED_SYM_FROM));
}
/** hist_place_key - equal for places that the columns do not tell apart. */
static inline u32 hist_place_key(const struct hist *h, u32 place)
{
	return h->conf.cols.need & NEED_SYM   ? place
	       : h->conf.cols.need & NEED_DSO ? h->places[place].dso
					      : 0;
}
/** hist_place_keys - place keys are below this number. */
static inline size_t hist_place_keys(const struct hist *h)
{
	return MAX(h->nr_places, h->dso_names.nr) + 1;
}
/** leaf_place - return the place of the leaf of a stack, once that is resolved. */
static inline u32 leaf_place(const struct hist *h, u32 leaf)
{
	return h->early ? h->frames[leaf].place : h->addrs[leaf].place;
}
/** stack_place - return the place that decides whether the samples of a stack count. */
static inline u32 stack_place(const struct hist *h, const struct stack *s)
{
	return s->root ? h->frames[s->root - 1].place : leaf_place(h, s->leaf);
}
/* Is a sample at this place left out altogether? */
static inline bool hist_hidden(const struct hist *h, u32 place)
{
	return h->conf.hide_unresolved && h->places[place].sym == UINT32_MAX;
}

#endif
