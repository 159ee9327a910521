/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_LOCKTEXT_LOCKTEXT_INTERNAL_H
#define PERF_LOCKTEXT_LOCKTEXT_INTERNAL_H

#include "locktext/locktext.h"

/* What rows are about is put in words by these. All may be asked for any row. */
struct lock_words {
	/* Return the function or variable at an address of the kernel, valid until the next call;
	 * NULL: unknown. @start: where it starts */
	const char *(*symbol)(void *ctx, u64 address, u64 *start);
	/* Return the name of the task of a row, valid until the next call. @tid: of it */
	const char *(*task)(void *ctx, const struct lock_row *row, u32 *tid);
	/* Return the path of a cgroup; NULL: unknown. */
	const char *(*cgroup)(void *ctx, u64 id);
	/* Return the *@nr addresses of the call chain of a row. */
	const u64_una *(*chain)(void *ctx, const struct lock_row *row, u32 *nr);
	void *ctx;
};

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
/** lock_type_name - return the name of a type, "rwsem:R". */
const char *lock_type_name(enum lock_type type);
/** lock_put_kind - append the name of a type without what was wanted of the lock, "rwsem". */
void lock_put_kind(enum lock_type type, struct strbuf *out);

/* ---- callers ---- */

/* Code of locks, which is not what asks for them. */
struct lock_code {
	const struct lock_words *words;
	u64 from[2], to[2]; /* places with such code; 0: unknown */
	u32 skip;           /* frames that are left out before */
};

/**
 * lock_code_caller - return the address of the innermost code of a call chain that is no lock's; 0:
 * there is none.
 */
u64 lock_code_caller(const struct lock_code *c, const u64_una *ips, u32 nr);

/** lock_put_code - append "function+0x12", or the address. */
void lock_put_code(const struct lock_words *w, u64 address, struct strbuf *out);
/** lock_stack_matches - tell whether a function of a call chain has a text of the list in its
 * name. */
bool lock_stack_matches(const struct lock_words *w, const struct name_list *texts,
			const u64_una *ips, u32 nr);
/**
 * lock_is_listed - tell whether a lock is in the list, by its address or name.
 * @name: that of LOCKDEP; "": the symbol at the address counts
 */
bool lock_is_listed(const struct lock_words *w, const struct name_list *locks, u64 address,
		    const char *name);
/** lock_cgroup_is_listed - tell whether a cgroup, or one above it, is in the list. */
bool lock_cgroup_is_listed(const struct name_list *cgroups, const char *path);

/* ---- tables ---- */

/* A table is made of this. */
struct lock_table {
	const struct lock_show *show;
	const struct lock_words *words;
	const struct lock_row *rows;
	size_t nr;
	struct lock_missing missing;
};

/** lock_put_table - append the table of LOCK_REPORT or LOCK_CONTENTION. */
void lock_put_table(const struct lock_table *t, struct strbuf *out);
/** lock_put_map - append the addresses of locks and their names. */
void lock_put_map(const struct lock_table *t, struct strbuf *out);
/** lock_put_missing - append what could not be counted. */
void lock_put_missing(const struct lock_missing *m, struct strbuf *out);

#endif
