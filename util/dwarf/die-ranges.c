// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ranges of addresses of an entry: from low_pc to high_pc, or a list (DWARF 5, 2.17.3; before
 * version 5 in section .debug_ranges).
 */
#include "base/compat.h"

#include "dwarf/dwarf-internal.h"

static void put_range(struct dw_ranges *to, u64 start, u64 end)
{
	to->fn(to->ctx, start, end);
}

static bool may_read(struct dw_ranges *to)
{
	if (!to->left)
		return false;
	to->left--;
	return true;
}

/* The list of version 2 to 4: pairs of offsets from a base, which a pair may change. */
static void read_pairs(const struct dw_unit *u, u64 off, struct dw_ranges *to)
{
	const struct dw_unit *own = u->skeleton ? u->skeleton : u;
	u8 size = own->sizes.addr;
	struct cur c = dw_cur(own, DW_RANGES, off);
	u64 base = own->low_pc, highest = size == 8 ? UINT64_MAX : UINT32_MAX;

	while (may_read(to)) {
		u64 start = dw_cur_address(&c, size), end = dw_cur_address(&c, size);

		if (!cur_ok(&c) || (!start && !end))
			return;
		if (start == highest)
			base = end;
		else
			put_range(to, base + start, base + end);
	}
}

/* Read one entry of a list of version 5. Return: false at its end. */
static bool read_entry(const struct dw_unit *u, struct cur *c, u64 *base, struct dw_ranges *to)
{
	u8 size = u->sizes.addr;
	u64 a, b;

	switch (cur_u8(c)) {
	case DW_RLE_base_addressx:
		return dw_address_at(u, cur_uleb(c), base);
	case DW_RLE_startx_endx:
		a = cur_uleb(c);
		b = cur_uleb(c);
		if (dw_address_at(u, a, &a) && dw_address_at(u, b, &b) && cur_ok(c))
			put_range(to, a, b);
		break;
	case DW_RLE_startx_length:
		a = cur_uleb(c);
		b = cur_uleb(c);
		if (dw_address_at(u, a, &a) && cur_ok(c))
			put_range(to, a, a + b);
		break;
	case DW_RLE_offset_pair:
		a = cur_uleb(c);
		b = cur_uleb(c);
		if (cur_ok(c))
			put_range(to, *base + a, *base + b);
		break;
	case DW_RLE_base_address:
		*base = dw_cur_address(c, size);
		break;
	case DW_RLE_start_end:
		a = dw_cur_address(c, size);
		b = dw_cur_address(c, size);
		if (cur_ok(c))
			put_range(to, a, b);
		break;
	case DW_RLE_start_length:
		a = dw_cur_address(c, size);
		b = cur_uleb(c);
		if (cur_ok(c))
			put_range(to, a, a + b);
		break;
	default: /* DW_RLE_end_of_list, or what is not known */
		return false;
	}
	return cur_ok(c);
}

static void read_rnglist(const struct dw_unit *u, u64 off, struct dw_ranges *to)
{
	struct cur c = dw_cur(u, DW_RNGLISTS, off);
	u64 base = u->skeleton ? u->skeleton->low_pc : u->low_pc;

	while (may_read(to) && read_entry(u, &c, &base, to))
		;
}

static void read_list(const struct dw_unit *u, const struct dw_value *v, struct dw_ranges *to)
{
	u8 size = u->sizes.offset;
	struct cur c;
	u64 off;

	if (v->form == DW_FORM_rnglistx) {
		if (v->n > u->sec[DW_RNGLISTS].len / size)
			return;
		c = dw_cur(u, DW_RNGLISTS, u->rnglists_base + v->n * size);
		off = dw_cur_offset(&c, size);
		if (cur_ok(&c))
			read_rnglist(u, u->rnglists_base + off, to);
	} else if (dw_offset(v, &off) && u->sizes.version >= 5) {
		read_rnglist(u, off, to);
	} else if (dw_offset(v, &off)) {
		read_pairs(u, u->skeleton ? off + u->skeleton->ranges_base : off, to);
	}
}

void dw_die_ranges(const struct dw_die *d, struct dw_ranges *to)
{
	u64 low, high;

	if (dw_has(d, DW_RANGE_LIST)) {
		read_list(d->u, &d->v[DW_RANGE_LIST], to);
		return;
	}
	if (!dw_has(d, DW_LOW_PC) || !dw_has(d, DW_HIGH_PC) || !may_read(to) ||
	    !dw_address(d->u, &d->v[DW_LOW_PC], &low))
		return;
	/* From version 4 on the end may be a length. */
	if (dw_address(d->u, &d->v[DW_HIGH_PC], &high))
		put_range(to, low, high);
	else if (dw_number(&d->v[DW_HIGH_PC], &high))
		put_range(to, low, low + high);
}
