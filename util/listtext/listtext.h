/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the output of `perf list`: as text, as words for completion, and as JSON. */
#ifndef PERF_LISTTEXT_LISTTEXT_H
#define PERF_LISTTEXT_LISTTEXT_H

#include "base/strbuf.h"
#include "events/catalog.h"
#include "tracefmt/tracefmt.h"

struct list_view;

/* The parts of metrics that are shown. */
enum list_metrics { LIST_METRICS = 1, LIST_GROUPS = 2 };

/* An output format. All functions append to view->out; they may be NULL. */
struct list_ops {
	void (*begin)(struct list_view *v);
	void (*event)(struct list_view *v, const struct catalog_event *e);
	void (*gap)(struct list_view *v);  /* ends a section */
	void (*hint)(struct list_view *v); /* says where raw events are explained */
	/* @sorted: metrics sorted by name; @what: bits of enum list_metrics; @group: show only
	 * groups whose names contain this; NULL: all */
	void (*metrics)(struct list_view *v, const struct catalog_event *const *sorted, size_t nr,
			int what, const char *group);
	void (*end)(struct list_view *v);
};

struct list_view {
	const struct list_ops *ops;
	struct strbuf *out;
	bool desc, long_desc, details;
	bool gaps; /* for people: print a heading, and blank lines between sections */
	unsigned int width;
	const char *topic; /* the last topic; borrowed */
	size_t nr;         /* entries shown so far */
	void *ctx;         /* for operations that are not of this room; borrowed */
};

extern const struct list_ops list_text_ops, list_raw_ops, list_json_ops;

/* A metric group and its metrics. */
struct metric_group {
	const char *name; /* owned by struct metric_groups */
	const struct catalog_event **v;
	size_t nr, cap;
};
struct metric_groups {
	struct metric_group *v; /* owned; sorted by name */
	size_t nr, cap;
	struct arena strings;
};
/**
 * metric_groups_init - group metrics, which are sorted by name. Metrics without a group are put
 * into "No_group".
 * @filter: only groups whose names contain this; NULL: all
 */
void metric_groups_init(struct metric_groups *g, const struct catalog_event *const *sorted,
			size_t nr, const char *filter);
void metric_groups_release(struct metric_groups *g);

/**
 * list_fields - append the fields of a tracepoint: type, offset, size and sign of each, the
 * operators that filters can use, the format for printing, and an example of a filter.
 * @print, @print_len: the print format
 */
void list_fields(struct strbuf *out, const struct tf_event *ev, const char *print,
		 size_t print_len);
/** list_fields_line - append a line with type and name of each field that the event alone has. */
void list_fields_line(struct strbuf *out, const struct tf_event *ev);
/** list_fields_json - append what list_fields() does, as one JSON object. */
void list_fields_json(struct strbuf *out, const struct tf_event *ev, const char *print,
		      size_t print_len);
/** list_fields_example - append a filter that the kernel would accept for the event. */
void list_fields_example(struct strbuf *out, const struct tf_event *ev);

#endif
