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

static void put_title(const struct top *top, u32 columns, struct strbuf *out)
{
	const struct opened *ev = toprun_target(top->run);
	const struct toprun_title title = { .target = &top->rec.o.target,
					    .events = ev->list,
					    .shown = top->shown,
					    .nr_cpus = ev->cpus.nr };
	u32 width = columns > 1 ? columns - 1 : WIDTH;

	strbuf_addch(out, '\n');
	toprun_title(&title, &top->view.numbers, out);
	strbuf_addch(out, '\n');
	for (u32 i = 0; i < width; i++)
		strbuf_addch(out, '-');
	strbuf_addstr(out, "\n\n");
}

/* Tell that counting is late: the numbers are then of a part of the samples. */
static void put_warnings(const struct top *top, struct strbuf *out)
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

/* Return how many rows are shown. */
static size_t rows_shown(const struct top *top, u32 lines)
{
	if (top->entries)
		return top->entries;
	if (!lines)
		return SIZE_MAX;
	return lines > HEAD_LINES ? lines - HEAD_LINES : 1;
}

void top_print(const struct top *top, u32 columns, u32 lines, struct strbuf *out)
{
	struct hist *h = profile_hist(top->view.profile);
	struct report_conf conf = {
		.quiet = true,
		.relative = top->relative,
		.percent_limit = top->percent_limit,
		.widths = top->widths_given ? top->widths : NULL,
		.groups = profile_groups(top->view.profile),
		.palette = columns ? &top->palette : NULL,
		.fit = output_fit(),
	};

	put_title(top, columns, out);
	put_warnings(top, out);
	hist_cut(h, top->shown, top->least, rows_shown(top, lines));
	hist_chains(h, top->shown, conf.percent_limit);
	report_rows(h, &conf, top->shown, to_text, out);
}
