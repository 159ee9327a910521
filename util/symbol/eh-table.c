// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where functions start, according to the table of section .eh_frame_hdr, which every linked object
 * with unwind information has, also a stripped one: pairs of 32-bit offsets behind the section's
 * address, sorted by the first of them.
 */
#include "base/compat.h"

#include "symbol/symbol-internal.h"

/* Encodings of pointers in it (DW_EH_PE_*). */
#define SDATA4 0x0b
#define UDATA4 0x03
#define FROM_SECTION 0x30
#define FORM 0x0f

#define HEADER 12 /* bytes: version, three encodings, address of .eh_frame, number of entries */
#define ENTRY 8

static u32 word_at(const u8 *p, bool swap)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

void eh_table_read(struct eh_table *t, const struct elf_image *e)
{
	const struct elf_section *s = elf_image_section(e, ".eh_frame_hdr");
	size_t len = 0;
	const u8 *p = s ? elf_image_bytes(e, s, &len) : NULL;

	*t = (struct eh_table){ 0 };
	/* Other encodings are possible; linkers do not write them. */
	if (!p || len < HEADER || p[0] != 1 ||
	    ((p[1] & FORM) != SDATA4 && (p[1] & FORM) != UDATA4) || p[2] != UDATA4 ||
	    p[3] != (FROM_SECTION | SDATA4))
		return;
	t->nr = MIN((size_t)word_at(p + 8, e->swap), (len - HEADER) / ENTRY);
	t->entries = p + HEADER;
	t->base = s->addr;
	t->swap = e->swap;
}

static u64 start_at(const struct eh_table *t, size_t i)
{
	return t->base + (u64)(s32)word_at(t->entries + i * ENTRY, t->swap);
}

u32 eh_table_room(const struct eh_table *t, u64 vaddr)
{
	size_t lo = 0, hi = t->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (start_at(t, mid) <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* A table out of order is a damaged one. */
	if (lo == t->nr || start_at(t, lo) <= vaddr)
		return 0;
	return (u32)MIN(start_at(t, lo) - vaddr, (u64)UINT32_MAX);
}
