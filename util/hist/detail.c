// SPDX-License-Identifier: GPL-2.0-or-later
/* Columns that say more of where a sample was, and of whom. */
#include "base/compat.h"

#include "hist/hist-internal.h"

#define RANK(name, value)                                                                          \
	static u64 rank_##name(const struct hist *h, const struct hist_row *row, u32 member)       \
	{                                                                                          \
		(void)member;                                                                      \
		return value;                                                                      \
	}
#define MEASURE(name)                                                                              \
	static void measure_##name(const struct hist *h, const struct hist_row *row, u16 *width,   \
				   u16 *dso_width)
#define FORMAT(name)                                                                               \
	static void format_##name(const struct hist *h, const struct hist_event *ev,               \
				  const struct hist_row *row, u16 width, const char *sep,          \
				  struct strbuf *out)

/* ---- sizes ---- */

static void add_size(u64 size, u16 width, struct strbuf *out)
{
	if (size)
		strbuf_dec(out, size, width);
	else
		strbuf_addf(out, "%*s", width, "unknown");
}

#define SIZE(name, what)                                                                           \
	RANK(name, kept_of(h, row, what))                                                          \
	FORMAT(name)                                                                               \
	{                                                                                          \
		add_size(kept_of(h, row, what), width, out);                                       \
	}

SIZE(dso_size, KEPT_DSO_SIZE)
SIZE(symbol_size, KEPT_SYM_SIZE)

/* ---- source lines ---- */

#define RANKED_TEXT(name, what, rank)                                                              \
	RANK(name, rank)                                                                           \
	MEASURE(name)                                                                              \
	{                                                                                          \
		hist_widen(width, intern_str(&h->texts, (u32)kept_of(h, row, what)));              \
	}                                                                                          \
	FORMAT(name)                                                                               \
	{                                                                                          \
		strbuf_addname(out, intern_str(&h->texts, (u32)kept_of(h, row, what)));            \
	}
#define TEXT(name, what) RANKED_TEXT(name, what, h->text_rank[kept_of(h, row, what)])

TEXT(srcline, KEPT_SRCLINE)
TEXT(srcfile, KEPT_SRCFILE)
TEXT(srcline_from, KEPT_SRCLINE_FROM)
TEXT(srcline_to, KEPT_SRCLINE_TO)

/* ---- where it was allowed to be ---- */

/* Larger numbers first. */
RANKED_TEXT(cgroup_id, KEPT_CGROUP_ID, UINT32_MAX - h->text_rank[kept_of(h, row, KEPT_CGROUP_ID)])

/* ---- callers ---- */

static const char *parent_name(const struct hist *h, const struct hist_row *row)
{
	u64 parent = kept_of(h, row, KEPT_PARENT);

	return parent ? intern_str(&h->texts, (u32)parent) : "[other]";
}

static u64 rank_parent(const struct hist *h, const struct hist_row *row, u32 member)
{
	u64 parent = kept_of(h, row, KEPT_PARENT);

	return parent ? h->text_rank[parent] : UINT32_MAX;
}

MEASURE(parent)
{
	hist_widen(width, parent_name(h, row));
}

FORMAT(parent)
{
	strbuf_addname(out, parent_name(h, row));
}

/* ---- addresses ---- */

/* "[.] main+0x12"; what is in no symbol: where in the object, or with @raw in the process */
static void add_near(const struct hist_row *row, const struct hist_at *at, bool raw,
		     struct strbuf *out)
{
	u64 off;

	add_level(out, row->level);
	if (at->sym == UINT32_MAX) {
		add_address(out, raw ? at->ip : at->addr);
		return;
	}
	off = at->addr - symtab_get(at->symtab, at->sym).start;
	strbuf_addname(out, symtab_name(at->symtab, at->sym));
	if (off) {
		strbuf_addstr(out, "+0x");
		strbuf_hex(out, off, 1, 0);
	}
}

/* By object as those of branches are, Z before A, and where it is in that. */
static u64 rank_branch_end(const struct hist *h, const struct hist_at *at)
{
	u64 dso = UINT16_MAX - MIN(h->dso_rank[at->dso], (u32)UINT16_MAX);

	return dso << 48 | (at->addr & ((1ULL << 48) - 1));
}

/* Branches: there is room for the names, what is behind them may stand out. */
#define BRANCH_END(name, what)                                                                     \
	RANK(name, rank_branch_end(h, at_of(h, row, what)))                                        \
	MEASURE(name)                                                                              \
	{                                                                                          \
		const struct hist_at *at = at_of(h, row, what);                                    \
		u16 len = ADDRESS_WIDTH;                                                           \
                                                                                                   \
		if (at->sym != UINT32_MAX) {                                                       \
			len = 0;                                                                   \
			hist_widen(&len, symtab_name(at->symtab, at->sym));                        \
		}                                                                                  \
		*width = MAX(*width, MIN(len + LEVEL_WIDTH, UINT16_MAX));                          \
	}                                                                                          \
	FORMAT(name)                                                                               \
	{                                                                                          \
		add_near(row, at_of(h, row, what), false, out);                                    \
	}

BRANCH_END(addr_from, KEPT_ADDR_FROM)
BRANCH_END(addr_to, KEPT_ADDR_TO)

RANK(symoff, rank_address(at_of(h, row, KEPT_SYM_OFF)->ip))

MEASURE(symoff)
{
	struct strbuf sb = STRBUF_INIT;

	add_near(row, at_of(h, row, KEPT_SYM_OFF), true, &sb);
	*width = MAX((size_t)*width, MIN(sb.len, (size_t)UINT16_MAX));
	strbuf_release(&sb);
}

FORMAT(symoff)
{
	add_near(row, at_of(h, row, KEPT_SYM_OFF), true, out);
}

/* ---- who ---- */

RANK(tgid, kept_of(h, row, KEPT_TGID) ^ 0x80000000u) /* signed: -1 is unknown */

static const char *tgid_name(const struct hist *h, const struct hist_row *row)
{
	return hist_process_comm(h, row, (u32)kept_of(h, row, KEPT_TGID));
}

MEASURE(tgid)
{
	u16 name = 0;

	hist_widen(&name, tgid_name(h, row));
	*width = MAX(*width, MIN(name + 8, UINT16_MAX));
}

FORMAT(tgid)
{
	strbuf_addf(out, "%7d:", (s32)kept_of(h, row, KEPT_TGID));
	strbuf_addname(out, tgid_name(h, row));
}

/* "kworker/<N>:<N>" of "kworker/0:12" */
static void add_nodigit(const char *comm, struct strbuf *out)
{
	for (; *comm; comm += strspn(comm, "0123456789")) {
		size_t len = strcspn(comm, "0123456789");

		strbuf_add(out, comm, len);
		comm += len;
		if (*comm)
			strbuf_addstr(out, "<N>");
	}
}

TEXT(comm_nodigit, KEPT_COMM_KIND)

void comms_to_kinds(struct hist *h)
{
	u32 nr = machine_nr_comms(h->machine), at = h->conf.cols.kept_at[KEPT_COMM_KIND] - 1U;
	u32 *kind = xcalloc(nr + 1, sizeof(*kind)), size = h->conf.cols.nr_kept;
	struct strbuf sb = STRBUF_INIT;

	for (u32 i = 0; i < nr; i++) {
		strbuf_reset(&sb);
		add_nodigit(machine_comm_told(h->machine, i), &sb);
		kind[i] = intern_id(&h->texts, strbuf_str(&sb), sb.len);
	}
	strbuf_release(&sb);
	for (int i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		for (size_t k = 0; k < w->nr_kept; k++)
			w->kept[k * size + at] = kind[MIN(w->kept[k * size + at], (u64)nr)];
	}
	free(kind);
}

#define KEPT(what) .kept = what, .wide = true
#define AT(what) NEED_AT, .kept = what, .wide = true
const struct hist_column hist_detail_columns[] = {
	{ "parent", "Parent symbol", NEED_PARENT, KEPT(KEPT_PARENT), .rank = rank_parent,
	  .measure = measure_parent, .format = format_parent },
	{ "srcline", "Source:Line", AT(KEPT_SRCLINE), .raw = true, .rank = rank_srcline,
	  .measure = measure_srcline, .format = format_srcline },
	{ "srcfile", "Source File", AT(KEPT_SRCFILE), .raw = true, .rank = rank_srcfile,
	  .measure = measure_srcfile, .format = format_srcfile },
	{ "symbol_size", "Symbol size", AT(KEPT_SYM_SIZE), .whole = true, .rank = rank_symbol_size,
	  .format = format_symbol_size },
	{ "dso_size", "DSO size", AT(KEPT_DSO_SIZE), .whole = true, .rank = rank_dso_size,
	  .format = format_dso_size },
	{ "symoff", "Symbol Offset", AT(KEPT_SYM_OFF), .raw = true, .rank = rank_symoff,
	  .measure = measure_symoff, .format = format_symoff },
	{ "cgroup_id", "cgroup id (dev/inode)", KEPT(KEPT_CGROUP_ID), .whole = true, .raw = true,
	  .rank = rank_cgroup_id, .measure = measure_cgroup_id, .format = format_cgroup_id },
	{ "tgid", "   Tgid:Command", KEPT(KEPT_TGID), .whole = true, .rank = rank_tgid,
	  .measure = measure_tgid, .format = format_tgid },
	{ "comm_nodigit", "Command", KEPT(KEPT_COMM_KIND), .rank = rank_comm_nodigit,
	  .measure = measure_comm_nodigit, .format = format_comm_nodigit },
	{ "srcline_from", "From Source:Line", AT(KEPT_SRCLINE_FROM), .branch = true,
	  .rank = rank_srcline_from, .measure = measure_srcline_from,
	  .format = format_srcline_from },
	{ "srcline_to", "To Source:Line", AT(KEPT_SRCLINE_TO), .branch = true,
	  .rank = rank_srcline_to, .measure = measure_srcline_to, .format = format_srcline_to },
	{ "addr_from", "Source Address", AT(KEPT_ADDR_FROM), .function = true, .whole = true,
	  .branch = true, .raw = true, .rank = rank_addr_from, .measure = measure_addr_from,
	  .format = format_addr_from },
	{ "addr_to", "Target Address", AT(KEPT_ADDR_TO), .function = true, .whole = true,
	  .branch = true, .raw = true, .rank = rank_addr_to, .measure = measure_addr_to,
	  .format = format_addr_to },
};
const size_t hist_nr_detail_columns = ARRAY_SIZE(hist_detail_columns);
