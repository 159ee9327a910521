// SPDX-License-Identifier: GPL-2.0-or-later
/* perf top: the profile as text, one screen for each refresh. */
#include "base/compat.h"
#include "cmd/top/top.h"

#include "cmd/common/pager.h"
#include "report/report.h"
#include "toprun/title.h"

#define HEAD_LINES 5 /* beside the rows: clear line, title, ruler, a blank one, and the last line */
#define WIDTH 79     /* of the ruler, where there is no terminal */

static int to_text(void *ctx, const char *text, size_t len)
{
	strbuf_add(ctx, text, len);
	return 0;
}

void top_put_title(const struct top *top, struct strbuf *out)
{
	const struct opened *ev = toprun_target(top->run);
	const struct toprun_title title = { .target = &top->rec.o.target,
					    .events = ev->list,
					    .shown = top->shown,
					    .nr_cpus = ev->cpus.nr };

	toprun_title(&title, &top->view.numbers, out);
}

static void put_title(const struct top *top, u32 columns, struct strbuf *out)
{
	u32 width = columns > 1 ? columns - 1 : WIDTH;

	strbuf_addch(out, '\n');
	top_put_title(top, out);
	strbuf_addch(out, '\n');
	for (u32 i = 0; i < width; i++)
		strbuf_addch(out, '-');
	strbuf_addstr(out, "\n\n");
}

void top_put_warnings(const struct top *top, struct strbuf *out)
{
	const struct toprun_numbers *n = &top->view.numbers;

	if (n->dropped)
		strbuf_addf(out,
			    "Processing is slow: %" PRIu64 " of %" PRIu64
			    " samples dropped, ask for fewer of them (-F, -C)\n",
			    n->dropped, n->dropped + n->samples);
	if (n->lost)
		strbuf_addf(out,
			    "Ring buffers were full: %" PRIu64
			    " records lost, make them larger (-m) or ask for fewer (-F, -C)\n",
			    n->lost);
}

struct report_conf top_conf(const struct top *top)
{
	return (struct report_conf){
		.quiet = true,
		.relative = top->relative,
		.percent_limit = top->percent_limit,
		.widths = top->widths_given ? top->widths : NULL,
		.groups = profile_groups(top->view.profile),
	};
}

/* Return how many rows are shown. */
static size_t rows_shown(const struct top *top, u32 lines)
{
	if (top->entries)
		return top->entries;
	if (!lines)
		return SIZE_MAX;
	return lines > HEAD_LINES ? lines - HEAD_LINES : 1;
}

void top_put_rows(const struct top *top, const struct report_conf *conf, u32 evsel, size_t nr,
		  struct strbuf *out)
{
	struct hist *h = profile_hist(top->view.profile);

	hist_cut(h, evsel, top->set.least, nr);
	if (top->set.chains)
		hist_chains(h, evsel, conf->percent_limit);
	report_rows(h, conf, evsel, to_text, out);
}

/* Append the rows of each event that has some, below its name. */
static void put_events(const struct top *top, const struct report_conf *conf, struct strbuf *out)
{
	const struct hist *h = profile_hist(top->view.profile);
	const struct evlist *l = &top->rec.evlist;

	for (u32 i = 0; i < l->nr; i++) {
		if (!hist_event(h, i)->nr_rows)
			continue;
		strbuf_addf(out, "%s:\n", l->evsels[i]->name);
		top_put_rows(top, conf, i, rows_shown(top, 0), out);
	}
}

/* Append the function that is shown instead of rows, or why there is nothing of it. */
static void put_symbol(struct top *top, struct strbuf *out)
{
	struct err err = { 0 };

	if (top_annotate(top, top->symbol, out, &err))
		strbuf_addf(out, "%s\n", err.msg);
}

/* Cut the screen off where the terminal ends. */
static void cut_lines(struct strbuf *out, size_t from, u32 lines)
{
	size_t at = from;

	for (u32 i = 0; i + 1 < lines && at < out->len; i++)
		at += strcspn(out->buf + at, "\n") + 1;
	if (at < out->len)
		out->len = at;
}

void top_print(struct top *top, u32 columns, u32 lines, struct strbuf *out)
{
	struct report_conf conf = top_conf(top);
	size_t from = out->len;

	conf.palette = columns ? &top->palette : NULL;
	conf.fit = output_fit();
	put_title(top, columns, out);
	top_put_warnings(top, out);
	if (top->symbol) {
		put_symbol(top, out);
		return;
	}
	if (!lines && top_nr_events(top) > 1) {
		put_events(top, &conf, out);
		return;
	}
	top_put_rows(top, &conf, top->shown, rows_shown(top, lines), out);
	if (lines)
		cut_lines(out, from, lines);
}
