/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PMUs of sysfs (/sys/bus/event_source/devices): their type, where they count, the bit fields
 * of their format/ files and the named events of their events/ folder with what lies beside them.
 * Source of the layout: the kernel's Documentation/ABI/testing/sysfs-bus-event_source-devices-*.
 */
#ifndef PERF_EVENTS_PMU_H
#define PERF_EVENTS_PMU_H

#include "base/strbuf.h"
#include "base/sysroot.h"

enum { PMU_CONFIG, PMU_CONFIG1, PMU_CONFIG2, PMU_CONFIG3, PMU_CONFIG_WORDS };

/* A field of a config word: value bit n goes to the n-th lowest set bit of @bits. */
struct pmu_format {
	char *name; /* owned */
	u32 word;   /* PMU_CONFIG...; PMU_CONFIG_WORDS: one this perf does not know */
	u64 bits;
};

/* events/NAME, and NAME.unit, .scale, .snapshot, .per-pkg beside it. */
struct pmu_alias {
	char *name;   /* owned */
	char *terms;  /* owned; "event=0x3c,umask=0x1" */
	char *unit;   /* owned; NULL without */
	double scale; /* 0 without */
	bool snapshot, per_pkg;
};

struct pmu {
	char *name; /* owned */
	u32 type;
	bool core;       /* of CPU cores: generic events count there too */
	char *cpumask;   /* owned; the CPUs it counts on, as sysfs has it: "0,16"; NULL: all */
	s32 max_precise; /* caps/max_precise; -1 when it does not say */
	bool loaded;     /* the members below are there: pmu_load() */
	struct pmu_format *formats; /* owned; in the order of their names */
	size_t nr_formats, cap_formats;
	struct pmu_alias *aliases; /* owned; in the order of their names */
	size_t nr_aliases, cap_aliases;
};

/* All of them, in the order of the directory. */
struct pmus {
	struct pmu *v; /* owned */
	size_t nr, cap;
	bool scanned;
};

/** pmus_scan - name, type and CPUs of every PMU, once. Return: 0, or -errno without the folder. */
int pmus_scan(struct pmus *p, const struct sysroot *sr);
/** pmus_release - free all. */
void pmus_release(struct pmus *p);
/** pmus_find - by exact name; NULL when there is none. */
struct pmu *pmus_find(const struct pmus *p, const char *name);
/** pmu_load - read formats and aliases, once. What cannot be read is left out. */
void pmu_load(struct pmu *pmu, const struct sysroot *sr);
/** pmu_format_find - NULL when there is none; after pmu_load(). */
const struct pmu_format *pmu_format_find(const struct pmu *pmu, const char *name);
/** pmu_alias_find - NULL when there is none; after pmu_load(). Case matters where two differ in it.
 */
const struct pmu_alias *pmu_alias_find(const struct pmu *pmu, const char *name);
/** pmu_short_name - without "uncore_". */
const char *pmu_short_name(const char *name);
/**
 * pmu_matches - is the PMU of that name meant by @word: its name, a glob over it, its name without
 * a number ("uncore_imc" for uncore_imc_0), and all that without "uncore_"?
 */
bool pmu_matches(const char *name, const char *word);

#endif
