// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "codec/flatbuf.h"

void flat_number(struct strbuf *b, u64 value, u8 size)
{
	for (u8 i = 0; i < size; i++)
		strbuf_addch(b, (char)(value >> 8 * i));
}

static void add_zeros(struct strbuf *b, size_t nr)
{
	strbuf_grow(b, nr);
	memset(b->buf + b->len, 0, nr);
	b->len += nr;
}

static size_t aligned(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

void flat_align(struct strbuf *b, size_t to)
{
	add_zeros(b, aligned(b->len, to) - b->len);
}

/* The list of offsets that describes a table stands before it. */
size_t flat_table(struct strbuf *b, const struct flat_slot *slots, u32 nr, size_t *at)
{
	size_t list, table, end, places[FLAT_SLOTS];

	flat_align(b, 2);
	list = b->len;
	table = aligned(list + 4 + 2 * nr, 4);
	end = table + 4;
	for (u32 i = 0; i < nr; i++) {
		places[i] = aligned(end, MAX(slots[i].size, (u8)1));
		end = slots[i].size ? places[i] + slots[i].size : end;
	}
	flat_number(b, 4 + 2 * nr, 2);
	flat_number(b, end - table, 2);
	for (u32 i = 0; i < nr; i++)
		flat_number(b, slots[i].size ? places[i] - table : 0, 2);
	flat_align(b, 4);
	flat_number(b, table - list, 4);
	for (u32 i = 0; i < nr; i++) {
		if (slots[i].size) {
			add_zeros(b, places[i] - b->len);
			flat_number(b, slots[i].value, slots[i].size);
		}
	}
	if (at)
		memcpy(at, places, nr * sizeof(*at));
	return table;
}

size_t flat_vector(struct strbuf *b, u32 nr, size_t align)
{
	size_t head;

	add_zeros(b, aligned(b->len + 4, MAX(align, (size_t)4)) - 4 - b->len);
	head = b->len;
	flat_number(b, nr, 4);
	return head;
}

size_t flat_refs(struct strbuf *b, u32 nr)
{
	size_t head = flat_vector(b, nr, 4);

	add_zeros(b, 4 * (size_t)nr);
	return head;
}

size_t flat_string(struct strbuf *b, const char *s)
{
	size_t len = strlen(s), head = flat_vector(b, (u32)len, 1);

	strbuf_add(b, s, len);
	strbuf_addch(b, '\0');
	return head;
}

void flat_refer(struct strbuf *b, size_t at, size_t target)
{
	for (int i = 0; i < 4; i++)
		b->buf[at + i] = (char)((target - at) >> 8 * i);
}
