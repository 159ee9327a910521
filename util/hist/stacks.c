// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks are kept as numbers of addresses (or of functions, with early resolution) instead of
 * addresses. That takes half of the memory, and each address is looked up once only. Most chains
 * differ from the one before near the sample and agree in the callers: so the address seen last at
 * the same distance from the end is tried first.
 */
#include "base/compat.h"

#include "hist/counting-internal.h"

u32 addr_id(struct hist_worker *w, u64 ip, u32 epoch, u8 mode)
{
	u64 hash;
	size_t pos;

	hash = hash_u64(ip ^ hash_u64((u64)epoch << 8 | mode));
	index_reserve(&w->by_addr);
	index_for_each(&w->by_addr, hash, pos)
	{
		const struct resolve_req *r = &w->addrs[index_at(&w->by_addr, pos)];

		if (r->ip == ip && r->epoch == epoch && r->cpumode == mode)
			return index_at(&w->by_addr, pos);
	}
	VEC_GROW(w->addrs, w->nr_addrs + 1, w->cap_addrs);
	w->addrs[w->nr_addrs] = (struct resolve_req){ ip, epoch, mode };
	index_put(&w->by_addr, pos, hash, w->nr_addrs);
	return w->nr_addrs++;
}

u32 addr_number(struct hist_worker *w, u64 ip, u32 epoch, u8 mode, u64 *addr)
{
	*addr = 0;
	return addr_id(w, ip, epoch, mode);
}

/* Pack epoch and mode into one word. Entries that were never used have none such. */
static inline u64 near_where(u32 epoch, u8 mode)
{
	return (u64)epoch << 8 | mode;
}

static __attribute__((noinline)) u32 id_far(struct hist_worker *w, struct chain_near *near, u64 ip,
					    u64 where)
{
	u32 epoch = (u32)(where >> 8);
	u8 mode = (u8)where;

	u64 addr;

	*near = (struct chain_near){ ip, where, w->h->counting->number(w, ip, epoch, mode, &addr) };
	return near->id;
}

static inline u32 id_near(struct hist_worker *w, struct chain_near *near, u64 ip, u64 where)
{
	return likely(near->ip == ip && near->where == where) ? near->id
							      : id_far(w, near, ip, where);
}

/* Tell whether @word is a marker. If so, *@mode is set to that of the words after it, 0 when it is
 * not known. */
static bool is_marker(u64 word, u8 *mode)
{
	if (word < (u64)PERF_CONTEXT_MAX)
		return false;
	*mode = word == HIST_CONTEXT_ANY || word == HIST_CONTEXT_BRANCHES ? RESOLVE_ANY_MODE
									  : callchain_mode(word);
	return true;
}

static void buffers_reserve(struct chain_buffers *b, size_t nr)
{
	size_t old = b->cap;

	if (nr <= old)
		return;
	b->cap = MAX(nr, old * 2);
	b->near = xrealloc(b->near, b->cap, sizeof(*b->near));
	memset(b->near + old, 0xff, (b->cap - old) * sizeof(*b->near));
	b->ids = xrealloc(b->ids, b->cap, sizeof(*b->ids));
	b->key_addrs = xrealloc(b->key_addrs, b->cap, sizeof(*b->key_addrs));
	b->info = xrealloc(b->info, b->cap, sizeof(*b->info));
}

void chain_buffers_release(struct chain_buffers *b)
{
	free(b->near);
	free(b->ids);
	free(b->key_addrs);
	free(b->info);
}

/* Cut a stack that is too deep to the frames that are printed first. */
static void cut_to(struct stack *s, u32 max, bool caller)
{
	u32 less = caller ? s->nr - max : 0;

	s->nr = max;
	s->ids += less;
	s->info = s->info ? s->info + less : NULL;
	s->key_addrs = s->key_addrs ? s->key_addrs + less : NULL;
}

/* Return the bit for addresses after the first one, which calls return to. */
static u8 behind_call(const struct hist *h, const struct hist_sample *s, u8 mode)
{
	return h->conf.inlines && mode != RESOLVE_ANY_MODE &&
			       !(s->lbr && mode == PERF_RECORD_MISC_USER)
		       ? ADDR_CALL
		       : 0;
}

static u32 epoch_in(const struct hist_sample *s, u8 mode)
{
	return mode == PERF_RECORD_MISC_KERNEL ? s->kernel_epoch : s->epoch;
}

/*
 * Convert the addresses from the @i-th word up to the next marker. Most have one mode. Return: how
 * many there are.
 */
static u32 convert_run(struct hist_worker *w, const struct hist_sample *s, u32 i, u8 mode, u8 call,
		       u32 *ids)
{
	const u64_una *word = s->chain + i, *end = s->chain + s->nr_chain;
	struct chain_near *near = &w->chain.near[s->nr_chain - i - 1];
	u32 epoch = epoch_in(s, mode), *id = ids;
	u64 where = near_where(epoch, mode | call);

	for (; word < end && *word < (u64)PERF_CONTEXT_MAX; word++) {
		*id++ = id_near(w, near--, *word, where);
		where = near_where(epoch, mode | behind_call(w->h, s, mode));
	}
	return (u32)(id - ids);
}

/* Convert one address of which more than its number is kept. */
static u32 convert_one(struct hist_worker *w, const struct hist_sample *s, u32 i, u8 mode, u8 call,
		       u32 *at)
{
	u64 word = s->chain[i];
	u8 own = mode == RESOLVE_ANY_MODE ? hist_any_mode(word) : mode;
	u32 epoch = epoch_in(s, own);

	if (at)
		*at = key_addr_id(w, &(struct key_at){ word, epoch, .mode = own });
	return id_near(w, &w->chain.near[s->nr_chain - i - 1], word, near_where(epoch, own | call));
}

/* Convert the chain of a sample into the worker's buffers. */
static void convert(struct hist_worker *w, const struct hist_sample *s, struct stack *out)
{
	struct chain_buffers *b = &w->chain;
	u32 nr = 0, n = (u32)s->nr_chain, i, run;
	u8 mode = s->cpumode, call = 0;
	bool branches = false;

	buffers_reserve(b, n);
	out->ids = b->ids;
	out->key_addrs = w->h->own_callers ? b->key_addrs : NULL;
	for (i = 0; i < n; i++) {
		if (is_marker(s->chain[i], &mode)) {
			branches = s->chain[i] == HIST_CONTEXT_BRANCHES;
			if (!mode) { /* no chain is better than a wrong one */
				nr = 0;
				break;
			}
			call = 0;
			continue;
		}
		if (mode != RESOLVE_ANY_MODE && !out->key_addrs) {
			run = convert_run(w, s, i, mode, call, b->ids + nr);
			nr += run;
			i += run - 1;
			continue;
		}
		b->ids[nr] =
			convert_one(w, s, i, mode, call, out->key_addrs ? &b->key_addrs[nr] : NULL);
		nr++;
		call = behind_call(w->h, s, mode);
		if (!branches || i + 1 == n)
			continue;
		if (!out->info) {
			out->info = b->info;
			memset(b->info, 0, n * sizeof(*b->info));
		}
		out->info[nr - 1] = s->chain[++i];
	}
	out->nr = nr;
	if (nr > s->nr_glued + w->h->conf.max_stack)
		cut_to(out, s->nr_glued + w->h->conf.max_stack, w->h->conf.chain.caller);
}

static bool same(const struct stack *a, const struct stack *b)
{
	return a->nr == b->nr && a->leaf == b->leaf && a->chain == b->chain &&
	       (!a->nr || !memcmp(a->ids, b->ids, a->nr * sizeof(*a->ids))) &&
	       !a->info == !b->info && !a->key_addrs == !b->key_addrs &&
	       (!a->info || !memcmp(a->info, b->info, a->nr * sizeof(*a->info))) &&
	       (!a->key_addrs ||
		!memcmp(a->key_addrs, b->key_addrs, a->nr * sizeof(*a->key_addrs)));
}

static void *keep(struct hist_worker *w, const void *data, size_t size)
{
	return data ? memcpy(arena_alloc(&w->arena, size ? size : 1), data, size) : NULL;
}

/* Set the number of the sample's own address, for trees of stacks. Most chains begin with it. */
static void set_leaf(struct hist_worker *w, const struct hist_sample *s, struct stack *st)
{
	u8 mode = hist_ip_mode(w->h, s->ip, s->cpumode);
	u32 epoch = epoch_in(s, mode);
	u64 first = 0;

	while (st->nr && first < s->nr_chain && s->chain[first] >= (u64)PERF_CONTEXT_MAX)
		first++;
	if (st->nr && first < s->nr_chain) {
		const struct chain_near *n = &w->chain.near[s->nr_chain - first - 1];

		if (n->ip == s->ip && n->where == near_where(epoch, mode) && n->id == st->ids[0]) {
			st->leaf = st->ids[0];
			return;
		}
	}
	st->leaf = w->h->counting->number(w, s->ip, epoch, mode, &first);
}

u32 stack_id(struct hist_worker *w, const struct hist_sample *s)
{
	struct stack st = { 0 };
	size_t pos;
	u64 hash;

	st.chain = s->nr_chain && s->nr_chain <= UINT32_MAX;
	if (!st.chain && !w->h->conf.stacks)
		return NO_STACK;
	if (st.chain)
		convert(w, s, &st);
	if (w->h->conf.stacks)
		set_leaf(w, s, &st);
	hash = hash_bytes(st.ids, st.nr * sizeof(*st.ids));
	if (st.info)
		hash ^= hash_bytes(st.info, st.nr * sizeof(*st.info));
	if (!st.nr)
		hash ^= hash_u64(st.leaf);
	index_reserve(&w->by_stack);
	index_for_each(&w->by_stack, hash, pos)
	{
		if (same(&w->stacks[index_at(&w->by_stack, pos)], &st))
			return index_at(&w->by_stack, pos);
	}
	st.ids = keep(w, st.ids, st.nr * sizeof(*st.ids));
	st.info = keep(w, st.info, st.nr * sizeof(*st.info));
	st.key_addrs = keep(w, st.key_addrs, st.nr * sizeof(*st.key_addrs));
	VEC_GROW(w->stacks, w->nr_stacks + 1, w->cap_stacks);
	w->stacks[w->nr_stacks] = st;
	index_put(&w->by_stack, pos, hash, w->nr_stacks);
	return w->nr_stacks++;
}

void stacks_visit(struct hist *h, const struct hist_stack_visitor *v)
{
	for (int i = 0; i < h->nr_workers; i++) {
		const struct hist_worker *w = h->workers[i];
		u64 *class = xcalloc(w->nr_stacks + 1, sizeof(*class));

		for (size_t k = 0; k < w->nr_stacks; k++)
			class[k] = v->classify(v->ctx, h, &w->stacks[k]);
		for (size_t k = 0; k < w->trees.nr_counts; k++) {
			const struct stack_count *c = &w->trees.counts[k];

			v->count(v->ctx, w->bases[c->base].evsel, class[c->stack], c -> nr);
		}
		for (size_t k = 0; k < w->nr_tallies; k++) {
			const struct tally *t = &w->tallies[k];

			if (t->stack != NO_STACK)
				v->count(v->ctx, w->bases[t->base].evsel, class[t->stack], t -> nr);
		}
		free(class);
	}
}
