/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of Documentation/format/perf.data.md as data: what the page says of a record or a feature
 * is what a test builds its bytes from, so that the page cannot say what is not so.
 *
 * A table counts when it stands under a heading of level four ("#### Record 3 COMM"). Its columns
 * are: where a field begins (empty: behind what came before), its type, its name.
 *
 *   u8 u16 u32 u64 s32 f64   numbers; f64 is a double
 *   u8[n] char[n]            bytes, and bytes of which one is zero; n a number or a field before
 *   text                     zero-terminated, up to the end, padded with zeros to 8
 *   string                   length and text, as features have them
 *   bytes                    up to the end
 *   attr                     a perf_event_attr of 64 bytes
 *   n × type                 so often as the field n says; "rest": up to the end. May be nested;
 *                            neighbours with the same n are repeated together, up to a row
 *                            without type that says "then"
 *
 * A field named 0 is padding; "name = 3" has that value always.
 */
#ifndef TESTS_DOC_TABLE_H
#define TESTS_DOC_TABLE_H

#include "pdata-build.h"

#define DOC_PATH "Documentation/format/perf.data.md"
#define DOC_REPEAT 2 /* how often what is repeated is */

struct doc_row {
	char at[16], type[64], name[48];
};

struct doc_table {
	char title[80]; /* of the heading, without the marks */
	struct doc_row *rows;
	size_t nr, cap;
	bool offsets; /* the first column says "at"; else it is of the page alone */
};

struct doc {
	struct doc_table *tables;
	size_t nr, cap;
};

/** doc_load - every table; aborts when the page cannot be read. */
void doc_load(struct doc *d);
void doc_release(struct doc *d);
/** doc_find - by title; NULL. */
const struct doc_table *doc_find(const struct doc *d, const char *title);

/* One value that was written. */
struct doc_value {
	char name[48];
	int index; /* how many of that name came before */
	u64 number;
	double real;
	u8 bytes[80]; /* of texts and arrays; @len of them */
	size_t len;
};

struct doc_values {
	struct doc_value *v;
	size_t nr, cap;
	u64 counter;
	bool small;        /* numbers are counted from 1; else all their bytes differ */
	char problem[160]; /* what does not fit together; "" */
};

/** doc_emit - append what @t says to @b. */
void doc_emit(struct pb *b, const struct doc_table *t, struct doc_values *out);
/** doc_name - the name of a row's field, without a value; "0" for padding. */
void doc_name(const struct doc_row *r, char name[48]);
/** doc_get - the @index-th value of a name; NULL. */
const struct doc_value *doc_get(const struct doc_values *v, const char *name, int index);
void doc_values_release(struct doc_values *v);

#endif
