// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts to rows. Each worker folds its own table, then the rows of all are added up. A row is
 * keyed by (base, place key); with children a sample is added once to every distinct row among
 * its frames, however deep the recursion.
 */
#include "base/compat.h"

#include <limits.h>

#include "hist/hist-internal.h"

/* What a sample set says about the row it is added to. */
struct first {
	u64 time;
	u32 thread;
	u32 pos;
	char level;
	struct hist_seen seen; /* of conf.origins */
};

static bool first_before(const struct first *f, const struct hist_row *r)
{
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
	u32 nr = h->events[h->bases[base].evsel].nr_members;
	struct hist_sums *m;

	if (nr < 2)
		return NULL;
	m = arena_alloc(arena, (nr - 1) * sizeof(*m));
	memset(m, 0, (nr - 1) * sizeof(*m));
	return m;
}

static u64 *modes_new(const struct hist *h, struct arena *arena, u32 base)
{
	size_t size = MAX(h->events[h->bases[base].evsel].nr_members, 1u) * NR_MODES * sizeof(u64);
	u64 *modes;

	if (!(h->keep & (NEED_MODES | NEED_LATENCY)))
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
	       (h->keep & (NEED_MODES | NEED_LATENCY));
}

static struct hist_row_more *more_new(const struct hist *h, struct arena *arena, u32 base)
{
	struct hist_row_more *more;

	if (!h->row_more)
		return NULL;
	more = arena_alloc(arena, sizeof(*more));
	*more = (struct hist_row_more){ .members = members_new(h, arena, base),
					.modes = modes_new(h, arena, base) };
	return more;
}

static void add_mode(struct hist_row *r, const struct raw *raw, u32 member)
{
	static const u8 mode_of[8] = {
		[PERF_RECORD_MISC_KERNEL] = MODE_SYS + 1,
		[PERF_RECORD_MISC_USER] = MODE_USER + 1,
		[PERF_RECORD_MISC_GUEST_KERNEL] = MODE_GUEST_SYS + 1,
		[PERF_RECORD_MISC_GUEST_USER] = MODE_GUEST_USER + 1,
	};
	u8 mode = mode_of[raw->mode & 7];

	if (mode)
		r->more->modes[member * NR_MODES + mode - 1] += raw->period;
}

static struct hist_row *row_find(struct hist_worker *w, u32 base, u32 place)
{
	u32 *slot = map64_slot(&w->by_row, row_key(base, hist_place_key(w->h, place)));
	struct hist_row *r;

	if (*slot != MAP64_NONE)
		return &w->rows[*slot];
	VEC_GROW(w->rows, w->nr_rows + 1, w->cap_rows);
	r = &w->rows[w->nr_rows];
	*slot = w->nr_rows++;
	*r = (struct hist_row){ .base = base,
				.place = place,
				.first = UINT64_MAX,
				.thread = UINT32_MAX,
				.level = CHAR_MAX,
				.filtered = w->h->conf.cols.hierarchy };
	r->more = more_new(w->h, &w->arena, base);
	return r;
}

/* The same of a caller: most are of the base that the place was last seen with. */
static struct hist_row *row_of_caller(struct hist_worker *w, u32 base, u32 place)
{
	struct row_near *near = &w->row_near[hist_place_key(w->h, place)];

	if (!near->id || near->base != base)
		*near = (struct row_near){ base, row_find(w, base, place) - w->rows + 1 };
	return &w->rows[near->id - 1];
}

/* As later versions count it, in thousandths. */
static u64 latency_of(const struct hist_worker *w, const struct raw *raw)
{
	return raw->period * 1000 / MAX(w->bases[raw->base].parallelism, (u64)1);
}

static void add_latency(const struct hist_worker *w, struct hist_row *r, const struct raw *raw,
			u32 member, bool own)
{
	u64 *sums = r->more->modes + member * NR_MODES, latency = latency_of(w, raw);

	sums[MODE_LATENCY] += own ? latency : 0;
	sums[MODE_ACC_LATENCY] += latency;
}

/* Add a sample set to a row: as its own, or (@own false) as one of what it called. */
static void row_add(const struct hist_worker *w, struct hist_row *r, const struct raw *raw,
		    u32 member, bool own)
{
	struct hist_row_more *more = r->more;
	struct hist_sums *m;

	if (more && more->modes) {
		if (own)
			add_mode(r, raw, member);
		add_latency(w, r, raw, member, own);
	}
	if (!member) {
		r->period += own ? raw->period : 0;
		r->nr += own ? raw->nr : 0;
		if (more) {
			more->acc_period += raw->period;
			more->acc_nr += raw->nr;
		}
		return;
	}
	m = &more->members[member - 1];
	m->period += own ? raw->period : 0;
	m->nr += own ? raw->nr : 0;
	m->acc_period += raw->period;
	m->acc_nr += raw->nr;
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

/* Add a sample set to the rows of its callers; @stamp tells it from the sets before it. */
static void fold_callers(struct hist_worker *w, const struct raw *raw, u32 member, u32 stamp,
			 struct first f)
{
	const struct stack *s = &w->stacks[raw->stack];
	const u32 *frames = s->ids;
	const struct hist *h = w->h;
	u32 i;

	for (i = 0; i < s->nr; i++) {
		const struct hist_frame *fr = &h->frames[frames[i]];
		struct hist_row *r;

		if (fr->level) /* what is not mapped shows where the frame before it was */
			f.level = fr->level;
		f.pos = i + 1;
		if (h->conf.origins)
			f.seen.ip = w->at_ips[s->ats[i]];
		r = row_of_caller(w, w->base_ids[caller_base(w, raw, s, i)], fr->place);
		if (r->more->stamp == stamp)
			continue;
		r->more->stamp = stamp;
		row_add(w, r, raw, member, false);
		r->more->depth = MAX(r->more->depth, s->nr - i);
		row_first(r, &f);
	}
}

static struct hist_seen seen_of(const struct hist_worker *w, const struct raw *raw)
{
	const struct stack *s = raw->stack == UINT32_MAX ? NULL : &w->stacks[raw->stack];
	u64 addr;

	if (!w->h->conf.origins || !w->raw_addrs)
		return (struct hist_seen){ 0 };
	addr = w->raw_addrs[raw - w->raws];
	if (s && s->root) /* samples are those of the frame it was cut at */
		addr = w->at_ips[s->ats[0]];
	return (struct hist_seen){ w->h->conf.branches ? raw->ip : addr, w->from_addrs[raw->base],
				   addr };
}

/* Add up one sample set. */
static void fold_raw(struct hist_worker *w, const struct raw *raw, u32 stamp)
{
	const struct hist *h = w->h;
	struct hist_event *e = &w->totals[w->bases[raw->base].evsel];
	u32 base = w->base_ids[raw->base], place = raw->place;
	struct first f = { raw->first, raw->thread, 0, mode_level(raw->mode), seen_of(w, raw) };
	u32 member = w->bases[raw->base].evsel - h->bases[base].evsel;
	struct hist_row *r;
	bool passes;

	if (hist_hidden(h, place) ||
	    (hist_keeps_from(h) && hist_hidden(h, w->bases[raw->base].from)))
		return;
	e->period += raw->period;
	e->nr += raw->nr;
	e->latency += h->keep & NEED_LATENCY ? latency_of(w, raw) : 0;
	passes = hist_passes(h, &w->bases[raw->base], place);
	if (!passes && !h->conf.cols.hierarchy)
		return;
	e->passed_period += passes ? raw->period : 0;
	e->passed_nr += passes ? raw->nr : 0;
	e->passed_latency += passes && h->keep & NEED_LATENCY ? latency_of(w, raw) : 0;
	r = row_find(w, base, place);
	r->filtered &= !passes;
	if (r->more)
		r->more->stamp = stamp;
	row_add(w, r, raw, member, true);
	row_first(r, &f);
	if (raw->stack == UINT32_MAX)
		return;
	r->more->depth = MAX(r->more->depth, w->stacks[raw->stack].nr);
	if (h->conf.children)
		fold_callers(w, raw, member, stamp, f);
}

/* From the last one: where nothing is asked of single samples any more, what was added is freed. */
#define RAWS_FREED 4096

static void worker_fold(void *ctx, int worker, size_t item)
{
	struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];
	size_t i;

	w->totals = xcalloc(h->conf.nr_events, sizeof(*w->totals));
	w->row_near = h->conf.children ? xcalloc(hist_place_keys(h), sizeof(*w->row_near)) : NULL;
	for (i = w->nr_raws; i-- > 0;) {
		if ((i + 1) % RAWS_FREED == 0 && !hist_keeps_stacks(h))
			w->raws = xrealloc(w->raws, i + 1, sizeof(*w->raws));
		fold_raw(w, &w->raws[i], i + 1);
	}
	free(w->row_near);
	free(w->raw_addrs);
	free(w->from_addrs);
	free(w->at_ips);
	w->raw_addrs = w->from_addrs = w->at_ips = NULL;
}

/* What tells the origins of branches apart: as the key of a place does for where they went. */
static u64 from_key(const struct hist *h, const struct hist_base *b)
{
	if (!hist_keeps_from(h))
		return 0;
	return h->conf.cols.need & NEED_SYM_FROM   ? b->from
	       : h->conf.cols.need & NEED_DSO_FROM ? h->places[b->from].dso
						   : 0;
}

u64 hist_base_hash(const struct hist *h, const struct hist_base *b, u32 evsel)
{
	u32 rank = h->conf.cols.need & NEED_COMM ? h->comm_rank[b->comm] : 0;

	return hash_u64(((u64)evsel << 32 | rank) ^ hash_u64((u64)b->tid << 32 | b->cpu) ^
			hash_u64(from_key(h, b) << 24 ^ b->cycles << 8 ^ b->flags) ^ b->kept << 40);
}

bool hist_same_base(const struct hist *h, const struct hist_base *a, const struct hist_base *b)
{
	return a->tid == b->tid && a->cpu == b->cpu && a->cycles == b->cycles &&
	       a->flags == b->flags && a->kept == b->kept && from_key(h, a) == from_key(h, b) &&
	       (!(h->conf.cols.need & NEED_COMM) || h->comm_rank[a->comm] == h->comm_rank[b->comm]);
}

static void merge_bases(struct hist *h)
{
	struct index ix = { 0 };
	size_t k, pos;
	int i;

	for (i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		w->base_ids = xcalloc(w->nr_bases ? w->nr_bases : 1, sizeof(u32));
		for (k = 0; k < w->nr_bases; k++) {
			const struct hist_base *b = &w->bases[k];
			u32 evsel = hist_leader(h, b->evsel);
			u64 hash = hist_base_hash(h, b, evsel);
			const struct hist_base *o;
			u32 id = UINT32_MAX;

			index_reserve(&ix);
			index_for_each(&ix, hash, pos)
			{
				o = &h->bases[index_at(&ix, pos)];
				if (o->evsel == evsel && hist_same_base(h, o, b)) {
					id = index_at(&ix, pos);
					break;
				}
			}
			if (id == UINT32_MAX) {
				VEC_GROW(h->bases, h->nr_bases + 1, h->cap_bases);
				id = h->nr_bases++;
				h->bases[id] = *b;
				h->bases[id].evsel = evsel;
				index_put(&ix, pos, hash, id);
			}
			w->base_ids[k] = id;
		}
	}
	index_release(&ix);
}

void hist_add_members(const struct hist *h, struct hist_row *to_row,
		      const struct hist_row *from_row)
{
	u32 nr = h->events[h->bases[to_row->base].evsel].nr_members, i;
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
	for (i = 0; to->modes && i < MAX(nr, 1u) * NR_MODES; i++)
		to->modes[i] += from->modes[i];
}

static void merge_rows(struct hist *h, struct hist_worker *w)
{
	size_t i;

	for (i = 0; i < w->nr_rows; i++) {
		const struct hist_row *from = &w->rows[i];
		u32 *slot =
			map64_slot(&h->by_row, row_key(from->base, hist_place_key(h, from->place)));
		struct first f = { from->first, from->thread,
				   from->more ? from->more->first_pos : 0, from->level,
				   from->more ? from->more->seen : (struct hist_seen){ 0 } };
		struct hist_row *to;

		if (*slot == MAP64_NONE) { /* the members stay in the worker's arena */
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
		hist_add_members(h, to, from);
		row_first(to, &f);
	}
	free(w->rows);
	w->rows = NULL;
	map64_release(&w->by_row);
}

/* Hand the rows on to the next worker, which adds its own. */
static void pass_rows(struct hist_worker *from, struct hist_worker *to)
{
	to->rows = from->rows;
	to->nr_rows = from->nr_rows;
	to->cap_rows = from->cap_rows;
	to->by_row = from->by_row;
	from->rows = NULL;
	from->by_row = (struct map64){ 0 };
}

static void take_rows(struct hist *h, struct hist_worker *w)
{
	h->rows = w->rows;
	h->nr_rows = w->nr_rows;
	h->cap_rows = w->cap_rows;
	h->by_row = w->by_row;
	w->rows = NULL;
	w->by_row = (struct map64){ 0 };
}

static void sum_events(struct hist *h, const struct hist_worker *w)
{
	u32 i;

	for (i = 0; i < h->conf.nr_events; i++) {
		struct hist_event *e = &h->events[i];

		e->period += w->totals[i].period;
		e->nr += w->totals[i].nr;
		e->passed_period += w->totals[i].passed_period;
		e->passed_nr += w->totals[i].passed_nr;
		e->latency += w->totals[i].latency;
		e->passed_latency += w->totals[i].passed_latency;
	}
}

/* Events may have become known while samples were counted (a pipe): there are as many as samples
 * name. */
void hist_count_members(struct hist *h)
{
	u32 nr = h->conf.nr_events, i;
	size_t k;
	int w;

	for (w = 0; w < h->nr_workers; w++)
		for (k = 0; k < h->workers[w]->nr_bases; k++)
			nr = MAX(nr, h->workers[w]->bases[k].evsel + 1);
	if (nr > h->conf.nr_events) {
		h->events = xrealloc(h->events, nr, sizeof(*h->events));
		memset(h->events + h->conf.nr_events, 0,
		       (nr - h->conf.nr_events) * sizeof(*h->events));
		h->conf.leader = NULL;
		h->conf.nr_events = nr;
	}
	for (i = 0; i < nr; i++)
		h->events[hist_leader(h, i)].nr_members++;
}

/*
 * Without stacks a table is added up in no time: all workers' into the same rows, one after the
 * other, saves the memory of several.
 */
static void fold_in_turn(struct hist *h)
{
	int i;

	for (i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		if (i)
			pass_rows(h->workers[i - 1], w);
		worker_fold(h, 0, i);
		sum_events(h, w);
		free(w->raws);
		w->raws = NULL;
		w->nr_raws = 0;
	}
	if (h->nr_workers)
		take_rows(h, h->workers[h->nr_workers - 1]);
	map64_release(&h->by_row);
}

/* Before all that is kept of addresses is what columns compare. */
static void note_at_ips(struct hist *h)
{
	for (int i = 0; h->conf.origins && i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		w->at_ips = xcalloc(w->nr_ats + 1, sizeof(*w->at_ips));
		for (size_t k = 0; k < w->nr_ats; k++)
			w->at_ips[k] = w->ats[k].ip;
	}
}

void hist_fold(struct hist *h)
{
	int i;

	hist_count_members(h);
	hist_rank_comms(h);
	parents_part(h);
	callers_part(h);
	note_at_ips(h);
	kept_merge(h);
	merge_bases(h);
	hist_filters_init(h);
	h->row_more = rows_have_more(h);
	if (!hist_keeps_stacks(h)) {
		fold_in_turn(h);
		return;
	}
	pool_run(h->conf.workers, h->nr_workers, worker_fold, h);
	for (i = 0; i < h->nr_workers; i++) {
		sum_events(h, h->workers[i]);
		if (!i)
			take_rows(h, h->workers[0]);
		else
			merge_rows(h, h->workers[i]);
	}
}
