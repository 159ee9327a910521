// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list as a JSON array with an object for each event or metric. Unknown members are left out.
 */
#include "base/compat.h"
#include "listtext/listtext.h"

#include "codec/json.h"

static void member(struct strbuf *out, const char *key, const char *value, bool *any)
{
	if (!value)
		return;
	strbuf_addstr(out, *any ? ",\n\t\"" : "\n\t\"");
	strbuf_addstr(out, key);
	strbuf_addstr(out, "\": ");
	json_string(out, value);
	*any = true;
}

static void open_object(struct list_view *v)
{
	strbuf_addstr(v->out, v->nr++ ? ",\n{" : "{");
}

static void json_begin(struct list_view *v)
{
	strbuf_addstr(v->out, "[\n");
}

static void json_end(struct list_view *v)
{
	strbuf_addstr(v->out, v->nr ? "\n]\n" : "]\n");
}

static void json_event(struct list_view *v, const struct catalog_event *e)
{
	bool any = false;

	open_object(v);
	member(v->out, "Unit", e->pmu, &any);
	member(v->out, "Topic", e->topic, &any);
	member(v->out, "EventName", e->name, &any);
	member(v->out, "EventAlias", e->alias, &any);
	member(v->out, "ScaleUnit", e->scale, &any);
	member(v->out, "Deprecated", e->deprecated ? "1" : NULL, &any);
	member(v->out, "EventType", catalog_kind_name(e->kind), &any);
	member(v->out, "BriefDescription", v->desc ? e->desc : NULL, &any);
	member(v->out, "PublicDescription", v->desc ? e->long_desc : NULL, &any);
	member(v->out, "Encoding", e->encoding, &any);
	strbuf_addstr(v->out, "\n}");
}

static void json_metric(struct list_view *v, const struct catalog_event *m)
{
	bool any = false;

	open_object(v);
	member(v->out, "Unit", m->pmu, &any);
	member(v->out, "MetricGroup", m->groups, &any);
	member(v->out, "MetricName", m->name, &any);
	member(v->out, "MetricExpr", m->expr, &any);
	member(v->out, "MetricThreshold", m->threshold, &any);
	member(v->out, "ScaleUnit", m->scale, &any);
	member(v->out, "BriefDescription", m->desc, &any);
	member(v->out, "PublicDescription", m->long_desc, &any);
	strbuf_addstr(v->out, "\n}");
}

static void json_metrics(struct list_view *v, const struct catalog_event *const *sorted, size_t nr,
			 int what, const char *filter)
{
	struct metric_groups groups;
	size_t i;

	for (i = 0; what & LIST_METRICS && i < nr; i++) {
		/* With a filter: show it if one of its groups matches. */
		metric_groups_init(&groups, &sorted[i], 1, filter);
		if (groups.nr)
			json_metric(v, sorted[i]);
		metric_groups_release(&groups);
	}
	if (what != LIST_GROUPS)
		return;
	metric_groups_init(&groups, sorted, nr, filter);
	for (i = 0; i < groups.nr; i++) {
		bool any = false;

		open_object(v);
		member(v->out, "MetricGroup", groups.v[i].name, &any);
		strbuf_addstr(v->out, "\n}");
	}
	metric_groups_release(&groups);
}

const struct list_ops list_json_ops = {
	.begin = json_begin,
	.event = json_event,
	.metrics = json_metrics,
	.end = json_end,
};
