/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events and metrics as vendors describe them, in JSON files of the schema that the kernel's tree
 * has below pmu-events/arch. Three kinds of folder are taken:
 *
 *	DIR/NAME.json		all of it is for this processor
 *	DIR/mapfile.csv and	the rows say which MODEL a processor has; NAME.json beside the map
 *	DIR/MODEL/NAME.json	are entries that models refer to (ArchStdEvent)
 *	DIR/ARCH/mapfile.csv	the same, one folder per architecture
 *
 * plus sys/ below the second kind: events of PMUs outside processors, by their identifier.
 * Documentation/format/events-json.md has the members that are known.
 */
#ifndef PERF_EVENTS_VENDOR_H
#define PERF_EVENTS_VENDOR_H

#include "base/arena.h"
#include "base/err.h"
#include "base/sysroot.h"

/* Strings are NULL when the file does not have them. */
struct vendor_event {
	const char *name; /* in lower case */
	const char
		*pmu; /* "cpu", "uncore_imc", ...: as pmu_matches() takes it; "cpu" is the cores' */
	const char *terms; /* "event=0xc0,umask=0x1,period=2000003" */
	const char *desc, *long_desc;
	const char *topic;  /* what its file is about: "cache", "floating point" */
	const char *unit;   /* of its counts: "Bytes", after scale */
	double scale;       /* 0: none */
	const char *compat; /* the PMU has to identify itself as this */
	bool per_pkg, deprecated;
};

/* Also what is built in (metric/metric.h). */
struct vendor_metric {
	const char *name;
	const char *groups; /* separated by ";" */
	const char *expr;
	const char *desc, *long_desc;
	const char *unit;          /* "100%", "1GHz": a factor and what it is then */
	const char *threshold;     /* an expression: not 0 when the value is a matter of concern */
	const char *constraint;    /* MetricConstraint: when its events may not be one group */
	const char *aggregation;   /* "PerChip", "PerCore" */
	const char *default_group; /* DefaultMetricgroupName */
	const char *pmu;           /* of a hybrid's cores: "cpu_core" */
	const char *compat;
	const char *file; /* where it comes from, with its line, for messages; NULL: built in */
	u32 line;
	bool deprecated;
};

struct vendor_group {
	const char *name, *desc;
};

/* All strings live in the arena. */
struct vendor_table {
	struct arena arena;
	struct vendor_event *events; /* owned; in the order of their names */
	size_t nr_events, cap_events;
	struct vendor_metric *metrics; /* owned; in the order of their names */
	size_t nr_metrics, cap_metrics;
	struct vendor_group
		*groups; /* owned; descriptions of metric groups, from metricgroups.json */
	size_t nr_groups, cap_groups;
};

/**
 * vendor_load - read what @dir has for a processor into @t, which is empty or holds another
 * folder's.
 * @cpuid: as mapfile.csv has it (cpuid_table_text()); NULL: unknown, only folders without a map do
 * @sr: where PMUs are looked up, for what depends on their identifier
 * Return: 0; -ENOENT: no such folder, or nothing for this processor in it; -EINVAL: a file is
 * damaged; -E2BIG. @err says where. What was read before an error stays in @t, for
 * vendor_release().
 */
int vendor_load(struct vendor_table *t, const char *dir, const char *cpuid,
		const struct sysroot *sr, struct err *err);

/** vendor_load_text - the same of one JSON text, which stands alone. @what: its name, for messages
 * and the topic ("cache.json"). */
int vendor_load_text(struct vendor_table *t, const char *text, size_t len, const char *what,
		     struct err *err);

/** vendor_release - free the contents. */
void vendor_release(struct vendor_table *t);

/**
 * vendor_find - the first event called @name in any letter case, and behind it in the table those
 * of other PMUs with the same name; NULL when there is none.
 */
const struct vendor_event *vendor_find(const struct vendor_table *t, const char *name);

/** vendor_cpuid_matches - does the pattern of a map's row mean this processor? Both may or may not
 * have a stepping (x86). */
bool vendor_cpuid_matches(const char *pattern, const char *cpuid);

#endif
