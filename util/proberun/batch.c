// SPDX-License-Identifier: GPL-2.0-or-later
/* This turns definitions into events, and makes the texts about them. */
#include "base/compat.h"
#include "proberun/batch-internal.h"

#include "base/alloc.h"
#include "probe/text.h"
#include "proberun/cache-internal.h"

#include <errno.h>

static void release(struct probe_adding *a)
{
	probe_events_release(&a->events);
	probe_definition_release(&a->definition);
	if (a->object && !a->shared) {
		probe_object_close(a->object);
		free(a->object);
	}
	run_target_release(&a->about);
}

void probe_batch_free(struct probe_batch *b)
{
	if (!b)
		return;
	while (b->nr--)
		release(&b->v[b->nr]);
	free(b->v);
	free(b);
}

/* ---- from definitions to events ---- */

/* Make the events, still without names, and tell of a prologue that was skipped. */
static int make_events(const struct probe_run *r, struct probe_adding *a, struct err *err)
{
	int rc = probe_events_find(a->object, &a->definition, &r->limits, &a->events, err);

	if (!rc && a->events.skipped)
		notice(r->notices,
		       "Target program is compiled without optimization. Skipping prologue.\n"
		       "Probe on address 0x%" PRIx64 " to force probing at the function entry.\n\n",
		       a->events.skipped);
	return rc;
}

/* Warn of functions that run once only, to choose the one that all calls lead to. */
static void warn_indirect(const struct probe_run *r, const struct probe_adding *a)
{
	for (size_t i = 0; i < a->events.nr; i++)
		if (a->events.v[i].point.indirect)
			notice(r->notices,
			       "Warning: The probe function (%s) is a GNU indirect function.\n"
			       "Consider identifying the final function used at run time and set "
			       "the probe directly on that.\n",
			       a->events.v[i].point.symbol);
}

/* Take the events that the build-id cache has for the definition. Return: 0, also when it has none,
 * or -EINVAL and a sentence. */
static int take_cached(const struct probe_run *r, struct probe_adding *a, struct err *err)
{
	struct probe_cached_list l = { 0 };
	const struct probe_cached *c;
	struct cache_place p;
	int rc = 0;

	if ((!r->cache && !a->definition.marker) || !cache_place_of(a->object, &p))
		return 0;
	probe_cache_load(r->cache_dir, &p, &l);
	c = probe_cached_find(&l, a->object, &a->definition);
	if (c && a->definition.marker && a->definition.nr_args)
		rc = err_set(err, -EINVAL,
			     "%%%s has the arguments that it was kept with in the build-id cache, "
			     "and takes no others.",
			     a->definition.event);
	else if (c)
		probe_cached_events(a->object, c, &a->events);
	a->cached = a->events.nr > 0;
	probe_cached_release(&l);
	return rc;
}

/* Refuse, before anything is written, what cannot be kept in the cache afterwards. */
static int check_cache(const struct probe_run *r, const struct probe_adding *a, struct err *err)
{
	struct cache_place p;

	if (!r->cache || r->definitions || a->definition.marker)
		return 0;
	if (!r->cache_dir)
		return cache_none(err);
	return cache_place_of(a->object, &p) ? 0 : cache_no_place(a->object, err);
}

static int find_events(const struct probe_run *r, struct probe_adding *a, struct err *err)
{
	int rc = check_cache(r, a, err);

	if (!rc)
		rc = take_cached(r, a, err);
	if (!rc && !a->cached)
		rc = make_events(r, a, err);
	if (!rc)
		warn_indirect(r, a);
	return rc;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Open what the probe is for, unless the definition before is for the same. @before: NULL: there is
 * none */
static int open_object(const struct probe_want *w, struct probe_adding *a,
		       const struct probe_adding *before, struct err *err)
{
	if (before && same_text(w->exec, w[-1].exec) && same_text(w->module, w[-1].module)) {
		a->object = before->object;
		a->shared = true;
		return 0;
	}
	a->object = xzalloc(sizeof(*a->object));
	return probe_object_open(a->object, &a->about.target, err);
}

/* @before: what was made of the definition before; NULL: there is none */
static int prepare(const struct probe_run *r, const struct probe_want *w, struct probe_adding *a,
		   const struct probe_adding *before, struct err *err)
{
	int rc;

	run_target_init(&a->about, r, w->exec, w->module);
	a->again = w->again;
	rc = probe_definition_parse(&a->definition, w->text, err);
	if (!rc)
		rc = open_object(w, a, before, err);
	if (!rc)
		rc = find_events(r, a, err);
	if (rc)
		probe_want_failed(w, err);
	return rc;
}

struct probe_batch *probe_batch_new(const struct probe_run *r, const struct probe_wants *w,
				    struct err *err)
{
	struct probe_batch *b = xzalloc(sizeof(*b));
	int rc = 0;

	b->run = r;
	b->v = xcalloc(w->nr + 1, sizeof(*b->v));
	while (!rc && b->nr < w->nr) {
		struct probe_adding *a = &b->v[b->nr];

		rc = prepare(r, &w->v[b->nr], a, b->nr ? a - 1 : NULL, err);
		b->nr++;
	}
	if (!rc)
		return b;
	probe_batch_free(b);
	return NULL;
}

int probe_adding_name(const struct probe_batch *b, struct probe_adding *a,
		      struct probe_names *taken, struct err *err)
{
	bool more = b->run->force || a->again;

	if (a->cached)
		return probe_cached_name(&a->events, taken, more, err);
	return probe_events_name(&a->events, &a->definition, taken, more, err);
}

/* ---- texts ---- */

void probe_batch_text(const struct probe_batch *b, struct strbuf *out)
{
	const struct probe_event *last = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < b->nr; i++)
		nr += b->v[i].events.nr;
	strbuf_addf(out, "Added new event%s\n", nr == 1 ? ":" : "s:");
	for (size_t i = 0; i < b->nr; i++) {
		const struct probe_adding *a = &b->v[i];

		for (size_t k = 0; k < a->events.nr; k++) {
			last = &a->events.v[k];
			probe_event_text(a->object, &a->definition, last, out);
		}
	}
	if (last)
		strbuf_addf(out,
			    "\nYou can now use it in all perf tools, such as:\n\n"
			    "\tperf record -e %s:%s -aR sleep 1\n\n",
			    last->group, last->event);
}

static int put_lines(const struct probe_adding *a, bool bootconfig, struct strbuf *out,
		     struct err *err)
{
	int rc = 0;

	for (size_t k = 0; !rc && k < a->events.nr; k++) {
		const struct probe_event *e = &a->events.v[k];

		if (bootconfig) {
			rc = probe_event_bootconfig(a->object, e, out, err);
		} else {
			rc = probe_event_line(a->object, e, out, err);
			strbuf_addch(out, '\n');
		}
	}
	return rc;
}

int probe_batch_lines(struct probe_batch *b, bool bootconfig, struct strbuf *out, struct err *err)
{
	size_t before = out->len;
	int rc = 0;

	for (size_t i = 0; !rc && i < b->nr; i++) {
		struct probe_names taken = { 0 };

		rc = probe_adding_name(b, &b->v[i], &taken, err);
		if (!rc)
			rc = put_lines(&b->v[i], bootconfig, out, err);
		probe_names_release(&taken);
	}
	if (rc && out->buf) {
		out->len = before;
		out->buf[before] = 0;
	}
	return rc;
}
