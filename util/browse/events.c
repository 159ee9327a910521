// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/events.h"

#include "base/alloc.h"
#include "codec/quote.h"

/* ---- what is offered ---- */

/* Tell whether samples can be taken of an event. Events of perf itself are counted only, and the
 * forms of raw events and breakpoints are not names. */
static bool can_be_recorded(const struct catalog_event *e)
{
	return e->kind != CATALOG_TOOL && e->kind != CATALOG_RAW && e->kind != CATALOG_BREAKPOINT;
}

/* Append the heading of an event's group: its kind, and the part of the machine it belongs to. */
static void put_heading(const struct catalog_event *e, struct strbuf *out)
{
	bool halves = e->kind == CATALOG_TRACEPOINT || e->kind == CATALOG_SDT;
	const char *of = e->topic ? e->topic : e->pmu;

	strbuf_addstr(out, catalog_kind_name(e->kind));
	if (halves)
		strbuf_addf(out, ": %.*s", (int)strcspn(e->name, ":"), e->name);
	else if (e->kind == CATALOG_PMU && of)
		strbuf_addf(out, ": %s", of);
}

static const char *kept(struct offered_events *o, struct strbuf *text)
{
	const char *s = arena_strdup(&o->strings, strbuf_str(text));

	strbuf_release(text);
	return s;
}

static void offer(struct list_view *v, const struct catalog_event *e)
{
	struct offered_events *o = v->ctx;
	struct strbuf heading = STRBUF_INIT, argument = STRBUF_INIT;

	v->nr++;
	if (!can_be_recorded(e))
		return;
	put_heading(e, &heading);
	quote_shell(&argument, e->spec ? e->spec : e->name);
	VEC_GROW(o->items, o->nr + 1, o->cap);
	o->items[o->nr++] = (struct pick_item){ .name = e->name,
						.alias = e->alias,
						.heading = kept(o, &heading),
						.argument = kept(o, &argument),
						.of = e };
}

void offer_events(struct offered_events *o, struct listing *l, const char *const *words, size_t nr)
{
	static const struct list_ops ops = { .event = offer };

	*o = (struct offered_events){ .listing = l };
	l->view.ops = &ops;
	l->view.ctx = o;
	listing_show(l, words, nr);
}

void offered_events_release(struct offered_events *o)
{
	free(o->items);
	arena_release(&o->strings);
}

/* ---- the screen ---- */

static void about(void *ctx, const struct pick_item *it, bool all, struct strbuf *out)
{
	const struct offered_events *o = ctx;

	listing_about(o->listing, it->of, all, out);
}

bool browse_events(struct ui *ui, struct offered_events *o, struct strbuf *command)
{
	const struct pick_shown shown = {
		.items = o->items, .nr = o->nr, .command = "perf record", .about = about, .ctx = o
	};

	return pick_view(ui, &shown, command);
}
