/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What there is to measure, as a list: the generic events, those that the PMUs of sysfs name, and
 * the tracepoints of tracefs. Whether the machine can really count one is not asked here.
 */
#ifndef PERF_EVENTS_CATALOG_H
#define PERF_EVENTS_CATALOG_H

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/sysroot.h"
#include "events/vendor.h"

enum catalog_kind {
	CATALOG_HARDWARE,
	CATALOG_SOFTWARE,
	CATALOG_TOOL,
	CATALOG_CACHE,
	CATALOG_PMU,
	CATALOG_RAW,
	CATALOG_BREAKPOINT,
	CATALOG_TRACEPOINT,
	CATALOG_SDT,
	CATALOG_METRIC,
	CATALOG_NR
};

/* Strings are owned by the catalog, or constants; NULL when there is none. */
struct catalog_event {
	enum catalog_kind kind;
	const char *name;  /* as shown: "cpu-cycles", "power/energy-pkg/", "sched:sched_switch" */
	const char *alias; /* another name of it: "cycles", "cpu/mem-loads/" */
	const char *spec;  /* what -e takes, where that is not the name: terms to fill in */
	const char *pmu;   /* "cpu", "power"; of metrics the PMU they are limited to */
	bool core;         /* its PMU is one of the processor's cores */
	u32 type;          /* attr.type and attr.config of generic events */
	u64 config;
	const char *topic, *desc, *long_desc;
	const char *encoding; /* "power/event=0x2/" */
	const char *scale;    /* "2.3e-10Joules": what a count is worth */
	bool deprecated;
	const char *expr, *threshold, *groups; /* of metrics; groups separated by ';' */
};

struct catalog {
	struct catalog_event *v; /* owned */
	size_t nr, cap;
	struct arena strings;
};

/** catalog_release - free the contents. */
void catalog_release(struct catalog *c);
/** catalog_add - append an event, nothing set but its kind and name (borrowed). */
struct catalog_event *catalog_add(struct catalog *c, enum catalog_kind kind, const char *name);
/** catalog_sort - put what there is from @first on in the order of names. */
void catalog_sort(struct catalog *c, size_t first);
/** catalog_kind_name - "Hardware event", ... as printed behind the name. */
const char *catalog_kind_name(enum catalog_kind kind);

/** catalog_generic - the kernel's names for hardware or software events, in the order of names. */
void catalog_generic(struct catalog *c, enum catalog_kind kind);
/** catalog_cache - all pairs of a cache and what may happen in it. */
void catalog_cache(struct catalog *c);
/** catalog_tool - what perf counts itself. */
void catalog_tool(struct catalog *c);
/** catalog_raw, catalog_breakpoint - forms of events that have no names. */
void catalog_raw(struct catalog *c);
void catalog_breakpoint(struct catalog *c);

/**
 * catalog_pmu - the events that PMUs of sysfs name, and those that @t (may be NULL, outlives the
 * catalog) has for them: by topic, cores first, then by name. What is no list of terms is left out.
 */
void catalog_pmu(struct catalog *c, const struct sysroot *sr, const struct vendor_table *t);

/**
 * catalog_tracepoints - the tracepoints that can be opened, in the order of names.
 * Return: 0, or negative errno and a sentence when tracefs cannot be read.
 */
int catalog_tracepoints(struct catalog *c, const struct sysroot *sr, struct err *err);

/** catalog_tracepoint_list - append those of a text like the file "available_events", unsorted. */
void catalog_tracepoint_list(struct catalog *c, const char *text, size_t len);

/**
 * catalog_terms - is @text a list of terms? Those whose values are no numbers are appended to
 * @open as ",name=value", as one has to give them.
 */
bool catalog_terms(const char *text, struct strbuf *open);

/** catalog_match - does @name match a pattern of '*', '?', '[...]' and '\'? */
bool catalog_match(const char *pattern, const char *name, bool any_case);

#endif
