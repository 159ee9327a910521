// SPDX-License-Identifier: GPL-2.0-or-later
/* Print the list as text for people, and as words for completion. */
#include "base/compat.h"
#include "listtext/listtext.h"

#include "base/alloc.h"

#define DESC_COLUMN 8

/*
 * Append @text so that no line reaches column @width, with line breaks at blanks. The first word is
 * at column @start, and further lines are indented to it.
 */
static void list_wrap(struct strbuf *out, const char *text, unsigned int start, unsigned int width)
{
	unsigned int column = start;

	for (;;) {
		size_t len = strcspn(text, " ");
		char *word = xstrndup(text, len);

		if (column > start && column + len >= width) {
			strbuf_addch(out, '\n');
			strbuf_pad(out, out->len + start);
			column = start;
		}
		if (column > start) {
			strbuf_addch(out, ' ');
			column++;
		}
		strbuf_addname(out, word);
		column += (unsigned int)len;
		free(word);
		if (!text[len])
			break;
		text += len + 1;
	}
}

/* Append two blanks and the name in fifty columns. */
static void put_name(struct strbuf *out, const struct catalog_event *e)
{
	size_t start;

	strbuf_addstr(out, "  ");
	start = out->len;
	strbuf_addname(out, e->name);
	if (e->alias) {
		strbuf_addstr(out, " OR ");
		strbuf_addname(out, e->alias);
	}
	strbuf_pad(out, start + 50);
}

static const char *description(const struct list_view *v, const struct catalog_event *e)
{
	/* Tool events have no description in the output, as in the reference. */
	if (!v->desc || e->kind != CATALOG_PMU)
		return NULL;
	return v->long_desc && e->long_desc ? e->long_desc : e->desc;
}

static void put_described(struct list_view *v, const struct catalog_event *e, const char *desc)
{
	struct strbuf *out = v->out;

	if (e->topic && (!v->topic || strcmp(v->topic, e->topic))) {
		strbuf_addch(out, '\n');
		strbuf_addname(out, e->topic);
		strbuf_addstr(out, ":\n");
		v->topic = e->topic;
	}
	put_name(out, e);
	strbuf_addstr(out, "\n       [");
	list_wrap(out, desc, DESC_COLUMN, v->width);
	strbuf_addstr(out, "]\n");
	if (v->details && e->encoding) {
		strbuf_pad(out, out->len + DESC_COLUMN);
		strbuf_addname(out, e->encoding);
		strbuf_addstr(out, " \n");
	}
}

static void text_event(struct list_view *v, const struct catalog_event *e)
{
	const char *desc = description(v, e);

	v->nr++;
	if (desc) {
		put_described(v, e, desc);
		return;
	}
	put_name(v->out, e);
	strbuf_addstr(v->out, " [");
	strbuf_addstr(v->out, catalog_kind_name(e->kind));
	strbuf_addstr(v->out, "]\n");
}

static void text_begin(struct list_view *v)
{
	if (v->gaps)
		strbuf_addstr(v->out, "\nList of pre-defined events (to be used in -e or -M):\n\n");
}

static void text_gap(struct list_view *v)
{
	v->topic = NULL;
	if (v->gaps)
		strbuf_addch(v->out, '\n');
}

static void text_hint(struct list_view *v)
{
	if (v->gaps)
		strbuf_addstr(v->out, "   (see 'man perf-list' on how to encode it)\n");
}

/* ---- metrics ---- */

static int by_group(const void *a, const void *b)
{
	return strcmp(((const struct metric_group *)a)->name,
		      ((const struct metric_group *)b)->name);
}

static void join(struct metric_groups *g, const char *name, size_t len,
		 const struct catalog_event *metric)
{
	struct metric_group *to = NULL;
	size_t i;

	for (i = 0; i < g->nr && !to; i++)
		if (strlen(g->v[i].name) == len && !memcmp(g->v[i].name, name, len))
			to = &g->v[i];
	if (!to) {
		VEC_GROW(g->v, g->nr + 1, g->cap);
		to = &g->v[g->nr++];
		memset(to, 0, sizeof(*to));
		to->name = arena_strndup(&g->strings, name, len);
	}
	if (to->nr && to->v[to->nr - 1] == metric)
		return;
	VEC_GROW(to->v, to->nr + 1, to->cap);
	to->v[to->nr++] = metric;
}

void metric_groups_init(struct metric_groups *g, const struct catalog_event *const *sorted,
			size_t nr, const char *filter)
{
	size_t i, to = 0;

	memset(g, 0, sizeof(*g));
	for (i = 0; i < nr; i++) {
		const char *p = sorted[i]->groups ? sorted[i]->groups : "", *start = p;

		for (; *p; p += strspn(p, "; ")) {
			size_t len = strcspn(p, "; ");

			if (len)
				join(g, p, len, sorted[i]);
			p += len;
		}
		if (!*start)
			join(g, "No_group", 8, sorted[i]);
	}
	for (i = 0; i < g->nr; i++) {
		if (filter && !strstr(g->v[i].name, filter))
			free(g->v[i].v);
		else
			g->v[to++] = g->v[i];
	}
	g->nr = to;
	if (g->nr)
		qsort(g->v, g->nr, sizeof(*g->v), by_group);
}

void metric_groups_release(struct metric_groups *g)
{
	size_t i;

	for (i = 0; i < g->nr; i++)
		free(g->v[i].v);
	free(g->v);
	arena_release(&g->strings);
}

static void put_metric(struct list_view *v, const struct catalog_event *m)
{
	const char *desc = v->long_desc && m->long_desc ? m->long_desc : m->desc;
	const char *const lines[] = { desc, v->details ? m->expr : NULL,
				      v->details ? m->threshold : NULL };
	size_t i;

	v->nr++;
	strbuf_addstr(v->out, "  ");
	strbuf_addname(v->out, m->name);
	strbuf_addch(v->out, '\n');
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		if (!lines[i])
			continue;
		strbuf_addstr(v->out, "       [");
		strbuf_addname(v->out, lines[i]);
		strbuf_addstr(v->out, "]\n");
	}
}

static void text_metrics(struct list_view *v, const struct catalog_event *const *sorted, size_t nr,
			 int what, const char *filter)
{
	struct metric_groups groups;
	size_t i, k;

	if (what == LIST_METRICS) {
		strbuf_addstr(v->out, nr ? "\nMetrics:\n\n" : "");
		for (i = 0; i < nr; i++)
			put_metric(v, sorted[i]);
		return;
	}
	metric_groups_init(&groups, sorted, nr, filter);
	strbuf_addstr(v->out, groups.nr ? "\nMetric Groups:\n\n" : "");
	for (i = 0; i < groups.nr; i++) {
		v->nr++;
		strbuf_addname(v->out, groups.v[i].name);
		strbuf_addstr(v->out, what & LIST_METRICS ? ":\n" : "\n");
		for (k = 0; what & LIST_METRICS && k < groups.v[i].nr; k++)
			put_metric(v, groups.v[i].v[k]);
	}
	metric_groups_release(&groups);
}

/* ---- words ---- */

static void put_word(struct list_view *v, const char *word, char behind)
{
	v->nr++;
	strbuf_addname(v->out, word);
	strbuf_addch(v->out, behind);
}

static void raw_event(struct list_view *v, const struct catalog_event *e)
{
	if (e->kind != CATALOG_RAW && e->kind != CATALOG_BREAKPOINT)
		put_word(v, e->spec ? e->spec : e->name, ' ');
}

static void raw_metrics(struct list_view *v, const struct catalog_event *const *sorted, size_t nr,
			int what, const char *filter)
{
	struct metric_groups groups;
	size_t i, k;

	for (i = 0; what == LIST_METRICS && i < nr; i++)
		put_word(v, sorted[i]->name, i + 1 < nr ? ' ' : '\n');
	if (what == LIST_METRICS)
		return;
	metric_groups_init(&groups, sorted, nr, filter);
	for (i = 0; i < groups.nr; i++) {
		const struct metric_group *g = &groups.v[i];

		put_word(v, g->name, ' ');
		for (k = 0; what & LIST_METRICS && k < g->nr; k++)
			put_word(v, g->v[k]->name, k + 1 < g->nr ? ' ' : '\n');
	}
	metric_groups_release(&groups);
}

const struct list_ops list_text_ops = {
	.begin = text_begin,
	.event = text_event,
	.gap = text_gap,
	.hint = text_hint,
	.metrics = text_metrics,
};

const struct list_ops list_raw_ops = {
	.event = raw_event,
	.metrics = raw_metrics,
};
