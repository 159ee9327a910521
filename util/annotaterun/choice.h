/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of a recording that are annotated, and the events that have columns beside them. */
#ifndef PERF_ANNOTATERUN_CHOICE_H
#define PERF_ANNOTATERUN_CHOICE_H

#include "annotatetext/annotate-text.h"
#include "base/name-list.h"
#include "base/strbuf.h"
#include "events/evlist.h"
#include "machine/machine.h"

/* Users ask for these functions; the members are borrowed. */
struct annotate_asked {
	const struct machine *machine;
	const struct name_list *dsos; /* empty: those of all objects */
	const char *symbol;           /* NULL: all functions */
	bool demangle_kernel;         /* names of the kernel's functions are demangled, too */
};

/** annotate_asks - tell whether users ask for some functions only. */
bool annotate_asks(const struct annotate_asked *q);
/** annotate_asks_at - tell, as far as its object is enough to tell, whether a function that users
 * ask for may be at an address: symbols of the kernel, above all, are many. */
bool annotate_asks_at(const struct annotate_asked *q, u32 epoch, u8 cpumode, u64 ip);
/** annotate_asks_for - tell whether users ask for a function. */
bool annotate_asks_for(const struct annotate_asked *q, const struct annotate_function *f);

/* The events and functions of a pass that are shown. */
struct annotate_choice {
	const struct evlist *events;          /* borrowed */
	const struct annotate_counts *counts; /* borrowed */
	bool group;                           /* the events of a group are shown side by side */
	bool all_one_group;                   /* events that are no group are made one */
	bool skip_empty;                      /* events without samples have no column */
	double percent_limit;                 /* functions with less of every event are not shown */
	struct annotate_hits *totals;         /* owned; by event; annotate_choice_count() sets it */
};

/** annotate_choice_count - set the totals. Return: whether there are any samples.
 * annotate_choice_release() frees them. */
bool annotate_choice_count(struct annotate_choice *ch);
void annotate_choice_release(struct annotate_choice *ch);

/* The events with one column each, side by side. */
struct annotate_columns {
	u32 *events; /* owned; numbers of events */
	size_t nr;
	struct strbuf names; /* "a", "anon group { a, b }", or "a, b" of all events made a group */
	u64 frequency;       /* of the first event, per second; 0: its period is fixed */
};

/**
 * annotate_columns_find - collect the columns of a group.
 * @leader: the number of its first event
 * Return: their number; 0: the event leads no group, or there is nothing to show.
 * annotate_columns_release() frees them in either case.
 */
size_t annotate_columns_find(const struct annotate_choice *ch, u32 leader,
			     struct annotate_columns *c);
/** annotate_columns_all - collect the columns of all events, without a name. */
void annotate_columns_all(const struct annotate_choice *ch, struct annotate_columns *c);
void annotate_columns_release(struct annotate_columns *c);
/** annotate_columns_show - let a text have these columns, which it borrows. */
void annotate_columns_show(const struct annotate_choice *ch, const struct annotate_columns *c,
			   struct annotate_text *t);
/**
 * annotate_columns_types - count the samples of the events by the type of data that they access;
 * those in no function have none.
 * @types: to be freed with type_counts_release(); sorted by the first event
 */
void annotate_columns_types(const struct annotate_choice *ch, const struct annotate_columns *c,
			    const struct arch *arch, struct type_counts *types);

/** annotate_reaches_limit - tell whether any event of the columns has its share, in percent of all
 * its samples, in @hits (by event). Without samples of any of them it has not. */
bool annotate_reaches_limit(const struct annotate_choice *ch, const struct annotate_columns *c,
			    const struct annotate_hits *hits);

/**
 * annotate_rows - collect the functions that are shown, those with the highest periods first and
 * those with equal ones in the order of their objects, names and addresses.
 * Return: *@nr functions; the caller frees the array.
 */
const struct annotate_function **annotate_rows(const struct annotate_choice *ch,
					       const struct annotate_columns *c, size_t *nr);

#endif
