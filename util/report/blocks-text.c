// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "report/blocks-text.h"

#include "base/alloc.h"
#include "symbol/symbol.h"

static const struct {
	const char *title;
	int width;
} columns[] = {
	{ "Sampled Cycles%", 15 }, { "Sampled Cycles", 14 },        { "Avg Cycles%", 11 },
	{ "Avg Cycles", 10 },      { "[Program Block Range]", 70 }, { "Shared Object", 20 },
};

enum { SHARE, CYCLES, AVERAGE_SHARE, AVERAGE, RANGE, OBJECT };

/* The least widths of columns with names where lines have to fit a terminal. */
#define LEAST_RANGE 40
#define LEAST_OBJECT 13

/* Find the widths of the columns: the usual ones, or those with which lines fit. */
static void find_widths(const struct report_conf *conf, u16 *width)
{
	u16 least[ARRAY_SIZE(columns)];
	size_t sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		width[i] = (u16)columns[i].width;
		least[i] = i == RANGE ? LEAST_RANGE : i == OBJECT ? LEAST_OBJECT : width[i];
		sum += 2U + width[i];
	}
	if (conf->fit.columns && !conf->sep && sum > conf->fit.columns)
		fit_widths(width, least, ARRAY_SIZE(columns), sum - conf->fit.columns);
}

static void add_titles(const char *sep, const u16 *width, struct strbuf *out)
{
	strbuf_addstr(out, "# ");
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		strbuf_addf(out, "%s%*s", !i ? "" : sep ? sep : "  ", width[i], columns[i].title);
	strbuf_addch(out, '\n');
	if (sep)
		return;
	strbuf_addch(out, '#');
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		strbuf_addstr(out, i ? "  " : " ");
		for (u16 k = 0; k < width[i]; k++)
			strbuf_addch(out, '.');
	}
	strbuf_addstr(out, "\n#\n");
}

static u64 average(const struct block *b)
{
	return b->nr ? b->cycles / b->nr : 0;
}

/* Append a number such as "2.8M", "1.2K" or "18". */
static void add_cycles(u64 cycles, struct strbuf *out)
{
	if (cycles >= 1000000)
		strbuf_addf(out, "%.1fM", (double)cycles / 1000000.0);
	else if (cycles >= 1000)
		strbuf_addf(out, "%.1fK", (double)cycles / 1000.0);
	else
		strbuf_dec(out, cycles, 0);
}

/* Append a name, which has @room columns where lines have to fit a terminal. */
static void add_name(const char *name, size_t room, const struct report_conf *conf,
		     struct strbuf *out)
{
	size_t at = out->len;

	strbuf_addname(out, name);
	if (conf->fit.columns && !conf->sep)
		fit_shorten(out, at, room, conf->fit.utf8);
}

/* Append "[main+12 -> main+40]". */
static void add_range(const struct block *b, u16 width, const struct report_conf *conf,
		      struct strbuf *out)
{
	const char *name = symtab_name(b->symtab, b->sym);
	char start[32], end[32];
	size_t offsets;

	snprintf(start, sizeof(start), "+%" PRIu64 " -> ", b->start);
	snprintf(end, sizeof(end), "+%" PRIu64 "]", b->end);
	offsets = 1 + strlen(start) + strlen(end);
	strbuf_addch(out, '[');
	add_name(name, width > offsets ? (width - offsets) / 2 : 1, conf, out);
	strbuf_addstr(out, start);
	add_name(name, width > offsets ? (width - offsets) / 2 : 1, conf, out);
	strbuf_addstr(out, end);
}

static void add_row(const struct block *b, u64 cycles, u64 averages, const u16 *width,
		    const struct report_conf *conf, struct strbuf *out)
{
	struct strbuf cell = STRBUF_INIT;
	double share = cycles ? b->cycles * 100.0 / cycles : 0.0;

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		const char *color =
			i == SHARE && conf->palette ? palette_percent(conf->palette, share) : "";

		strbuf_reset(&cell);
		switch (i) {
		case SHARE:
			strbuf_addf(&cell, "%.2f%%", share);
			break;
		case CYCLES:
			add_cycles(b->cycles, &cell);
			break;
		case AVERAGE_SHARE:
			strbuf_addf(&cell, "%.2f%%",
				    averages ? average(b) * 100.0 / averages : 0.0);
			break;
		case AVERAGE:
			add_cycles(average(b), &cell);
			break;
		case RANGE:
			add_range(b, width[i], conf, &cell);
			break;
		default:
			add_name(b->object, width[i], conf, &cell);
		}
		strbuf_addstr(out, !conf->sep ? "  " : i ? conf->sep : "");
		strbuf_addf(out, "%s%*s%s", color, conf->sep ? 0 : width[i], strbuf_str(&cell),
			    *color ? COLOR_RESET : "");
	}
	strbuf_addch(out, '\n');
	strbuf_release(&cell);
}

static int by_cycles(const void *a, const void *b, void *blocks)
{
	const struct block *ba = *(const struct block *const *)a,
			   *bb = *(const struct block *const *)b;

	if (ba->cycles != bb->cycles)
		return ba->cycles > bb->cycles ? -1 : 1;
	return strcmp(ba->object, bb->object) ?: ba < bb ? -1 : ba > bb; /* as they stand there */
}

void blocks_text(const struct blocks *b, const struct report_conf *conf, struct strbuf *out)
{
	size_t nr, i;
	const struct block *all = blocks_all(b, &nr);
	const struct block **v = xcalloc(nr + 1, sizeof(struct block *));
	u64 cycles = 0, averages = 0;
	u16 width[ARRAY_SIZE(columns)];

	for (i = 0; i < nr; i++) {
		v[i] = &all[i];
		cycles += all[i].cycles;
		averages += average(&all[i]);
	}
	qsort_r(v, nr, sizeof(*v), by_cycles, NULL);
	find_widths(conf, width);
	add_titles(conf->sep, width, out);
	for (i = 0; i < nr; i++)
		if (v[i]->cycles * 100.0 >= conf->percent_limit * cycles)
			add_row(v[i], cycles, averages, width, conf, out);
	free(v);
}
