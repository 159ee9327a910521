// SPDX-License-Identifier: GPL-2.0-or-later
/* The events of one definition. */
#include "base/compat.h"
#include "probe/event.h"

#include "base/alloc.h"
#include "probe/points.h"

void probe_events_release(struct probe_events *events)
{
	for (size_t i = 0; i < events->nr; i++)
		probe_event_release(&events->v[i]);
	free(events->v);
	*events = (struct probe_events){ 0 };
}

int probe_events_find(struct probe_object *o, const struct probe_definition *d,
		      const struct probe_limits *limits, struct probe_events *out, struct err *err)
{
	struct probe_points points = { 0 };
	int rc = probe_points_find(o, d, limits, &points, err);

	out->v = xcalloc(points.nr + 1, sizeof(*out->v));
	out->skipped = points.skipped;
	for (size_t i = 0; !rc && i < points.nr; i++) {
		struct probe_event *e = &out->v[out->nr++];

		e->returns = d->returns;
		e->point = points.v[i];
		e->group = d->group && !d->marker ? xstrdup(d->group)
						  : probe_group_name(o, &e->point);
		rc = probe_fetch_args(o, d, &e->point, &e->args, err);
	}
	probe_points_release(&points);
	return rc;
}

/* Tell whether two probes can be places of one event: those of one function, whose arguments have
 * the same names and types. */
static bool same_event(const struct probe_event *a, const struct probe_event *b)
{
	if (strcmp(a->point.function, b->point.function) || strcmp(a->group, b->group) ||
	    a->args.nr != b->args.nr)
		return false;
	for (size_t i = 0; i < a->args.nr; i++) {
		const struct probe_fetch *x = &a->args.v[i], *y = &b->args.v[i];

		if (strcmp(x->name ? x->name : "", y->name ? y->name : "") ||
		    strcmp(x->type ? x->type : "", y->type ? y->type : ""))
			return false;
	}
	return true;
}

static u64 mix_text(u64 key, const char *text)
{
	return hash_mix(key, text ? hash_bytes(text, strlen(text)) : 0);
}

/* Return a hash of all that same_event() compares. */
static u64 event_key(const struct probe_event *e)
{
	u64 key = mix_text(mix_text(e->args.nr, e->point.function), e->group);

	for (size_t i = 0; i < e->args.nr; i++)
		key = mix_text(mix_text(key, e->args.v[i].name), e->args.v[i].type);
	return key;
}

/* Return the first of the events whose place a probe can be, or NULL. Where two others have the
 * same hash, the second one gets a name of its own. @firsts: the first event of each hash */
static const struct probe_event *named_before(const struct probe_events *events, size_t i,
					      struct map64 *firsts)
{
	u32 *first = map64_slot(firsts, event_key(&events->v[i]));

	if (*first == MAP64_NONE) {
		*first = (u32)i;
		return NULL;
	}
	return same_event(&events->v[*first], &events->v[i]) ? &events->v[*first] : NULL;
}

int probe_events_name(struct probe_events *events, const struct probe_definition *d,
		      struct probe_names *taken, bool more, struct err *err)
{
	struct map64 firsts = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < events->nr; i++) {
		struct probe_event *e = &events->v[i];
		const struct probe_event *before = named_before(events, i, &firsts);

		if (before) {
			e->event = xstrdup(before->event);
			continue;
		}
		e->event = probe_event_name(d, &e->point, e->group, taken, more, err);
		if (e->event)
			probe_names_add(taken, e->group, e->event);
		else
			rc = err->code;
		more = true;
	}
	map64_release(&firsts);
	return rc;
}
