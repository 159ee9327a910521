/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Definitions whose probes are known, as the file "probes" beside an object in the build-id cache
 * keeps them for all perfs:
 *
 *	#[GROUP:EVENT=]PLACE [ARG...]	a definition, as users write it
 *	p:GROUP/EVENT PLACE [ARG...]	what the kernel is told for it: a line for each address
 *	%sdt_PROVIDER:MARKER=MARKER	a marker of the object, with such lines behind it
 */
#ifndef PERF_PROBERUN_CACHED_H
#define PERF_PROBERUN_CACHED_H

#include "base/name-list.h"
#include "probe/event.h"
#include "probe/filter.h"

struct probe_cached {
	char *text;   /* owned: the line without its first character */
	bool marker;  /* that is % */
	char **lines; /* owned */
	size_t nr, cap;
};

struct probe_cached_list {
	struct probe_cached *v; /* owned; in the order of the file */
	size_t nr, cap;
};

/** probe_cached_read - append the definitions of a file. Lines that are none are left out. */
void probe_cached_read(struct probe_cached_list *out, const char *text, size_t len);
/** probe_cached_write - append the text of the file. */
void probe_cached_write(const struct probe_cached_list *l, struct strbuf *out);
void probe_cached_release(struct probe_cached_list *l);

/**
 * probe_cached_put - keep the events of a definition, instead of those that were kept for it
 * before.
 * @events: with names
 * Return: 0, or -EINVAL and a sentence when they cannot be lines of the file.
 */
int probe_cached_put(struct probe_cached_list *l, const struct probe_object *o,
		     const struct probe_definition *d, const struct probe_events *events,
		     struct err *err);
/** probe_cached_drop - take out number @i. */
void probe_cached_drop(struct probe_cached_list *l, size_t i);
/** probe_cached_find - return what is kept for a definition, which may be the name of one:
 * %[GROUP:]EVENT, or a pattern of names. NULL: nothing. Markers are not looked at. */
const struct probe_cached *probe_cached_find(const struct probe_cached_list *l,
					     const struct probe_object *o,
					     const struct probe_definition *d);
/** probe_cached_is - tell whether a definition %[GROUP:]EVENT names what is kept. */
bool probe_cached_is(const struct probe_cached *c, const struct probe_definition *d);
/** probe_cached_passes - tell whether a filter lets the name of what is kept pass: GROUP:EVENT
 * (@whole), or EVENT; where it has no name its definition. */
bool probe_cached_passes(const struct probe_cached *c, const struct name_filter *f, bool whole);

/**
 * probe_cached_events - make the events of the lines. point.function is the name of each, which
 * probe_cached_name() gives it.
 * @out: empty; to be released in any case. Its events borrow from @o
 */
void probe_cached_events(struct probe_object *o, const struct probe_cached *c,
			 struct probe_events *out);
/** probe_cached_name - do what probe_events_name() does for events that have such names. */
int probe_cached_name(struct probe_events *events, struct probe_names *taken, bool more,
		      struct err *err);

#endif
