/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine of `perf list`: the events and metrics of this machine, the selection that the command
 * line makes, and their order. listtext.h has the output.
 */
#ifndef PERF_LISTTEXT_LISTING_H
#define PERF_LISTTEXT_LISTING_H

#include "base/notice.h"
#include "base/sysroot.h"
#include "events/catalog.h"
#include "events/sources.h"
#include "listtext/listtext.h"

struct listing {
	struct sysroot sysroot;
	struct event_sources sources; /* vendors' files and libpfm4 */
	struct list_view view;
	struct strbuf out;             /* the list; view.out may point here */
	const struct notices *notices; /* receives errors and unknown names; borrowed */
	char *cache_dir;  /* the build-id cache, whose markers are listed; NULL: none; owned */
	bool deprecated;  /* include events that are marked as deprecated */
	bool debug;       /* send a notice with the number of events of each kind */
	bool quiet;       /* send no notice when nothing is found */
	const char *unit; /* list events of this PMU only; NULL: of all; borrowed */
	char *core;       /* list only this one of the cores' PMUs; NULL: all; owned */
	/* The following members are private. */
	struct catalog catalogs[CATALOG_NR];
	bool loaded[CATALOG_NR];
};

/**
 * listing_catalog - return all events of a kind that this machine has. They are read at the first
 * call.
 */
const struct catalog *listing_catalog(struct listing *l, enum catalog_kind kind);
/**
 * listing_limit_core - list only the PMU "cpu_@kind" on a machine with several kinds of cores. When
 * there is no such PMU, a notice says so and nothing is left out.
 */
void listing_limit_core(struct listing *l, const char *kind);
/**
 * listing_show - append the list to view.out.
 * @words: kinds of events ("hw", "sdt"), names with a colon ("sched:*"), or parts of names;
 *	without any, everything is listed
 */
void listing_show(struct listing *l, const char *const *words, size_t nr);
/**
 * listing_show_fields - append the fields of each tracepoint that matches one of @names, either
 * "system:event" with globs on both sides or just the name of an event. @json: as an array of
 * objects
 * Return: 0, or -1 when one of @names matches nothing or its format cannot be read, which notices
 * report.
 */
int listing_show_fields(struct listing *l, const char *const *names, size_t nr, bool json);
/**
 * listing_about - append what is known of an event: names, description, encoding, fields of
 * tracepoints, or why these cannot be read.
 * @all: fields as listing_show_fields() has them; otherwise in one line
 */
void listing_about(const struct listing *l, const struct catalog_event *e, bool all,
		   struct strbuf *out);
/**
 * listing_near - send a notice that there is no event (or no tracepoint) with the name @name, and
 * list the names closest to it.
 */
void listing_near(struct listing *l, const char *name, bool tracepoint);
/** listing_release - free the contents. */
void listing_release(struct listing *l);

#endif
