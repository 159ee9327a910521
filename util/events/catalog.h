/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of what can be measured: the generic events, the events that the PMUs of sysfs name, and
 * the tracepoints of tracefs. The list does not tell whether the machine can really count an event.
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

/* An event or metric. The catalog owns the strings, or they are constants; NULL: absent. */
struct catalog_event {
	enum catalog_kind kind;
	const char *name;  /* the name to show: "cpu-cycles", "power/energy-pkg/",
			      "sched:sched_switch" */
	const char *alias; /* another name: "cycles", "cpu/mem-loads/" */
	const char *spec;  /* the argument of -e where it differs from the name: terms to fill in */
	const char *pmu;   /* "cpu", "power"; for a metric, the PMU it is limited to */
	bool core;         /* its PMU belongs to the processor's cores */
	u32 type;          /* attr.type and attr.config of generic events */
	u64 config;
	const char *topic, *desc, *long_desc;
	const char *encoding; /* "power/event=0x2/" */
	const char *scale;    /* "2.3e-10Joules": the value of one count */
	bool deprecated;
	const char *expr, *threshold, *groups; /* for metrics; groups are separated by ';' */
};

struct catalog {
	struct catalog_event *v; /* owned */
	size_t nr, cap;
	struct arena strings;
};

/** catalog_release - free the contents. */
void catalog_release(struct catalog *c);
/** catalog_add - append an event of which only kind and name are set. @name is borrowed. */
struct catalog_event *catalog_add(struct catalog *c, enum catalog_kind kind, const char *name);
/** catalog_sort - sort the events from number @first on by name. */
void catalog_sort(struct catalog *c, size_t first);
/**
 * catalog_kind_name - return the text that is printed after an event's name, such as "Hardware
 * event".
 */
const char *catalog_kind_name(enum catalog_kind kind);

/** catalog_generic - append the kernel's generic hardware or software events, sorted by name. */
void catalog_generic(struct catalog *c, enum catalog_kind kind);
/** catalog_cache - append every pair of a cache and an operation on it. */
void catalog_cache(struct catalog *c);
/** catalog_tool - append the events that perf counts by itself. */
void catalog_tool(struct catalog *c);
/** catalog_raw - append the form of raw events, which have no names. */
void catalog_raw(struct catalog *c);
/** catalog_breakpoint - append the form of breakpoints, which have no names. */
void catalog_breakpoint(struct catalog *c);

/**
 * catalog_pmu - append the events that the PMUs of sysfs name, and those that @t has for these
 * PMUs, sorted by topic, cores first, then by name. Entries that are not lists of terms are left
 * out.
 * @t: may be NULL, and outlives the catalog
 */
void catalog_pmu(struct catalog *c, const struct sysroot *sr, const struct vendor_table *t);

/** catalog_gauges - append the sensors of the machine, and what clients of graphics cards tell. */
void catalog_gauges(struct catalog *c, const struct sysroot *sr);

/**
 * catalog_tracepoints - append the tracepoints that can be opened, sorted by name.
 * Return: 0, or a negative errno and a sentence when tracefs cannot be read.
 */
int catalog_tracepoints(struct catalog *c, const struct sysroot *sr, struct err *err);

/**
 * catalog_tracepoint_list - append the tracepoints in a text like the file "available_events",
 * unsorted.
 */
void catalog_tracepoint_list(struct catalog *c, const char *text, size_t len);

/**
 * catalog_terms - tell whether @text is a list of terms. Terms whose values are not numbers are
 * appended to @open as ",name=value", the form in which the user has to give them.
 */
bool catalog_terms(const char *text, struct strbuf *open);

/** catalog_match - tell whether @name matches a pattern of '*', '?', '[...]' and '\'. */
bool catalog_match(const char *pattern, const char *name, bool any_case);

#endif
