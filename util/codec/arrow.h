/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables in the Arrow IPC formats (arrow.apache.org, "Arrow Columnar Format", version 5 of the
 * metadata): a schema, batches of rows as columns, and the dictionaries that columns of names point
 * into. Any value may be null. A file lists at its end where its messages are, so its dictionaries
 * may stand behind the batches, when all their names are known. A stream is read as it comes: it
 *has no list, and a dictionary has to stand before the first batch that needs it. A later one of
 *the same id takes its place.
 *
 *	arrow_begin(&f)
 *	arrow_set_...(&f.columns[i], row, ...), arrow_batch(&f, rows)	and so on
 *	arrow_dictionary(&f, id, texts, nr), arrow_end(&f)
 */
#ifndef PERF_CODEC_ARROW_H
#define PERF_CODEC_ARROW_H

#include "base/strbuf.h"

enum arrow_type {
	ARROW_U32,
	ARROW_U64,
	ARROW_S64,
	ARROW_BOOL,
	ARROW_TEXT,   /* UTF-8 */
	ARROW_NAME,   /* the number of an UTF-8 text in a dictionary */
	ARROW_LIST,   /* of its only child */
	ARROW_STRUCT, /* of its children */
};

/* A column, with its values in the batch at hand. */
struct arrow_column {
	char *name; /* owned, as all the rest is */
	enum arrow_type type;
	u32 dictionary; /* id; of ARROW_NAME */
	struct arrow_column *children;
	u32 nr_children;
	/* Private, except that texts may be appended to: */
	u8 *valid;          /* a bit for each row */
	void *values;       /* of numbers */
	u32 *ends;          /* of texts and lists: where each begins, and where the last one ends */
	struct strbuf text; /* all texts */
	size_t cap;         /* rows that there is room for */
	u64 ended;          /* rows whose ends are set */
	u64 nr_valid;
};

/* The place of a message in the file. */
struct arrow_block {
	u64 at, body;
	u32 head; /* bytes before the body */
};

struct arrow_blocks {
	struct arrow_block *v; /* owned */
	size_t nr, cap;
};

struct arrow_file {
	struct arrow_column *columns; /* owned */
	u32 nr;
	bool stream; /* it is no file but a stream */
	/* Takes the bytes of the file. */
	void (*put)(void *ctx, const void *data, size_t len);
	void *ctx;
	/* private: */
	u64 at; /* bytes so far */
	struct arrow_blocks dictionaries, batches;
};

/** arrow_make_room - make room for a row; a part of arrow_set_number(). */
void arrow_make_room(struct arrow_column *c, u64 row);

static inline void arrow_set_valid(struct arrow_column *c, u64 row)
{
	if (unlikely(row >= c->cap))
		arrow_make_room(c, row);
	c->valid[row / 8] |= (u8)(1 << row % 8);
	c->nr_valid++;
}

/** arrow_set_number - set a number, a truth value or the number of a name. Rows are set in their
 * order, each once; those that are left out are null. */
static inline void arrow_set_number(struct arrow_column *c, u64 row, u64 value)
{
	arrow_set_valid(c, row);
	if (c->type == ARROW_U64 || c->type == ARROW_S64)
		((u64 *)c->values)[row] = value;
	else if (c->type == ARROW_BOOL)
		((u8 *)c->values)[row / 8] |= (u8)(!!value << row % 8);
	else
		((u32 *)c->values)[row] = (u32)value;
}

/**
 * arrow_set_numbers - set @nr rows to numbers at once.
 * Return: where the caller puts them, as u64 or u32 according to the type.
 */
void *arrow_set_numbers(struct arrow_column *c, u64 row, u64 nr);
/** arrow_set_text - set a text, which is UTF-8. */
void arrow_set_text(struct arrow_column *c, u64 row, const char *text, size_t len);
/** arrow_end_text - set a text that the caller has appended to c->text. */
void arrow_end_text(struct arrow_column *c, u64 row);
/** arrow_set_list - set a list of @nr items. Return: the row of the first of them in the child. */
u64 arrow_set_list(struct arrow_column *c, u64 row, u32 nr);

/** arrow_append - set rows from @at on to the @rows rows of a column of the same kind. */
void arrow_append(struct arrow_column *to, u64 at, struct arrow_column *from, u64 rows);
/** arrow_items - return how many items the lists in the first @rows rows have. */
u64 arrow_items(const struct arrow_column *c, u64 rows);
/** arrow_bytes - return how many bytes the values of @rows rows take. */
u64 arrow_bytes(const struct arrow_column *c, u64 rows);
/** arrow_empty - make all of the @rows rows null, for the next ones. */
void arrow_empty(struct arrow_column *c, u64 rows);

/** arrow_begin - write what stands before the first batch. columns, nr, put and ctx are set. */
void arrow_begin(struct arrow_file *f);
/** arrow_batch - write @rows rows, and empty the columns for the next ones. */
void arrow_batch(struct arrow_file *f, u64 rows);
/** arrow_dictionary - write the @nr texts of the dictionary @id from a column of texts. */
void arrow_dictionary(struct arrow_file *f, u32 id, struct arrow_column *texts, u64 nr);
/** arrow_end - write what stands behind the last message. */
void arrow_end(struct arrow_file *f);
/** arrow_release - free columns and all. */
void arrow_release(struct arrow_file *f);
/** arrow_column_release - free what a column owns. */
void arrow_column_release(struct arrow_column *c);

#endif
