// SPDX-License-Identifier: GPL-2.0-or-later
/* Print the report of --hierarchy: sums on the left, and the keys below each other, indented. */
#include "base/compat.h"

#include "base/alloc.h"
#include "report/report-internal.h"

#define INDENT 3     /* blanks for each level */
#define MAX_RULE 207 /* the most dots below the title of the keys, however long names are */

/* Return the number of sums, which come first in the columns. */
static u32 nr_sums(const struct hist_columns *c)
{
	return c->nr - c->nr_level_cols;
}

static void add_rule(struct strbuf *out, size_t width)
{
	while (width--)
		strbuf_addch(out, '.');
}

/* Return the width of the level column @i: the one that fits, or the one that its rows need. */
static u16 key_width(const struct hist_columns *c, const struct report_conf *conf,
		     const struct hist_event *ev, u32 i)
{
	return conf->fitted ? conf->fitted[i] : ev->width[nr_sums(c) + i];
}

/* Return the width of the keys of all levels with their indentation. */
static size_t keys_width(const struct hist_columns *c, const struct report_conf *conf,
			 const struct hist_event *ev)
{
	size_t widest = 0, width = 0;
	u32 i;

	for (i = 0; i < c->nr_level_cols; i++) {
		bool fresh = !i || c->level_of[i] != c->level_of[i - 1];

		width = fresh ? c->level_of[i] * INDENT : width + 1;
		width += key_width(c, conf, ev, i);
		widest = MAX(widest, width);
	}
	return widest;
}

static void add_titles(const struct hist_columns *c, const struct hist_event *ev,
		       const struct report_conf *conf, struct strbuf *out)
{
	const char *sep = conf->sep;
	size_t indent = sep || !c->nr_levels ? 0 : (c->nr_levels - 1) * INDENT, at, rule = indent;
	u32 i;

	strbuf_addstr(out, "# ");
	strbuf_pad(out, out->len + indent);
	for (i = 0; i < nr_sums(c); i++) {
		strbuf_addf(out, "%*s", ev->width[i], c->col[i]->header);
		strbuf_addstr(out, sep ? sep : "  ");
		rule += ev->width[i] + (i ? 2 : 0);
	}
	for (i = 0, at = out->len; i < c->nr_level_cols; i++) {
		const char *title = c->level_col[i]->header;

		if (i)
			strbuf_addstr(out, c->level_of[i] == c->level_of[i - 1] ? "+" : " / ");
		strbuf_addstr(out, title + strspn(title, " "));
	}
	at = out->len - at;
	strbuf_addstr(out, "\n# ");
	if (!sep)
		add_rule(out, rule);
	for (i = 0; sep && i < nr_sums(c); i++) {
		strbuf_addstr(out, i ? sep : "");
		add_rule(out, ev->width[i]);
	}
	strbuf_addstr(out, sep ? sep : "  ");
	add_rule(out, MIN(MAX(at, keys_width(c, conf, ev)), (size_t)MAX_RULE));
	strbuf_addstr(out, "\n#\n");
}

/* Append the keys of a node, all left-aligned. */
static void add_keys(const struct hist *h, const struct hist_event *ev, const struct hist_node *n,
		     const struct report_conf *conf, struct strbuf *out)
{
	const char *sep = conf->sep;
	const struct hist_columns *c = &hist_config(h)->cols;
	size_t at, blanks;
	bool first = true;
	u32 i;

	for (i = 0; i < c->nr_level_cols; i++) {
		u16 width = ev->width[nr_sums(c) + i];

		if (c->level_of[i] != n->level)
			continue;
		strbuf_addstr(out, sep ? sep : first ? "" : "  ");
		at = out->len;
		c->level_col[i]->format(h, c->level_col[i], ev, n->row, width, sep, out);
		if (sep)
			report_hide_separators(out, at, *sep);
		if (conf->fitted && c->level_col[i]->shortens)
			report_fit_cell(h, c->level_col[i], out, at, conf->fitted[i],
					conf->fit.utf8);
		if (conf->fitted && !c->level_col[i]->raw)
			fit_pad(out, at, conf->fitted[i]);
		else if (!c->level_col[i]->raw && !(sep && c->level_col[i]->metric))
			strbuf_pad(out, at + width);
		blanks = strspn(out->buf + at, " ");
		memmove(out->buf + at, out->buf + at + blanks, out->len - at - blanks + 1);
		out->len -= blanks;
		first = false;
	}
}

static void add_node(const struct hist *h, const struct hist_event *ev, const struct hist_node *n,
		     const struct report_conf *conf, struct strbuf *out)
{
	const struct hist_columns *c = &hist_config(h)->cols;
	const char *sep = conf->sep;
	size_t at;
	u32 i;

	strbuf_pad(out, out->len + n->level * INDENT);
	for (i = 0; i < nr_sums(c); i++) {
		strbuf_addstr(out, !sep ? "  " : i ? sep : "");
		at = out->len;
		if (sep)
			strbuf_addch(out, ' ');
		c->col[i]->format(h, c->col[i], ev, n->row, ev->width[i], sep, out);
		strbuf_pad(out, at + ev->width[i]);
		report_color_sums(conf->sep ? NULL : conf->palette, h, ev, n->row, c->col[i], out,
				  at);
	}
	if (!sep)
		strbuf_pad(out, out->len + 2 + (c->nr_levels - 1) * INDENT);
	add_keys(h, ev, n, conf, out);
	strbuf_addch(out, '\n');
}

/*
 * Append a line in place of the rows below a node when none of them is shown. Requested widths
 * apply only here: rows and titles of a hierarchy ignore them.
 */
static void add_nothing(const struct hist *h, const struct hist_event *ev, u32 level,
			const struct report_conf *conf, struct strbuf *out)
{
	const struct hist_columns *c = &hist_config(h)->cols;
	size_t width = 2 + (conf->sep ? 0 : (level + c->nr_levels - 1) * INDENT);
	u32 i;

	for (i = 0; i < nr_sums(c); i++)
		width += report_column_width(conf, c, ev, i) + 2;
	strbuf_pad(out, out->len + width);
	strbuf_addf(out, "no entry >= %.2f%%\n", conf->percent_limit);
}

static void add_nodes(const struct hist *h, const struct hist_event *ev, u32 evsel,
		      const struct hist_node *parent, const struct report_conf *conf,
		      struct strbuf *out)
{
	bool any = false;
	u32 i;

	for (i = 0; i < parent->nr_children; i++) {
		const struct hist_node *n = parent->children[i];

		if (report_under_limit(h, ev, n->row, conf->percent_limit))
			continue;
		any = true;
		add_node(h, ev, n, conf, out);
		if (n->nr_children)
			add_nodes(h, ev, evsel, n, conf, out);
		else if (hist_row_chain(n->row))
			report_chain(h, evsel, n->row, conf, out);
	}
	if (!any && parent->row)
		add_nothing(h, ev, parent->level + 1, conf, out);
}

/* Fit the keys of one level, @nr columns from @from on, into the columns of the terminal that are
 * left beside the sums and the indentation. */
static void fit_level(const struct hist *h, const struct report_conf *conf,
		      const struct hist_event *ev, u32 from, u32 nr, u16 *width)
{
	const struct hist_columns *c = &hist_config(h)->cols;
	size_t used = (c->level_of[from] + c->nr_levels - 1) * INDENT + 2 + (nr - 1) * 2;

	for (u32 i = 0; i < nr_sums(c); i++)
		used += 2 + ev->width[i];
	for (u32 i = 0; i < nr; i++)
		width[from + i] = ev->width[nr_sums(c) + from + i];
	report_fit(h, c->level_col + from, width + from, nr,
		   conf->fit.columns > used ? conf->fit.columns - used : 0);
}

/* Return the widths of keys with which rows fit the terminal; the caller frees them. */
static u16 *fitted_keys(const struct hist *h, const struct report_conf *conf,
			const struct hist_event *ev)
{
	const struct hist_columns *c = &hist_config(h)->cols;
	u16 *width = xcalloc(c->nr_level_cols + 1, sizeof(*width));
	u32 nr;

	for (u32 from = 0; from < c->nr_level_cols; from += nr) {
		nr = 1;
		while (from + nr < c->nr_level_cols && c->level_of[from + nr] == c->level_of[from])
			nr++;
		fit_level(h, conf, ev, from, nr, width);
	}
	return width;
}

u16 *report_fitted_levels(const struct hist *h, const struct report_conf *conf,
			  const struct hist_event *ev)
{
	if (!conf->fit.columns || conf->sep || conf->widths)
		return NULL;
	return fitted_keys(h, conf, ev);
}

void report_level_titles(const struct report_table *t, struct strbuf *out)
{
	add_titles(&hist_config(t->h)->cols, t->ev, &t->conf, out);
}

void report_level_row(const struct report_table *t, const struct hist_node *n, struct strbuf *out)
{
	add_node(t->h, t->ev, n, &t->conf, out);
}

void report_levels(const struct report_table *t, struct strbuf *out)
{
	if (!t->conf.quiet)
		report_level_titles(t, out);
	if (t->ev->tree)
		add_nodes(t->h, t->ev, t->evsel, t->ev->tree, &t->conf, out);
}
