/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events as plain data: no file descriptors, no counts. Made by the parser (events/parse.h) or from
 * a file. */
#ifndef PERF_EVENTS_EVLIST_H
#define PERF_EVENTS_EVLIST_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "wire/event.h"

/* What the event text itself asked for, on top of the command line:
 * "cycles/period=1000,call-graph=fp/pS". */
struct evsel_terms {
	bool freq_set, period_set; /* attr.sample_period/_freq came from a term */
	bool sample_read;          /* S: read the group with each sample */
	bool precise_max;          /* P: the highest precise_ip the PMU takes */
	bool weak;                 /* W: break the group up when it cannot be scheduled */
	bool named;    /* the name came from a name= term: modifiers are not added to it */
	bool unnamed;  /* nobody typed its name: it follows the attr */
	bool tracking; /* side-band carrier: takes no -c, -F, modifiers */
	s8 callgraph;  /* -1 as the command line says, 0 no, 1 frame pointers */
	s8 inherit;    /* -1 as the command line says */
	s8 time;       /* -1 as the command line says */
};

struct evsel {
	u32 idx;    /* position in the evlist */
	char *name; /* owned: "cpu-clock", "sched:sched_switch", "cycles:u" */
	struct perf_event_attr attr;
	struct wire_layout layout; /* of attr; refresh with layout_init() after changing attr */
	u64 *ids;                  /* owned; kernel ids of the opened instances, from the file */
	size_t nr_ids, ids_cap;
	struct evsel_terms terms;
	u32 leader;       /* idx of the group leader; own idx when alone */
	u32 nr_members;   /* of the group, on its leader; 1 when alone */
	char *group_name; /* owned, on a leader; NULL when the group has no name */
	char *filter;     /* owned; tracepoint filter or NULL */
	char *tp_name; /* owned; "sched:sched_switch" from the parser, whatever name says; else NULL
			*/
};

struct evlist {
	struct evsel **evsels; /* owned */
	size_t nr, cap;
	size_t last_item;   /* first event of the parser's last item: --filter is for those */
	struct map64 by_id; /* kernel id -> idx, from evlist_index() */
};

/** evlist_add - append an event; @name is copied. Return: the new evsel, owned by the list. */
struct evsel *evlist_add(struct evlist *l, const struct perf_event_attr *attr, const char *name);
/** evsel_add_id - append one kernel id; run evlist_index() when all are there. */
void evsel_add_id(struct evsel *e, u64 id);
/** evlist_index - (re)build by_id from all ids. */
void evlist_index(struct evlist *l);
/** evlist_find_id - the event of a kernel id; the lone event when there is just one; NULL when
 * unknown. */
struct evsel *evlist_find_id(const struct evlist *l, u64 id);
/** evlist_release - free the contents. */
void evlist_release(struct evlist *l);
/** evsel_is_tracepoint - attr.type is PERF_TYPE_TRACEPOINT. */
static inline bool evsel_is_tracepoint(const struct evsel *e)
{
	return e->attr.type == PERF_TYPE_TRACEPOINT;
}
/** evsel_rename - give it the name of its attr. */
void evsel_rename(struct evsel *e);
/** evsel_default_name - the name perf gives an unnamed attr ("cycles:u", "raw 0x1a8", ...) appended
 * to @out. */
void evsel_default_name(const struct perf_event_attr *attr, struct strbuf *out);

#endif
