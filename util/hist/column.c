// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of sort keys and columns. */
#include "base/compat.h"

#include <errno.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "base/suggest.h"
#include "hist/hist-internal.h"

#define ADDR_DIGITS 16

static void widen(u16 *width, size_t len)
{
	*width = MAX((size_t)*width, MIN(len, (size_t)UINT16_MAX));
}

/* As printed: control bytes take four columns. */
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

void hist_widen(u16 *width, const char *name)
{
	widen(width, name_len(name));
}

void hist_add_cut(struct strbuf *out, const char *name, u16 width)
{
	size_t at = out->len;

	strbuf_addname(out, name);
	if (out->len > at + width) {
		out->len = at + width;
		out->buf[out->len] = 0;
	}
}

/* ---- sums ---- */

static u64 rank_period(const struct hist *h, const struct hist_row *row, u32 member)
{
	return member ? row->more->members[member - 1].period : row->period;
}

static u64 rank_acc(const struct hist *h, const struct hist_row *row, u32 member)
{
	if (!h->conf.children)
		return 0;
	return member ? row->more->members[member - 1].acc_period : row->more->acc_period;
}

static u64 rank_nr(const struct hist *h, const struct hist_row *row, u32 member)
{
	return member ? row->more->members[member - 1].nr : row->nr;
}

/*
 * "%.2f%%" without printf: hundredths are rounded here unless the value is so near to the middle of
 * two that only the exact decimal digits of the double can tell.
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
static void format_shares(const struct hist *h, const struct hist_event *ev,
			  const struct hist_row *row, u16 width, const char *sep,
			  struct strbuf *out,
			  u64 (*sum)(const struct hist *, const struct hist_row *, u32),
			  bool latency)
{
	u32 nr = MAX(ev->nr_members, 1u), i;

	for (i = 0; i < nr; i++) {
		if (sep && i)
			strbuf_addch(out, ' ');
		format_percent(sum(h, row, i), latency ? ev[i].latency : ev[i].period, width / nr,
			       sep, out);
	}
}

static void format_sums(const struct hist_event *ev, const struct hist *h,
			const struct hist_row *row, u16 width, const char *sep, struct strbuf *out,
			u64 (*sum)(const struct hist *, const struct hist_row *, u32))
{
	u32 nr = MAX(ev->nr_members, 1u), i;

	for (i = 0; i < nr; i++) {
		/* A blank is in front whatever the width. */
		if (!sep || i)
			strbuf_addch(out, ' ');
		strbuf_dec(out, sum(h, row, i), sep ? 0 : MAX(width / nr, 1U) - 1);
	}
}

static void format_period(const struct hist *h, const struct hist_event *ev,
			  const struct hist_row *row, u16 width, const char *sep,
			  struct strbuf *out)
{
	format_shares(h, ev, row, width, sep, out, rank_period, false);
}

static u64 mode_period(const struct hist_row *row, u32 member, enum hist_mode mode)
{
	return row->more && row->more->modes ? row->more->modes[member * NR_MODES + mode] : 0;
}

#define MODE_COLUMN(name, mode, latency)                                                           \
	static u64 rank_##name(const struct hist *h, const struct hist_row *row, u32 member)       \
	{                                                                                          \
		return mode_period(row, member, mode);                                             \
	}                                                                                          \
	static void format_##name(const struct hist *h, const struct hist_event *ev,               \
				  const struct hist_row *row, u16 width, const char *sep,          \
				  struct strbuf *out)                                              \
	{                                                                                          \
		format_shares(h, ev, row, width, sep, out, rank_##name, latency);                  \
	}

MODE_COLUMN(sys, MODE_SYS, false)
MODE_COLUMN(user, MODE_USER, false)
MODE_COLUMN(guest_sys, MODE_GUEST_SYS, false)
MODE_COLUMN(guest_user, MODE_GUEST_USER, false)
MODE_COLUMN(latency, MODE_LATENCY, true)
MODE_COLUMN(acc_latency, MODE_ACC_LATENCY, true)

static void format_acc(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	if (h->conf.children)
		format_shares(h, ev, row, width, sep, out, rank_acc, false);
	else
		strbuf_addf(out, "%*s", MAX(width / MAX(ev->nr_members, 1u), 4) - !!sep, "N/A");
}

static void format_nr(const struct hist *h, const struct hist_event *ev, const struct hist_row *row,
		      u16 width, const char *sep, struct strbuf *out)
{
	format_sums(ev, h, row, width, sep, out, rank_nr);
}

static void format_sum(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	format_sums(ev, h, row, width, sep, out, rank_period);
}

/* ---- who ---- */

static u64 rank_comm(const struct hist *h, const struct hist_row *row, u32 member)
{
	return h->comm_rank[h->bases[row->base].comm];
}

/* The widest last name of the threads seen decides, as the name may have changed since. */
static void measure_comm(const struct hist *h, const struct hist_row *row, u16 *width,
			 u16 *dso_width)
{
	widen(width, name_len(hist_thread_comm(h, row)));
}

static u32 measured_thread(const struct hist *h, const struct hist_row *row)
{
	return row->thread;
}

static void format_comm(const struct hist *h, const struct hist_event *ev,
			const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	hist_add_cut(out, hist_comm_name(h, h->bases[row->base].comm), width);
}

static u64 rank_tid(const struct hist *h, const struct hist_row *row, u32 member)
{
	return h->bases[row->base].tid ^ 0x80000000u; /* signed: -1 is unknown */
}

static void measure_tid(const struct hist *h, const struct hist_row *row, u16 *width,
			u16 *dso_width)
{
	widen(width, name_len(hist_thread_comm(h, row)) + 8);
}

static void format_tid(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	strbuf_addf(out, "%7d:", (s32)h->bases[row->base].tid);
	/* a column that is too narrow for any name has all of it */
	hist_add_cut(out, hist_thread_comm(h, row), width < 8 ? UINT16_MAX : width - 8);
}

static u64 rank_cpu(const struct hist *h, const struct hist_row *row, u32 member)
{
	return h->bases[row->base].cpu ^ 0x80000000u; /* signed: -1 is unknown */
}

static void format_cpu(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	strbuf_addf(out, "%.*d", width, (s32)h->bases[row->base].cpu);
}

/* ---- where ---- */

static const struct hist_place *place_of(const struct hist *h, const struct hist_row *r)
{
	return &h->places[r->place];
}

static u64 rank_dso(const struct hist *h, const struct hist_row *row, u32 member)
{
	return h->dso_rank[place_of(h, row)->dso];
}

static void measure_dso(const struct hist *h, const struct hist_row *row, u16 *width,
			u16 *dso_width)
{
	if (place_of(h, row)->dso)
		widen(width, name_len(hist_dso_name(h, place_of(h, row)->dso)));
	else
		widen(dso_width, ADDR_DIGITS);
}

static u32 measured_dso(const struct hist *h, const struct hist_row *row)
{
	return place_of(h, row)->dso;
}

static void format_dso(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	hist_add_cut(out, hist_dso_name(h, place_of(h, row)->dso), width);
}

static u64 rank_sym(const struct hist *h, const struct hist_row *row, u32 member)
{
	return h->name_rank[row->place];
}

static u64 identity_sym(const struct hist *h, const struct hist_row *row)
{
	return h->place_rank[row->place];
}

static void measure_sym(const struct hist *h, const struct hist_row *row, u16 *width,
			u16 *dso_width)
{
	const char *name = hist_symbol_name(h, row->place);

	if (name) {
		widen(width, name_len(name) + strlen(hist_inlined_mark(h, row->place)) + 4 +
				     hist_origin_width(h));
	} else {
		widen(width, ADDR_DIGITS + 6);
		widen(dso_width, ADDR_DIGITS);
	}
}

void hist_add_origin(const struct hist *h, u64 addr, char origin, struct strbuf *out)
{
	size_t at = out->len;

	if (!h->conf.origins)
		return;
	strbuf_addstr(out, addr ? "0x" : "");
	strbuf_hex(out, addr, 1, 0);
	strbuf_pad(out, at + ADDR_DIGITS + 2);
	strbuf_addf(out, " %c ", origin);
}

u16 hist_origin_width(const struct hist *h)
{
	return h->conf.origins ? HIST_ORIGIN_WIDTH : 0;
}

static struct hist_seen seen_of(const struct hist_row *row)
{
	return row->more ? row->more->seen : (struct hist_seen){ 0 };
}

/* As "%#.16x": 0 has no prefix. */
static void add_addr(struct strbuf *out, u64 addr)
{
	if (addr)
		strbuf_addstr(out, "0x");
	strbuf_hex(out, addr, ADDR_DIGITS, 0);
}

static void format_sym(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	const char *name = hist_symbol_name(h, row->place);

	hist_add_origin(h, seen_of(row).ip, place_of(h, row)->origin, out);
	strbuf_addch(out, '[');
	strbuf_addch(out, row->level);
	strbuf_addstr(out, "] ");
	if (name)
		strbuf_addname(out, name);
	else
		add_addr(out,
			 h->conf.branches ? hist_place_ip(h, row->place) : place_of(h, row)->start);
	strbuf_addstr(out, hist_inlined_mark(h, row->place));
}

/* ---- branches: where from, where to, and how ---- */

static const struct hist_base *base_of(const struct hist *h, const struct hist_row *row)
{
	return &h->bases[row->base];
}

static u64 rank_dso_from(const struct hist *h, const struct hist_row *row, u32 member)
{
	return UINT32_MAX - h->dso_rank[h->places[base_of(h, row)->from].dso]; /* Z before A */
}

/* Objects without symbols do not widen the column: their names are cut. */
static void measure_branch_dso(const struct hist *h, u32 place, u16 *width)
{
	if (h->places[place].sym != UINT32_MAX)
		widen(width, name_len(hist_dso_name(h, h->places[place].dso)));
}

static void measure_dso_from(const struct hist *h, const struct hist_row *row, u16 *width,
			     u16 *dso_width)
{
	measure_branch_dso(h, base_of(h, row)->from, width);
}

static u64 rank_dso_to(const struct hist *h, const struct hist_row *row, u32 member)
{
	return UINT32_MAX - rank_dso(h, row, member);
}

static void format_dso_from(const struct hist *h, const struct hist_event *ev,
			    const struct hist_row *row, u16 width, const char *sep,
			    struct strbuf *out)
{
	hist_add_cut(out, hist_dso_name(h, h->places[base_of(h, row)->from].dso), width);
}

static void measure_dso_to(const struct hist *h, const struct hist_row *row, u16 *width,
			   u16 *dso_width)
{
	measure_branch_dso(h, row->place, width);
}

static u64 rank_sym_from(const struct hist *h, const struct hist_row *row, u32 member)
{
	return h->place_rank[base_of(h, row)->from];
}

static u64 rank_sym_to(const struct hist *h, const struct hist_row *row, u32 member)
{
	return h->place_rank[row->place];
}

static void measure_place(const struct hist *h, u32 place, u16 *width)
{
	const char *name = hist_symbol_name(h, place);

	widen(width, name ? name_len(name) + 4 + hist_origin_width(h) : ADDR_DIGITS + 6);
}

static void measure_sym_from(const struct hist *h, const struct hist_row *row, u16 *width,
			     u16 *dso_width)
{
	measure_place(h, base_of(h, row)->from, width);
}

static void measure_sym_to(const struct hist *h, const struct hist_row *row, u16 *width,
			   u16 *dso_width)
{
	measure_place(h, row->place, width);
}

static void add_place(const struct hist *h, u32 place, u64 seen, struct strbuf *out)
{
	const char *name = hist_symbol_name(h, place);
	char level = h->places[place].level;

	hist_add_origin(h, seen, h->places[place].origin, out);
	strbuf_addch(out, '[');
	strbuf_addch(out, level ? level : 'H');
	strbuf_addstr(out, "] ");
	if (name)
		strbuf_addname(out, name);
	else
		add_addr(out, h->places[place].start);
}

static void format_sym_from(const struct hist *h, const struct hist_event *ev,
			    const struct hist_row *row, u16 width, const char *sep,
			    struct strbuf *out)
{
	add_place(h, base_of(h, row)->from, seen_of(row).from, out);
}

static void format_sym_to(const struct hist *h, const struct hist_event *ev,
			  const struct hist_row *row, u16 width, const char *sep,
			  struct strbuf *out)
{
	add_place(h, row->place, seen_of(row).to, out);
}

static u64 rank_cycles(const struct hist *h, const struct hist_row *row, u32 member)
{
	return UINT16_MAX - base_of(h, row)->cycles;
}

static void format_cycles(const struct hist *h, const struct hist_event *ev,
			  const struct hist_row *row, u16 width, const char *sep,
			  struct strbuf *out)
{
	if (base_of(h, row)->cycles)
		strbuf_dec(out, base_of(h, row)->cycles, 0);
	else
		strbuf_addch(out, '-');
}

static u64 rank_mispredict(const struct hist *h, const struct hist_row *row, u32 member)
{
	return base_of(h, row)->flags & (HIST_MISPRED | HIST_PREDICTED);
}

static void format_mispredict(const struct hist *h, const struct hist_event *ev,
			      const struct hist_row *row, u16 width, const char *sep,
			      struct strbuf *out)
{
	u8 flags = base_of(h, row)->flags;

	strbuf_addstr(out, flags & HIST_PREDICTED ? "N" : flags & HIST_MISPRED ? "Y" : "N/A");
}

static u64 rank_in_tx(const struct hist *h, const struct hist_row *row, u32 member)
{
	return base_of(h, row)->flags & HIST_IN_TX;
}

static void format_in_tx(const struct hist *h, const struct hist_event *ev,
			 const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	strbuf_addch(out, base_of(h, row)->flags & HIST_IN_TX ? 'T' : '.');
}

static u64 rank_abort(const struct hist *h, const struct hist_row *row, u32 member)
{
	return base_of(h, row)->flags & HIST_ABORT;
}

static void format_abort(const struct hist *h, const struct hist_event *ev,
			 const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	strbuf_addch(out, base_of(h, row)->flags & HIST_ABORT ? 'A' : '.');
}

/* Cycles are known for branch stacks only; the column is for scripts that ask for `symbol`. */
static void format_ipc(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	strbuf_addstr(out, "-      -");
}

static const struct hist_column table[] = {
	{ "overhead", "Overhead", .metric = true, .rank = rank_period, .format = format_period },
	{ "overhead_children", "Children", .metric = true, .rank = rank_acc, .format = format_acc },
	{ "overhead_sys", "sys", NEED_MODES, .metric = true, .width = 8, .rank = rank_sys,
	  .format = format_sys },
	{ "overhead_us", "usr", NEED_MODES, .metric = true, .width = 8, .rank = rank_user,
	  .format = format_user },
	{ "overhead_guest_sys", "guest sys", NEED_MODES, .metric = true, .rank = rank_guest_sys,
	  .format = format_guest_sys },
	{ "overhead_guest_us", "guest usr", NEED_MODES, .metric = true, .rank = rank_guest_user,
	  .format = format_guest_user },
	{ "latency", "Latency", NEED_LATENCY, KEPT_PARALLELISM, .metric = true, .width = 8,
	  .rank = rank_latency, .format = format_latency },
	{ "latency_children", "Children Latency", NEED_LATENCY, KEPT_PARALLELISM, .metric = true,
	  .rank = rank_acc_latency, .format = format_acc_latency },
	{ "sample", "     Samples", .metric = true, .rank = rank_nr, .format = format_nr },
	{ "period", "      Period", .metric = true, .rank = rank_period, .format = format_sum },
	{ "pid", "    Pid:Command", NEED_THREAD, .whole = true, .rank = rank_tid,
	  .measure = measure_tid, .measured = measured_thread, .format = format_tid },
	{ "comm", "Command", NEED_COMM, .rank = rank_comm, .measure = measure_comm,
	  .measured = measured_thread, .format = format_comm },
	{ "dso", "Shared Object", NEED_DSO, .rank = rank_dso, .measure = measure_dso,
	  .measured = measured_dso, .format = format_dso },
	{ "symbol", "Symbol", NEED_SYM, .function = true, .rank = rank_sym,
	  .identity = identity_sym, .raw = true, .measure = measure_sym, .format = format_sym },
	{ "cpu", "CPU", NEED_CPU, .width = 3, .whole = true, .rank = rank_cpu,
	  .format = format_cpu },
	{ "dso_from", "Source Shared Object", NEED_DSO_FROM, .branch = true, .rank = rank_dso_from,
	  .measure = measure_dso_from, .format = format_dso_from },
	{ "dso_to", "Target Shared Object", NEED_DSO, .branch = true, .rank = rank_dso_to,
	  .measure = measure_dso_to, .format = format_dso },
	{ "symbol_from", "Source Symbol", NEED_SYM_FROM, .function = true, .branch = true,
	  .raw = true, .rank = rank_sym_from, .measure = measure_sym_from,
	  .format = format_sym_from },
	{ "symbol_to", "Target Symbol", NEED_SYM, .function = true, .branch = true, .raw = true,
	  .rank = rank_sym_to, .measure = measure_sym_to, .format = format_sym_to },
	{ "mispredict", "Branch Mispredicted", NEED_FLAGS, .branch = true,
	  .flag = HIST_MISPRED | HIST_PREDICTED, .rank = rank_mispredict,
	  .format = format_mispredict },
	{ "in_tx", "Branch in transaction", NEED_FLAGS, .branch = true, .flag = HIST_IN_TX,
	  .rank = rank_in_tx, .format = format_in_tx },
	{ "abort", "Transaction abort", NEED_FLAGS, .branch = true, .flag = HIST_ABORT,
	  .rank = rank_abort, .format = format_abort },
	{ "cycles", "Basic Block Cycles", NEED_CYCLES, .branch = true, .rank = rank_cycles,
	  .format = format_cycles },
	{ "ipc_null", "IPC   [IPC Coverage]", NEED_SYM, .width = 20, .whole = true,
	  .rank = rank_sym_to, .format = format_ipc },
};

/* All columns, one after the other; NULL at the end. */
static const struct hist_column *column_at(size_t i)
{
	if (i < ARRAY_SIZE(table))
		return &table[i];
	i -= ARRAY_SIZE(table);
	if (i < hist_nr_kept_columns)
		return &hist_kept_columns[i];
	i -= hist_nr_kept_columns;
	if (i < hist_nr_detail_columns)
		return &hist_detail_columns[i];
	i -= hist_nr_detail_columns;
	return i < hist_nr_mem_columns ? &hist_mem_columns[i] : NULL;
}

/* Self is what Overhead is called beside Children. */
static const struct hist_column self = { "overhead",          "Self",
					 .metric = true,      .width = 8,
					 .rank = rank_period, .format = format_period };

/* Names begin alike: what is not a sum is meant before what is. */
static const struct hist_column *find(const char *name, size_t len)
{
	const struct hist_column *col;

	for (int metric = 0; metric < 2 && len; metric++)
		for (size_t i = 0; (col = column_at(i)); i++)
			if (col->metric == metric && !strncasecmp(col->name, name, len))
				return col;
	return NULL;
}

const struct hist_column *hist_column_find(const char *name, size_t len)
{
	return find(name, len);
}

/* What kind of samples a column is of: any, branches, memory accesses. */
static int kind_of(const struct hist_column *col)
{
	return col->branch ? 1 : col->mem ? 2 : 0;
}

void hist_columns_names(struct strbuf *out)
{
	const struct hist_column *col;

	for (int kind = 0; kind < 3; kind++)
		for (size_t i = 0; (col = column_at(i)); i++)
			if (kind_of(col) == kind)
				strbuf_addf(out, "%s%s", out->len ? " " : "", col->name);
}

static bool has(const struct hist_column *const *list, u32 nr, const struct hist_column *col)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (list[i] == col ||
		    (!strcmp(list[i]->name, col->name) && !list[i]->event && !col->event))
			return true;
	return false;
}

static void need(struct hist_columns *c, const struct hist_column *col)
{
	c->need |= col->need;
	c->flags |= col->flag;
	if (!col->kept || c->kept_at[col->kept])
		return;
	c->kept[c->nr_kept++] = col->kept;
	c->kept_at[col->kept] = c->nr_kept;
}

static void show(struct hist_columns *c, const struct hist_column *col)
{
	need(c, col);
	c->children |= !strcmp(col->name, "overhead_children");
	if (has(c->col, c->nr, col) || c->nr == HIST_MAX_COLUMNS)
		return;
	c->place[c->nr] = (u16)c->nr;
	c->col[c->nr++] = col;
}

static void sort_by(struct hist_columns *c, const struct hist_column *col)
{
	need(c, col);
	if (!has(c->sort, c->nr_sort, col) && c->nr_sort < HIST_MAX_COLUMNS)
		c->sort[c->nr_sort++] = col;
}

/* Those of a key that only the recording knows. Return: were there any? */
static bool take_more(struct hist_columns *c, const char *key, size_t len,
		      void (*take)(struct hist_columns *, const struct hist_column *))
{
	const struct hist_column *col;
	u32 n = 0;

	while (c->more && (col = c->more(c->more_ctx, key, len, n))) {
		take(c, col);
		n++;
	}
	return n;
}

static bool is_word(const char *p, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(p, word, len);
}

static int unknown_key(const char *option, const char *key, size_t len, struct err *err)
{
	char *word = xstrndup(key, len);
	struct near near = { .word = word };
	const struct hist_column *col;
	int ret;

	for (size_t i = 0; (col = column_at(i)); i++)
		near_add(&near, col->name);
	ret = err_set(err, -EINVAL,
		      near.nr ? "Unknown --%s key: `%s'\nDid you mean %s?"
			      : "Unknown --%s key: `%s'",
		      option, word, near.best[0]);
	near_release(&near);
	free(word);
	return ret;
}

/* The columns of a comma- or blank-separated list, through @take. */
static int each_key(struct hist_columns *c, const char *keys, const char *option,
		    void (*take)(struct hist_columns *, const struct hist_column *),
		    struct err *err)
{
	const char *between = *option == 's' ? ", {}" : ", "; /* braces: see levels.c */
	const char *p = keys + strspn(keys, between);

	while (*p) {
		size_t len = strcspn(p, between);
		const struct hist_column *col = find(p, len);

		/* Recordings without tracepoints have none of their fields. */
		if (!col && (take_more(c, p, len, take) || is_word(p, len, "trace_fields"))) {
			p += len;
			p += strspn(p, ", ");
			continue;
		}
		if (!col)
			return unknown_key(option, p, len, err);
		if ((col->branch && !c->branches) || (col->mem && !c->mem))
			return err_set(err, -EINVAL, "Invalid --%s key: `%.*s'", option, (int)len,
				       p);
		if (!col->stages || c->stages || *option != 's')
			take(c, col);
		p += len;
		p += strspn(p, between);
	}
	if (c->nr == HIST_MAX_COLUMNS || c->nr_sort == HIST_MAX_COLUMNS)
		return err_set(
			err, -EINVAL,
			"More than %d --%s keys. Name fields of some events (event.field) instead of all.",
			HIST_MAX_COLUMNS - 1, option);
	return 0;
}

int hist_columns_check(struct hist_columns *c, const char *keys, const char *option,
		       struct err *err)
{
	return each_key(c, keys, option, need, err);
}

/* No columns; what may be used stays. */
static void clear(struct hist_columns *c)
{
	*c = (struct hist_columns){ .branches = c->branches,
				    .mem = c->mem,
				    .front = c->front,
				    .more = c->more,
				    .more_ctx = c->more_ctx,
				    .stages = c->stages,
				    .latency = c->latency,
				    .modes = c->modes };
}

/* What --latency puts in front. */
static void take_latency(struct hist_columns *c, const char *keys, bool children)
{
	static const char *const names[] = { "latency_children", "latency" };

	for (size_t i = !children; i < ARRAY_SIZE(names); i++) {
		show(c, find(names[i], strlen(names[i])));
		if (!strstr(keys, names[i]))
			sort_by(c, find(names[i], strlen(names[i])));
	}
}

int hist_columns_sort(struct hist_columns *c, const char *keys, bool children, bool nr_samples,
		      bool period, struct err *err)
{
	const struct hist_column *overhead = children ? &self : find("overhead", 8), *first;
	int ret;

	clear(c);
	if (c->latency)
		take_latency(c, keys, children);
	if (children) {
		show(c, find("overhead_children", 17));
		if (!strstr(keys, "overhead_children") && !strstr(keys, "latency"))
			sort_by(c, find("overhead_children", 17));
	}
	show(c, overhead);
	/* Who names a share, whichever, says when it is compared. */
	if (!strstr(keys, "overhead") && !strstr(keys, "latency"))
		sort_by(c, overhead);
	if (c->modes) {
		show(c, find("overhead_sys", 12));
		show(c, find("overhead_us", 11));
	}
	if (nr_samples)
		show(c, find("sample", 6));
	if (period)
		show(c, find("period", 6));
	ret = c->front ? each_key(c, c->front, "fields", show, err) : 0;
	if (!ret)
		ret = each_key(c, keys, "sort", show, err);
	if (!ret)
		ret = each_key(c, keys, "sort", sort_by, err);
	/* Rows that all keys find equal go by what else there is. */
	if (children)
		sort_by(c, find("overhead_children", 17));
	sort_by(c, overhead);
	if (c->modes) {
		sort_by(c, find("overhead_sys", 12));
		sort_by(c, find("overhead_us", 11));
	}
	if (!ret && c->front)
		ret = each_key(c, c->front, "fields", sort_by, err);
	if (nr_samples)
		sort_by(c, find("sample", 6));
	if (period)
		sort_by(c, find("period", 6));
	first = c->front ? NULL : find(keys, strcspn(keys, ", "));
	/* or its size, as users of the format know it */
	c->symbol_first = first && !strncmp(first->name, "sym", 3);
	return ret;
}

int hist_columns_fields(struct hist_columns *c, const char *fields, const char *keys,
			struct err *err)
{
	int ret;

	clear(c);
	ret = each_key(c, fields, "fields", show, err);
	if (!ret && keys)
		ret = each_key(c, keys, "sort", show, err);
	if (!ret && keys)
		ret = each_key(c, keys, "sort", sort_by, err);
	if (!ret)
		ret = each_key(c, fields, "fields", sort_by, err);
	return ret;
}

void hist_columns_hide(struct hist_columns *c, const char *name)
{
	u32 i, kept = 0;

	for (i = 0; i < c->nr; i++) {
		if (!strcmp(c->col[i]->name, name)) {
			c->open_end |= i + 1 == c->nr;
			continue;
		}
		c->place[kept] = c->place[i];
		c->col[kept++] = c->col[i];
	}
	c->nr = kept;
}

void hist_columns_drop(struct hist_columns *c, const char *name)
{
	u32 i, kept = 0;

	for (i = 0; i < c->nr; i++)
		if (strcmp(c->col[i]->name, name) != 0)
			c->col[kept++] = c->col[i];
	c->nr = kept; /* places are those of the columns that are left */
}
