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

static void make_room(struct arrow_column *c, u64 row)
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

static inline void set_valid(struct arrow_column *c, u64 row)
{
	if (unlikely(row >= c->cap))
		make_room(c, row);
	c->valid[row / 8] |= (u8)(1 << row % 8);
	c->nr_valid++;
}

void arrow_set_number(struct arrow_column *c, u64 row, u64 value)
{
	set_valid(c, row);
	switch (c->type) {
	case ARROW_BOOL:
		((u8 *)c->values)[row / 8] |= (u8)(!!value << row % 8);
		break;
	case ARROW_U32:
	case ARROW_NAME:
		((u32 *)c->values)[row] = (u32)value;
		break;
	default:
		((u64 *)c->values)[row] = value;
	}
}

/* Rows up to @row that have not ended yet are empty. */
static void end_rows(struct arrow_column *c, u64 row)
{
	for (; c->ended < row; c->ended++)
		c->ends[c->ended + 1] = c->ends[c->ended];
}

void arrow_set_text(struct arrow_column *c, u64 row, const char *text, size_t len)
{
	set_valid(c, row);
	end_rows(c, row);
	strbuf_add(&c->text, text, len);
	c->ends[row + 1] = (u32)c->text.len;
	c->ended = row + 1;
}

u64 arrow_set_list(struct arrow_column *c, u64 row, u32 nr)
{
	u32 first;

	set_valid(c, row);
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
		make_room(c, rows - 1);
	if (c->ends)
		end_rows(c, rows);
}

void arrow_column_reset(struct arrow_column *c)
{
	for (u32 i = 0; i < c->nr_children; i++)
		arrow_column_reset(&c->children[i]);
	if (!c->nr_valid)
		return;
	memset(c->valid, 0, c->cap / 8);
	if (c->values)
		memset(c->values, 0, arrow_values_size(c->type, c->cap));
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
