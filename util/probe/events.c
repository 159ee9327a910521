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

static const struct probe_event *named_before(const struct probe_events *events, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (same_event(&events->v[k], &events->v[i]))
			return &events->v[k];
	return NULL;
}

int probe_events_name(struct probe_events *events, const struct probe_definition *d,
		      struct probe_names *taken, bool more, struct err *err)
{
	for (size_t i = 0; i < events->nr; i++) {
		struct probe_event *e = &events->v[i];
		const struct probe_event *before = named_before(events, i);

		if (before) {
			e->event = xstrdup(before->event);
			continue;
		}
		e->event = probe_event_name(d, &e->point, e->group, taken, more, err);
		if (!e->event)
			return err->code;
		probe_names_add(taken, e->group, e->event);
		more = true;
	}
	return 0;
}
