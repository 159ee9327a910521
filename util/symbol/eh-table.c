// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "symbol/symbol-internal.h"

#include "base/cur.h"

/* Encodings of pointers in it (DW_EH_PE_*). */
#define SDATA4 0x0b
#define UDATA4 0x03
#define FROM_SECTION 0x30
#define FORM 0x0f

#define ENTRY 8 /* bytes: the offsets of a function and of its entry from the section's address */

static u32 word_at(const struct eh_table *t, size_t i)
{
	u32 v;

	memcpy(&v, t->entries + i * sizeof(v), sizeof(v));
	return t->swap ? __builtin_bswap32(v) : v;
}

bool eh_table_parse(struct eh_table *t, const u8 *bytes, size_t size, u64 addr, bool swap)
{
	struct cur c = cur_make(bytes, size, swap);
	const u8 *p = cur_bytes(&c, 4); /* version, encodings */

	*t = (struct eh_table){ 0 };
	/* Other encodings are possible; linkers do not write them. */
	if (!p || p[0] != 1 || ((p[1] & FORM) != SDATA4 && (p[1] & FORM) != UDATA4) ||
	    p[2] != UDATA4 || p[3] != (FROM_SECTION | SDATA4))
		return false;
	cur_u32(&c); /* the address of .eh_frame */
	t->nr = cur_u32(&c);
	t->nr = MIN(t->nr, cur_left(&c) / ENTRY);
	t->entries = c.p;
	t->base = addr;
	t->swap = swap;
	return t->nr;
}

void eh_table_read(struct eh_table *t, const struct elf_image *e)
{
	const struct elf_section *s = elf_image_section(e, ".eh_frame_hdr");
	size_t len = 0;
	const u8 *p = s ? elf_image_bytes(e, s, &len) : NULL;

	eh_table_parse(t, p, len, s ? s->addr : 0, e->swap);
}

static u64 start_at(const struct eh_table *t, size_t i)
{
	return t->base + (u64)(s64)(s32)word_at(t, 2 * i);
}

/* The first entry that starts behind @vaddr. */
static size_t first_behind(const struct eh_table *t, u64 vaddr)
{
	size_t lo = 0, hi = t->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (start_at(t, mid) <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

u32 eh_table_room(const struct eh_table *t, u64 vaddr)
{
	size_t next = first_behind(t, vaddr);

	/* A table out of order is a damaged one. */
	if (next == t->nr || start_at(t, next) <= vaddr)
		return 0;
	return (u32)MIN(start_at(t, next) - vaddr, (u64)UINT32_MAX);
}

bool eh_table_find(const struct eh_table *t, u64 vaddr, u64 *fde)
{
	size_t next = first_behind(t, vaddr);

	if (next)
		*fde = t->base + (u64)(s64)(s32)word_at(t, 2 * next - 1);
	return next;
}
