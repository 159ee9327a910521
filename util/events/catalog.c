// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of events that can be measured: the generic events, which do not depend on the machine.
 */
#include "base/compat.h"
#include "events/catalog.h"

#include "base/alloc.h"
#include "events/names.h"

#include <fnmatch.h>
#include <linux/perf_event.h>

void catalog_release(struct catalog *c)
{
	free(c->v);
	arena_release(&c->strings);
	memset(c, 0, sizeof(*c));
}

struct catalog_event *catalog_add(struct catalog *c, enum catalog_kind kind, const char *name)
{
	VEC_GROW(c->v, c->nr + 1, c->cap);
	c->v[c->nr] = (struct catalog_event){ .kind = kind, .name = name };
	return &c->v[c->nr++];
}

const char *catalog_kind_name(enum catalog_kind kind)
{
	static const char *const names[CATALOG_NR] = {
		[CATALOG_HARDWARE] = "Hardware event",
		[CATALOG_SOFTWARE] = "Software event",
		[CATALOG_TOOL] = "Tool event",
		[CATALOG_CACHE] = "Hardware cache event",
		[CATALOG_PMU] = "Kernel PMU event",
		[CATALOG_RAW] = "Raw hardware event descriptor",
		[CATALOG_BREAKPOINT] = "Hardware breakpoint",
		[CATALOG_TRACEPOINT] = "Tracepoint event",
		[CATALOG_SDT] = "SDT event",
		[CATALOG_METRIC] = "Metric",
	};

	return names[kind];
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct catalog_event *)a)->name,
		      ((const struct catalog_event *)b)->name);
}

void catalog_sort(struct catalog *c, size_t first)
{
	if (c->nr > first)
		qsort(c->v + first, c->nr - first, sizeof(*c->v), by_name);
}

/* An event with two names is listed under the longer one, which is more informative. */
void catalog_generic(struct catalog *c, enum catalog_kind kind)
{
	u32 type = kind == CATALOG_HARDWARE ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
	size_t nr, first = c->nr;
	const struct event_symbol *s = event_symbols(&nr);

	for (; nr--; s++) {
		bool swap = s->alias && strlen(s->alias) > strlen(s->name);
		struct catalog_event *e;

		if (s->type != type)
			continue;
		e = catalog_add(c, kind, swap ? s->alias : s->name);
		e->alias = swap ? s->name : s->alias;
		e->pmu = kind == CATALOG_HARDWARE ? "cpu" : "software";
		e->type = type;
		e->config = s->config;
	}
	catalog_sort(c, first);
}

void catalog_cache(struct catalog *c)
{
	struct strbuf sb = STRBUF_INIT;
	u32 cache, op, result;

	for (cache = 0; cache < PERF_COUNT_HW_CACHE_MAX; cache++)
		for (op = 0; op < PERF_COUNT_HW_CACHE_OP_MAX; op++)
			for (result = 0; result < PERF_COUNT_HW_CACHE_RESULT_MAX; result++) {
				struct catalog_event *e;

				if (!event_cache_valid(cache, op))
					continue;
				strbuf_reset(&sb);
				event_cache_name(cache | op << 8 | result << 16, &sb);
				e = catalog_add(c, CATALOG_CACHE,
						arena_strdup(&c->strings, sb.buf));
				e->pmu = "cpu";
				e->type = PERF_TYPE_HW_CACHE;
				e->config = cache | op << 8 | result << 16;
			}
	strbuf_release(&sb);
}

void catalog_tool(struct catalog *c)
{
	static const char *const descs[TOOL_NR] = {
		[TOOL_DURATION_TIME] = "Wall clock time that was measured, in nanoseconds",
		[TOOL_USER_TIME] = "Time in user mode, in nanoseconds",
		[TOOL_SYSTEM_TIME] = "Time in the kernel, in nanoseconds",
		[TOOL_CORE_WIDE] = "1 if all that runs on a core is counted, otherwise 0",
		[TOOL_HAS_PMEM] = "1 if the machine has persistent memory, otherwise 0",
		[TOOL_NUM_CORES] = "Number of cores, each of which has one or more CPUs",
		[TOOL_NUM_CPUS] = "Number of CPUs that there may be",
		[TOOL_NUM_CPUS_ONLINE] = "Number of CPUs that are online",
		[TOOL_NUM_DIES] = "Number of dies, each of which has one or more cores",
		[TOOL_NUM_PACKAGES] = "Number of packages, each of which has one or more dies",
		[TOOL_SLOTS] = "Operations that fit in a cycle, as a PMU of arm64 tells it",
		[TOOL_SMT_ON] = "1 if cores run several threads at a time, otherwise 0",
		[TOOL_SYSTEM_TSC_FREQ] = "Cycles of the time stamp counter per second",
		[TOOL_TARGET_CPU] = "1 if CPUs are counted, 0 if threads or processes are",
	};
	int t;

	for (t = TOOL_NONE + 1; t < TOOL_NR; t++) {
		struct catalog_event *e =
			catalog_add(c, CATALOG_TOOL, event_tool_name((enum tool_event)t));

		e->pmu = "tool";
		e->desc = descs[t];
	}
}

void catalog_raw(struct catalog *c)
{
	catalog_add(c, CATALOG_RAW, "rNNN")->pmu = "cpu";
	catalog_add(c, CATALOG_RAW, "cpu/t1=v1[,t2=v2,t3 ...]/modifier")->pmu = "cpu";
}

void catalog_breakpoint(struct catalog *c)
{
	catalog_add(c, CATALOG_BREAKPOINT, "mem:<addr>[/len][:access]")->pmu = "breakpoint";
}

bool catalog_match(const char *pattern, const char *name, bool any_case)
{
	return !fnmatch(pattern, name, any_case ? FNM_CASEFOLD : 0);
}
