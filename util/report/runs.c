// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "report/runs-internal.h"

#include "base/alloc.h"

#define SLOTS 4096   /* the most texts of a run that a thread keeps: about what its cache holds */
#define WORTH 4      /* as many rows as different texts, at least */
#define LONGEST 1024 /* bytes of a text that is kept */

/* A text of a run. It stands in one of the slots, which its key decides. */
struct cell_text {
	u64 key; /* + 1; 0: there is none */
	u32 len;
	char text[];
};

struct cell_texts {
	const struct cell_run *runs; /* borrowed */
	u32 nr;
	u8 *slots[]; /* by run; NULL where each row has its own text */
};

/* ---- runs ---- */

/* Return what the text of a column depends on, as far as there are few of it for so many rows. */
static enum run_of column_of(const struct hist *h, const struct hist_event *ev,
			     const struct hist_column *col)
{
	const struct hist_conf *conf = hist_config(h);
	size_t kinds = hist_nr_kinds(h);

	if (col->few && (col->of_value || col->text) && kinds && ev->nr_rows / kinds >= WORTH)
		return RUN_OF_KIND;
	if (col->of_place && !conf->origins && conf->cols.need & NEED_SYM &&
	    ev->nr_rows / MAX(hist_nr_places(h), (size_t)1) >= WORTH)
		return RUN_OF_PLACE;
	return RUN_OF_ROW;
}

/* Decide how many texts of a run are kept, and how long they may be: names may be longer than their
 * columns, and gaps stand in front of each. */
static void run_size(const struct hist *h, const struct hist_event *ev, struct cell_run *run)
{
	size_t texts = run->of == RUN_OF_KIND ? hist_nr_kinds(h) : hist_nr_places(h), width = 0;

	for (u32 i = run->first; i < run->end; i++)
		width += ev->width[i] + 8U;
	run->size = ALIGN_UP(sizeof(struct cell_text) + MIN(width, (size_t)LONGEST), sizeof(u64));
	for (run->slots = 16; run->slots < SLOTS && run->slots < 2 * texts;)
		run->slots *= 2;
}

struct cell_run *runs_plan(const struct hist *h, const struct hist_event *ev, u32 *nr)
{
	const struct hist_columns *c = &hist_config(h)->cols;
	struct cell_run *runs = xcalloc(c->nr + 1, sizeof(*runs)), *last = NULL;

	for (u32 i = 0; i < c->nr; i++) {
		enum run_of of = column_of(h, ev, c->col[i]);

		if (!last || last->of != of) {
			last = last ? last + 1 : runs;
			*last = (struct cell_run){ .first = i, .of = of };
		}
		last->end = i + 1;
	}
	*nr = last ? (u32)(last - runs) + 1 : 0;
	for (u32 i = 0; i < *nr; i++)
		if (runs[i].of != RUN_OF_ROW)
			run_size(h, ev, &runs[i]);
	return runs;
}

/* ---- texts ---- */

struct cell_texts *cell_texts_new(const struct cell_run *runs, u32 nr)
{
	struct cell_texts *t = xzalloc(sizeof(*t) + nr * sizeof(*t->slots));

	t->runs = runs;
	t->nr = nr;
	for (u32 i = 0; i < nr; i++)
		if (runs[i].of != RUN_OF_ROW)
			t->slots[i] = xcalloc(runs[i].slots, runs[i].size);
	return t;
}

void cell_texts_free(struct cell_texts *t)
{
	for (u32 i = 0; t && i < t->nr; i++)
		free(t->slots[i]);
	free(t);
}

static struct cell_text *slot_of(const struct cell_texts *t, const struct hist *h, u32 run,
				 const struct hist_row *row, u64 *key)
{
	const struct cell_run *r = &t->runs[run];

	if (r->of == RUN_OF_KIND)
		*key = hist_row_kind(h, row) + 1ULL;
	else
		*key = ((u64)row->place << 8 | (u8)row->level) + 1;
	return (struct cell_text *)(void *)(t->slots[run] +
					    ((*key ^ *key >> 8) & (r->slots - 1)) * r->size);
}

bool cell_texts_add(const struct cell_texts *t, const struct hist *h, u32 run,
		    const struct hist_row *row, struct strbuf *out)
{
	const struct cell_text *text;
	u64 key;

	if (!t->slots[run])
		return false;
	text = slot_of(t, h, run, row, &key);
	if (text->key != key)
		return false;
	strbuf_add(out, text->text, text->len);
	return true;
}

void cell_texts_keep(struct cell_texts *t, const struct hist *h, u32 run,
		     const struct hist_row *row, const struct strbuf *out, size_t at)
{
	struct cell_text *text;
	size_t len = out->len - at;
	u64 key;

	if (!t->slots[run] || len > t->runs[run].size - sizeof(*text))
		return;
	text = slot_of(t, h, run, row, &key);
	text->key = key;
	text->len = (u32)len;
	memcpy(text->text, out->buf + at, len);
}
