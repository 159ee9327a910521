// SPDX-License-Identifier: GPL-2.0-or-later
/* Generated scripts of all languages have a handler for each event, with its fields as a list of
 * parameters, as a format, and as a list of arguments. Their layout is that of perf 6.1. */
#include "base/compat.h"

#include "script/generate.h"

#include "base/alloc.h"

#define PER_LINE 5 /* arguments on a line */

/* The values of a field are shown in one of these ways. */
enum shown { AS_NUMBER, AS_FLAGS, AS_SYMBOL };

/* A list of words is broken into lines after so many of them. */
struct list {
	struct strbuf *out;
	u32 count;
	bool any;
};

/* Begin the next word of the list. */
static void next(struct list *l, const char *line_end)
{
	if (l->any)
		strbuf_addstr(l->out, ", ");
	l->any = true;
	if (++l->count % PER_LINE == 0)
		strbuf_addstr(l->out, line_end);
}

void generate_parameters(const struct generated_event *g, const char *last, struct strbuf *out)
{
	const struct tf_event *ev = g->ev;
	struct list l = { .out = out };

	for (u32 i = ev->nr_common; i < ev->nr_fields; i++) {
		next(&l, g->style->parameter_break);
		strbuf_addf(out, "%s%s", g->style->sigil, ev->fields[i].name);
	}
	if (!last)
		return;
	next(&l, g->style->argument_break);
	strbuf_addstr(out, last);
}

void generate_formats(const struct generated_event *g, struct strbuf *out)
{
	const struct tf_event *ev = g->ev;

	for (u32 i = ev->nr_common; i < ev->nr_fields; i++) {
		const struct tf_field *f = &ev->fields[i];
		u32 at = i - ev->nr_common;
		bool text = f->flags & TF_ARRAY || g->shown[i] != AS_NUMBER;

		if (at)
			strbuf_addstr(out, ", ");
		if (at && at % g->style->formats == 0)
			strbuf_addstr(out, g->style->format_break);
		strbuf_addf(out, "%s=%%%c", f->name, text ? 's' : f->flags & TF_SIGNED ? 'd' : 'u');
	}
}

void generate_arguments(const struct generated_event *g, struct strbuf *out)
{
	const struct generated_style *style = g->style;
	const struct tf_event *ev = g->ev;
	struct list l = { .out = out };

	for (u32 i = ev->nr_common; i < ev->nr_fields; i++) {
		const char *name = ev->fields[i].name;

		next(&l, style->argument_break);
		if (g->shown[i] == AS_NUMBER) {
			strbuf_addf(out, "%s%s", style->sigil, name);
			continue;
		}
		/* a call stands on a line of its own */
		if ((l.count - 1) % PER_LINE) {
			strbuf_addstr(out, style->argument_break);
			l.count = PER_LINE - 1;
		}
		strbuf_addf(out, "%s_str(\"%s%s%s\", \"%s\", %s%s)",
			    g->shown[i] == AS_FLAGS ? "flag" : "symbol", ev->system, style->scope,
			    ev->name, name, style->sigil, name);
	}
}

static void note_words(void *ctx, const struct tf_words *w)
{
	struct generated_event *g = ctx;

	g->shown[w->field - g->ev->fields] = w->flags ? AS_FLAGS : AS_SYMBOL;
}

static int by_id(const void *a, const void *b)
{
	const struct tf_event *const *x = a, *const *y = b;

	return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

void generate_events(const struct tracefmt *tf, const struct generated_style *style,
		     void (*put)(const struct generated_event *g, struct strbuf *out),
		     struct strbuf *out)
{
	size_t nr = tf ? tracefmt_nr(tf) : 0;
	const struct tf_event **events = xcalloc(nr + 1, sizeof(*events));

	for (size_t i = 0; i < nr; i++)
		events[i] = tracefmt_at(tf, i);
	qsort(events, nr, sizeof(*events), by_id);
	for (size_t i = 0; i < nr; i++) {
		struct generated_event g = { .style = style, .ev = events[i] };

		g.shown = xcalloc(g.ev->nr_fields + 1, sizeof(*g.shown));
		tf_walk_words(g.ev, note_words, &g);
		put(&g, out);
		free(g.shown);
	}
	free(events);
}
