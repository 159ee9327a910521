// SPDX-License-Identifier: GPL-2.0-or-later
/* This table has the columns of numbers, and another one the names of types. */
#include "base/compat.h"

#include "locktext/locktext-internal.h"

#define TIME_COLUMNS 12

#define OF(view) (1U << (view))
#define BOTH (OF(LOCK_REPORT) | OF(LOCK_CONTENTION))

static u64 acquired(const struct lock_row *row)
{
	return row->acquired;
}

static u64 contended(const struct lock_row *row)
{
	return row->contended;
}

static u64 average(const struct lock_row *row)
{
	return row->waits.count ? row->waits.total / row->waits.count : 0;
}

static u64 total(const struct lock_row *row)
{
	return row->waits.total;
}

static u64 longest(const struct lock_row *row)
{
	return row->waits.max;
}

static u64 shortest(const struct lock_row *row)
{
	return row->waits.min;
}

const struct lock_column lock_columns[LOCK_COLUMNS] = {
	{ "acquired", "acquired", 10, false, OF(LOCK_REPORT), OF(LOCK_REPORT), acquired },
	{ "contended", "contended", 10, false, BOTH, BOTH, contended },
	{ "avg_wait", "avg wait", TIME_COLUMNS, true, BOTH, BOTH, average },
	{ "wait_total", "total wait", TIME_COLUMNS, true, BOTH, BOTH, total },
	{ "wait_max", "max wait", TIME_COLUMNS, true, BOTH, BOTH, longest },
	{ "wait_min", "min wait", TIME_COLUMNS, true, BOTH, OF(LOCK_REPORT), shortest },
};

void lock_put_time(u64 ns, struct strbuf *out)
{
	static const struct {
		u64 ns;
		const char *name;
	} units[] = {
		{ 3600000000000, "h " }, { 60000000000, "m " }, { 1000000000, "s " },
		{ 1000000, "ms" },       { 1000, "us" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (ns < units[i].ns)
			continue;
		/* Halves are rounded as perf 6.1 does, which divides with this precision. */
		strbuf_addf(out, "%*.2f %s", TIME_COLUMNS - 3,
			    (double)((float)ns / (float)units[i].ns), units[i].name);
		return;
	}
	strbuf_addf(out, "%*" PRIu64 " ns", TIME_COLUMNS - 3, ns);
}

/* ---- types ---- */

const char *lock_type_name(enum lock_type type)
{
	static const char *const names[LOCK_TYPES] = {
		[LOCK_UNKNOWN] = "unknown",
		[LOCK_SEMAPHORE] = "semaphore",
		[LOCK_SPINLOCK] = "spinlock",
		[LOCK_RWLOCK_R] = "rwlock:R",
		[LOCK_RWLOCK_W] = "rwlock:W",
		[LOCK_RWSEM_R] = "rwsem:R",
		[LOCK_RWSEM_W] = "rwsem:W",
		[LOCK_RT_MUTEX] = "rt-mutex",
		[LOCK_RWLOCK_RT_R] = "rwlock-rt:R",
		[LOCK_RWLOCK_RT_W] = "rwlock-rt:W",
		[LOCK_PERCPU_SEM_R] = "pcpu-sem:R",
		[LOCK_PERCPU_SEM_W] = "pcpu-sem:W",
		[LOCK_MUTEX] = "mutex",
	};

	return type < LOCK_TYPES ? names[type] : names[LOCK_UNKNOWN];
}

void lock_put_kind(enum lock_type type, struct strbuf *out)
{
	const char *name = lock_type_name(type);

	strbuf_add(out, name, strcspn(name, ":"));
}
