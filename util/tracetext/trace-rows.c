// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracetext/trace-rows.h"

#include "base/alloc.h"
#include "tracetext/trace-line.h"

#include <math.h>

/* The columns in their order, of which each table has some. Those of percentiles follow. */
enum column {
	FROM,
	COMM,
	TID,
	CGROUP,
	EVENTS,
	MAJFAULTS,
	MINFAULTS,
	RUNTIME,
	CALL,
	CALLS,
	ERRORS,
	TOTAL,
	MIN_NS,
	AVG,
	MAX_NS,
	STDDEV,
	WALL,
	ERRNOS,
	HIST,
	COLUMNS,
};

static const char *const names[COLUMNS] = {
	[FROM] = "from_ns",
	[COMM] = "comm",
	[TID] = "tid",
	[CGROUP] = "cgroup",
	[EVENTS] = "events",
	[MAJFAULTS] = "majfaults",
	[MINFAULTS] = "minfaults",
	[RUNTIME] = "runtime_ns",
	[CALL] = "call",
	[CALLS] = "calls",
	[ERRORS] = "errors",
	[TOTAL] = "total_ns",
	[MIN_NS] = "min_ns",
	[AVG] = "avg_ns",
	[MAX_NS] = "max_ns",
	[STDDEV] = "stddev_percent",
	[WALL] = "wall_percent",
	[ERRNOS] = "errnos",
	[HIST] = "hist",
};

/* A row while it is made, with the texts that its values point to. */
struct row {
	const char *names[COLUMNS + TRACE_QUANTILES];
	struct row_value v[COLUMNS + TRACE_QUANTILES];
	size_t nr;
	struct strbuf call, errnos, hist;
	char titles[TRACE_QUANTILES][24];
};

static bool has_column(const struct trace_summary *t, enum column c)
{
	switch (c) {
	case FROM:
		return t->interval;
	case COMM:
	case TID:
		return t->mode == TRACE_BY_THREAD;
	case CGROUP:
		return t->mode == TRACE_BY_CGROUP;
	case RUNTIME:
		return t->runtime && t->mode == TRACE_BY_THREAD;
	case WALL:
		return t->wall;
	case ERRNOS:
		return t->errnos;
	case HIST:
		return t->hist;
	default:
		return true;
	}
}

static struct row_value real(double v)
{
	return (struct row_value){ .kind = isfinite(v) ? ROW_REAL : ROW_ABSENT, .real = v };
}

/* ---- values ---- */

/* Texts that belong to a row are kept in it until it is written. */
static struct row_value text(const struct strbuf *s)
{
	return row_word(s->len ? strbuf_str(s) : NULL);
}

static struct row_value group_value(const struct trace_summary *t, const struct syscall_group *g,
				    enum column c)
{
	switch (c) {
	case FROM:
		return row_number(t->from_ns);
	case COMM:
		return row_word(g->folded ? "(others that have ended)" : t->name(t->ctx, g));
	case TID:
		return g->folded ? row_word(NULL) : row_number(g->key);
	case CGROUP:
		return row_word(t->name(t->ctx, g));
	case EVENTS:
		return row_number(g->events);
	case MAJFAULTS:
		return row_number(g->faults_major);
	case MINFAULTS:
		return row_number(g->faults_minor);
	case RUNTIME:
		return row_number(g->runtime);
	default:
		return row_word(NULL);
	}
}

static struct row_value call_value(const struct trace_summary *t, const struct row *r,
				   const struct syscall_sum *s, enum column c)
{
	switch (c) {
	case CALL:
		return text(&r->call);
	case CALLS:
		return row_number(s->calls);
	case ERRORS:
		return row_number(s->errors);
	case TOTAL:
		return row_number(s->total);
	case MIN_NS:
		return row_number(s->min);
	case AVG:
		return real(syscall_sum_mean(s));
	case MAX_NS:
		return row_number(s->max);
	case STDDEV:
		return real(syscall_sum_deviation(s));
	case WALL:
		return real(trace_wall_share(t, s));
	case ERRNOS:
		return text(&r->errnos);
	case HIST:
		return text(&r->hist);
	default:
		return row_word(NULL);
	}
}

/* ---- texts of a row ---- */

static void set_errnos(struct strbuf *out, const struct sysargs *sa, const struct syscall_sum *s)
{
	for (u32 i = 0; i < s->nr_errnos; i++) {
		const char *name = errno_name(sa, s->errnos[i].error);

		if (out->len)
			strbuf_addch(out, ' ');
		if (name)
			strbuf_addstr(out, name);
		else
			strbuf_dec(out, s->errnos[i].error, 0);
		strbuf_addf(out, ":%" PRIu64, s->errnos[i].nr);
	}
}

/* Set the numbers of calls that took so many ns and less than twice as many. */
static void set_hist(struct strbuf *out, const struct syscall_sum *s)
{
	for (u32 i = 0; s->steps && i < STEPS >> STEP_BITS; i++) {
		const u64 nr = trace_hist_times(s, i);

		if (nr)
			strbuf_addf(out, "%s%" PRIu64 ":%" PRIu64, out->len ? " " : "",
				    step_low(i << STEP_BITS), nr);
	}
}

static void set_texts(struct row *r, const struct trace_summary *t, const struct sysargs *sa,
		      const struct syscall_sum *s)
{
	strbuf_reset(&r->call);
	strbuf_reset(&r->errnos);
	strbuf_reset(&r->hist);
	trace_line_name(&r->call, sa, s->nr);
	if (t->errnos)
		set_errnos(&r->errnos, sa, s);
	if (trace_hist_wanted(t, s))
		set_hist(&r->hist, s);
}

/* ---- rows ---- */

/* Set the names of the columns that a table has. */
static void row_init(struct row *r, const struct trace_summary *t)
{
	*r = (struct row){ .call = STRBUF_INIT, .errnos = STRBUF_INIT, .hist = STRBUF_INIT };
	for (enum column c = 0; c < COLUMNS; c++)
		if (has_column(t, c))
			r->names[r->nr++] = names[c];
	for (u32 i = 0; i < t->nr_quantiles; i++) {
		snprintf(r->titles[i], sizeof(r->titles[i]), "p%g_ns", t->quantiles[i] / 1e4);
		r->names[r->nr++] = r->titles[i];
	}
}

static void row_release(struct row *r)
{
	strbuf_release(&r->call);
	strbuf_release(&r->errnos);
	strbuf_release(&r->hist);
}

/* Append a row. @s: NULL: the group has no calls */
static void put_row(struct strbuf *out, enum table_form form, struct row *r,
		    const struct trace_summary *t, const struct syscall_group *g,
		    const struct syscall_sum *s)
{
	size_t nr = 0;

	for (enum column c = 0; c < COLUMNS; c++) {
		if (!has_column(t, c))
			continue;
		r->v[nr] = group_value(t, g, c);
		if (s && c >= CALL)
			r->v[nr] = call_value(t, r, s, c);
		nr++;
	}
	for (u32 i = 0; i < t->nr_quantiles; i++)
		r->v[nr++] = s ? row_number(syscall_sum_quantile(s, t->quantiles[i]))
			       : row_word(NULL);
	table_put(form, r->names, r->v, nr, out);
}

void trace_rows_head(struct strbuf *out, enum table_form form, const struct trace_summary *t)
{
	struct row r;

	row_init(&r, t);
	table_head(form, r.names, r.nr, out);
	row_release(&r);
}

void trace_rows(struct strbuf *out, enum table_form form, const struct trace_summary *t,
		const struct sysargs *sa, const struct syscall_sums *sums)
{
	const struct syscall_group **order = trace_summary_order(sums);
	struct row r;

	row_init(&r, t);
	for (size_t i = 0; i < sums->nr; i++) {
		const struct syscall_group *g = order[i];

		for (size_t k = 0; k < g->nr && (!t->most || k < t->most); k++) {
			set_texts(&r, t, sa, &g->sums[k]);
			put_row(out, form, &r, t, g, &g->sums[k]);
		}
		if (!g->nr && g->events)
			put_row(out, form, &r, t, g, NULL);
	}
	row_release(&r);
	free(order);
}
