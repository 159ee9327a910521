// SPDX-License-Identifier: GPL-2.0-or-later
/* Walk over a result: its rows, their order, and their contents. */
#include "base/compat.h"
#include "stattext/stattext.h"

#include "base/alloc.h"
#include "stat/metrics.h"

#include <math.h>

/* --- columns of metric_only ------------------------------------------------------- */

/* Tell whether a metric is a column; one that only rephrases the count of its event is not. */
static bool is_column(const struct stat_metric *m)
{
	return m->asked || (!strstr(m->unit, "/sec") && strcmp(m->unit, "CPUs utilized") != 0);
}

struct column_ctx {
	struct stat_view *view;
	const struct evsel *evsel;
};

static void add_column(void *ctx, const struct stat_metric *m)
{
	struct column_ctx *c = ctx;
	struct stat_view *v = c->view;
	bool part = !strncmp(m->unit, "of all", 6);

	if (!is_column(m))
		return;
	VEC_GROW(v->columns, v->nr_columns + 1, v->cap_columns);
	v->columns[v->nr_columns++] = (struct stat_column){
		.evsel = c->evsel->idx,
		.unit = xstrdup(m->unit),
		.name = xasprintf("%s%s%s%s%s", part ? c->evsel->name : "", part ? " " : "",
				  m->unit, c->evsel->cgroup ? " " : "",
				  c->evsel->cgroup ? c->evsel->cgroup : ""),
	};
}

/* Find all possible columns, as if every event had counted once. */
static void find_columns(struct stat_view *v, const struct evlist *l,
			 const struct stat_metrics *metrics)
{
	bool *unsupported = xcalloc(l->nr + 1, sizeof(*unsupported));
	struct stat_result r;
	struct aggr_map ids;

	aggr_map_init(&ids, AGGR_GLOBAL, NULL, 1, 1);
	stat_result_init(&r, l, &ids, unsupported);
	r.metrics = metrics;
	r.duration = 1;
	for (size_t i = 0; i < l->nr; i++)
		r.v[i] = (struct stat_value){ .val = 1, .enabled = 1, .running = 1, .places = 1 };
	for (size_t i = 0; i < l->nr; i++)
		shadow_metrics(&r, i, 0, add_column, &(struct column_ctx){ v, l->evsels[i] });
	stat_result_release(&r);
	aggr_map_release(&ids);
	free(unsupported);
}

void stat_view_settle(struct stat_view *v, const struct evlist *l,
		      const struct stat_metrics *metrics)
{
	if (v->metric_only)
		find_columns(v, l, metrics);
	v->unit_width = 4;
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->unit)
			v->unit_width = MAX(v->unit_width, (u32)strlen(l->evsels[i]->unit));
}

void stat_view_release(struct stat_view *v)
{
	for (size_t i = 0; i < v->nr_columns; i++) {
		free(v->columns[i].unit);
		free(v->columns[i].name);
	}
	free(v->columns);
	v->columns = NULL;
	v->nr_columns = v->cap_columns = 0;
}

/* --- rows ------------------------------------------------------------------------- */

void stat_metric_text(const struct stat_metric *m, struct strbuf *out)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (!isnan(m->value))
		strbuf_addf(out, m->fmt, m->value);
#pragma GCC diagnostic pop
}

bool stat_row_percore(const struct stat_row *row)
{
	return row->result->ids->mode == AGGR_NONE && row->evsel->terms.percore &&
	       !row->view->show_threads;
}

void stat_row_id(const struct stat_row *row, struct strbuf *out)
{
	const struct aggr_map *ids = row->result->ids;
	const struct cpu_place *at = &ids->ids[row->id].at;

	if (stat_row_percore(row)) {
		strbuf_addf(out, "S%d-D%d-C%d", at->socket, at->die, at->core);
	} else if (ids->mode == AGGR_THREAD) {
		const struct stat_thread *t = &row->view->threads[ids->ids[row->id].thread];

		strbuf_addname(out, t->comm);
		strbuf_addf(out, "-%d", t->tid);
	} else {
		aggr_id_name(ids, row->id, out);
	}
}

u32 stat_row_cpus(const struct stat_row *row)
{
	if (row->counted)
		return row->value->places;
	/* the first row without a count is sufficient */
	return row->unsupported ? 1 : MIN(row->value->places, 1U);
}

int stat_row_digits(const struct stat_row *row)
{
	return floor(row->evsel->scale) != row->evsel->scale ? 2 : 0;
}

double stat_row_running(const struct stat_row *row)
{
	const struct stat_value *v = row->value;

	return v->enabled ? 100.0 * (double)v->running / (double)v->enabled : 100;
}

static void take_metric(void *ctx, const struct stat_metric *m)
{
	struct stat_row *row = ctx;

	if (isnan(m->value))
		return;
	VEC_GROW(row->metrics, row->nr_metrics + 1, row->cap_metrics);
	row->metrics[row->nr_metrics++] = *m;
}

/* Tell whether nothing was to be counted there, because the PMU counts on other CPUs. */
static bool elsewhere(const struct stat_row *row)
{
	const struct evsel *e = row->evsel;

	return !row->unsupported && !row->value->places &&
	       (row->result->ids->mode == AGGR_NONE ? e->cpumask != NULL : evsel_is_kind(e));
}

/* Tell whether the row is left out: a tool event is one number, however many CPUs there are. */
static bool left_out(const struct stat_row *row)
{
	enum aggr_mode mode = row->result->ids->mode;
	bool zero = row->counted && row->value->val == 0;

	if (stat_merged(row->result, row->evsel->idx) || (zero && row->view->hide_zero))
		return true;
	if (mode == AGGR_NONE && stat_row_percore(row) && !stat_first_thread(row->result, row->id))
		return true;
	if (mode == AGGR_THREAD && row->view->all_threads && row->value->val == 0)
		return true;
	return elsewhere(row) || (row->evsel->tool && mode == AGGR_NONE && row->id);
}

static void put_row(const struct stat_view *v, const struct stat_result *r, size_t evsel, size_t id,
		    u64 time, struct strbuf *out)
{
	struct stat_row row = { .view = v,
				.result = r,
				.evsel = r->evlist->evsels[evsel],
				.id = id,
				.value = stat_value_at(r, evsel, id),
				.counted = stat_counted(r, evsel, id),
				.unsupported = r->unsupported[evsel],
				.time = time };

	if (left_out(&row))
		return;
	row.shown = row.value->val * (row.evsel->scale != 0 ? row.evsel->scale : 1);
	if (row.counted)
		shadow_metrics(r, evsel, id, take_metric, &row);
	v->ops->row(&row, out);
	free(row.metrics);
}

static int by_value(const void *a, const void *b, void *ctx)
{
	const struct stat_value *v = ctx;
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	if (v[x].val != v[y].val)
		return v[x].val > v[y].val ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Append all rows of an event; threads with the highest counts come first. */
static void put_event(const struct stat_view *v, const struct stat_result *r, size_t evsel,
		      u64 time, struct strbuf *out)
{
	u32 *order = xcalloc(r->ids->nr + 1, sizeof(*order));

	for (size_t i = 0; i < r->ids->nr; i++)
		order[i] = (u32)i;
	if (r->ids->mode == AGGR_THREAD && r->ids->nr)
		qsort_r(order, r->ids->nr, sizeof(*order), by_value, stat_value_at(r, evsel, 0));
	for (size_t i = 0; i < r->ids->nr; i++)
		put_row(v, r, evsel, order[i], time, out);
	free(order);
}

static void take_cell(void *ctx, const struct stat_metric *m)
{
	struct stat_row *row = ctx;

	for (size_t i = 0; i < row->view->nr_columns; i++) {
		const struct stat_column *c = &row->view->columns[i];

		if (c->evsel == row->evsel->idx && !strcmp(c->unit, m->unit))
			row->metrics[i] = *m;
	}
}

static void put_only(const struct stat_view *v, const struct stat_result *r, size_t id, u64 time,
		     struct strbuf *out)
{
	struct stat_row row = { .view = v,
				.result = r,
				.id = id,
				.value = stat_value_at(r, 0, id),
				.time = time,
				.metrics = xcalloc(v->nr_columns + 1, sizeof(*row.metrics)),
				.nr_metrics = v->nr_columns };

	for (size_t i = 0; i < v->nr_columns; i++)
		row.metrics[i].value = NAN;
	for (size_t e = 0; e < r->evlist->nr; e++) {
		row.evsel = r->evlist->evsels[e];
		if (stat_counted(r, e, id))
			shadow_metrics(r, e, id, take_cell, &row);
	}
	row.evsel = r->evlist->evsels[0];
	v->ops->only_row(&row, out);
	free(row.metrics);
}

void stat_rows(const struct stat_view *v, const struct stat_result *r, u64 time, struct strbuf *out)
{
	enum aggr_mode mode = r->ids->mode;

	if (v->metric_only) {
		for (size_t id = 0; id < r->ids->nr && r->evlist->nr; id++)
			put_only(v, r, id, time, out);
		return;
	}
	if (mode == AGGR_GLOBAL || mode == AGGR_NONE || mode == AGGR_THREAD) {
		for (size_t e = 0; e < r->evlist->nr; e++)
			put_event(v, r, e, time, out);
		return;
	}
	for (size_t id = 0; id < r->ids->nr; id++)
		for (size_t e = 0; e < r->evlist->nr; e++)
			put_row(v, r, e, id, time, out);
}
