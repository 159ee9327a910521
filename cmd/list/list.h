/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the parts of `perf list`. */
#ifndef PERF_CMD_LIST_LIST_H
#define PERF_CMD_LIST_LIST_H

#include "base/sysroot.h"
#include "events/catalog.h"
#include "events/sources.h"
#include "listtext/listtext.h"

struct list {
	struct sysroot sysroot;
	struct event_sources sources; /* vendors' files and libpfm4 */
	struct list_view view;
	struct strbuf out;
	bool deprecated, debug;
	const char *unit; /* only events of this PMU; NULL: of all */
	char *core;       /* of PMUs of cores only this one; NULL: all; owned */
	struct catalog catalogs[CATALOG_NR];
	bool loaded[CATALOG_NR];
};

/* What of a section is wanted; all of it when nothing is set. */
struct list_pick {
	const char *glob;           /* of the whole name */
	const char *system, *event; /* of the two halves of "system:event" */
};

/** list_catalog - all events of a kind that this machine has, read when first asked for. */
const struct catalog *list_catalog(struct list *l, enum catalog_kind kind);
/** list_section - show those that are wanted. Return: how many. */
size_t list_section(struct list *l, enum catalog_kind kind, const struct list_pick *pick);
/** list_metrics - show metrics. @what: bits of enum list_metrics; @glob: of their names, or NULL;
 * @group: only groups with this in their names, or NULL */
void list_metrics(struct list *l, int what, const char *glob, const char *group);
/** list_near - tell on stderr that nothing, or no tracepoint, is called @name, and what it may have
 * been. */
void list_near(struct list *l, const char *name, bool tracepoint);
/** list_show_fields - `perf list --fields` of "system:event", globs on both sides, or of an event's
 * name alone. Return: 0, or -1 and a sentence on stderr. */
int list_show_fields(struct list *l, const char *name, bool json);
/** list_release - free the catalogs. */
void list_release(struct list *l);

#endif
