// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of sort keys and columns. */
#include "base/compat.h"

#include <errno.h>
#include <strings.h>

#include "base/escape.h"
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

	if (escape_needed(s)) {
		char *buf = xmalloc(len * 4 + 1);

		len = escape_name(buf, len * 4 + 1, s);
		free(buf);
	}
	return len;
}

/* A name in a column of its own: what does not fit is cut. */
static void add_cut(struct strbuf *out, const char *name, u16 width)
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
	return member ? row->members[member - 1].period : row->period;
}

static u64 rank_acc(const struct hist *h, const struct hist_row *row, u32 member)
{
	return member ? row->members[member - 1].acc_period : row->acc_period;
}

static u64 rank_nr(const struct hist *h, const struct hist_row *row, u32 member)
{
	return member ? row->members[member - 1].nr : row->nr;
}

/*
 * "%.2f%%" without printf: hundredths are rounded here unless the value is so near to the middle of
 * two that only the exact decimal digits of the double can tell.
 */
static void format_percent(u64 part, u64 total, u16 width, const char *sep, struct strbuf *out)
{
	double percent = total ? part * 100.0 / total : 0.0, hundredths = percent * 100.0;
	size_t pad = sep ? 0 : width;
	u64 whole = hundredths;
	double rest = hundredths - whole;

	if (percent >= 1e6 || (rest > 0.499999 && rest < 0.500001)) {
		strbuf_addf(out, "%*.2f%%", sep ? 0 : width - 1, percent);
		return;
	}
	whole += rest >= 0.5;
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
			  u64 (*sum)(const struct hist *, const struct hist_row *, u32))
{
	u32 nr = MAX(ev->nr_members, 1u), evsel = h->bases[row->base].evsel, i;

	for (i = 0; i < nr; i++) {
		if (sep && i)
			strbuf_addch(out, ' ');
		format_percent(sum(h, row, i), i ? h->events[evsel + i].period : ev->period,
			       width / nr, sep, out);
	}
}

static void format_sums(const struct hist_event *ev, const struct hist *h,
			const struct hist_row *row, u16 width, const char *sep, struct strbuf *out,
			u64 (*sum)(const struct hist *, const struct hist_row *, u32))
{
	u32 nr = MAX(ev->nr_members, 1u), i;

	for (i = 0; i < nr; i++) {
		if (sep && i)
			strbuf_addch(out, ' ');
		strbuf_dec(out, sum(h, row, i), sep ? 0 : width / nr);
	}
}

static void format_period(const struct hist *h, const struct hist_event *ev,
			  const struct hist_row *row, u16 width, const char *sep,
			  struct strbuf *out)
{
	format_shares(h, ev, row, width, sep, out, rank_period);
}

static void format_acc(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	format_shares(h, ev, row, width, sep, out, rank_acc);
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

static void format_comm(const struct hist *h, const struct hist_event *ev,
			const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	add_cut(out, hist_comm_name(h, h->bases[row->base].comm), width);
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
	add_cut(out, hist_thread_comm(h, row), width - 8);
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

static void format_dso(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	add_cut(out, hist_dso_name(h, place_of(h, row)->dso), width);
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
		widen(width, name_len(name) + 4);
	} else {
		widen(width, ADDR_DIGITS + 6);
		widen(dso_width, ADDR_DIGITS);
	}
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

	strbuf_addch(out, '[');
	strbuf_addch(out, row->level);
	strbuf_addstr(out, "] ");
	if (name)
		strbuf_addname(out, name);
	else
		add_addr(out, place_of(h, row)->start);
}

/* Cycles are known for branch stacks only; the column is for scripts that ask for `symbol`. */
static u64 rank_none(const struct hist *h, const struct hist_row *row, u32 member)
{
	return 0;
}

static void format_ipc(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out)
{
	strbuf_addstr(out, "-      -");
}

static const struct hist_column table[] = {
	{ "overhead", "Overhead", .metric = true, .rank = rank_period, .format = format_period },
	{ "overhead_children", "Children", .metric = true, .rank = rank_acc, .format = format_acc },
	{ "sample", "     Samples", .metric = true, .rank = rank_nr, .format = format_nr },
	{ "period", "      Period", .metric = true, .rank = rank_period, .format = format_sum },
	{ "pid", "    Pid:Command", NEED_THREAD, .rank = rank_tid, .measure = measure_tid,
	  .format = format_tid },
	{ "comm", "Command", NEED_COMM, .rank = rank_comm, .measure = measure_comm,
	  .format = format_comm },
	{ "dso", "Shared Object", NEED_DSO, .rank = rank_dso, .measure = measure_dso,
	  .format = format_dso },
	{ "symbol", "Symbol", NEED_SYM, .rank = rank_sym, .identity = identity_sym, .raw = true,
	  .measure = measure_sym, .format = format_sym },
	{ "cpu", "CPU", NEED_CPU, .width = 3, .rank = rank_cpu, .format = format_cpu },
	{ "ipc_null", "IPC   [IPC Coverage]", .width = 20, .rank = rank_none,
	  .format = format_ipc },
};

/* Self is what Overhead is called beside Children. */
static const struct hist_column self = { "overhead",          "Self",
					 .metric = true,      .width = 8,
					 .rank = rank_period, .format = format_period };

const struct hist_column *hist_column_get(size_t i)
{
	return i < ARRAY_SIZE(table) ? &table[i] : NULL;
}

static const struct hist_column *find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (len && !strncasecmp(table[i].name, name, len) && len <= strlen(table[i].name))
			return &table[i];
	return NULL;
}

static bool has(const struct hist_column *const *list, u32 nr, const struct hist_column *col)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (list[i] == col || !strcmp(list[i]->name, col->name))
			return true;
	return false;
}

static void show(struct hist_columns *c, const struct hist_column *col)
{
	c->need |= col->need;
	c->children |= !strcmp(col->name, "overhead_children");
	if (!has(c->col, c->nr, col) && c->nr < HIST_MAX_COLUMNS)
		c->col[c->nr++] = col;
}

static void sort_by(struct hist_columns *c, const struct hist_column *col)
{
	c->need |= col->need;
	if (!has(c->sort, c->nr_sort, col) && c->nr_sort < HIST_MAX_COLUMNS)
		c->sort[c->nr_sort++] = col;
}

/* The columns of a comma- or blank-separated list, through @take. */
static int each_key(struct hist_columns *c, const char *keys, const char *option,
		    void (*take)(struct hist_columns *, const struct hist_column *),
		    struct err *err)
{
	const char *p = keys + strspn(keys, ", ");

	while (*p) {
		size_t len = strcspn(p, ", ");
		const struct hist_column *col = find(p, len);

		if (!col)
			return err_set(err, -EINVAL, "Unknown --%s key: `%.*s'", option, (int)len,
				       p);
		take(c, col);
		p += len;
		p += strspn(p, ", ");
	}
	return 0;
}

int hist_columns_sort(struct hist_columns *c, const char *keys, bool children, bool nr_samples,
		      bool period, struct err *err)
{
	const struct hist_column *overhead = children ? &self : find("overhead", 8), *first;
	int ret;

	*c = (struct hist_columns){ 0 };
	if (children) {
		show(c, find("overhead_children", 17));
		sort_by(c, find("overhead_children", 17));
	}
	show(c, overhead);
	sort_by(c, overhead);
	if (nr_samples)
		show(c, find("sample", 6));
	if (period)
		show(c, find("period", 6));
	ret = each_key(c, keys, "sort", show, err);
	if (!ret)
		ret = each_key(c, keys, "sort", sort_by, err);
	if (!ret && strstr(keys, "symbol"))
		show(c, find("ipc_null", 8));
	first = find(keys, strcspn(keys, ", "));
	c->symbol_first = first && first->need == NEED_SYM;
	return ret;
}

int hist_columns_fields(struct hist_columns *c, const char *fields, const char *keys,
			struct err *err)
{
	int ret;

	*c = (struct hist_columns){ 0 };
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

	for (i = 0; i < c->nr; i++)
		if (strcmp(c->col[i]->name, name))
			c->col[kept++] = c->col[i];
	c->nr = kept;
}
