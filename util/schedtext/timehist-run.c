// SPDX-License-Identifier: GPL-2.0-or-later
/* Follow the history of CPUs through a recording, and write it in the form that users chose. */
#include "base/compat.h"

#include "schedtext/timehist.h"

#include "schedtext/chains.h"
#include "schedtext/delay-map.h"
#include "schedtext/schedtext-internal.h"
#include "schedtext/timehist-internal.h"

/* The engine has one context for all it asks. */
struct run {
	const struct timehist_show *show;
	struct analysis *a;
	struct sched_timehist *state;
	const struct sched_timehist_conf *conf; /* of it */
	struct timehist_text *text;
	struct delay_map *map;       /* NULL: there is none */
	struct sched_chains *chains; /* of rows for programs */
	struct strbuf out, chain;    /* for programs */
};

static void flush(struct run *r, size_t least)
{
	if (r->out.len < least)
		return;
	r->show->write(r->show->ctx, strbuf_str(&r->out), r->out.len);
	strbuf_reset(&r->out);
}

/* ---- what the engine asks and tells ---- */

static bool run_wants(void *ctx, const struct task_at *task)
{
	return analysis_wants_task(((const struct run *)ctx)->a, task);
}

static void run_window(void *ctx, u64 *start, u64 *end)
{
	analysis_window(((const struct run *)ctx)->a, start, end);
}

static void run_idle_begins(void *ctx, const struct engine_input *in)
{
	timehist_idle_begins(((struct run *)ctx)->text, in);
}

static void run_idle_ends(void *ctx, u32 cpu, u64 ns)
{
	timehist_idle_ends(((struct run *)ctx)->text, cpu, ns);
}

static void run_row(void *ctx, const struct sched_row *row)
{
	struct run *r = ctx;
	const struct timehist_show *s = r->show;

	if (r->map && row->kind == SCHED_ROW_SWITCH && row->delay)
		delay_map_add(r->map, &row->task, row->time - row->run - row->delay,
			      row->time - row->run);
	if (!s->rows || (row->kind == SCHED_ROW_WAKEUP && !s->wakeups))
		return;
	if (row->kind == SCHED_ROW_MIGRATION && !s->migrations)
		return;
	if (s->form == TABLE_TEXT) {
		timehist_row(r->text, row);
		return;
	}
	strbuf_reset(&r->chain);
	if (s->chains && row->kind == SCHED_ROW_SWITCH)
		sched_chains_put(r->chains, row->in, &r->chain);
	timehist_rows_put(s->form, row, strbuf_str(&r->chain), &r->out);
	flush(r, SCHED_FLUSH_BYTES);
}

/* ---- rows for programs ---- */

static void put_sum(void *ctx, u32 id, const struct sched_runs *runs)
{
	struct run *r = ctx;
	struct task_life life = analysis_life(r->a, id);

	life.ended |= sched_timehist_ended(r->state, id);
	timehist_sums_put(r->show->form, task_table_last(analysis_tasks(r->a), id), &life, runs,
			  &r->out);
	flush(r, SCHED_FLUSH_BYTES);
}

static void finish_rows(struct run *r)
{
	if (r->show->sums)
		sched_timehist_tasks(r->state, put_sum, r);
	flush(r, 1);
}

/* ---- text ---- */

static void finish_text(struct run *r)
{
	if (r->show->sums)
		timehist_sums(r->text, r->a, r->state);
	timehist_end(r->text);
}

static void begin(struct run *r)
{
	const struct timehist_show *s = r->show;

	if (s->form != TABLE_TEXT && s->rows)
		timehist_rows_head(s->form, &r->out);
	else if (s->form != TABLE_TEXT)
		timehist_sums_head(s->form, &r->out);
	else if (s->rows)
		timehist_head(r->text);
}

/* All events come again. */
static void *renew(void *ctx)
{
	struct run *r = ctx;

	if (r->show->rows && !r->show->take_back(r->show->ctx))
		return NULL;
	timehist_text_free(r->text);
	r->text = timehist_text_new(r->show, analysis_recording(r->a));
	strbuf_reset(&r->out);
	sched_timehist_free(r->state);
	r->state = sched_timehist_new(r->conf);
	begin(r);
	return r->state;
}

/* Tell whether the file may be read once: rows can be taken back, and no call chain is resolved
 * while it is read. */
static bool can_begin_again(const struct run *r)
{
	const struct timehist_show *s = r->show;

	return (!s->rows || (s->take_back && !s->chains)) && !s->heatmap && !r->conf->idle_begins;
}

static int feed(struct run *r, struct err *err)
{
	struct analysis_part part = {
		.engine = sched_timehist_engine(),
		.state = r->state,
		.renew = can_begin_again(r) ? renew : NULL,
		.ctx = r,
	};

	return analysis_run_parts(r->a, &part, 1, err);
}

int timehist_run(const struct timehist_show *show, struct analysis *a, struct sched_counts *counts,
		 struct err *err)
{
	struct recording *recording = analysis_recording(a);
	struct run r = { .show = show, .a = a };
	bool idle_chains = show->form == TABLE_TEXT && show->idle && show->chains && show->sums;
	struct sched_timehist_conf conf = {
		.tasks = analysis_tasks(a),
		.row = show->rows || show->heatmap ? run_row : NULL,
		.wants = run_wants,
		.window = run_window,
		.idle_begins = idle_chains ? run_idle_begins : NULL,
		.idle_ends = idle_chains ? run_idle_ends : NULL,
		.ctx = &r,
		.prios = show->prios.nr ? &show->prios : NULL,
		.idle_only = show->idle,
		.switches_only = !show->wakeups && !show->migrations,
	};
	int ret;

	r.text = timehist_text_new(show, recording);
	r.chains = sched_chains_new(recording, show->max_stack);
	r.map = show->heatmap ? delay_map_new(a) : NULL;
	r.conf = &conf;
	r.state = sched_timehist_new(&conf);
	begin(&r);
	ret = feed(&r, err);
	if (!ret && show->form == TABLE_TEXT)
		finish_text(&r);
	else if (!ret)
		finish_rows(&r);
	if (!ret && r.map)
		ret = delay_map_write(r.map, show->heatmap, err);
	delay_map_free(r.map);
	*counts = *sched_timehist_counts(r.state);
	sched_timehist_free(r.state);
	sched_chains_free(r.chains);
	timehist_text_free(r.text);
	strbuf_release(&r.out);
	strbuf_release(&r.chain);
	return ret;
}
