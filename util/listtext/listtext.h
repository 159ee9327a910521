/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How `perf list` shows events: as text, as words for completion, as JSON. */
#ifndef PERF_LISTTEXT_LISTTEXT_H
#define PERF_LISTTEXT_LISTTEXT_H

#include "base/strbuf.h"
#include "events/catalog.h"
#include "tracefmt/tracefmt.h"

struct list_view;

/* Which half of metrics is shown. */
enum list_metrics { LIST_METRICS = 1, LIST_GROUPS = 2 };

/* A way to show them. All append to view->out; members that are NULL do nothing. */
struct list_ops {
	void (*begin)(struct list_view *v);
	void (*event)(struct list_view *v, const struct catalog_event *e);
	void (*gap)(struct list_view *v);  /* a section ends here */
	void (*hint)(struct list_view *v); /* where the raw forms are explained */
	/* @sorted: metrics by name; @what: bits of enum list_metrics; @group: only groups with this
	 * in their names, or NULL */
	void (*metrics)(struct list_view *v, const struct catalog_event *const *sorted, size_t nr,
			int what, const char *group);
	void (*end)(struct list_view *v);
};

struct list_view {
	const struct list_ops *ops;
	struct strbuf *out;
	bool desc, long_desc, details;
	bool gaps; /* for people: a heading, and blank lines between sections */
	unsigned int width;
	const char *topic; /* the last one; borrowed */
	size_t nr;         /* shown so far */
};

extern const struct list_ops list_text_ops, list_raw_ops, list_json_ops;

/* The groups that metrics belong to, each with its metrics. */
struct metric_group {
	const char *name; /* owned by the groups */
	const struct catalog_event **v;
	size_t nr, cap;
};
struct metric_groups {
	struct metric_group *v; /* owned, by name */
	size_t nr, cap;
	struct arena strings;
};
/** metric_groups_init - from metrics by name. Those without a group are in "No_group".
 * @filter: only groups with this in their names, or NULL */
void metric_groups_init(struct metric_groups *g, const struct catalog_event *const *sorted,
			size_t nr, const char *filter);
void metric_groups_release(struct metric_groups *g);

/**
 * list_fields - append what the payload of a tracepoint holds: type, place, size and sign of each
 * field, how the kernel filters on it, the text it is printed with, and an example of a filter.
 * @print: the print format, @print_len bytes
 */
void list_fields(struct strbuf *out, const struct tf_event *ev, const char *print,
		 size_t print_len);
/** list_fields_json - the same as one JSON object. */
void list_fields_json(struct strbuf *out, const struct tf_event *ev, const char *print,
		      size_t print_len);
/** list_fields_example - append a filter that the kernel would take for the event. */
void list_fields_example(struct strbuf *out, const struct tf_event *ev);

#endif
