/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events and metrics that vendors describe, in JSON files of the schema that is used below
 * pmu-events/arch of the kernel's tree. Three kinds of folders are accepted:
 *
 *	DIR/NAME.json		all files are for this processor
 *	DIR/mapfile.csv and	the rows map processors to a MODEL; NAME.json beside the map
 *	DIR/MODEL/NAME.json	has entries that models refer to (ArchStdEvent)
 *	DIR/ARCH/mapfile.csv	the same, with one folder for each architecture
 *
 * A folder of the second kind may have a subfolder sys/ with events of PMUs outside processors,
 * which are selected by their identifier. Documentation/format/events-json.md lists the members
 * that are known.
 */
#ifndef PERF_EVENTS_VENDOR_H
#define PERF_EVENTS_VENDOR_H

#include "base/arena.h"
#include "base/err.h"
#include "base/sysroot.h"

/* An event of a vendor's file. Strings are NULL when the file does not have them. */
struct vendor_event {
	const char *name; /* in lower case */
	const char *pmu; /* "cpu", "uncore_imc", ... as pmu_matches() takes it; "cpu" stands for the
			    cores */
	const char *terms; /* "event=0xc0,umask=0x1,period=2000003" */
	const char *desc, *long_desc;
	const char *topic;  /* the subject of its file: "cache", "floating point" */
	const char *unit;   /* unit of its scaled counts: "Bytes" */
	double scale;       /* 0: none */
	const char *compat; /* the identifier that the PMU must have */
	bool per_pkg, deprecated;
};

/* A metric of a vendor's file, or a built-in one (metric/metric.h). */
struct vendor_metric {
	const char *name;
	const char *groups; /* separated by ";" */
	const char *expr;
	const char *desc, *long_desc;
	const char *unit;        /* "100%", "1GHz": a factor and the resulting unit */
	const char *threshold;   /* an expression that is not 0 when the value deserves attention */
	const char *constraint;  /* MetricConstraint: when its events must not form a group */
	const char *aggregation; /* "PerChip", "PerCore" */
	const char *default_group; /* DefaultMetricgroupName */
	const char *pmu;           /* the kind of cores of a hybrid processor: "cpu_core" */
	const char *compat;
	const char *file; /* the file it comes from, for messages; NULL: built in */
	u32 line;
	bool deprecated;
};

struct vendor_group {
	const char *name, *desc;
};

/* The contents of vendors' files. All strings live in the arena. */
struct vendor_table {
	struct arena arena;
	struct vendor_event *events; /* owned; sorted by name */
	size_t nr_events, cap_events;
	struct vendor_metric *metrics; /* owned; sorted by name */
	size_t nr_metrics, cap_metrics;
	struct vendor_group
		*groups; /* owned; descriptions of metric groups, from metricgroups.json */
	size_t nr_groups, cap_groups;
};

/**
 * vendor_load - read the contents of @dir for a processor into @t, which is empty or holds those of
 * other folders.
 * @cpuid: in the form of mapfile.csv, see cpuid_table_text(); NULL: unknown, and then only
 *	folders without a map can be read
 * @sr: where PMUs are looked up, for entries that depend on their identifier
 * Return: 0; -ENOENT when there is no such folder or it has nothing for this processor; -EINVAL
 * when a file is damaged; -E2BIG. @err names the place. What was read before an error stays in @t,
 * which vendor_release() frees.
 */
int vendor_load(struct vendor_table *t, const char *dir, const char *cpuid,
		const struct sysroot *sr, struct err *err);

/**
 * vendor_load_text - load a single JSON text as vendor_load() does files. @what: its name, for
 * messages and the topic ("cache.json").
 */
int vendor_load_text(struct vendor_table *t, const char *text, size_t len, const char *what,
		     struct err *err);

/** vendor_release - free the contents. */
void vendor_release(struct vendor_table *t);

/**
 * vendor_find - find the first event with that name, in any case. Events of other PMUs with the
 * same name follow it in the table. NULL when there is none.
 */
const struct vendor_event *vendor_find(const struct vendor_table *t, const char *name);

/**
 * vendor_cpuid_matches - tell whether the pattern in a row of a map matches a processor. Either may
 * lack a stepping (x86).
 */
bool vendor_cpuid_matches(const char *pattern, const char *cpuid);

#endif
