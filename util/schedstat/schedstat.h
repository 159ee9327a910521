/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters of the scheduler, which the kernel prints in /proc/schedstat: read from there,
 * written to and read from recordings, and subtracted. The kernel describes them in
 * Documentation/scheduler/sched-stats.rst, and numbers the layouts of that file by versions. All
 * versions that are known become the same struct here.
 */
#ifndef PERF_SCHEDSTAT_SCHEDSTAT_H
#define PERF_SCHEDSTAT_SCHEDSTAT_H

#include "base/err.h"
#include "base/int-list.h"
#include "base/strbuf.h"
#include "file/env.h"
#include "wire/records.h"

#define SCHEDSTAT_ALL UINT32_MAX /* in place of a CPU: the sum of all */

/* Each CPU has these counters. */
enum schedstat_cpu_counter {
	SCHEDSTAT_YIELDS,
	SCHEDSTAT_LEGACY,
	SCHEDSTAT_SCHEDULES,
	SCHEDSTAT_IDLES,
	SCHEDSTAT_WAKEUPS,
	SCHEDSTAT_LOCAL_WAKEUPS,
	SCHEDSTAT_RUN_NS,
	SCHEDSTAT_WAIT_NS,
	SCHEDSTAT_SLICES,
	SCHEDSTAT_CPU_COUNTERS
};

/* These counters tell of load balancing in a domain. There is a set of them for each state that the
 * CPU was in. */
enum schedstat_balance {
	BALANCE_COUNT,
	BALANCE_BALANCED,
	BALANCE_FAILED,
	BALANCE_IMBALANCE, /* up to version 16 */
	BALANCE_LOAD,      /* from version 17 on, like the next three */
	BALANCE_UTIL,
	BALANCE_TASK,
	BALANCE_MISFIT,
	BALANCE_GAINED,
	BALANCE_HOT_GAINED,
	BALANCE_NO_QUEUE,
	BALANCE_NO_GROUP,
	BALANCE_COUNTERS
};

enum schedstat_state { SCHEDSTAT_BUSY, SCHEDSTAT_IDLE, SCHEDSTAT_NEWIDLE, SCHEDSTAT_STATES };

/* The counters of a domain begin with those of the three states; these follow. */
enum schedstat_domain_counter {
	SCHEDSTAT_ACTIVE = SCHEDSTAT_STATES * BALANCE_COUNTERS,
	SCHEDSTAT_ACTIVE_FAILED,
	SCHEDSTAT_ACTIVE_PUSHED,
	SCHEDSTAT_EXEC,
	SCHEDSTAT_EXEC_BALANCED,
	SCHEDSTAT_EXEC_PUSHED,
	SCHEDSTAT_FORK,
	SCHEDSTAT_FORK_BALANCED,
	SCHEDSTAT_FORK_PUSHED,
	SCHEDSTAT_WAKE_REMOTE,
	SCHEDSTAT_WAKE_AFFINE,
	SCHEDSTAT_WAKE_BALANCE,
	SCHEDSTAT_DOMAIN_COUNTERS
};

/* This tells what a counter is called and how it is shown. */
struct schedstat_field {
	const char *name; /* of the kernel */
	const char *text; /* a few words */
	s8 part_of;       /* it is a part of this counter; -1: of none */
	bool event;       /* it counts events, so that there is a mean time between two */
};

extern const struct schedstat_field schedstat_cpu_fields[SCHEDSTAT_CPU_COUNTERS];
extern const struct schedstat_field schedstat_domain_fields[SCHEDSTAT_DOMAIN_COUNTERS];

/** schedstat_has - tell whether a version has a counter of domains. */
bool schedstat_has(u32 version, u32 counter);
/** schedstat_domain_counts - return how many numbers a domain has in a version; 0: unknown. */
u32 schedstat_domain_counts(u32 version);
/** schedstat_domain_at - return the counter that is the @i-th number of a domain in a version. */
u32 schedstat_domain_at(u32 version, u32 i);

struct schedstat_cpu {
	u32 cpu; /* or SCHEDSTAT_ALL */
	u64 v[SCHEDSTAT_CPU_COUNTERS];
};

struct schedstat_domain {
	struct env_domain is; /* whose, and what it is called; texts are owned */
	u32 nr_cpus;          /* how many CPUs have been added up */
	u64 v[SCHEDSTAT_DOMAIN_COUNTERS];
};

#define SCHEDSTAT_LEVELS 64 /* no CPU has so many domains */

/* All counters at one moment, or between two: CPUs in ascending order, and domains in that of CPU
 * and level. */
struct schedstat {
	u32 version;
	u64 jiffies;
	struct schedstat_cpu *cpus; /* owned */
	size_t nr_cpus, cap_cpus;
	struct schedstat_domain *domains; /* owned */
	size_t nr_domains, cap_domains;
};

void schedstat_release(struct schedstat *s);

/**
 * schedstat_parse - read the text of /proc/schedstat.
 * Return: 0, or -EINVAL and a sentence: the text has another form or another version, and nothing
 * of it was taken for what it is not.
 */
int schedstat_parse(struct schedstat *s, const char *text, struct err *err);

/**
 * schedstat_keep - forget the CPUs that are not in a list.
 * @cpus: sorted; an empty one keeps all
 */
void schedstat_keep(struct schedstat *s, const struct int_list *cpus);

/* ---- in recordings ---- */

/** schedstat_put_records - append a SCHEDSTAT_CPU or SCHEDSTAT_DOMAIN record for each line. */
void schedstat_put_records(const struct schedstat *s, struct strbuf *out);
/** schedstat_put_domains - append the body of CPU_DOMAIN_INFO. */
void schedstat_put_domains(const struct schedstat *s, struct strbuf *out);

/* A recording has two sets of counters. The struct starts zeroed. */
struct schedstat_recorded {
	struct schedstat before, after;
	u64 unknown;         /* records whose version is not known */
	u32 unknown_version; /* that of the last of them */
	u64 damaged;         /* records that are cut off or belong to nothing */
};

void schedstat_recorded_release(struct schedstat_recorded *r);
/**
 * schedstat_take - take a record.
 * @rec: in native order, of any type
 * @env: of the recording, for the names of domains
 */
void schedstat_take(struct schedstat_recorded *r, const void *rec, size_t size,
		    const struct env *env);

/* ---- differences and sums ---- */

/* So many could not be compared, because they came or went between two moments. */
struct schedstat_gone {
	u32 cpus;    /* they are in one of both only */
	u32 domains; /* likewise, of the other CPUs */
};

/**
 * schedstat_change - set @out to what was counted between two moments. Counters of 32 bits may have
 * run over once.
 * Return: 0, or -EINVAL and a sentence: there is nothing to be compared.
 */
int schedstat_change(const struct schedstat *before, const struct schedstat *after,
		     struct schedstat *out, struct schedstat_gone *gone, struct err *err);
/**
 * schedstat_sum - add up all CPUs, and their domains by name, or by level where there are no names.
 * @out: gets one CPU, SCHEDSTAT_ALL; schedstat_release() frees it
 */
void schedstat_sum(const struct schedstat *s, struct schedstat *out);
/**
 * schedstat_find_cpu, schedstat_find_domain - find the counters in @s that are of the same CPU, or
 * of its domain at the same level, which has the same name where both have one; NULL.
 */
const struct schedstat_cpu *schedstat_find_cpu(const struct schedstat *s, u32 cpu);
const struct schedstat_domain *schedstat_find_domain(const struct schedstat *s,
						     const struct env_domain *is);

/* ---- for the files of this room ---- */

struct schedstat_cpu *schedstat_add_cpu(struct schedstat *s, u32 cpu);
/* The texts of the domain are copied. */
struct schedstat_domain *schedstat_add_domain(struct schedstat *s, const struct env_domain *is);

#endif
