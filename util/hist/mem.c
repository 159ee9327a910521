// SPDX-License-Identifier: GPL-2.0-or-later
/* Columns of memory accesses: what was accessed, and what it took. */
#include "base/compat.h"

#include "base/units.h"
#include "hist/hist-internal.h"
#include "wire/data-src.h"

#include <sys/mman.h>

#define RANK(name, what)                                                                           \
	static u64 rank_##name(const struct hist *h, const struct hist_row *row, u32 member)       \
	{                                                                                          \
		(void)member;                                                                      \
		return kept_of(h, row, what);                                                      \
	}
#define FORMAT(name)                                                                               \
	static void format_##name(const struct hist *h, const struct hist_event *ev,               \
				  const struct hist_row *row, u16 width, const char *sep,          \
				  struct strbuf *out)
#define MEASURE(name)                                                                              \
	static void measure_##name(const struct hist *h, const struct hist_row *row, u16 *width,   \
				   u16 *dso_width)

/* ---- parts of a data source ---- */

#define PART(name, what, text)                                                                     \
	RANK(name, what)                                                                           \
	FORMAT(name)                                                                               \
	{                                                                                          \
		text(kept_of(h, row, what), out);                                                  \
	}

/* What was there from the beginning decides, then what was added in higher bits. */
#define PART_IN_TWO(name, what, text, low)                                                         \
	static u64 rank_##name(const struct hist *h, const struct hist_row *row, u32 member)       \
	{                                                                                          \
		u64 v = kept_of(h, row, what), first = v & ((1ULL << (low)) - 1);                  \
                                                                                                   \
		return first << 32 | v >> (low);                                                   \
	}                                                                                          \
	FORMAT(name)                                                                               \
	{                                                                                          \
		text(kept_of(h, row, what), out);                                                  \
	}

PART_IN_TWO(level, KEPT_LEVEL, data_src_level, 19)
PART_IN_TWO(snoop, KEPT_SNOOP, data_src_snoop, 24)
PART(tlb, KEPT_TLB, data_src_tlb)
PART(lock, KEPT_LOCK, data_src_lock)
PART(blocked, KEPT_BLOCKED, data_src_blocked)
PART(data_page_size, KEPT_DATA_PAGE_SIZE, page_size_text)

/* ---- addresses ---- */

static char at_origin(const struct hist_at *at)
{
	return at->symtab ? symtab_origin(at->symtab) : '!';
}

static u64 rank_data(const struct hist *h, const struct hist_row *row, u32 member)
{
	return rank_address(at_of(h, row, KEPT_DATA)->ip);
}

MEASURE(data)
{
	at_measure(at_of(h, row, KEPT_DATA), hist_origin_width(h), width);
}

FORMAT(data)
{
	const struct hist_at *at = at_of(h, row, KEPT_DATA);

	hist_add_origin(h, at->ip, at_origin(at), out);
	add_level(out, row->level);
	at_data_text(at, at->addr, out);
}

static u64 rank_instr(const struct hist *h, const struct hist_row *row, u32 member)
{
	return rank_address(at_of(h, row, KEPT_INSTR)->ip);
}

MEASURE(instr)
{
	at_measure(at_of(h, row, KEPT_INSTR), hist_origin_width(h), width);
}

FORMAT(instr)
{
	const struct hist_at *at = at_of(h, row, KEPT_INSTR);

	hist_add_origin(h, at->ip, at_origin(at), out);
	add_level(out, row->level);
	if (at->sym != UINT32_MAX)
		strbuf_addname(out, symtab_name(at->symtab, at->sym));
	else
		add_address(out, at->ip);
}

static u64 rank_data_dso(const struct hist *h, const struct hist_row *row, u32 member)
{
	return UINT32_MAX - h->dso_rank[kept_of(h, row, KEPT_DATA_DSO)]; /* Z before A */
}

MEASURE(data_dso)
{
	u64 dso = kept_of(h, row, KEPT_DATA_DSO);

	if (dso)
		hist_widen(width, hist_dso_name(h, dso));
	else if (!h->conf.fixed_widths)
		*width = MAX(*width, 16);
}

FORMAT(data_dso)
{
	strbuf_addname(out, hist_dso_name(h, kept_of(h, row, KEPT_DATA_DSO)));
}

static u64 line_of(const struct hist *h, const struct hist_at *at)
{
	return at->addr & ~((u64)h->conf.line_size - 1);
}

static const struct hist_at *at_of_line(const struct hist *h, const struct hist_row *row)
{
	return &h->ats[h->lines[kept_of(h, row, KEPT_DATA_LINE)]];
}

static u64 rank_line(const struct hist *h, const struct hist_row *row, u32 member)
{
	return kept_of(h, row, KEPT_DATA_LINE);
}

MEASURE(line)
{
	const struct hist_at *at = at_of_line(h, row);

	at_measure(at, !!at->map + hist_origin_width(h), width);
}

/* Is it memory of a file that processes share? */
static bool shared_data(const struct hist_at *at)
{
	const struct dso *d = at->map->dso;

	return at->mode != PERF_RECORD_MISC_KERNEL && !(at->map->prot & PROT_EXEC) &&
	       at->map->flags & MAP_SHARED && (d->maj || d->min || d->ino || d->ino_generation);
}

FORMAT(line)
{
	const struct hist_at *at = at_of_line(h, row);

	hist_add_origin(h, line_of(h, at), at_origin(at), out);
	add_level(out, !at->map ? 'X' : shared_data(at) ? 's' : row->level);
	at_data_text(at, line_of(h, at), out);
}

static u64 rank_phys(const struct hist *h, const struct hist_row *row, u32 member)
{
	return rank_address(kept_of(h, row, KEPT_PHYS));
}

FORMAT(phys)
{
	add_level(out, row->level);
	add_address(out, kept_of(h, row, KEPT_PHYS));
}

#define MEM(what) .kept = what, .mem = true, .wide = true
const struct hist_column hist_mem_columns[] = {
	{ "symbol_daddr", "Data Symbol", NEED_AT, MEM(KEPT_DATA), .function = true, .raw = true,
	  .whole = true, .rank = rank_data, .measure = measure_data, .format = format_data },
	{ "dso_daddr", "Data Object", NEED_AT, MEM(KEPT_DATA_DSO), .rank = rank_data_dso,
	  .measure = measure_data_dso, .format = format_data_dso },
	{ "locked", "Locked", MEM(KEPT_LOCK), .raw = true, .rank = rank_lock,
	  .format = format_lock },
	{ "tlb", "TLB access", MEM(KEPT_TLB), .width = 22, .whole = true, .rank = rank_tlb,
	  .format = format_tlb },
	{ "mem", "Memory access", MEM(KEPT_LEVEL), .width = 24, .whole = true, .rank = rank_level,
	  .format = format_level },
	{ "snoop", "Snoop", MEM(KEPT_SNOOP), .width = 12, .whole = true, .rank = rank_snoop,
	  .format = format_snoop },
	{ "dcacheline", "Data Cacheline", NEED_AT, MEM(KEPT_DATA_LINE), .whole = true, .raw = true,
	  .rank = rank_line, .measure = measure_line, .format = format_line },
	{ "symbol_iaddr", "Code Symbol", NEED_AT, MEM(KEPT_INSTR), .function = true, .raw = true,
	  .rank = rank_instr, .measure = measure_instr, .format = format_instr },
	{ "phys_daddr", "Data Physical Address", MEM(KEPT_PHYS), .width = 22, .rank = rank_phys,
	  .format = format_phys },
	{ "data_page_size", "Data Page Size", MEM(KEPT_DATA_PAGE_SIZE), .whole = true, .width = 22,
	  .rank = rank_data_page_size, .format = format_data_page_size },
	{ "blocked", "Blocked", MEM(KEPT_BLOCKED), .width = 10, .raw = true, .rank = rank_blocked,
	  .format = format_blocked },
};
const size_t hist_nr_mem_columns = ARRAY_SIZE(hist_mem_columns);
