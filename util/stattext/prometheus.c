// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts for Prometheus. All values with one name have to be adjacent, below one heading. */
#include "base/compat.h"
#include "stattext/prometheus.h"

#include "base/alloc.h"
#include "base/escape.h"

#include <math.h>

void prometheus_name(const char *s, struct strbuf *out)
{
	for (; *s; s++) {
		bool fine = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
			    (*s >= '0' && *s <= '9');

		strbuf_addch(out, fine ? *s : '_');
	}
}

void prometheus_label(const char *s, struct strbuf *out)
{
	size_t len = strlen(s), n;

	for (size_t i = 0; i < len; i += MAX(n, (size_t)1)) {
		unsigned char c = (unsigned char)s[i];

		n = utf8_length(s + i, len - i);
		if (c == '"' || c == '\\')
			strbuf_addf(out, "\\%c", c);
		else if (c == '\n')
			strbuf_addstr(out, "\\n");
		else if (!n || c < 0x20 || c == 0x7f)
			strbuf_addf(out, "\\\\x%02x", c);
		else
			strbuf_add(out, s + i, n);
	}
}

/* One value, with its labels. */
struct series {
	char *family, *labels; /* owned */
	const char *help;  /* help of the family; an event's name is appended if it has a family of
			      its own */
	const char *event; /* NULL: the family is for all events */
	bool gauge;
	double value;
	size_t nr; /* the order in which they were added */
};

struct exposition {
	const struct stat_view *view;
	const struct stat_result *result;
	struct series *series; /* owned */
	size_t nr, cap;
	/* the current event and id */
	size_t evsel, id;
};

static void put_label(struct strbuf *out, const char *name, const char *value)
{
	strbuf_addf(out, "%s%s=\"", out->len ? "," : "", name);
	prometheus_label(value, out);
	strbuf_addch(out, '"');
}

static void put_place(struct strbuf *out, const char *name, int nr)
{
	if (nr >= 0)
		strbuf_addf(out, "%s%s=\"%d\"", out->len ? "," : "", name, nr);
}

static void put_id(const struct exposition *x, struct strbuf *out)
{
	const struct aggr_map *ids = x->result->ids;
	const struct cpu_place *at = &ids->ids[x->id].at;
	struct stat_row row = { .view = x->view,
				.result = x->result,
				.evsel = x->result->evlist->evsels[x->evsel],
				.id = x->id };
	struct strbuf sb = STRBUF_INIT;

	switch (ids->mode) {
	case AGGR_GLOBAL:
		break;
	case AGGR_NONE:
		put_place(out, "cpu", at->cpu);
		break;
	case AGGR_THREAD:
		stat_row_id(&row, &sb);
		put_label(out, "thread", strbuf_str(&sb));
		put_place(out, "tid", x->view->threads[ids->ids[x->id].thread].tid);
		break;
	case AGGR_NODE:
		put_place(out, "node", at->node);
		break;
	default:
		put_place(out, "socket", at->socket);
		put_place(out, "die", at->die);
		put_place(out, "cluster", at->cluster);
		put_place(out, "core", at->core);
		put_place(out, "cache", at->cache);
	}
	strbuf_release(&sb);
}

/* Return the labels of a series. @metric: NULL for a count */
static char *labels_of(const struct exposition *x, const char *metric, const char *unit)
{
	const struct evsel *e = x->result->evlist->evsels[x->evsel];
	struct strbuf sb = STRBUF_INIT;

	put_label(&sb, "event", e->name);
	if (metric)
		put_label(&sb, "metric", metric);
	put_id(x, &sb);
	if (e->cgroup)
		put_label(&sb, "cgroup", e->cgroup);
	if (unit && *unit)
		put_label(&sb, "unit", unit);
	return strbuf_detach(&sb);
}

/* Add a series. @family, @labels: owned by the table from now on */
static void add(struct exposition *x, char *family, char *labels, const struct series *s)
{
	VEC_GROW(x->series, x->nr + 1, x->cap);
	x->series[x->nr] = *s;
	x->series[x->nr].family = family;
	x->series[x->nr].labels = labels;
	x->series[x->nr].nr = x->nr;
	x->nr++;
}

static void add_metric(void *ctx, const struct stat_metric *m)
{
	struct exposition *x = ctx;
	double value = m->value;
	const char *unit = m->unit;

	/* The unit must not depend on the current magnitude. */
	if (*unit && !strcmp(unit + (*unit != '/'), "/sec")) {
		value *= *unit == 'G' ? 1e9 : *unit == 'M' ? 1e6 : *unit == 'K' ? 1e3 : 1;
		unit = "per second";
	}
	if (isfinite(value))
		add(x, xstrdup("perf_metric"), labels_of(x, unit, NULL),
		    &(struct series){ .help = "What a count means beside others, since the start.",
				      .gauge = true,
				      .value = value });
}

static char *family_of(const struct evsel *e)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(&sb, "perf_");
	prometheus_name(e->name, &sb);
	if (!e->snapshot)
		strbuf_addstr(&sb, "_total");
	return strbuf_detach(&sb);
}

static void add_value(struct exposition *x)
{
	const struct evsel *e = x->result->evlist->evsels[x->evsel];
	const struct stat_value *v = stat_value_at(x->result, x->evsel, x->id);

	add(x, xstrdup("perf_event_enabled_seconds_total"), labels_of(x, NULL, NULL),
	    &(struct series){ .help = "For how long an event was to be counted, all CPUs and "
				      "threads together.",
			      .value = (double)v->enabled / 1e9 });
	add(x, xstrdup("perf_event_running_seconds_total"), labels_of(x, NULL, NULL),
	    &(struct series){ .help = "For how long of that it was on a counter.",
			      .value = (double)v->running / 1e9 });
	/* before it was on a counter it has no value */
	if (!stat_counted(x->result, x->evsel, x->id))
		return;
	add(x, family_of(e), labels_of(x, NULL, e->unit),
	    &(struct series){ .help = "Count of the event",
			      .event = e->name,
			      .gauge = e->snapshot,
			      .value = v->val * (e->scale != 0 ? e->scale : 1) });
	shadow_metrics(x->result, x->evsel, x->id, add_metric, x);
}

static int by_family(const void *a, const void *b)
{
	const struct series *x = a, *y = b;
	int c = strcmp(x->family, y->family);

	if (!c)
		c = strcmp(x->labels, y->labels);
	return c ? c : (x->nr > y->nr) - (x->nr < y->nr);
}

static void put_heading(const struct series *s, struct strbuf *out)
{
	strbuf_addf(out, "# HELP %s %s", s->family, s->help);
	if (s->event) {
		strbuf_addch(out, ' ');
		/* help texts need less escaping, but a quote is rare, and valid when escaped */
		prometheus_label(s->event, out);
		strbuf_addch(out, '.');
	}
	strbuf_addf(out, "\n# TYPE %s %s\n", s->family, s->gauge ? "gauge" : "counter");
}

static void put_series(const struct series *s, struct strbuf *out)
{
	strbuf_addstr(out, s->family);
	if (*s->labels)
		strbuf_addf(out, "{%s}", s->labels);
	strbuf_addf(out,
		    floor(s->value) == s->value && fabs(s->value) < 1e18 ? " %.0f\n" : " %.15g\n",
		    s->value);
}

static void put_all(struct exposition *x, struct strbuf *out)
{
	const struct series *last = NULL;

	if (x->nr)
		qsort(x->series, x->nr, sizeof(*x->series), by_family);
	for (size_t i = 0; i < x->nr; i++) {
		const struct series *s = &x->series[i];
		bool same = last && !strcmp(last->family, s->family);

		/* an event that is counted twice is written once */
		if (same && !strcmp(last->labels, s->labels))
			continue;
		if (!same)
			put_heading(s, out);
		put_series(s, out);
		last = s;
	}
}

void prometheus_text(const struct stat_view *v, const struct stat_result *r, struct strbuf *out)
{
	struct exposition x = { .view = v, .result = r };

	add(&x, xstrdup("perf_elapsed_seconds"), xstrdup(""),
	    &(struct series){ .help = "For how long has been counted.",
			      .gauge = true,
			      .value = (double)r->duration / 1e9 });
	for (x.evsel = 0; x.evsel < r->evlist->nr; x.evsel++)
		for (x.id = 0; x.id < r->ids->nr; x.id++)
			if (!r->unsupported[x.evsel] && !(r->evlist->evsels[x.evsel]->tool && x.id))
				add_value(&x);
	put_all(&x, out);
	for (size_t i = 0; i < x.nr; i++) {
		free(x.series[i].family);
		free(x.series[i].labels);
	}
	free(x.series);
}
