/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that sample memory accesses with their addresses and data sources. Which there are is read
 * from sysfs alone: Intel's mem-loads and mem-stores (of each kind of core), those of POWER under
 * the same names, AMD's IBS (ibs_op), and Arm's SPE (arm_spe_0).
 */
#ifndef PERF_MEM_MEM_EVENTS_H
#define PERF_MEM_MEM_EVENTS_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/sysroot.h"
#include "recordopts/verb-args.h"

/* These are the operations that an event samples; as bits of a set. */
enum mem_op { MEM_LOADS = 1, MEM_STORES = 2, MEM_BOTH = 3 };

#define MEM_LDLAT 30 /* the default of the least latency of a load, in cycles */

struct mem_event {
	const char *name; /* as -e takes it, such as "ldlat-loads"; static */
	u32 ops;          /* a set of enum mem_op */
	char *spec;       /* owned; what the recorder takes, such as "cpu/mem-stores/P" */
};

/* A machine has these events. The struct starts zeroed. */
struct mem_events {
	struct mem_event *v; /* owned; in the order of the PMUs */
	size_t nr, cap;
};

/**
 * mem_events_find - find the events of this machine. mem_events_release() frees them.
 * @sr: where sysfs is looked for
 * @ldlat: the least latency of a load that is sampled, in cycles; 0: MEM_LDLAT, and AMD's IBS
 *	samples all loads
 */
void mem_events_find(struct mem_events *e, const struct sysroot *sr, u32 ldlat);
void mem_events_release(struct mem_events *e);

/** mem_events_list - append a line for each kind of event there can be: its name, and what it
 * records here or what is missing. @verbose: also where it was looked for */
void mem_events_list(const struct mem_events *e, bool verbose, struct strbuf *out);

/* A choice among the events. */
struct mem_choice {
	u32 ops;           /* a set of enum mem_op */
	const char *names; /* "ldlat-loads,ldlat-stores", parts of names; NULL: as @ops say */
};

/**
 * mem_events_choose - append -e and an event for each that was chosen.
 * @ops: receives the operations that these sample
 * Return: 0; -ENODEV when this machine has none of them, -EINVAL when no event has that name, with
 * a sentence.
 */
int mem_events_choose(const struct mem_events *e, const struct mem_choice *c, struct verb_args *a,
		      u32 *ops, struct err *err);

#endif
