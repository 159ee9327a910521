// SPDX-License-Identifier: GPL-2.0-or-later
/* These functions compare rows by column: each returns a sum or a rank of a row (struct
 * hist_column). */
#include "columns/columns-internal.h"

#include "resolve/resolve.h"
#include "symbol/symbol.h"

static const struct hist_base *base_of(const struct hist *h, const struct hist_row *row)
{
	return hist_base(h, row->base);
}

/* ---- columns of any value ---- */

RANK(value)
{
	return hist_value(h, row, col);
}

RANK(value_down)
{
	return ~hist_value(h, row, col);
}

RANK(value_signed)
{
	return hist_signed_rank(hist_value(h, row, col));
}

RANK(text)
{
	return hist_text_rank(h, hist_value(h, row, col));
}

RANK(text_down)
{
	return UINT32_MAX - hist_text_rank(h, hist_value(h, row, col));
}

RANK(address)
{
	return hist_signed_rank(hist_value_addr(h, row, col)->ip);
}

/* ---- sums ---- */

RANK(period)
{
	return member ? row->more->members[member - 1].period : row->period;
}

RANK(acc)
{
	if (!hist_config(h)->children)
		return 0;
	return member ? row->more->members[member - 1].acc_period : row->more->acc_period;
}

RANK(nr)
{
	return member ? row->more->members[member - 1].nr : row->nr;
}

RANK(mode)
{
	if (!row->more || !row->more->modes)
		return 0;
	return row->more->modes[member * hist_nr_modes(&hist_config(h)->cols) + col->mode];
}

/* ---- who ---- */

RANK(comm)
{
	return hist_comm_rank(h, base_of(h, row)->comm);
}

/* Ids of threads and processes and numbers of CPUs are signed 32-bit numbers: -1 is unknown. */
static u64 rank_id(u64 id)
{
	return id ^ 0x80000000u;
}

RANK(tid)
{
	return rank_id(base_of(h, row)->tid);
}

RANK(tgid)
{
	return rank_id(hist_value(h, row, col));
}

RANK(cpu)
{
	return rank_id(base_of(h, row)->cpu);
}

/* ---- where ---- */

RANK(dso)
{
	return hist_dso_rank(h, hist_place(h, row->place)->dso);
}

RANK(sym)
{
	return hist_name_rank(h, row->place);
}

u64 identity_sym(const struct hist *h, const struct hist_row *row)
{
	return hist_place_rank(h, row->place);
}

RANK(place)
{
	return hist_place_rank(h, row->place);
}

RANK(parent)
{
	u64 parent = hist_value(h, row, col);

	return parent ? hist_text_rank(h, parent) : UINT32_MAX;
}

/* ---- branches, whose objects are in the order Z before A ---- */

RANK(dso_from)
{
	return UINT32_MAX - hist_dso_rank(h, hist_place(h, base_of(h, row)->from)->dso);
}

RANK(dso_to)
{
	return UINT32_MAX - hist_dso_rank(h, hist_place(h, row->place)->dso);
}

RANK(sym_from)
{
	return hist_place_rank(h, base_of(h, row)->from);
}

/* Addresses are ordered by their object and by where they are in it. */
RANK(branch_end)
{
	const struct key_addr *addr = hist_value_addr(h, row, col);
	u64 dso = UINT16_MAX - MIN(hist_dso_rank(h, addr->dso), (u32)UINT16_MAX);

	return dso << 48 | (addr->addr & ((1ULL << 48) - 1));
}

RANK(cycles)
{
	return UINT16_MAX - base_of(h, row)->cycles;
}

RANK(flag)
{
	return base_of(h, row)->flags & col->flag;
}

/* ---- memory accesses ---- */

/*
 * Return a rank in which the bits decide that data sources had from the beginning, then the higher
 * ones that were added later.
 */
static u64 rank_in_two(u64 v, int low)
{
	return (v & ((1ULL << low) - 1)) << 32 | v >> low;
}

RANK(level)
{
	return rank_in_two(hist_value(h, row, col), 19);
}

RANK(snoop)
{
	return rank_in_two(hist_value(h, row, col), 24);
}

RANK(data_dso)
{
	return UINT32_MAX - hist_dso_rank(h, (u32)hist_value(h, row, col)); /* Z before A */
}
