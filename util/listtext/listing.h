/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `perf list` shows: which events and metrics this machine has, which of them the words of the
 * command line ask for, and in which order they are listed. How each looks is in listtext.h.
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
	struct strbuf out; /* the list; view.out may point here */
	const struct notices
		*notices; /* hears of trouble and of names that do not exist; borrowed */
	char *cache_dir;  /* the build-id cache, whose markers are listed; NULL: none; owned */
	bool deprecated;  /* list events that are marked as deprecated, too */
	bool debug;       /* send a notice with the number of events of each kind */
	bool quiet;       /* send no notice when nothing is found */
	const char *unit; /* list events of this PMU only; NULL: of all; borrowed */
	char *core;       /* of the PMUs of cores list this one only; NULL: all; owned */
	/* the rest is private */
	struct catalog catalogs[CATALOG_NR];
	bool loaded[CATALOG_NR];
};

/** listing_catalog - Return: all events of a kind that this machine has; read when first asked for.
 */
const struct catalog *listing_catalog(struct listing *l, enum catalog_kind kind);
/**
 * listing_limit_core - list only the PMU "cpu_@kind" of a machine with several kinds of cores. When
 * there is no such PMU a notice says so and nothing is left out.
 */
void listing_limit_core(struct listing *l, const char *kind);
/**
 * listing_show - append the list to view.out. @words: kinds of events ("hw", "sdt"), halves around
 * a colon ("sched:*"), or parts of names; without any, everything is listed.
 */
void listing_show(struct listing *l, const char *const *words, size_t nr);
/**
 * listing_show_fields - append the payload of each tracepoint that matches "system:event" (globs on
 * both sides) or an event's name alone. @json: as an array of objects.
 * Return: 0, or -1 when one of @names matches nothing or its format cannot be read: notices say so.
 */
int listing_show_fields(struct listing *l, const char *const *names, size_t nr, bool json);
/**
 * listing_near - send a notice that no event (or no tracepoint) is called @name, with the names
 * closest to it.
 */
void listing_near(struct listing *l, const char *name, bool tracepoint);
/** listing_release - free the contents. */
void listing_release(struct listing *l);

#endif
