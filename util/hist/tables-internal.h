/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables in which a worker counts: bases, key values, stacks and tallies. */
#ifndef PERF_HIST_TABLES_INTERNAL_H
#define PERF_HIST_TABLES_INTERNAL_H

#include <pthread.h>

#include "hist/address-cache.h"
#include "hist/state-internal.h"

#define NO_STACK UINT32_MAX

/*
 * A tally: the samples that are equal in all that is kept of them. The strategy decides whether
 * they are told apart by their address or, where addresses are resolved early, by the function that
 * it is in: the unions have the one or the other. Both have a place once they are resolved.
 */
struct tally {
	union {
		u64 ip;    /* the address; 0 when nobody asks */
		u64 start; /* in the object: where the function begins, or without symbol the
			      address; 0 when nobody asks */
	};
	u32 base;
	union {
		u32 epoch;
		u32 object; /* id of the object + 1; 0: unknown */
	};
	u32 stack; /* number of the worker's; NO_STACK */
	u32 nr;    /* of samples; one more tally follows when it is at its maximum */
	u64 period, first;
	union {
		u32 addr; /* number of the worker's address, while addresses are resolved */
		u32 sym;  /* in the object's table; UINT32_MAX: none */
		u32 place;
	};
	u32 thread : 29; /* of the first sample */
	u32 mode : 3;    /* cpumode */
};
_Static_assert(sizeof(struct tally) == 48, "there are as many as stacks, or more");

/*
 * The tables are larger than any cache, so samples wait in a short queue while the slot that they
 * need is fetched from memory.
 */
#define PENDING 64
struct pending {
	struct tally tally;
	u64 hash;               /* tally_hash() */
	struct address_key key; /* of the address cache, with early resolution */
};

/* An address that was seen in a chain, and its number. */
struct chain_near {
	u64 ip;
	u64 where; /* epoch and mode; ~0: nothing was seen yet */
	u32 id;
};

/* The buffers in which the chain of a sample is converted; all arrays are as long as the longest
 * chain. */
struct chain_buffers {
	struct chain_near *near; /* by distance from the end of the chain */
	u32 *ids, *key_addrs;
	u64 *info;
	size_t cap;
};

/* ---- what one strategy alone has ---- */

struct handoff_list;
struct handoff_block;

/* Samples on their way to the table of another worker; see handoff.c. The lock is held by whoever
 * counts in the tables of the worker, the rest belongs to the thread that reads. */
struct handoff {
	struct handoff_list *lists; /* by worker whose table they go to; NULL: none yet */
	struct handoff_block *spare;
	u32 nr_blocks;
	pthread_mutex_t lock;
};

/* The result of looking up a frame's address: the symbol it is in, or else the address itself. */
struct early_frame {
	u64 addr; /* in the object; 0 with a symbol, or when symbols are not asked for; that of
		     the call if functions may have been inlined there */
	u32 dso;  /* id + 1; 0 unknown */
	u32 sym;  /* in the object's table; UINT32_MAX: none */
};

/* An object that addresses were found in. */
struct object {
	const struct dso *dso; /* borrowed; NULL: no address was in it */
	const struct symtab *symtab;
	const struct map *map; /* the one seen last */
	u8 cpumode;
};

/* Mappings that a worker found addresses in last; by 4 MB of addresses and by epoch. */
#define NEARS 64

/* Addresses that are resolved while they are counted; see count-early.c and early-frames.c. */
struct early {
	struct address_cache cache;
	struct resolve_near near[NEARS];
	struct early_frame *frames;
	size_t nr_frames, cap_frames;
	struct index by_frame;
	struct object *objects; /* by dso id */
	size_t nr_objects;
};

/* Who accesses memory: what tells equal addresses of samples apart. */
struct key_owner {
	u32 epoch, kernel_epoch, pid, cpumode;
};

/* Samples with key values on their way into the tables; see count-keyed.c. */
struct keyed {
	u64 *sets;  /* by place in the queue, sets of hist.set_size words */
	u64 *kinds; /* as in struct hist, with the worker's numbers */
	size_t nr_kinds, cap_kinds;
	struct index by_kind;
	struct key_owner *owners;
	size_t nr_owners, cap_owners;
	struct index by_owner;
	u32 last_owner;
};

/* A sample of a tree of stacks that is about to be counted. */
struct tree_pending {
	u64 ip, period, time, hash, site_hash;
	u32 base, stack, epoch, thread;
	u32 nr; /* 0: a further part of a sample that lasts */
	u8 mode;
	struct site_count site;
};

/* The counts of a tree of stacks; see count-trees.c. */
struct tree_counts {
	struct tree_pending *queue;
	struct stack_count *counts;
	size_t nr_counts, cap_counts;
	struct index by_count;
	struct site_count *sites;
	size_t nr_sites, cap_sites;
	struct index by_site;
	u32 site_base_cache[16]; /* number + 1 */
	struct hist_log *log;    /* in the order of counting */
	size_t nr_log, cap_log;
};

/* A key address as it was sampled: see struct key_addr. */
struct key_at {
	u64 ip;
	u32 epoch;
	u32 pid;
	u8 mode;
};

/* ---- a worker ---- */

#define BASE_CACHE 64

/* The state of one thread that reads samples, and the tables that they are counted in. */
struct hist_worker {
	struct hist *h;
	struct pending queue[PENDING];
	u32 nr_queued;
	struct hist_thread *threads; /* by thread id */
	size_t nr_threads;
	struct tally *tallies;
	size_t nr_tallies, cap_tallies;
	struct index by_tally;
	size_t *part_at; /* where the tallies of each part begin, and the end */

	struct hist_base *bases; /* comm is still the machine's, or 0 */
	size_t nr_bases, cap_bases;
	u32 nr_evsels; /* the events of the bases are below this number */
	struct index by_base;
	u32 base_cache[BASE_CACHE]; /* number + 1 of the bases seen last */
	struct map64 caller_bases;  /* base << 32 | address -> base; see split-bases.c */

	struct intern texts; /* of KEY_TRACE and the keys after it */
	struct key_at *key_addrs;
	size_t nr_key_addrs, cap_key_addrs;
	struct index by_key_addr;
	u64 *key_values; /* sets of hist.set_size words */
	size_t nr_key_sets, cap_key_values;
	struct index by_key_set;

	struct chain_buffers chain;
	struct stack *stacks;
	size_t nr_stacks, cap_stacks;
	struct index by_stack;
	struct arena arena;        /* of stacks, later of what rows have beside their sums */
	struct resolve_req *addrs; /* unique addresses of this worker */
	size_t nr_addrs, cap_addrs;
	struct index by_addr;

	struct handoff handoff;
	struct early early;
	struct tree_counts trees;
	struct keyed keyed;

	/* Set by hist_finish(): */
	u32 *addr_ids; /* number of an address (or early frame) -> number in the histogram */
	u32 *base_ids; /* number of a base -> number in the histogram */
	u32 *kind_ids; /* the same of a kind */
	/* These are made with conf.origins, and NULL without: the addresses in their objects of the
	 * tallies and of where the bases came from, and the key addresses at run time. */
	u64 *tally_addrs, *from_addrs, *key_addr_ips;
};

/* ---- bases.c: what tells samples apart beside where they were ---- */

/** base_find - return the number of a base of a worker, made when it is new. */
u32 base_find(struct hist_worker *w, const struct hist_base *b);
bool base_same(const struct hist_base *a, const struct hist_base *b);
/** locates_filtered - tell whether it matters where filtered samples were. A hierarchy shows them
 * above others, and hide_unresolved does not count those without symbol. */
bool locates_filtered(const struct hist *h);
/** filtered_have_keys - tell whether the key values of filtered samples are kept. */
bool filtered_have_keys(const struct hist *h);
/** base_of_filtered, base_of_branch, base_with_keys - return the base of a sample that is not a
 * plain one. @b: what plain ones have. @cached: where in base_cache the search begins. */
u32 base_of_filtered(struct hist_worker *w, const struct hist_sample *s, struct hist_base b);
u32 base_of_branch(struct hist_worker *w, const struct hist_sample *s, struct hist_base b,
		   u32 *cached);
u32 base_with_keys(struct hist_worker *w, const struct hist_sample *s, struct hist_base b,
		   u32 *cached);
/** thread_table_grow - make room for a thread id. */
void thread_table_grow(struct hist_worker *w, u32 thread);

/** note_thread - remember the process and thread that a thread id stands for. */
static inline void note_thread(struct hist_worker *w, const struct hist_sample *s)
{
	if (unlikely(s->thread >= w->nr_threads))
		thread_table_grow(w, s->thread);
	if (unlikely(!w->threads[s->thread].time))
		w->threads[s->thread] =
			(struct hist_thread){ s->pid, s->tid, s->time ? s->time : 1, s->order };
}

/** base_of - return the number of the base of a sample. */
static inline u32 base_of(struct hist_worker *w, const struct hist_sample *s)
{
	unsigned int need = w->h->keep;
	u32 evsel = s->evsel, comm = need & NEED_COMM ? s->comm : 0;
	u32 tid = need & NEED_THREAD ? s->tid : 0, cpu = need & NEED_CPU ? s->cpu : 0;
	u32 *cached = &w->base_cache[(evsel * 29 + comm * 7 + tid * 3 + cpu) % BASE_CACHE];
	const struct hist_base *b;

	if (unlikely(s->filtered))
		return base_of_filtered(w, s, (struct hist_base){ evsel, comm, tid, cpu });
	if (unlikely(w->h->conf.branches))
		return base_of_branch(w, s, (struct hist_base){ evsel, comm, tid, cpu }, cached);
	if (unlikely(w->h->conf.cols.nr_keys))
		return base_with_keys(w, s, (struct hist_base){ evsel, comm, tid, cpu }, cached);
	if (likely(*cached)) {
		b = &w->bases[*cached - 1];
		if (likely(b->evsel == evsel && b->comm == comm && b->tid == tid && b->cpu == cpu))
			return *cached - 1;
	}
	*cached = base_find(w, &(struct hist_base){ evsel, comm, tid, cpu }) + 1;
	return *cached - 1;
}

/* ---- key-values.c, key-addrs.c: values of sort keys ---- */

static inline bool key_is_addr(enum hist_key what)
{
	return what >= KEY_DATA && what < KEY_TRACE;
}

static inline bool key_is_text(enum hist_key what)
{
	return what >= KEY_TRACE;
}

/** key_words_plan - decide which word of a set each key has. @own_sets: for hist.own_sets */
void key_words_plan(struct hist *h, bool own_sets);
/** key_kind_of - return the worker's number of a kind. */
u32 key_kind_of(struct hist_worker *w, const u64 *kind);
/** key_set_of - return the worker's number of the set of a sample's key values. */
u64 key_set_of(struct hist_worker *w, const struct hist_sample *s);
/** key_set_change - return the number of the set that is @set but for the @at-th value. */
u64 key_set_change(struct hist_worker *w, u64 set, u32 at, u64 value);
/** key_sets_merge - make the sets of all workers sets of the histogram, of which bases then have
 * the numbers. */
void key_sets_merge(struct hist *h);
/** key_values_of - store the key values of a sample in @values. Addresses are stored as they are;
 * key_addrs_number() replaces them by numbers of the worker's key addresses. */
void key_values_of(struct hist_worker *w, const struct hist_sample *s, u64 *values);
/** key_addr_of - return the address of a sample that stands for a key. */
u64 key_addr_of(enum hist_key what, const struct hist_sample *s);
/** key_at_of - return a key address. @ip: from key_addr_of(); @owner: who accesses it */
struct key_at key_at_of(const struct hist *h, enum hist_key what, u64 ip,
			const struct key_owner *owner);
/** key_addr_id - return the number of an address among the key addresses of a worker. */
u64 key_addr_id(struct hist_worker *w, const struct key_at *addr);
/** key_addrs_number - give addresses in the sets of a worker their numbers, with own_sets. Bases
 * have in @from the number of their owner. */
void key_addrs_number(struct hist_worker *w);
/** key_addrs_merge - resolve the key addresses of all workers; their sets then have the values that
 * columns compare. */
void key_addrs_merge(struct hist *h);
/** key_addrs_keep_ips - keep, with conf.origins, the addresses that key_addrs_merge() replaces. */
void key_addrs_keep_ips(struct hist *h);

/* split-bases.c: bases that are split once stacks are resolved */

/** parents_split - set KEY_PARENT in the sets of all bases, where it is asked for. */
void parents_split(struct hist *h);
/** callers_differ - do columns ask for values that callers have of their own? */
bool callers_differ(const struct hist_conf *conf);
/** callers_split - make the bases of callers, where they differ from those of their samples. */
void callers_split(struct hist *h);

/** caller_base - return the worker's base of the row of the @frame-th frame of a tally's stack. */
static inline u32 caller_base(const struct hist_worker *w, const struct tally *tally,
			      const struct stack *s, u32 frame)
{
	return s->key_addrs
		       ? map64_get(&w->caller_bases, (u64)tally->base << 32 | s->key_addrs[frame])
		       : tally->base;
}

/* ---- stacks.c ---- */

/** addr_id - return the number of an address among those of a worker. */
u32 addr_id(struct hist_worker *w, u64 ip, u32 epoch, u8 mode);
/** addr_number - the .number of strategies that keep addresses. *@addr: always 0, as it is not
 * known yet where the address is in its object. */
u32 addr_number(struct hist_worker *w, u64 ip, u32 epoch, u8 mode, u64 *addr);
/** stack_id - return the number of a sample's chain among those of a worker; NO_STACK without
 * one. */
u32 stack_id(struct hist_worker *w, const struct hist_sample *s);
void chain_buffers_release(struct chain_buffers *b);
/** stacks_visit - show all stacks and the samples that have them to a visitor. */
void stacks_visit(struct hist *h, const struct hist_stack_visitor *v);

/* ---- tallies.c ---- */

/** tally_add - count a sample that waited. Return: the number of its tally. */
size_t tally_add(struct hist_worker *w, const struct pending *p);
/** tallies_fetch - have memory bring the tallies that the waiting samples will need. */
void tallies_fetch(const struct hist_worker *w);
/** tallies_flush - count the samples that wait. */
void tallies_flush(struct hist_worker *w);

static inline u64 tally_hash(const struct tally *t)
{
	return hash_u64(t->ip ^ (u64)t->place << 36 ^
			hash_u64(((u64)t->base << 32 | t->stack) ^ (u64)t->epoch << 20 ^ t->mode));
}

/** tally_prefetch - have memory bring the slot that a tally of this hash will need. */
static inline void tally_prefetch(const struct hist_worker *w, u64 hash)
{
	if (w->by_tally.slots)
		__builtin_prefetch(&w->by_tally.slots[hash & w->by_tally.mask]);
}

/** tally_fetch - have memory bring a tally, of which half lie in two lines of its. */
static inline void tally_fetch(const struct hist_worker *w, size_t tally)
{
	const struct tally *t = &w->tallies[tally];

	__builtin_prefetch(t, 1);
	__builtin_prefetch((const char *)(t + 1) - 1, 1);
}

/** tally_merge - add the samples of @s to those of @t. */
static inline void tally_merge(struct tally *t, const struct tally *s)
{
	t->period += s->period;
	t->nr += s->nr;
	if (s->first < t->first || (s->first == t->first && s->thread < t->thread)) {
		t->first = s->first;
		t->thread = s->thread;
	}
}

/** tally_begin_at - return the next place in the queue, with a tally of this sample alone. Its
 * stack and base are given, its address is the sampled one as far as anything asks for it. */
static inline struct pending *tally_begin_at(struct hist_worker *w, const struct hist_sample *s,
					     u32 stack, u32 base)
{
	struct pending *p = &w->queue[w->nr_queued++];
	struct tally *t = &p->tally;

	*t = (struct tally){
		.base = base,
		.stack = stack,
		.mode = s->cpumode & 7,
		.thread = s->thread,
		.period = s->period,
		.nr = hist_sample_nr(s),
		.first = (s->time ? s->time : s->order) + s->nth,
	};
	note_thread(w, s);
	if (w->h->keep & (NEED_DSO | NEED_SYM) && (!s->filtered || locates_filtered(w->h))) {
		bool kernel = hist_ip_mode(w->h, s->ip, s->cpumode) == PERF_RECORD_MISC_KERNEL;

		t->ip = s->ip;
		t->epoch = kernel ? s->kernel_epoch : s->epoch; /* all share the kernel */
	}
	return p;
}

/** tally_begin - do that for a sample whose base the worker has to find. */
static inline struct pending *tally_begin(struct hist_worker *w, const struct hist_sample *s,
					  u32 stack)
{
	return tally_begin_at(w, s, stack, base_of(w, s));
}

/** tally_end - have memory bring what counts a sample by its address. */
static inline void tally_end(struct hist_worker *w, struct pending *p)
{
	p->hash = tally_hash(&p->tally);
	tally_prefetch(w, p->hash);
}

#endif
