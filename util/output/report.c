// SPDX-License-Identifier: GPL-2.0-or-later
/* Head lines and rows of the stdio report. */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "output/report.h"

void report_unit(u64 nr, struct strbuf *out)
{
	static const char units[] = " KMG";
	int unit = 0;

	while (nr > 1000 && units[unit + 1]) {
		nr /= 1000;
		unit++;
	}
	strbuf_addf(out, "%" PRIu64 "%c", nr, units[unit]);
}

void report_samples(const struct hist *h, const struct report_conf *conf,
		    const struct report_event *ev, struct strbuf *out)
{
	u32 nr_members = hist_event(h, ev->evsel)->nr_members, i;
	u64 nr = 0, period = 0;

	for (i = 0; i < nr_members; i++) {
		const struct hist_event *e = hist_event(h, ev->evsel + i);

		nr += conf->relative ? e->passed_nr : e->nr;
		period += conf->relative ? e->passed_period : e->period;
	}
	strbuf_addstr(out, "# Samples: ");
	report_unit(nr, out);
	strbuf_addstr(out, nr_members > 1 ? " of events '" : " of event '");
	strbuf_addname(out, ev->name);
	strbuf_addf(out, "'\n# Event count (approx.): %" PRIu64 "\n#\n", period);
}

/* Sums stand right in their column, everything else left. */
static void add_titles(const struct hist_columns *c, const struct hist_event *ev, const char *sep,
		       struct strbuf *out)
{
	u32 i;

	strbuf_addstr(out, "# ");
	for (i = 0; i < c->nr; i++) {
		if (i)
			strbuf_addstr(out, sep ? sep : "  ");
		if (c->col[i]->metric)
			strbuf_addf(out, "%*s", ev->width[i], c->col[i]->header);
		else
			strbuf_addf(out, "%-*s", ev->width[i], c->col[i]->header);
	}
	strbuf_addch(out, '\n');
	if (sep)
		return;
	strbuf_addstr(out, "# ");
	for (i = 0; i < c->nr; i++) {
		size_t k;

		if (i)
			strbuf_addstr(out, "  ");
		for (k = 0; k < ev->width[i]; k++)
			strbuf_addch(out, '.');
	}
	strbuf_addstr(out, "\n#\n");
}

/* Put the colour of the percentage that was just written around it. */
static void color_percent(const struct palette *p, struct strbuf *out, size_t at)
{
	const char *text = out->buf + at, *seq;
	size_t len = out->len - at;
	char copy[64];

	if (!p || !len || len >= sizeof(copy) || text[len - 1] != '%')
		return;
	memcpy(copy, text, len);
	copy[len] = 0;
	seq = palette_percent(p, strtod(copy, NULL));
	if (!*seq)
		return;
	out->len = at;
	strbuf_addf(out, "%s%s%s", seq, copy, COLOR_RESET);
}

static void add_row(const struct hist *h, const struct hist_event *ev, const struct hist_row *row,
		    const struct report_conf *conf, struct strbuf *out)
{
	const struct hist_columns *c = &hist_config(h)->cols;
	const char *sep = conf->sep;
	size_t at;
	u32 i;

	for (i = 0; i < c->nr; i++) {
		bool last = i + 1 == c->nr;

		if (sep && i)
			strbuf_addstr(out, sep);
		else if (!sep)
			strbuf_addstr(out, "  ");
		if (sep && c->col[i]->metric)
			strbuf_addch(out, ' ');
		at = out->len;
		c->col[i]->format(h, ev, row, ev->width[i], sep, out);
		if (!last || !(c->col[i]->raw || c->col[i]->metric))
			strbuf_pad(out, at + ev->width[i] - (sep && c->col[i]->metric));
		if (c->col[i]->metric)
			color_percent(conf->palette, out, at);
	}
	strbuf_addch(out, '\n');
}

static bool under_limit(const struct hist *h, const struct hist_event *ev,
			const struct hist_row *row, double limit)
{
	u64 sum = hist_config(h)->children ? row->acc_period : row->period;

	return ev->period && sum * 100.0 / ev->period < limit;
}

/* Rows are formatted on several threads, a block at a time, and written in order. */
#define BLOCK_ROWS 512
#define BATCH 16

struct batch {
	const struct hist *h;
	const struct report_conf *conf;
	const struct hist_event *ev;
	u32 evsel;
	size_t from; /* first row of the batch */
	struct strbuf out[BATCH];
};

static void format_block(void *ctx, int worker, size_t block)
{
	struct batch *b = ctx;
	size_t i = b->from + block * BLOCK_ROWS, end = MIN(i + BLOCK_ROWS, b->ev->nr_rows);
	struct strbuf *out = &b->out[block];

	strbuf_reset(out);
	for (; i < end; i++) {
		const struct hist_row *row = b->ev->rows[i];

		if (under_limit(b->h, b->ev, row, b->conf->percent_limit))
			continue;
		add_row(b->h, b->ev, row, b->conf, out);
		if (row->chain)
			report_chain(b->h, b->evsel, row, b->conf->palette, out);
	}
}

int report_rows(const struct hist *h, const struct report_conf *conf, u32 evsel,
		output_write *write, void *ctx)
{
	struct hist_event ev = *hist_event(h, evsel);
	struct batch *b = xzalloc(sizeof(*b));
	int ret = 0, i;

	if (conf->relative)
		ev.period = ev.passed_period;
	*b = (struct batch){ .h = h, .conf = conf, .ev = &ev, .evsel = evsel };
	if (!conf->quiet) {
		add_titles(&hist_config(h)->cols, &ev, conf->sep, &b->out[0]);
		ret = write(ctx, b->out[0].buf, b->out[0].len);
	}
	for (; b->from < ev.nr_rows && !ret; b->from += BATCH * BLOCK_ROWS) {
		size_t blocks = MIN((ev.nr_rows - b->from + BLOCK_ROWS - 1) / BLOCK_ROWS, BATCH);

		pool_run(hist_config(h)->workers, blocks, format_block, b);
		for (i = 0; i < (int)blocks && !ret; i++)
			if (b->out[i].len)
				ret = write(ctx, b->out[i].buf, b->out[i].len);
	}
	for (i = 0; i < BATCH; i++)
		strbuf_release(&b->out[i]);
	free(b);
	return ret;
}
