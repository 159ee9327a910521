// SPDX-License-Identifier: GPL-2.0-or-later
/* Collect the values of a batch of rows in columns. */
#include "base/compat.h"
#include "codec/arrow-internal.h"

#include "base/alloc.h"

#define FIRST_ROWS 1024

size_t arrow_value_size(enum arrow_type type)
{
	switch (type) {
	case ARROW_U32:
	case ARROW_NAME:
		return 4;
	case ARROW_U64:
	case ARROW_S64:
		return 8;
	default:
		return 0;
	}
}

size_t arrow_values_size(enum arrow_type type, u64 rows)
{
	return type == ARROW_BOOL ? (rows + 7) / 8 : rows * arrow_value_size(type);
}

/* Resize an array, and make all that is new in it zero. */
static void *grow(void *p, size_t from, size_t to)
{
	if (to == from)
		return p;
	p = xrealloc(p, to, 1);
	memset((u8 *)p + from, 0, to - from);
	return p;
}

void arrow_make_room(struct arrow_column *c, u64 row)
{
	size_t old = c->cap, cap = MAX(old, (size_t)FIRST_ROWS);

	while (cap <= row)
		cap *= 2;
	c->valid = grow(c->valid, old / 8, cap / 8);
	c->values =
		grow(c->values, arrow_values_size(c->type, old), arrow_values_size(c->type, cap));
	if (c->type == ARROW_TEXT || c->type == ARROW_LIST)
		c->ends = grow(c->ends, old ? (old + 1) * sizeof(u32) : 0, (cap + 1) * sizeof(u32));
	c->cap = cap;
}

static void set_bits(u8 *bits, u64 at, u64 nr)
{
	for (; nr && at % 8; nr--, at++)
		bits[at / 8] |= (u8)(1 << at % 8);
	memset(bits + at / 8, 0xff, nr / 8);
	at += nr / 8 * 8;
	if (nr % 8)
		bits[at / 8] |= (u8)((1 << nr % 8) - 1);
}

void *arrow_set_numbers(struct arrow_column *c, u64 row, u64 nr)
{
	if (row + nr > c->cap)
		arrow_make_room(c, row + nr - 1);
	set_bits(c->valid, row, nr);
	c->nr_valid += nr;
	return (u8 *)c->values + row * arrow_value_size(c->type);
}

/* Rows up to @row that have not ended yet are empty. */
static void end_rows(struct arrow_column *c, u64 row)
{
	for (; c->ended < row; c->ended++)
		c->ends[c->ended + 1] = c->ends[c->ended];
}

void arrow_set_text(struct arrow_column *c, u64 row, const char *text, size_t len)
{
	strbuf_add(&c->text, text, len);
	arrow_end_text(c, row);
}

void arrow_end_text(struct arrow_column *c, u64 row)
{
	arrow_set_valid(c, row);
	end_rows(c, row);
	c->ends[row + 1] = (u32)c->text.len;
	c->ended = row + 1;
}

u64 arrow_set_list(struct arrow_column *c, u64 row, u32 nr)
{
	u32 first;

	arrow_set_valid(c, row);
	end_rows(c, row);
	first = c->ends[row];
	c->ends[row + 1] = first + nr;
	c->ended = row + 1;
	return first;
}

void arrow_column_finish(struct arrow_column *c, u64 rows)
{
	if (!c->nr_valid)
		return;
	if (rows > c->cap)
		arrow_make_room(c, rows - 1);
	if (c->ends)
		end_rows(c, rows);
}

/* Set bits from @at on to the @nr bits of @from, which are zero behind them. */
static void copy_bits(u8 *to, u64 at, const u8 *from, u64 nr)
{
	unsigned int shift = at % 8;

	to += at / 8;
	for (u64 i = 0; i < nr; i += 8, to++, from++) {
		to[0] |= (u8)(*from << shift);
		if (*from >> (8 - shift)) /* so nothing is touched that has no room */
			to[1] |= (u8)(*from >> (8 - shift));
	}
}

/* Set the ends of rows whose texts or items follow @base others. */
static void copy_ends(struct arrow_column *to, u64 at, const struct arrow_column *from, u64 rows,
		      u32 base)
{
	end_rows(to, at);
	for (u64 i = 1; i <= rows; i++)
		to->ends[at + i] = base + from->ends[i];
	to->ended = at + rows;
}

/* Append what a column has besides its children. */
static void copy_values(struct arrow_column *to, u64 at, struct arrow_column *from, u64 rows)
{
	size_t size = arrow_value_size(to->type);

	arrow_column_finish(from, rows);
	if (at + rows > to->cap)
		arrow_make_room(to, at + rows - 1);
	copy_bits(to->valid, at, from->valid, rows);
	to->nr_valid += from->nr_valid;
	if (to->type == ARROW_BOOL)
		copy_bits(to->values, at, from->values, rows);
	else if (size)
		memcpy((u8 *)to->values + at * size, from->values, rows * size);
	if (to->type == ARROW_TEXT) {
		copy_ends(to, at, from, rows, (u32)to->text.len);
		strbuf_add(&to->text, from->text.buf, from->text.len);
	} else if (to->type == ARROW_LIST) {
		copy_ends(to, at, from, rows, (u32)arrow_items(to, at));
	}
}

void arrow_append(struct arrow_column *to, u64 at, struct arrow_column *from, u64 rows)
{
	u64 items = rows, first = at;

	if (to->type == ARROW_LIST) {
		items = arrow_items(from, rows);
		first = arrow_items(to, at);
	}
	if (from->nr_valid)
		copy_values(to, at, from, rows);
	for (u32 i = 0; items && i < to->nr_children; i++)
		arrow_append(&to->children[i], first, &from->children[i], items);
}

u64 arrow_items(const struct arrow_column *c, u64 rows)
{
	return c->ended ? c->ends[MIN(rows, c->ended)] : 0;
}

u64 arrow_bytes(const struct arrow_column *c, u64 rows)
{
	u64 items = c->type == ARROW_LIST ? arrow_items(c, rows) : rows;
	u64 bytes = arrow_values_size(c->type, rows) + c->text.len;

	for (u32 i = 0; i < c->nr_children; i++)
		bytes += arrow_bytes(&c->children[i], items);
	return bytes;
}

void arrow_empty(struct arrow_column *c, u64 rows)
{
	u64 items = c->type == ARROW_LIST ? arrow_items(c, rows) : rows;

	for (u32 i = 0; i < c->nr_children; i++)
		arrow_empty(&c->children[i], items);
	if (!c->nr_valid)
		return;
	rows = MIN(rows, (u64)c->cap);
	memset(c->valid, 0, (rows + 7) / 8);
	if (c->values)
		memset(c->values, 0, arrow_values_size(c->type, rows));
	strbuf_reset(&c->text);
	c->ended = c->nr_valid = 0;
}

void arrow_column_release(struct arrow_column *c)
{
	for (u32 i = 0; i < c->nr_children; i++)
		arrow_column_release(&c->children[i]);
	free(c->children);
	free(c->name);
	free(c->valid);
	free(c->values);
	free(c->ends);
	strbuf_release(&c->text);
	*c = (struct arrow_column){ 0 };
}
