// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of a refresh. */
#include "base/compat.h"
#include "toptext/toptext.h"

#include "toprun/title.h"

#define HEAD_LINES 5 /* beside the rows: clear line, title, ruler, a blank one, and the last line */
#define WIDTH 79     /* of the ruler, where there is no terminal */

/* ---- events ---- */

bool toptext_has_rows(const struct toptext *t, u32 evsel)
{
	const struct evsel *e = t->events->evsels[evsel];

	return !evsel_is_dummy(e) && (!t->groups || e->leader == evsel);
}

size_t toptext_nr_events(const struct toptext *t)
{
	size_t nr = 0;

	for (u32 i = 0; i < t->events->nr; i++)
		nr += toptext_has_rows(t, i);
	return nr;
}

bool toptext_next_event(struct toptext *t)
{
	u32 nr = (u32)t->events->nr, was = t->shown;

	do
		t->shown = (t->shown + 1) % nr;
	while (!toptext_has_rows(t, t->shown));
	return t->shown != was;
}

static struct toprun_look look_of(const struct toptext *t, bool again)
{
	return (struct toprun_look){ .hide_kernel = t->set.hide_kernel,
				     .hide_user = t->set.hide_user,
				     .zero = t->set.zero,
				     .again = again,
				     .asked = t->asked };
}

struct stacks *toptext_stacks(const struct toptext *t, struct err *err)
{
	const struct toprun_look look = look_of(t, true);

	return toprun_stacks(t->run, &look, err);
}

int toptext_refresh(struct toptext *t, bool again, struct err *err)
{
	const struct toprun_look look = look_of(t, again);

	return toprun_refresh(t->run, &look, &t->view, err);
}

/* ---- text ---- */

static int to_text(void *ctx, const char *text, size_t len)
{
	strbuf_add(ctx, text, len);
	return 0;
}

/* Tell whether an event counts guests because it was told to. */
static bool counts_guests(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->terms.guests && !l->evsels[i]->attr.exclude_guest)
			return true;
	return false;
}

void toptext_title(const struct toptext *t, struct strbuf *out)
{
	const struct opened *ev = toprun_target(t->run);
	const struct toprun_title title = {
		.target = t->target,
		.events = ev->list,
		.shown = t->shown,
		.nr_cpus = ev->cpus.nr,
		.guests = counts_guests(ev->list),
	};

	toprun_title(&title, &t->view.numbers, out);
}

static void put_title(const struct toptext *t, u32 columns, struct strbuf *out)
{
	u32 width = columns > 1 ? columns - 1 : WIDTH;

	strbuf_addch(out, '\n');
	toptext_title(t, out);
	strbuf_addch(out, '\n');
	for (u32 i = 0; i < width; i++)
		strbuf_addch(out, '-');
	strbuf_addstr(out, "\n\n");
}

void toptext_losses(const struct toptext *t, struct strbuf *out)
{
	const struct toprun_numbers *n = &t->view.numbers;

	strbuf_addf(out, " lost: %" PRIu64 "/%" PRIu64 " drop: %" PRIu64 "/%" PRIu64, n->lost,
		    n->lost_total, n->dropped, n->dropped_total);
}

void toptext_warnings(const struct toptext *t, struct strbuf *out)
{
	const struct toprun_numbers *n = &t->view.numbers;

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

struct report_conf toptext_conf(const struct toptext *t)
{
	return (struct report_conf){
		.quiet = true,
		.relative = t->relative,
		.percent_limit = t->percent_limit,
		.widths = t->widths,
		.groups = profile_groups(t->view.profile),
	};
}

/* Return how many rows are shown. */
static size_t rows_shown(const struct toptext *t, u32 lines)
{
	if (t->entries)
		return t->entries;
	if (!lines)
		return SIZE_MAX;
	return lines > HEAD_LINES ? lines - HEAD_LINES : 1;
}

void toptext_rows(const struct toptext *t, const struct report_conf *conf, u32 evsel, size_t nr,
		  struct strbuf *out)
{
	struct hist *h = profile_hist(t->view.profile);

	hist_cut(h, evsel, t->set.least, nr);
	hist_chains(h, evsel, conf->percent_limit);
	report_rows(h, conf, evsel, to_text, out);
}

/* Append the rows of each event that has some, below its name. */
static void put_events(const struct toptext *t, const struct report_conf *conf, struct strbuf *out)
{
	const struct hist *h = profile_hist(t->view.profile);
	const struct evlist *l = t->events;

	for (u32 i = 0; i < l->nr; i++) {
		if (!hist_event(h, i)->nr_rows)
			continue;
		strbuf_addf(out, "%s:\n", l->evsels[i]->name);
		toptext_rows(t, conf, i, rows_shown(t, 0), out);
	}
}

/* Append the function that is shown instead of rows, or why there is nothing of it. */
static void put_symbol(struct toptext *t, struct strbuf *out)
{
	struct err err = { 0 };

	if (toptext_annotate(t, t->symbol, out, &err))
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

void toptext_screen(struct toptext *t, const struct toptext_terminal *term, struct strbuf *out)
{
	struct report_conf conf = toptext_conf(t);
	size_t from = out->len;

	conf.palette = term->palette;
	conf.fit = term->fit;
	put_title(t, term->columns, out);
	toptext_warnings(t, out);
	if (t->symbol)
		put_symbol(t, out);
	else if (!term->lines && toptext_nr_events(t) > 1)
		put_events(t, &conf, out);
	else
		toptext_rows(t, &conf, t->shown, rows_shown(t, term->lines), out);
	if (term->lines)
		cut_lines(out, from, term->lines);
}
