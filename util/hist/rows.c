// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows are made of tallies here: with stacks worker by worker, then the rows of all together;
 * without stacks in parts, see tallies.c. A row has a base and a place key. With children, a tally
 * is added once to each different row among its frames, however deep the recursion.
 */
#include "base/compat.h"

#include <limits.h>

#include "hist/rows-internal.h"

/* Rows while they are made of the tallies of a worker, or of a part of all. */
struct row_maker {
	struct hist *h;
	struct hist_row *rows; /* owned */
	size_t nr_rows, cap_rows;
	struct map64 by_row; /* by row_key(): the row */
	u32 *at_key; /* of a part: by place key, its first row + 1, which is not in by_row */
	u32 from;    /* of a part: its first place key */
	struct row_near *near;     /* by place key: the row found last; NULL without callers */
	struct hist_event *totals; /* by event */
	struct arena *arena;       /* borrowed */
};

/* The properties that a row takes over from the earliest of its tallies. */
struct first {
	u32 member; /* of a group: the event; the leader comes first */
	u64 time;
	u32 thread;
	u32 pos;
	char level;
	struct hist_seen seen; /* with conf.origins */
};

static bool first_before(const struct first *f, const struct hist_row *r)
{
	if (r->more && f->member != r->more->first_member)
		return f->member < r->more->first_member;
	if (f->time != r->first)
		return f->time < r->first;
	if (f->thread != r->thread)
		return f->thread < r->thread;
	if (r->more && f->pos != r->more->first_pos)
		return f->pos < r->more->first_pos;
	if (f->level != r->level)
		return f->level < r->level;
	return r->more && (f->seen.ip != r->more->seen.ip ? f->seen.ip < r->more->seen.ip
							  : f->seen.from < r->more->seen.from);
}

static void row_first(struct hist_row *r, const struct first *f)
{
	if (!first_before(f, r))
		return;
	r->first = f->time;
	r->thread = f->thread;
	if (r->more) {
		r->more->first_member = f->member;
		r->more->first_pos = f->pos;
		r->more->seen = f->seen;
	}
	r->level = f->level;
}

static u64 row_key(u32 base, u32 key)
{
	return (u64)base << 32 | key;
}

static struct hist_sums *members_new(const struct hist *h, struct arena *arena, u32 base)
{
	u32 nr = h->events[hist_base(h, base)->evsel].nr_members;
	struct hist_sums *m;

	if (nr < 2)
		return NULL;
	m = arena_alloc(arena, (nr - 1) * sizeof(*m));
	memset(m, 0, (nr - 1) * sizeof(*m));
	return m;
}

static u64 *modes_new(const struct hist *h, struct arena *arena, u32 base)
{
	size_t size = MAX(h->events[hist_base(h, base)->evsel].nr_members, 1u) *
		      hist_nr_modes(&h->conf.cols) * sizeof(u64);
	u64 *modes;

	if (!(h->keep & (NEED_MODES | NEED_LATENCY | NEED_CLASSES)))
		return NULL;
	modes = arena_alloc(arena, size);
	memset(modes, 0, size);
	return modes;
}

static bool rows_have_more(const struct hist *h)
{
	for (u32 i = 0; i < h->conf.nr_events; i++)
		if (h->events[i].nr_members > 1)
			return true;
	return hist_keeps_stacks(h) || h->conf.children || h->conf.origins ||
	       (h->keep & (NEED_MODES | NEED_LATENCY | NEED_CLASSES));
}

static struct hist_row_more *more_new(const struct hist *h, struct arena *arena, u32 base)
{
	struct hist_row_more *more;

	if (!h->row_more)
		return NULL;
	more = arena_alloc(arena, sizeof(*more));
	*more = (struct hist_row_more){ .first_member = UINT32_MAX,
					.members = members_new(h, arena, base),
					.modes = modes_new(h, arena, base) };
	return more;
}

static void add_mode(const struct hist_worker *w, struct hist_row *r, const struct tally *tally,
		     u32 member)
{
	static const u8 mode_of[8] = {
		[PERF_RECORD_MISC_KERNEL] = MODE_SYS + 1,
		[PERF_RECORD_MISC_USER] = MODE_USER + 1,
		[PERF_RECORD_MISC_GUEST_KERNEL] = MODE_GUEST_SYS + 1,
		[PERF_RECORD_MISC_GUEST_USER] = MODE_GUEST_USER + 1,
	};
	u64 *sums = r->more->modes + member * hist_nr_modes(&w->h->conf.cols);
	u8 mode = mode_of[tally->mode & 7];

	if (mode)
		sums[mode - 1] += tally->period;
	for (u32 left = w->bases[tally->base].classes; left; left &= left - 1)
		sums[MODE_CLASSES + __builtin_ctz(left)] += tally->period;
}

static u32 row_new(struct row_maker *f, u32 base, u32 place)
{
	struct hist_row *r;

	VEC_GROW(f->rows, f->nr_rows + 1, f->cap_rows);
	r = &f->rows[f->nr_rows];
	*r = (struct hist_row){ .base = base,
				.place = place,
				.first = UINT64_MAX,
				.thread = UINT32_MAX,
				.level = CHAR_MAX,
				.filtered = f->h->conf.cols.hierarchy };
	r->more = more_new(f->h, f->arena, base);
	return (u32)f->nr_rows++;
}

/* Return the row of a base and place, made when it is new. Most places have one row. */
static struct hist_row *row_find(struct row_maker *f, u32 base, u32 place)
{
	u32 key = hist_place_key(f->h, place), *at = f->at_key ? &f->at_key[key - f->from] : NULL;
	u32 *slot;

	if (at && !*at)
		*at = row_new(f, base, place) + 1;
	if (at && f->rows[*at - 1].base == base)
		return &f->rows[*at - 1];
	slot = map64_slot(&f->by_row, row_key(base, key));
	if (*slot == MAP64_NONE)
		*slot = row_new(f, base, place);
	return &f->rows[*slot];
}

/* Return the row of a caller: most are of the base that the place was seen with last. */
static struct hist_row *row_of_caller(struct row_maker *f, u32 base, u32 place)
{
	struct row_near *near = &f->near[hist_place_key(f->h, place)];

	if (!near->id || near->base != base)
		*near = (struct row_near){ base, row_find(f, base, place) - f->rows + 1 };
	return &f->rows[near->id - 1];
}

/* Return the latency of a tally in thousandths, as later versions of perf count it. */
static u64 latency_of(const struct hist_worker *w, const struct tally *tally)
{
	return tally->period * 1000 / MAX(w->bases[tally->base].parallelism, 1U);
}

static void add_latency(const struct hist_worker *w, struct hist_row *r, const struct tally *tally,
			u32 member, bool own)
{
	u64 *sums = r->more->modes + member * hist_nr_modes(&w->h->conf.cols);
	u64 latency = latency_of(w, tally);

	sums[MODE_LATENCY] += own ? latency : 0;
	sums[MODE_ACC_LATENCY] += latency;
}

/* Add a tally to a row, as the row's own or (without @own) as one of its callees. */
static void row_add(const struct hist_worker *w, struct hist_row *r, const struct tally *tally,
		    u32 member, bool own)
{
	struct hist_row_more *more = r->more;
	struct hist_sums *m;

	if (more && more->modes) {
		if (own)
			add_mode(w, r, tally, member);
		add_latency(w, r, tally, member, own);
	}
	if (!member) {
		r->period += own ? tally->period : 0;
		r->nr += own ? tally->nr : 0;
		if (more) {
			more->acc_period += tally->period;
			more->acc_nr += tally->nr;
		}
		return;
	}
	m = &more->members[member - 1];
	m->period += own ? tally->period : 0;
	m->nr += own ? tally->nr : 0;
	m->acc_period += tally->period;
	m->acc_nr += tally->nr;
}

static char mode_level(u8 mode)
{
	switch (mode) {
	case PERF_RECORD_MISC_KERNEL:
		return 'k';
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return 'g';
	case PERF_RECORD_MISC_GUEST_USER:
		return 'u';
	case PERF_RECORD_MISC_HYPERVISOR:
		return 'H';
	default:
		return '.';
	}
}

/* Add a tally to the rows of its callers. @stamp is a number that no other tally has. */
static void add_callers(struct row_maker *to, const struct hist_worker *w,
			const struct tally *tally, u32 member, u32 stamp, struct first f)
{
	const struct stack *s = &w->stacks[tally->stack];
	const u32 *frames = s->ids;
	const struct hist *h = w->h;
	u32 i;

	for (i = 0; i < s->nr; i++) {
		const struct hist_frame *fr = &h->frames[frames[i]];
		struct hist_row *r;

		if (fr->level) /* else the frame before it says the level */
			f.level = fr->level;
		f.pos = i + 1;
		if (h->conf.origins)
			f.seen.ip = w->key_addr_ips[s->key_addrs[i]];
		r = row_of_caller(to, w->base_ids[caller_base(w, tally, s, i)], fr->place);
		if (r->more->stamp == stamp)
			continue;
		r->more->stamp = stamp;
		row_add(w, r, tally, member, false);
		r->more->depth = MAX(r->more->depth, s->nr - i);
		row_first(r, &f);
	}
}

static struct hist_seen seen_of(const struct hist_worker *w, const struct tally *tally)
{
	const struct stack *s = tally->stack == UINT32_MAX ? NULL : &w->stacks[tally->stack];
	u64 addr;

	if (!w->h->conf.origins || !w->tally_addrs)
		return (struct hist_seen){ 0 };
	addr = w->tally_addrs[tally - w->tallies];
	if (s && s->root) /* the samples belong to the frame that the chain was cut at */
		addr = w->key_addr_ips[s->key_addrs[0]];
	return (struct hist_seen){ w->h->conf.branches ? tally->ip : addr,
				   w->from_addrs[tally->base], addr };
}

/* Add a tally to the totals. *@passes: set to whether its samples pass the filters.
 * Return: it counts in a row. */
static bool add_total(struct row_maker *to, const struct hist_worker *w, const struct tally *tally,
		      bool *passes)
{
	const struct hist *h = w->h;
	struct hist_event *e = &to->totals[w->bases[tally->base].evsel];

	if (hist_hidden(h, tally->place) ||
	    (hist_keeps_from(h) && hist_hidden(h, w->bases[tally->base].from)))
		return false;
	e->period += tally->period;
	e->nr += tally->nr;
	e->latency += h->keep & NEED_LATENCY ? latency_of(w, tally) : 0;
	*passes = filter_passes(h, &w->bases[tally->base], tally->place);
	if (!*passes && !h->conf.cols.hierarchy)
		return false;
	e->passed_period += *passes ? tally->period : 0;
	e->passed_nr += *passes ? tally->nr : 0;
	e->passed_latency += *passes && h->keep & NEED_LATENCY ? latency_of(w, tally) : 0;
	return true;
}

static struct first first_of(const struct hist_worker *w, const struct tally *tally, u32 member)
{
	return (struct first){ .member = member,
			       .time = tally->first,
			       .thread = tally->thread,
			       .level = mode_level(tally->mode),
			       .seen = seen_of(w, tally) };
}

static void add_own(const struct hist_worker *w, struct hist_row *r, const struct tally *tally,
		    bool passes, const struct first *f)
{
	r->filtered &= !passes;
	row_add(w, r, tally, f->member, true);
	row_first(r, f);
}

/* Add a tally to its row, to those of its callers and to the totals. */
static void add_tally(struct row_maker *to, const struct hist_worker *w, const struct tally *tally,
		      u32 stamp)
{
	const struct hist *h = w->h;
	u32 base = w->base_ids[tally->base], member;
	struct hist_row *r;
	struct first f;
	bool passes;

	if (!add_total(to, w, tally, &passes))
		return;
	member = w->bases[tally->base].evsel - h->bases[base].evsel;
	f = first_of(w, tally, member);
	r = row_find(to, base, tally->place);
	if (r->more)
		r->more->stamp = stamp;
	add_own(w, r, tally, passes, &f);
	if (tally->stack == UINT32_MAX)
		return;
	r->more->depth = MAX(r->more->depth, w->stacks[tally->stack].nr);
	if (h->conf.children)
		add_callers(to, w, tally, member, stamp, f);
}

void row_add_members(const struct hist *h, struct hist_row *to_row, const struct hist_row *from_row)
{
	u32 nr = h->events[hist_base(h, to_row->base)->evsel].nr_members, i;
	struct hist_row_more *to = to_row->more;
	const struct hist_row_more *from = from_row->more;

	if (!to)
		return;
	for (i = 0; i + 1 < nr; i++) {
		to->members[i].period += from->members[i].period;
		to->members[i].nr += from->members[i].nr;
		to->members[i].acc_period += from->members[i].acc_period;
		to->members[i].acc_nr += from->members[i].acc_nr;
	}
	for (i = 0; to->modes && i < MAX(nr, 1u) * hist_nr_modes(&h->conf.cols); i++)
		to->modes[i] += from->modes[i];
}

static void merge_rows(struct hist *h, struct row_maker *f)
{
	size_t i;

	for (i = 0; i < f->nr_rows; i++) {
		const struct hist_row *from = &f->rows[i];
		u32 *slot =
			map64_slot(&h->by_row, row_key(from->base, hist_place_key(h, from->place)));
		struct first first = { .time = from->first,
				       .thread = from->thread,
				       .level = from->level };
		struct hist_row *to;

		if (from->more) {
			first.member = from->more->first_member;
			first.pos = from->more->first_pos;
			first.seen = from->more->seen;
		}
		if (*slot == MAP64_NONE) { /* row.more stays in the worker's arena */
			VEC_GROW(h->rows, h->nr_rows + 1, h->cap_rows);
			*slot = h->nr_rows;
			h->rows[h->nr_rows++] = *from;
			continue;
		}
		to = &h->rows[*slot];
		to->period += from->period;
		to->nr += from->nr;
		if (to->more) {
			to->more->acc_period += from->more->acc_period;
			to->more->acc_nr += from->more->acc_nr;
			to->more->depth = MAX(to->more->depth, from->more->depth);
		}
		to->filtered &= from->filtered;
		row_add_members(h, to, from);
		row_first(to, &first);
	}
	free(f->rows);
	map64_release(&f->by_row);
}

static void take_rows(struct hist *h, struct row_maker *f)
{
	h->rows = f->rows;
	h->nr_rows = f->nr_rows;
	h->cap_rows = f->cap_rows;
	h->by_row = f->by_row;
}

static void sum_events(struct hist *h, struct row_maker *f)
{
	u32 i;

	for (i = 0; i < h->conf.nr_events; i++) {
		struct hist_event *e = &h->events[i];

		e->period += f->totals[i].period;
		e->nr += f->totals[i].nr;
		e->passed_period += f->totals[i].passed_period;
		e->passed_nr += f->totals[i].passed_nr;
		e->latency += f->totals[i].latency;
		e->passed_latency += f->totals[i].passed_latency;
	}
	free(f->totals);
}

static void row_maker_init(struct row_maker *f, struct hist *h, int worker)
{
	*f = (struct row_maker){ .h = h, .arena = &h->workers[worker]->arena };
	f->totals = xcalloc(h->conf.nr_events, sizeof(*f->totals));
}

/* Free what only the making of rows reads. */
static void worker_done(struct hist_worker *w)
{
	free(w->tally_addrs);
	free(w->from_addrs);
	free(w->key_addr_ips);
	w->tally_addrs = w->from_addrs = w->key_addr_ips = NULL;
}

static void rows_prepare(struct hist *h)
{
	rank_comms(h);
	bases_merge(h);
	h->row_more = rows_have_more(h);
}

/* ---- with stacks ---- */

static void rows_of_worker(void *ctx, int worker, size_t item)
{
	struct row_maker *of = ctx, f = of[item]; /* a copy: threads must not share cache lines */
	struct hist_worker *w = f.h->workers[item];

	if (f.h->conf.children)
		f.near = xcalloc(hist_place_keys(f.h), sizeof(*f.near));
	for (size_t i = w->nr_tallies; i-- > 0;)
		add_tally(&f, w, &w->tallies[i], (u32)i + 1);
	free(f.near);
	worker_done(w);
	of[item] = f;
}

void rows_by_worker(struct hist *h)
{
	struct row_maker *of = xcalloc((size_t)h->nr_workers + 1, sizeof(*of));

	rows_prepare(h);
	for (int i = 0; i < h->nr_workers; i++)
		row_maker_init(&of[i], h, i);
	crew_run(h->crew, h->nr_workers, rows_of_worker, of);
	for (int i = 0; i < h->nr_workers; i++) {
		sum_events(h, &of[i]);
		if (!i)
			take_rows(h, &of[0]);
		else
			merge_rows(h, &of[i]);
	}
	free(of);
}

/* ---- without ---- */

struct by_place {
	struct row_maker *parts;
	struct hist_worker *w; /* the worker whose tallies are added */
};

#define AHEAD 8 /* distance in tallies */

/* Fetch the row of a tally that comes soon, and the entry that leads to the row of a later one. */
static void ask_row(const struct row_maker *f, const struct hist_worker *w, size_t i, size_t end)
{
	u32 row;

	if (i + 2 * AHEAD >= end)
		return;
	__builtin_prefetch(
		&f->at_key[hist_place_key(f->h, w->tallies[i + 2 * AHEAD].place) - f->from]);
	row = f->at_key[hist_place_key(f->h, w->tallies[i + AHEAD].place) - f->from];
	if (row)
		__builtin_prefetch(&f->rows[row - 1], 1);
}

static void rows_of_part(void *ctx, int worker, size_t part)
{
	const struct by_place *b = ctx;
	struct row_maker f = b->parts[part];
	const struct hist_worker *w = b->w;

	for (size_t i = w->part_at[part]; i < w->part_at[part + 1]; i++) {
		ask_row(&f, w, i, w->part_at[part + 1]);
		add_tally(&f, w, &w->tallies[i], 0);
	}
	b->parts[part] = f;
}

/* Prepare a part. @rows: room for as many rows as it may make. Return: the end of that room. */
static struct hist_row *row_maker_of_part(struct row_maker *f, struct hist *h, u32 part,
					  struct hist_row *rows)
{
	size_t nr = h->part_keys[part + 1] - h->part_keys[part] + 1;

	row_maker_init(f, h, (int)part);
	f->from = h->part_keys[part];
	f->at_key = xcalloc(nr, sizeof(*f->at_key));
	f->rows = rows;
	f->cap_rows = part_size(h, part);
	heap_populate(f->at_key, nr * sizeof(*f->at_key)); /* read before it is written */
	return rows + f->cap_rows;
}

/* Make one array of the rows of all parts, of which no two have the same row. */
static void join_rows(struct hist *h, struct row_maker *parts)
{
	struct hist_row *rows = parts[0].rows;
	size_t nr = 0;

	for (u32 i = 0; i < h->nr_parts; i++) {
		if (i && parts[i].nr_rows)
			memmove(rows + nr, parts[i].rows, parts[i].nr_rows * sizeof(*rows));
		nr += parts[i].nr_rows;
	}
	h->nr_rows = nr;
	h->cap_rows = MAX(nr, (size_t)1);
	h->rows = xrealloc(rows, h->cap_rows, sizeof(*rows));
}

void rows_in_parts(struct hist *h)
{
	struct hist_row *rows;
	struct by_place b;
	size_t nr = 1;

	rows_prepare(h);
	if (!h->nr_workers)
		return;
	if (!h->nr_parts)
		parts_by_place(h);
	for (u32 i = 0; i < h->nr_parts; i++)
		nr += part_size(h, i);
	b.parts = xcalloc(h->nr_parts, sizeof(*b.parts));
	rows = xmalloc(nr * sizeof(*rows));
	for (u32 i = 0; i < h->nr_parts; i++)
		rows = row_maker_of_part(&b.parts[i], h, i, rows);
	for (int i = 0; i < h->nr_workers; i++) {
		b.w = h->workers[i];
		crew_run(h->crew, h->nr_parts, rows_of_part, &b);
		worker_done(b.w);
		free(b.w->tallies); /* to make room for more rows */
		b.w->tallies = NULL;
		b.w->nr_tallies = 0;
	}
	for (u32 i = 0; i < h->nr_parts; i++) {
		free(b.parts[i].at_key);
		map64_release(&b.parts[i].by_row);
		sum_events(h, &b.parts[i]);
	}
	join_rows(h, b.parts);
	free(b.parts);
}

/* ---- with key values ---- */

/*
 * Each row has a set of its own number. They are found by one table, from the set, the base and the
 * place.
 */
struct keyed_rows {
	struct row_maker f;
	struct hist *h;
	struct index ix;
	u64 hash[2 * AHEAD]; /* of the tallies that come next */
};

static const u64 *set_of(const struct hist_worker *w, const struct tally *tally)
{
	return w->key_values + (size_t)(tally - w->tallies) * w->h->set_size;
}

/* Return the first word of a tally's set as that of a row. */
static u64 first_word(const struct hist_worker *w, const struct tally *tally)
{
	return (u64)w->base_ids[tally->base] << 32 | w->kind_ids[(u32)*set_of(w, tally)];
}

static u64 keyed_row_hash(const struct hist_worker *w, const struct tally *tally)
{
	u64 hash = hash_mix(hist_place_key(w->h, tally->place), first_word(w, tally));
	const u64 *set = set_of(w, tally);

	for (u32 i = 1; i < w->h->set_size; i++)
		hash = hash_mix(hash, set[i]);
	return hash_u64(hash);
}

/* Have memory bring the slot of a tally that comes later, and the row of one that comes soon. */
static void keyed_ask(struct keyed_rows *k, const struct hist_worker *w, size_t i)
{
	size_t later = i + 2 * AHEAD, soon = i + AHEAD;
	u32 size = k->h->set_size, row;
	u64 hash;

	if (soon < w->nr_tallies) {
		row = k->ix.slots[k->hash[soon % (2 * AHEAD)] & k->ix.mask].idx;
		if (row) {
			__builtin_prefetch(&k->f.rows[row - 1], 1);
			__builtin_prefetch(k->h->key_values + (size_t)(row - 1) * size);
		}
	}
	if (later < w->nr_tallies) {
		hash = keyed_row_hash(w, &w->tallies[later]);
		k->hash[i % (2 * AHEAD)] = hash;
		__builtin_prefetch(&k->ix.slots[hash & k->ix.mask]);
	}
}

static u32 keyed_row_new(struct keyed_rows *k, u64 word, const u64 *set, u32 place)
{
	struct hist *h = k->h;
	size_t nr = k->f.nr_rows, at = nr * h->set_size;

	VEC_GROW(h->key_values, at + h->set_size, h->cap_key_values);
	memmove(h->key_values + at, set, h->set_size * sizeof(*set));
	h->key_values[at] = word;
	return row_new(&k->f, (u32)nr, place);
}

static struct hist_row *keyed_row(struct keyed_rows *k, const struct hist_worker *w,
				  const struct tally *tally, u64 hash)
{
	u64 word = first_word(w, tally);
	const u64 *set = set_of(w, tally);
	const struct hist *h = k->h;
	size_t pos;

	index_reserve(&k->ix);
	index_for_each(&k->ix, hash, pos)
	{
		u32 i = index_at(&k->ix, pos);
		const u64 *own = h->key_values + (size_t)i * h->set_size;

		if (*own == word && !memcmp(own + 1, set + 1, (h->set_size - 1) * sizeof(*own)) &&
		    hist_place_key(h, k->f.rows[i].place) == hist_place_key(h, tally->place))
			return &k->f.rows[i];
	}
	index_put(&k->ix, pos, hash, keyed_row_new(k, word, set, tally->place));
	return &k->f.rows[k->f.nr_rows - 1];
}

static void keyed_rows_add(struct keyed_rows *k, const struct hist_worker *w)
{
	for (size_t i = 0; i < MIN(w->nr_tallies, (size_t)2 * AHEAD); i++)
		k->hash[i] = keyed_row_hash(w, &w->tallies[i]);
	for (size_t i = 0; i < w->nr_tallies; i++) {
		const struct tally *tally = &w->tallies[i];
		u32 evsel = w->bases[tally->base].evsel;
		u64 hash = k->hash[i % (2 * AHEAD)];
		struct hist_row *r;
		struct first f;
		bool passes;

		keyed_ask(k, w, i);
		if (!add_total(&k->f, w, tally, &passes))
			continue;
		f = first_of(w, tally, evsel - hist_leader(k->h, evsel));
		r = keyed_row(k, w, tally, hash);
		add_own(w, r, tally, passes, &f);
	}
}

static void release_tables(struct hist_worker *w)
{
	if (w->key_values != w->h->key_values)
		free(w->key_values);
	free(w->tallies);
	w->key_values = NULL;
	w->tallies = NULL;
	w->nr_tallies = w->nr_key_sets = 0;
}

/*
 * The sets of the first worker become those of the histogram, where they stand: none is written in
 * front of the tally that it is made of.
 */
void rows_of_keyed(struct hist *h)
{
	struct keyed_rows k = { .h = h };

	rows_prepare(h);
	if (!h->nr_workers)
		return;
	row_maker_init(&k.f, h, 0);
	index_expect(&k.ix, h->workers[0]->nr_tallies);
	h->key_values = h->workers[0]->key_values;
	h->cap_key_values = h->workers[0]->cap_key_values;
	for (int i = 0; i < h->nr_workers; i++) {
		keyed_rows_add(&k, h->workers[i]);
		worker_done(h->workers[i]);
		release_tables(h->workers[i]);
	}
	index_release(&k.ix);
	sum_events(h, &k.f);
	take_rows(h, &k.f);
}
