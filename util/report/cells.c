// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of cells, and the width that it takes (struct hist_column). Everything that turns the
 * columns of a row into text is here.
 */
#include "report/cells.h"

#include <elf.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "resolve/resolve.h"
#include "symbol/symbol.h"
#include "wire/event.h"

#define ADDR_DIGITS 16
#define ADDRESS_WIDTH 18 /* "0x" and 16 digits */
#define LEVEL_WIDTH 4    /* "[.] " */

/* ---- helpers ---- */

static void widen(u16 *width, size_t len)
{
	*width = MAX((size_t)*width, MIN(len, (size_t)UINT16_MAX));
}

/* Return the columns that a name takes when it is printed: control bytes take four each. */
static size_t name_len(const char *s)
{
	size_t len = strlen(s);

	if (escape_needed_in(s, len)) {
		char *buf = xmalloc(len * 4 + 1);

		len = escape_name(buf, len * 4 + 1, s);
		free(buf);
	}
	return len;
}

static void cut(struct strbuf *out, size_t at, u16 width)
{
	if (out->len > at + width) {
		out->len = at + width;
		out->buf[out->len] = 0;
	}
}

/* Write a name, cut to @width. */
static void add_cut(struct strbuf *out, const char *name, u16 width)
{
	size_t at = out->len;

	strbuf_addname(out, name);
	cut(out, at, width);
}

/* Write an address as "%#.16x" does: 0 has no prefix. */
static void add_address(struct strbuf *out, u64 addr)
{
	strbuf_addstr(out, addr ? "0x" : "");
	strbuf_hex(out, addr, ADDR_DIGITS, 0);
}

/* Write the "[.] " in front of a symbol. */
static void add_level(struct strbuf *out, char level)
{
	strbuf_addch(out, '[');
	strbuf_addch(out, level);
	strbuf_addstr(out, "] ");
}

/* With hist_conf.origins, write where something is and where its symbol is from: "0x5c0f4 B ". */
static void add_origin(const struct hist *h, u64 addr, char origin, struct strbuf *out)
{
	size_t at = out->len;

	if (!hist_config(h)->origins)
		return;
	strbuf_addstr(out, addr ? "0x" : "");
	strbuf_hex(out, addr, 1, 0);
	strbuf_pad(out, at + ADDRESS_WIDTH);
	strbuf_addf(out, " %c ", origin);
}

static u16 origin_width(const struct hist *h)
{
	return hist_config(h)->origins ? HIST_ORIGIN_WIDTH : 0;
}

static struct hist_seen seen_of(const struct hist_row *row)
{
	return row->more ? row->more->seen : (struct hist_seen){ 0 };
}

static const struct hist_base *base_of(const struct hist *h, const struct hist_row *row)
{
	return hist_base(h, row->base);
}

static const struct hist_place *place_of(const struct hist *h, const struct hist_row *row)
{
	return hist_place(h, row->place);
}

static const struct hist_place *from_of(const struct hist *h, const struct hist_row *row)
{
	return hist_place(h, (u32)base_of(h, row)->from);
}

/* ---- columns of any value ---- */

FORMAT(value)
{
	col->text(hist_value(h, row, col), out);
}

static void add_left(struct strbuf *out, u64 v, u16 width, const char *sep)
{
	size_t at = out->len;

	strbuf_dec(out, v, 0);
	if (!sep)
		strbuf_pad(out, at + width);
}

FORMAT(left)
{
	add_left(out, hist_value(h, row, col), width, sep);
}

FORMAT(left_sum)
{
	add_left(out, hist_value(h, row, col) * row->nr, width, sep);
}

FORMAT(right)
{
	strbuf_dec(out, hist_value(h, row, col), sep ? 0 : width);
}

FORMAT(size)
{
	u64 size = hist_value(h, row, col);

	if (size)
		strbuf_dec(out, size, width);
	else
		strbuf_addf(out, "%*s", width, "unknown");
}

static const char *text_of(const struct hist *h, const struct hist_column *col,
			   const struct hist_row *row)
{
	return hist_text(h, hist_value(h, row, col));
}

MEASURE(text)
{
	widen(width, name_len(text_of(h, col, row)));
}

FORMAT(text)
{
	strbuf_addname(out, text_of(h, col, row));
}

FORMAT(text_cut)
{
	add_cut(out, text_of(h, col, row), width);
}

/*
 * The column has room for the text, and for all bytes that the text was made of, which follow it.
 */
MEASURE(field)
{
	u64 value = hist_value(h, row, col);
	const char *text = hist_text(h, value);
	size_t len = strlen(text) + 1, bytes = hist_text_size(h, value);

	widen(width, name_len(text));
	widen(width, bytes > len ? bytes - len : 0);
}

FORMAT(field)
{
	size_t at = out->len, len;

	strbuf_addname(out, text_of(h, col, row));
	len = out->len - at;
	cut(out, at, width);
	if (len < width) {
		strbuf_pad(out, at + width);
		memmove(out->buf + at + width - len, out->buf + at, len);
		memset(out->buf + at, ' ', width - len);
	}
}

/* ---- sums ---- */

/*
 * Write "%.2f%%" without printf: hundredths are rounded here unless the value is so near to the
 * middle of two that only the exact decimal digits of the double can tell.
 */
static void format_percent(u64 part, u64 total, u16 width, const char *sep, struct strbuf *out)
{
	double percent = total ? part * 100.0 / total : 0.0, hundredths = percent * 100.0;
	bool huge = percent >= 1e6; /* periods of a damaged file overflow their sum */
	size_t pad = sep ? 0 : width;
	u64 whole = huge ? 0 : hundredths;
	double rest = hundredths - whole;

	if (huge || (rest > 0.499999 && rest < 0.500001)) {
		if (sep)
			strbuf_addf(out, "%.2f%%", percent);
		else
			strbuf_addf(out, " %*.2f%%", MAX(width - 2, 0), percent);
		return;
	}
	whole += rest >= 0.5;
	/* A blank is in front even where a width that was asked for has no room. */
	if (!sep && pad < (whole >= 10000 ? 8U : whole >= 1000 ? 7U : 6U))
		strbuf_addch(out, ' ');
	strbuf_dec(out, whole / 100, pad > 4 ? pad - 4 : 0);
	strbuf_addch(out, '.');
	strbuf_addch(out, '0' + whole / 10 % 10);
	strbuf_addch(out, '0' + whole % 10);
	strbuf_addch(out, '%');
}

/* The sums of a group stand side by side, each in its share of the width. */
static void format_shares(const struct hist *h, const struct hist_column *col,
			  const struct hist_event *ev, const struct hist_row *row, u16 width,
			  const char *sep, struct strbuf *out, bool latency)
{
	u32 nr = MAX(ev->nr_members, 1u), i;

	for (i = 0; i < nr; i++) {
		if (sep && i)
			strbuf_addch(out, ' ');
		format_percent(col->rank(h, col, row, i), latency ? ev[i].latency : ev[i].period,
			       width / nr, sep, out);
	}
}

FORMAT(share)
{
	format_shares(h, col, ev, row, width, sep, out, false);
}

/* A class of accesses is a share of the row. */
FORMAT(class)
{
	u32 nr = MAX(ev->nr_members, 1u), i;

	for (i = 0; i < nr; i++) {
		if (sep && i)
			strbuf_addch(out, ' ');
		format_percent(col->rank(h, col, row, i),
			       i ? row->more->members[i - 1].period : row->period, width / nr, sep,
			       out);
	}
}

FORMAT(mode)
{
	format_shares(h, col, ev, row, width, sep, out, col->need & NEED_LATENCY);
}

FORMAT(acc)
{
	if (hist_config(h)->children)
		format_shares(h, col, ev, row, width, sep, out, false);
	else
		strbuf_addf(out, "%*s", MAX(width / MAX(ev->nr_members, 1u), 4) - !!sep, "N/A");
}

static void format_sums(const struct hist *h, const struct hist_column *col,
			const struct hist_event *ev, const struct hist_row *row, u16 width,
			const char *sep, struct strbuf *out)
{
	u32 nr = MAX(ev->nr_members, 1u), i;

	for (i = 0; i < nr; i++) {
		/* A blank is in front whatever the width. */
		if (!sep || i)
			strbuf_addch(out, ' ');
		strbuf_dec(out, col->rank(h, col, row, i), sep ? 0 : MAX(width / nr, 1U) - 1);
	}
}

FORMAT(nr)
{
	format_sums(h, col, ev, row, width, sep, out);
}

FORMAT(sum)
{
	format_sums(h, col, ev, row, width, sep, out);
}

/* ---- who and when ---- */

/* The widest last name of the threads seen decides, as the name may have changed since. */
MEASURE(comm)
{
	widen(width, name_len(hist_thread_comm(h, row)));
}

u32 measured_thread(const struct hist *h, const struct hist_row *row)
{
	return row->thread;
}

FORMAT(comm)
{
	add_cut(out, hist_comm_name(h, base_of(h, row)->comm), width);
}

MEASURE(tid)
{
	widen(width, name_len(hist_thread_comm(h, row)) + 8);
}

FORMAT(tid)
{
	strbuf_addf(out, "%7d:", (s32)base_of(h, row)->tid);
	/* A column that is too narrow for any name has all of it. */
	add_cut(out, hist_thread_comm(h, row), width < 8 ? UINT16_MAX : width - 8);
}

static const char *tgid_name(const struct hist *h, const struct hist_column *col,
			     const struct hist_row *row)
{
	return hist_process_comm(h, row, (u32)hist_value(h, row, col));
}

MEASURE(tgid)
{
	widen(width, name_len(tgid_name(h, col, row)) + 8);
}

FORMAT(tgid)
{
	strbuf_addf(out, "%7d:", (s32)hist_value(h, row, col));
	strbuf_addname(out, tgid_name(h, col, row));
}

FORMAT(cpu)
{
	strbuf_addf(out, "%.*d", width, (s32)base_of(h, row)->cpu);
}

FORMAT(socket)
{
	strbuf_addf(out, "%*.*d", width, MAX(width - 3, 0), (s32)hist_value(h, row, col));
}

static const char *cgroup_name(const struct hist *h, const struct hist_column *col,
			       const struct hist_row *row)
{
	u64 id = hist_value(h, row, col);
	const char *path = id ? machine_cgroup(hist_machine(h), id) : "N/A"; /* not recorded */

	return path ? path : "unknown";
}

MEASURE(cgroup)
{
	widen(width, name_len(cgroup_name(h, col, row)));
}

FORMAT(cgroup)
{
	strbuf_addname(out, cgroup_name(h, col, row));
}

MEASURE(time)
{
	widen(width, hist_config(h)->nanosecs ? 16 : 12);
}

FORMAT(time)
{
	u64 t = hist_value(h, row, col);
	bool nsec = hist_config(h)->nanosecs;
	size_t at = out->len;

	strbuf_addf(out, "%" PRIu64 ".%0*" PRIu64, t / 1000000000, nsec ? 9 : 6,
		    t % 1000000000 / (nsec ? 1 : 1000));
	cut(out, at, width); /* the last digits have to give way */
}

/* ---- where ---- */

MEASURE(dso)
{
	if (place_of(h, row)->dso)
		widen(width, name_len(hist_dso_name(h, place_of(h, row)->dso)));
	else
		widen(dso_width, ADDR_DIGITS);
}

u32 measured_dso(const struct hist *h, const struct hist_row *row)
{
	return place_of(h, row)->dso;
}

FORMAT(dso)
{
	add_cut(out, hist_dso_name(h, place_of(h, row)->dso), width);
}

MEASURE(sym)
{
	const char *name = hist_symbol_name(h, row->place);

	if (name) {
		widen(width, name_len(name) + strlen(hist_inlined_mark(h, row->place)) +
				     LEVEL_WIDTH + origin_width(h));
	} else {
		widen(width, ADDR_DIGITS + 6);
		widen(dso_width, ADDR_DIGITS);
	}
}

FORMAT(sym)
{
	const char *name = hist_symbol_name(h, row->place);

	add_origin(h, seen_of(row).ip, place_of(h, row)->origin, out);
	add_level(out, row->level);
	if (name)
		strbuf_addname(out, name);
	else
		add_address(out, hist_config(h)->branches ? hist_place_ip(h, row->place)
							  : place_of(h, row)->start);
	strbuf_addstr(out, hist_inlined_mark(h, row->place));
}

/* Write "[.] main+0x12". An address without symbol is that in the object, or with @raw that in the
 * process. */
static void add_near(const struct hist_row *row, const struct key_addr *addr, bool raw,
		     struct strbuf *out)
{
	u64 off;

	add_level(out, row->level);
	if (addr->sym == UINT32_MAX) {
		add_address(out, raw ? addr->ip : addr->addr);
		return;
	}
	off = addr->addr - symtab_get(addr->symtab, addr->sym).start;
	strbuf_addname(out, symtab_name(addr->symtab, addr->sym));
	if (off) {
		strbuf_addstr(out, "+0x");
		strbuf_hex(out, off, 1, 0);
	}
}

MEASURE(symoff)
{
	struct strbuf sb = STRBUF_INIT;

	add_near(row, hist_value_addr(h, row, col), true, &sb);
	widen(width, sb.len);
	strbuf_release(&sb);
}

FORMAT(symoff)
{
	add_near(row, hist_value_addr(h, row, col), true, out);
}

static const char *parent_name(const struct hist *h, const struct hist_column *col,
			       const struct hist_row *row)
{
	u64 parent = hist_value(h, row, col);

	return parent ? hist_text(h, parent) : "[other]";
}

MEASURE(parent)
{
	widen(width, name_len(parent_name(h, col, row)));
}

FORMAT(parent)
{
	strbuf_addname(out, parent_name(h, col, row));
}

FORMAT(addr)
{
	u64 ip = hist_value(h, row, col);

	strbuf_addstr(out, ip ? "0x" : "");
	strbuf_hex(out, ip, 1, 0);
}

FORMAT(ipc)
{
	strbuf_addstr(out, "-      -");
}

/* ---- branches: where from, where to, and how ---- */

/* Measure the column of objects. Objects without symbols do not widen it: their names are cut. */
static void measure_branch_dso(const struct hist *h, const struct hist_place *p, u16 *width)
{
	if (p->sym != UINT32_MAX)
		widen(width, name_len(hist_dso_name(h, p->dso)));
}

MEASURE(dso_from)
{
	measure_branch_dso(h, from_of(h, row), width);
}

MEASURE(dso_to)
{
	measure_branch_dso(h, place_of(h, row), width);
}

FORMAT(dso_from)
{
	add_cut(out, hist_dso_name(h, from_of(h, row)->dso), width);
}

static void measure_place(const struct hist *h, u32 place, u16 *width)
{
	const char *name = hist_symbol_name(h, place);

	widen(width, name ? name_len(name) + LEVEL_WIDTH + origin_width(h) : ADDR_DIGITS + 6);
}

MEASURE(sym_from)
{
	measure_place(h, (u32)base_of(h, row)->from, width);
}

MEASURE(sym_to)
{
	measure_place(h, row->place, width);
}

static void add_place(const struct hist *h, u32 place, u64 seen, struct strbuf *out)
{
	const struct hist_place *p = hist_place(h, place);
	const char *name = hist_symbol_name(h, place);

	add_origin(h, seen, p->origin, out);
	add_level(out, p->level ? p->level : 'H');
	if (name)
		strbuf_addname(out, name);
	else
		add_address(out, p->start);
}

FORMAT(sym_from)
{
	add_place(h, (u32)base_of(h, row)->from, seen_of(row).from, out);
}

FORMAT(sym_to)
{
	add_place(h, row->place, seen_of(row).to, out);
}

/* The column has room for the names; the offsets behind them may stand out. */
MEASURE(branch_end)
{
	const struct key_addr *addr = hist_value_addr(h, row, col);
	size_t len = ADDRESS_WIDTH;

	if (addr->sym != UINT32_MAX)
		len = name_len(symtab_name(addr->symtab, addr->sym));
	widen(width, len + LEVEL_WIDTH);
}

FORMAT(branch_end)
{
	add_near(row, hist_value_addr(h, row, col), false, out);
}

FORMAT(cycles)
{
	if (base_of(h, row)->cycles)
		strbuf_dec(out, base_of(h, row)->cycles, 0);
	else
		strbuf_addch(out, '-');
}

FORMAT(mispredict)
{
	u8 flags = base_of(h, row)->flags;

	strbuf_addstr(out, flags & HIST_PREDICTED ? "N" : flags & HIST_MISPRED ? "Y" : "N/A");
}

FORMAT(in_tx)
{
	strbuf_addch(out, base_of(h, row)->flags & HIST_IN_TX ? 'T' : '.');
}

FORMAT(abort)
{
	strbuf_addch(out, base_of(h, row)->flags & HIST_ABORT ? 'A' : '.');
}

MEASURE(transaction)
{
	if (hist_value(h, row, col))
		widen(width, 32);
}

void transaction_text(u64 flags, struct strbuf *out)
{
	static const struct {
		u64 bit;
		const char *name;
	} names[] = {
		{ PERF_TXN_ELISION, "EL" },
		{ PERF_TXN_TRANSACTION, "TX" },
		{ PERF_TXN_SYNC, "SYNC" },
		{ PERF_TXN_ASYNC, "ASYNC" },
		{ PERF_TXN_RETRY, "RETRY" },
		{ PERF_TXN_CONFLICT, "CON" },
		{ PERF_TXN_CAPACITY_WRITE, "CAP-WRITE" },
		{ PERF_TXN_CAPACITY_READ, "CAP-READ" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (flags & names[i].bit)
			strbuf_addf(out, "%s ", names[i].name);
	if (flags && !(flags & (PERF_TXN_SYNC | PERF_TXN_ASYNC)))
		strbuf_addstr(out, "NEITHER ");
	if (flags & PERF_TXN_ABORT_MASK)
		strbuf_addf(out, ":%" PRIx64,
			    (flags & PERF_TXN_ABORT_MASK) >> PERF_TXN_ABORT_SHIFT);
}

/* ---- memory accesses ---- */

/* Make room for the name of an address, for the offset in it, and for @more. */
static void measure_data_addr(const struct key_addr *addr, u16 more, u16 *width)
{
	size_t name = addr->sym != UINT32_MAX ? name_len(symtab_name(addr->symtab, addr->sym)) : 0;

	widen(width, name + LEVEL_WIDTH + ADDRESS_WIDTH + more);
}

static char addr_origin(const struct key_addr *addr)
{
	return addr->symtab ? symtab_origin(addr->symtab) : '!';
}

/* Write "table+0x10" for data at the address @at of the object. Functions are named alone. */
static void add_data(const struct key_addr *addr, u64 at, struct strbuf *out)
{
	struct symbol sym;

	if (addr->sym == UINT32_MAX) {
		add_address(out, at);
		return;
	}
	sym = symtab_get(addr->symtab, addr->sym);
	strbuf_addname(out, symtab_name(addr->symtab, addr->sym));
	if (sym.type != STT_OBJECT)
		return;
	/* A cache line may begin before the object in it. */
	strbuf_addstr(out, at < sym.start ? "-0x" : "+0x");
	strbuf_hex(out, at < sym.start ? sym.start - at : at - sym.start, 1, 0);
}

MEASURE(data)
{
	measure_data_addr(hist_value_addr(h, row, col), origin_width(h), width);
}

FORMAT(data)
{
	const struct key_addr *addr = hist_value_addr(h, row, col);

	add_origin(h, addr->ip, addr_origin(addr), out);
	add_level(out, row->level);
	add_data(addr, addr->addr, out);
}

FORMAT(instr)
{
	const struct key_addr *addr = hist_value_addr(h, row, col);

	add_origin(h, addr->ip, addr_origin(addr), out);
	add_level(out, row->level);
	if (addr->sym != UINT32_MAX)
		strbuf_addname(out, symtab_name(addr->symtab, addr->sym));
	else
		add_address(out, addr->ip);
}

MEASURE(data_dso)
{
	u64 dso = hist_value(h, row, col);

	if (dso)
		widen(width, name_len(hist_dso_name(h, (u32)dso)));
	else if (!hist_config(h)->fixed_widths)
		widen(width, ADDR_DIGITS);
}

FORMAT(data_dso)
{
	strbuf_addname(out, hist_dso_name(h, (u32)hist_value(h, row, col)));
}

MEASURE(line)
{
	const struct key_addr *addr = hist_line_addr(h, row);

	measure_data_addr(addr, !!addr->map + origin_width(h), width);
}

/* Tell whether an address is in memory of a file that processes share. */
static bool shared_data(const struct key_addr *addr)
{
	const struct dso *d = addr->map->dso;

	return addr->mode != PERF_RECORD_MISC_KERNEL && !(addr->map->prot & PROT_EXEC) &&
	       addr->map->flags & MAP_SHARED && (d->maj || d->min || d->ino || d->ino_generation);
}

FORMAT(line)
{
	const struct key_addr *addr = hist_line_addr(h, row);
	u64 start = hist_line_start(h, addr);

	add_origin(h, start, addr_origin(addr), out);
	add_level(out, !addr->map ? 'X' : shared_data(addr) ? 's' : row->level);
	add_data(addr, start, out);
}

FORMAT(phys)
{
	add_level(out, row->level);
	add_address(out, hist_value(h, row, col));
}
