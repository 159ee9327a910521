/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions make a text of rows that may come from anywhere, and tell who asked for a
 * lock. */
#ifndef PERF_LOCKTEXT_TABLE_H
#define PERF_LOCKTEXT_TABLE_H

#include "lock/futex.h"
#include "locktext/locktext.h"

/** lock_type_name - return the name of a type, "rwsem:R". */
const char *lock_type_name(enum lock_type type);

/* These functions put in words what rows are about. All may be asked for any row. */
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

/* Code of locks lies here. It is not what asks for them. */
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
/* A program at the tracepoint has up to so many frames before those of the lock. */
#define LOCK_FRAMES_OURS 5U
/** lock_code_ours - return how many frames of a call chain that a program has taken are its own. */
u32 lock_code_ours(const struct lock_words *w, const u64_una *ips, u32 nr);
/** lock_code_place - find the code of locks in a kernel. */
void lock_code_place(struct lock_code *c, const struct machine *m, struct symbols *s);
/** lock_stack_matches - tell whether a function of a call chain has a text of the list in its
 * name. */
bool lock_stack_matches(const struct lock_words *w, const struct name_list *texts,
			const u64_una *ips, u32 nr);

/**
 * lock_futex_place - find what the address of a futex is in its process.
 * @l: receives the place; valid as long as the recording
 * Return: the name of the variable, or NULL.
 */
const char *lock_futex_place(struct recording *r, const struct futex_row *row, struct location *l);

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

#endif
