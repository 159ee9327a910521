/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_LOCKTEXT_LOCKTEXT_INTERNAL_H
#define PERF_LOCKTEXT_LOCKTEXT_INTERNAL_H

#include "locktext/table.h"

#include "export/heatmap.h"

/* ---- columns ---- */

struct lock_column {
	const char *name, *title;
	int width;
	bool is_time; /* in ns */
	u32 views;    /* bits of enum lock_view that can show it */
	u32 usual;    /* bits of those that show it unless users choose */
	u64 (*value)(const struct lock_row *row);
};

extern const struct lock_column lock_columns[LOCK_COLUMNS];

/** lock_put_time - append a time in 12 columns and in the unit that suits it. */
void lock_put_time(u64 ns, struct strbuf *out);
/** lock_put_kind - append the name of a type without what was wanted of the lock, "rwsem". */
void lock_put_kind(enum lock_type type, struct strbuf *out);

/* ---- callers ---- */

/** lock_put_code - append "function+0x12", or the address. */
void lock_put_code(const struct lock_words *w, u64 address, struct strbuf *out);
/**
 * lock_is_listed - tell whether a lock is in the list, by its address or name.
 * @name: that of LOCKDEP; "": the symbol at the address counts
 */
bool lock_is_listed(const struct lock_words *w, const struct name_list *locks, u64 address,
		    const char *name);
/** lock_cgroup_is_listed - tell whether a cgroup, or one above it, is in the list. */
bool lock_cgroup_is_listed(const struct name_list *cgroups, const char *path);

/* ---- tables ---- */

/** lock_put_map - append the addresses of locks and their names. */
void lock_put_map(const struct lock_table *t, struct strbuf *out);
/** lock_put_missing - append what could not be counted. */
void lock_put_missing(const struct lock_missing *m, struct strbuf *out);

/* ---- recordings ---- */

/* Tasks are named by this. */
struct lock_task_words {
	struct task_table *tasks; /* borrowed */
	char unnamed[16];         /* the name of one that no record names */
};

/** lock_task_name - do what lock_words.task() does. @ctx: a struct lock_task_words */
const char *lock_task_name(void *ctx, const struct lock_row *row, u32 *tid);
/** lock_put_losses - append lines on events that the recording lacks. */
void lock_put_losses(const struct lock_show *s, const struct analysis *a, struct strbuf *notes);

/** lock_map_new - return an empty heat map of waits; NULL: none is wanted. span_map_free() frees
 * it. */
struct span_map *lock_map_new(const struct lock_show *s);

#endif
