// SPDX-License-Identifier: GPL-2.0-or-later
/* Head lines and rows of the stdio report. */
#include "base/compat.h"

#include "output/report.h"

#define FLUSH_AT (256 << 10)

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

void report_samples(const struct hist *h, const struct report_conf *conf, const struct report_event *ev,
		    struct strbuf *out)
{
	const struct hist_event *e = hist_event(h, ev->evsel);

	strbuf_addstr(out, "# Samples: ");
	report_unit(conf->relative ? e->passed_nr : e->nr, out);
	strbuf_addstr(out, ev->group ? " of events '" : " of event '");
	strbuf_addname(out, ev->name);
	strbuf_addf(out, "'\n# Event count (approx.): %" PRIu64 "\n#\n", conf->relative ? e->passed_period : e->period);
}

/* Sums stand right in their column, everything else left. */
static void add_titles(const struct hist_columns *c, const struct hist_event *ev, const char *sep, struct strbuf *out)
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

static void add_row(const struct hist *h, const struct hist_event *ev, const struct hist_row *row, const char *sep,
		    struct strbuf *out)
{
	const struct hist_columns *c = &hist_config(h)->cols;
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
		if (last && (c->col[i]->raw || c->col[i]->metric))
			continue;
		strbuf_pad(out, at + ev->width[i] - (sep && c->col[i]->metric));
	}
	strbuf_addch(out, '\n');
}

static bool under_limit(const struct hist *h, const struct hist_event *ev, const struct hist_row *row, double limit)
{
	u64 sum = hist_config(h)->children ? row->acc_period : row->period;

	return ev->period && sum * 100.0 / ev->period < limit;
}

int report_rows(const struct hist *h, const struct report_conf *conf, u32 evsel, output_write *write, void *ctx)
{
	struct hist_event ev = *hist_event(h, evsel);
	struct strbuf out = STRBUF_INIT;
	size_t i;
	int ret = 0;

	if (conf->relative)
		ev.period = ev.passed_period;
	if (!conf->quiet)
		add_titles(&hist_config(h)->cols, &ev, conf->sep, &out);
	for (i = 0; i < ev.nr_rows && !ret; i++) {
		if (under_limit(h, &ev, ev.rows[i], conf->percent_limit))
			continue;
		add_row(h, &ev, ev.rows[i], conf->sep, &out);
		if (ev.rows[i]->chain)
			report_chain(h, evsel, ev.rows[i], &out);
		if (out.len >= FLUSH_AT) {
			ret = write(ctx, out.buf, out.len);
			strbuf_reset(&out);
		}
	}
	if (!ret && out.len)
		ret = write(ctx, out.buf, out.len);
	strbuf_release(&out);
	return ret;
}
