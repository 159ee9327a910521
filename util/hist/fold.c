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
	char level;
};

static bool first_before(const struct first *f, const struct hist_row *r)
{
	if (f->time != r->first)
		return f->time < r->first;
	if (f->thread != r->thread)
		return f->thread < r->thread;
	return f->level < r->level;
}

static void row_first(struct hist_row *r, const struct first *f)
{
	if (!first_before(f, r))
		return;
	r->first = f->time;
	r->thread = f->thread;
	r->level = f->level;
}

static u64 row_key(u32 base, u32 key)
{
	return (u64)base << 32 | key;
}

static struct hist_row *row_get(struct hist_worker *w, u32 base, u32 place)
{
	u32 *slot = map64_slot(&w->by_row, row_key(base, w->h->places[place].key));
	struct hist_row *r;

	if (*slot != MAP64_NONE)
		return &w->rows[*slot];
	VEC_GROW(w->rows, w->nr_rows + 1, w->cap_rows);
	r = &w->rows[w->nr_rows];
	*slot = w->nr_rows++;
	*r = (struct hist_row){ .base = base, .place = place, .first = UINT64_MAX, .thread = UINT32_MAX, .level = CHAR_MAX };
	return r;
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
static void fold_callers(struct hist_worker *w, const struct raw *raw, u32 base, u32 stamp, struct first f)
{
	const struct stack *s = &w->stacks[raw->stack];
	const u32_alias *frames = stack_frames(s);
	const struct hist *h = w->h;
	u32 i;

	for (i = 0; i < s->nr; i++) {
		const struct hist_frame *fr = &h->frames[frames[i]];
		struct hist_row *r;

		if (fr->level) /* what is not mapped shows where the frame before it was */
			f.level = fr->level;
		r = row_get(w, base, fr->place);
		if (r->stamp == stamp)
			continue;
		r->stamp = stamp;
		r->acc_period += raw->period;
		r->acc_nr += raw->nr;
		r->depth = MAX(r->depth, s->nr - i);
		row_first(r, &f);
	}
}

static void worker_fold(void *ctx, int worker, size_t item)
{
	struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];
	bool addr = h->keep & (NEED_DSO | NEED_SYM);
	size_t i;

	w->totals = xcalloc(h->conf.nr_events, sizeof(*w->totals));
	for (i = 0; i < w->nr_raws; i++) {
		const struct raw *raw = &w->raws[i];
		struct hist_event *e = &w->totals[w->bases[raw->base].evsel];
		u32 base = w->base_ids[raw->base], place = addr ? h->addrs[raw->addr].place : 0;
		struct first f = { raw->first, raw->thread, mode_level(raw->mode) };
		struct hist_row *r;

		e->period += raw->period;
		e->nr += raw->nr;
		if (!hist_passes(h, w->bases[raw->base].comm, place))
			continue;
		e->passed_period += raw->period;
		e->passed_nr += raw->nr;
		r = row_get(w, base, place);
		r->stamp = i + 1;
		r->period += raw->period;
		r->nr += raw->nr;
		r->acc_period += raw->period;
		r->acc_nr += raw->nr;
		row_first(r, &f);
		if (raw->stack == UINT32_MAX)
			continue;
		r->depth = MAX(r->depth, w->stacks[raw->stack].nr);
		if (h->conf.children)
			fold_callers(w, raw, base, i + 1, f);
	}
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
			u32 rank = h->conf.cols.need & NEED_COMM ? h->comm_rank[b->comm] : 0;
			u64 hash = hash_u64(((u64)b->evsel << 32 | rank) ^ hash_u64((u64)b->tid << 32 | b->cpu));
			const struct hist_base *o;
			u32 id = UINT32_MAX;

			index_reserve(&ix);
			index_for_each(&ix, hash, pos) {
				o = &h->bases[index_at(&ix, pos)];
				if (o->evsel == b->evsel && o->tid == b->tid && o->cpu == b->cpu &&
				    (!(h->conf.cols.need & NEED_COMM) || h->comm_rank[o->comm] == rank)) {
					id = index_at(&ix, pos);
					break;
				}
			}
			if (id == UINT32_MAX) {
				VEC_GROW(h->bases, h->nr_bases + 1, h->cap_bases);
				id = h->nr_bases++;
				h->bases[id] = *b;
				index_put(&ix, pos, hash, id);
			}
			w->base_ids[k] = id;
		}
	}
	index_release(&ix);
}

static void merge_rows(struct hist *h, struct hist_worker *w)
{
	size_t i;

	for (i = 0; i < w->nr_rows; i++) {
		const struct hist_row *from = &w->rows[i];
		u32 *slot = map64_slot(&h->by_row, row_key(from->base, h->places[from->place].key));
		struct first f = { from->first, from->thread, from->level };
		struct hist_row *to;

		if (*slot == MAP64_NONE) {
			VEC_GROW(h->rows, h->nr_rows + 1, h->cap_rows);
			*slot = h->nr_rows;
			h->rows[h->nr_rows++] = *from;
			continue;
		}
		to = &h->rows[*slot];
		to->period += from->period;
		to->nr += from->nr;
		to->acc_period += from->acc_period;
		to->acc_nr += from->acc_nr;
		to->depth = MAX(to->depth, from->depth);
		row_first(to, &f);
	}
	free(w->rows);
	w->rows = NULL;
	map64_release(&w->by_row);
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
	}
}

void hist_fold(struct hist *h)
{
	int i;

	hist_rank_comms(h);
	merge_bases(h);
	hist_filters_init(h);
	pool_run(h->conf.workers, h->nr_workers, worker_fold, h);
	for (i = 0; i < h->nr_workers; i++) {
		sum_events(h, h->workers[i]);
		if (!i)
			take_rows(h, h->workers[0]);
		else
			merge_rows(h, h->workers[i]);
	}
}
