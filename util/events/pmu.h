/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PMUs of sysfs (/sys/bus/event_source/devices): their type, the CPUs they count on, the bit
 * fields of their format/ files, and the named events of their events/ folders with the files
 * beside these. Source of the layout: the kernel's
 * Documentation/ABI/testing/sysfs-bus-event_source-devices-*.
 */
#ifndef PERF_EVENTS_PMU_H
#define PERF_EVENTS_PMU_H

#include "base/strbuf.h"
#include "base/sysroot.h"

enum { PMU_CONFIG, PMU_CONFIG1, PMU_CONFIG2, PMU_CONFIG3, PMU_CONFIG_WORDS };

/* A field of a config word: bit n of the value goes to the n-th lowest set bit of @bits. */
struct pmu_format {
	char *name; /* owned */
	u32 word;   /* PMU_CONFIG...; PMU_CONFIG_WORDS: a word that this perf does not know */
	u64 bits;
};

/* A file events/NAME, with NAME.unit, .scale, .snapshot and .per-pkg beside it. */
struct pmu_alias {
	char *name;   /* owned */
	char *terms;  /* owned; "event=0x3c,umask=0x1" */
	char *unit;   /* owned; or NULL */
	double scale; /* or 0 */
	bool snapshot, per_pkg;
};

struct pmu {
	char *name; /* owned */
	u32 type;
	bool core;       /* it belongs to CPU cores, where generic events count as well */
	char *cpumask;   /* owned; the CPUs it counts on, in the form of sysfs: "0,16"; NULL: all */
	s32 max_precise; /* caps/max_precise; -1 without such a file */
	bool loaded;     /* pmu_load() has filled in the members below */
	struct pmu_format *formats; /* owned; sorted by name */
	size_t nr_formats, cap_formats;
	struct pmu_alias *aliases; /* owned; sorted by name */
	size_t nr_aliases, cap_aliases;
};

/* All PMUs, in the order of the directory. */
struct pmus {
	struct pmu *v; /* owned */
	size_t nr, cap;
	bool scanned;
};

/**
 * pmus_scan - read name, type and CPUs of every PMU. Only the first call does so. Return: 0, or a
 * negative errno when there is no such folder.
 */
int pmus_scan(struct pmus *p, const struct sysroot *sr);
/** pmus_release - free everything. */
void pmus_release(struct pmus *p);
/** pmus_find - find a PMU by its exact name; NULL when there is none. */
struct pmu *pmus_find(const struct pmus *p, const char *name);
/**
 * pmu_load - read formats and named events. Only the first call does so. Files that cannot be read
 * are left out.
 */
void pmu_load(struct pmu *pmu, const struct sysroot *sr);
/** pmu_format_find - find a field by name, after pmu_load(); NULL when there is none. */
const struct pmu_format *pmu_format_find(const struct pmu *pmu, const char *name);
/**
 * pmu_alias_find - find a named event, after pmu_load(); NULL when there is none. Case matters only
 * where two names differ in nothing else.
 */
const struct pmu_alias *pmu_alias_find(const struct pmu *pmu, const char *name);
/** pmu_short_name - return the name without a leading "uncore_". */
const char *pmu_short_name(const char *name);
/**
 * pmu_matches - tell whether @word means the PMU with that name. The word may be its name, a glob
 * that matches it, or its name without the number at the end ("uncore_imc" for uncore_imc_0), each
 * with or without "uncore_".
 */
bool pmu_matches(const char *name, const char *word);

#endif
