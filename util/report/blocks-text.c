// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "report/blocks-text.h"

#include "base/alloc.h"
#include "symbol/symbol.h"

static const struct {
	const char *title;
	int width;
} columns[BLOCKS_COLUMNS] = {
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
	u16 least[BLOCKS_COLUMNS];
	size_t sum = 0;

	for (size_t i = 0; i < BLOCKS_COLUMNS; i++) {
		width[i] = (u16)columns[i].width;
		least[i] = i == RANGE ? LEAST_RANGE : i == OBJECT ? LEAST_OBJECT : width[i];
		sum += 2U + width[i];
	}
	if (conf->fit.columns && !conf->sep && sum > conf->fit.columns)
		fit_widths(width, least, BLOCKS_COLUMNS, sum - conf->fit.columns);
}

static void add_rule(const u16 *width, struct strbuf *out)
{
	strbuf_addch(out, '#');
	for (size_t i = 0; i < BLOCKS_COLUMNS; i++) {
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

void blocks_table_row(const struct blocks_table *t, size_t i, struct strbuf *out)
{
	const struct block *b = t->rows[i];
	const struct report_conf *conf = &t->conf;
	double share = t->cycles ? b->cycles * 100.0 / t->cycles : 0.0;
	struct strbuf cell = STRBUF_INIT;

	for (size_t c = 0; c < BLOCKS_COLUMNS; c++) {
		const char *color =
			c == SHARE && conf->palette ? palette_percent(conf->palette, share) : "";

		strbuf_reset(&cell);
		switch (c) {
		case SHARE:
			strbuf_addf(&cell, "%.2f%%", share);
			break;
		case CYCLES:
			add_cycles(b->cycles, &cell);
			break;
		case AVERAGE_SHARE:
			strbuf_addf(&cell, "%.2f%%",
				    t->averages ? average(b) * 100.0 / t->averages : 0.0);
			break;
		case AVERAGE:
			add_cycles(average(b), &cell);
			break;
		case RANGE:
			add_range(b, t->width[c], conf, &cell);
			break;
		default:
			add_name(b->object, t->width[c], conf, &cell);
		}
		strbuf_addstr(out, !conf->sep ? "  " : c ? conf->sep : "");
		strbuf_addf(out, "%s%*s%s", color, conf->sep ? 0 : t->width[c], strbuf_str(&cell),
			    *color ? COLOR_RESET : "");
	}
	strbuf_release(&cell);
}

void blocks_table_titles(const struct blocks_table *t, struct strbuf *out)
{
	const char *sep = t->conf.sep ? t->conf.sep : "  ";

	strbuf_addstr(out, "# ");
	for (size_t i = 0; i < BLOCKS_COLUMNS; i++)
		strbuf_addf(out, "%s%*s", i ? sep : "", t->width[i], columns[i].title);
}

static int by_cycles(const void *a, const void *b)
{
	const struct block *ba = *(const struct block *const *)a,
			   *bb = *(const struct block *const *)b;

	if (ba->cycles != bb->cycles)
		return ba->cycles > bb->cycles ? -1 : 1;
	return strcmp(ba->object, bb->object) ?: ba < bb ? -1 : ba > bb; /* as they stand there */
}

void blocks_table_init(struct blocks_table *t, const struct blocks *b,
		       const struct report_conf *conf)
{
	size_t nr;
	const struct block *all = blocks_all(b, &nr);

	*t = (struct blocks_table){ .conf = *conf, .rows = xcalloc(nr + 1, sizeof(*t->rows)) };
	for (size_t i = 0; i < nr; i++) {
		t->cycles += all[i].cycles;
		t->averages += average(&all[i]);
	}
	for (size_t i = 0; i < nr; i++)
		if (all[i].cycles * 100.0 >= conf->percent_limit * t->cycles)
			t->rows[t->nr++] = &all[i];
	qsort(t->rows, t->nr, sizeof(*t->rows), by_cycles);
	find_widths(conf, t->width);
}

void blocks_table_release(struct blocks_table *t)
{
	free(t->rows);
}

void blocks_text(const struct blocks *b, const struct report_conf *conf, struct strbuf *out)
{
	struct blocks_table t;

	blocks_table_init(&t, b, conf);
	blocks_table_titles(&t, out);
	strbuf_addch(out, '\n');
	if (!conf->sep)
		add_rule(t.width, out);
	for (size_t i = 0; i < t.nr; i++) {
		blocks_table_row(&t, i, out);
		strbuf_addch(out, '\n');
	}
	blocks_table_release(&t);
}
