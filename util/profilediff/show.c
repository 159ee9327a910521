// SPDX-License-Identifier: GPL-2.0-or-later
/* Print the profiles, event by event. */
#include "base/compat.h"
#include "profilediff/profile-diff.h"

#include "base/alloc.h"

#include <math.h>

/* Find the event in another recording. It is known by its attr, as names also say what a machine
 * could not do. */
static struct diff_side side_of(const struct differ *d, const struct diff_file *f,
				const struct evsel *e)
{
	const struct evlist *l = &f->rec.session.evlist;
	struct hist *h = profile_hist(f->profile);
	struct diff_side s = { .hist = h,
			       .blocks = profile_blocks(f->profile),
			       .evsel = UINT32_MAX };

	for (u32 i = 0; h && i < l->nr; i++) {
		const struct hist_event *ev = hist_event(h, i);

		if (l->evsels[i]->attr.type != e->attr.type ||
		    l->evsels[i]->attr.config != e->attr.config)
			continue;
		s.evsel = i;
		s.period = d->relative ? ev->passed_period : ev->period;
		s.nr = d->relative ? ev->passed_nr : ev->nr;
		if (d->graph || d->stream)
			hist_chains(h, i, 0);
		return s;
	}
	return s;
}

/* Name a share that changed by more than was allowed, and than chance explains. */
static void put_change(const struct differ *d, const struct diff *df, const struct diff_row *r,
		       u32 side, struct strbuf *out)
{
	double was = diff_share(df, r->sums, 0), now = diff_share(df, r->sums, side);
	double change = now - was;

	if (!limit_passed(&d->limit, change) || fabs(change) <= diff_noise(df, r->sums, side))
		return;
	diff_row_name(df, r, out);
	strbuf_addf(out, ": %.2f%% -> %.2f%% in %s: more than %g%% and than chance\n", was, now,
		    d->files[side].rec.session.file->path, d->limit.percent);
}

static void put_changes(const struct differ *d, const struct diff *df, struct strbuf *out)
{
	for (size_t i = 0; d->limit.set && i < df->nr_rows; i++)
		for (u32 side = 1; side < df->nr_sides; side++)
			put_change(d, df, &df->rows[i], side, out);
}

static void put_files(const struct differ *d, struct strbuf *out)
{
	strbuf_addstr(out, "# Data files:\n");
	for (u32 i = 0; i < d->nr_files; i++) {
		strbuf_addf(out, "#  [%u] ", i);
		strbuf_addname(out, d->files[i].rec.session.file->path);
		strbuf_addf(out, " %s\n", i ? "" : "(Baseline)");
	}
	strbuf_addstr(out, "#\n");
}

/* Print the titles and rows of one event. */
static void put_event(const struct differ *d, struct diff *df, const struct evsel *e,
		      struct strbuf *out)
{
	struct diff_text text = d->text;

	if (d->stream) {
		diff_stream_lines(df, d->conf.order ? d->conf.order : 1, &d->text.fit, out);
		return;
	}
	if (d->graph)
		text.paths = diff_paths_new(df, d->path_limit);
	if (!d->quiet) {
		strbuf_addstr(out, "# Event '");
		strbuf_addname(out, e->name);
		strbuf_addstr(out, "'\n#\n");
		if (d->list_files)
			put_files(d, out);
		diff_titles(df, &text, out);
	}
	diff_rows(df, &text, out);
	diff_paths_free(text.paths);
}

struct diff *differ_compare(const struct differ *d, const struct evsel *e,
			    const struct diff_conf *conf)
{
	struct diff_side *sides = xcalloc(d->nr_files, sizeof(*sides));
	struct diff *df;

	for (u32 i = 0; i < d->nr_files; i++)
		sides[i] = side_of(d, &d->files[i], e);
	df = diff_new(sides, d->nr_files, conf);
	free(sides);
	return df;
}

void differ_event(const struct differ *d, const struct evsel *e, struct strbuf *out,
		  struct strbuf *over)
{
	bool first = e == d->files[0].rec.session.evlist.evsels[0];
	struct diff *df = differ_compare(d, e, &d->conf);

	if (!first && !d->quiet)
		strbuf_addch(out, '\n');
	put_event(d, df, e, out);
	put_changes(d, df, over);
	diff_free(df);
}
