/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packed rows of samples: columns of a thousand rows at most, which one thread fills and another
 * one appends to a table. The text that stands for them is a list of their numbers (u32,
 * unaligned).
 */
#ifndef PERF_CONVERT_ROWS_CHUNK_H
#define PERF_CONVERT_ROWS_CHUNK_H

#include "base/intern.h"
#include "codec/arrow.h"

#include <pthread.h>

#define CHUNK_ROWS 1024 /* at most */
#define ROW_NO_NAME UINT32_MAX

struct rows;

/* The columns of frames of call chains, in their order. */
enum chain_part { PART_IP, PART_SYM, PART_SYMOFF, PART_DSO, PART_INLINED, PART_NR };

struct row_chunk {
	struct arrow_column *columns;        /* owned; names are ids of the store's */
	struct arrow_column *frame[PART_NR]; /* borrowed from them; NULL: frames do not have it */
	u32 nr, number;
	u64 rows;
	struct row_chunk *next; /* of those that are free */
};

/* The names of all packed rows, which are valid UTF-8 and have one id each, and their chunks. */
struct row_store {
	pthread_mutex_t lock; /* of all that follows */
	struct intern names;
	struct strbuf tmp;
	struct row_chunk **chunks; /* owned, by number */
	size_t nr, cap;
	struct row_chunk *free;
};

void row_store_init(struct row_store *s);
void row_store_release(struct row_store *s);

/** row_name - return the id of a name, which may consist of any bytes; NULL: ROW_NO_NAME. */
u32 row_name(struct row_store *s, const char *name);

/**
 * row_columns_new - make the columns of packed rows, without values.
 * @frame: receives those of frames
 * @dictionaries: receives how many of all are columns of names; NULL: that is known
 * Return: r->nr_columns of them, owned by the caller.
 */
struct arrow_column *row_columns_new(const struct rows *r, struct arrow_column *frame[PART_NR],
				     u32 *dictionaries);

/** row_chunk_take - return an empty chunk for rows of @r. */
struct row_chunk *row_chunk_take(struct row_store *s, const struct rows *r);
/** row_chunk_put - append the number of a chunk to @out. */
void row_chunk_put(const struct row_chunk *c, struct strbuf *out);
/** row_chunk_get - return the chunk whose number is at @p. */
struct row_chunk *row_chunk_get(struct row_store *s, const char *p);
/** row_chunk_give - hand a chunk back; its rows are forgotten. */
void row_chunk_give(struct row_store *s, struct row_chunk *c);

#endif
