// SPDX-License-Identifier: GPL-2.0-or-later
/* perf diff: what is shown of the profiles, event by event. */
#include "base/compat.h"

#include "cmd/diff/diff.h"

#include "base/alloc.h"

#include <math.h>

/* The same event is told by its attr: names say what a machine could not do, too. */
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

/* Did a share change by more than was allowed, and than chance explains? It is named then. */
static bool over_limit(const struct differ *d, const struct diff *df, const struct diff_row *r,
		       u32 side)
{
	double was = diff_share(df, r->sums, 0), now = diff_share(df, r->sums, side);
	double change = now - was;
	struct strbuf name = STRBUF_INIT;

	if (!limit_passed(&d->limit, change) || fabs(change) <= diff_noise(df, r->sums, side))
		return false;
	diff_row_name(df, r, &name);
	fprintf(stderr, "%s: %.2f%% -> %.2f%% in %s: more than %g%% and than chance\n",
		strbuf_str(&name), was, now, d->files[side].rec.session.file->path,
		d->limit.percent);
	strbuf_release(&name);
	return true;
}

static bool any_over_limit(const struct differ *d, const struct diff *df)
{
	bool any = false;

	for (size_t i = 0; d->limit.set && i < df->nr_rows; i++)
		for (u32 side = 1; side < df->nr_sides; side++)
			any |= over_limit(d, df, &df->rows[i], side);
	return any;
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

/* The titles and rows of one event. */
static void put_event(const struct differ *d, struct diff *df, const struct evsel *e,
		      struct strbuf *out)
{
	struct diff_text text = d->text;

	if (d->stream) {
		diff_stream_lines(df, d->conf.order ? d->conf.order : 1, out);
		return;
	}
	if (d->graph)
		text.paths = diff_paths_new(df, d->path_limit);
	if (!d->quiet) {
		strbuf_addstr(out, "# Event '");
		strbuf_addname(out, e->name);
		strbuf_addstr(out, "'\n#\n");
		if (d->verbose || d->nr_files > 2)
			put_files(d, out);
		diff_titles(df, &text, out);
	}
	diff_rows(df, &text, out);
	diff_paths_free(text.paths);
}

/* Return: whether shares changed too much. */
static bool show_event(const struct differ *d, const struct evsel *e, bool first)
{
	struct diff_side *sides = xcalloc(d->nr_files, sizeof(*sides));
	struct strbuf out = STRBUF_INIT;
	struct diff *df;
	bool over;

	for (u32 i = 0; i < d->nr_files; i++)
		sides[i] = side_of(d, &d->files[i], e);
	df = diff_new(sides, d->nr_files, &d->conf);
	if (!first && !d->quiet)
		strbuf_addch(&out, '\n');
	put_event(d, df, e, &out);
	fwrite(strbuf_str(&out), 1, out.len, stdout);
	over = any_over_limit(d, df);
	strbuf_release(&out);
	diff_free(df);
	free(sides);
	return over;
}

int diff_show(const struct differ *d)
{
	const struct evlist *l = &d->files[0].rec.session.evlist;
	bool over = false, first = true;

	for (size_t i = 0; i < l->nr && profile_hist(d->files[0].profile); i++) {
		over |= show_event(d, l->evsels[i], first);
		first = false;
	}
	return over ? 1 : 0;
}
