// SPDX-License-Identifier: GPL-2.0-or-later
/* Call graphs below the rows of a report: which lines there are, and their text. */
#include "base/compat.h"
#include "ui/views/report-internal.h"

enum { INDENT = 3 };

static bool foldable(const struct chain_node *n)
{
	return n->nr_frames > 1 || n->nr_children;
}

/* ---- which lines there are ---- */

static void add_node(const struct report_browser *b, const struct chain_node *n, u32 depth,
		     struct outline_lines *out);

static void add_children(const struct report_browser *b, const struct chain_node *n, u32 depth,
			 struct outline_lines *out)
{
	u32 limit = hist_config(b->shown->h)->chain.print_limit;

	for (u32 i = 0; i < n->nr_children && (!limit || i < limit); i++)
		add_node(b, n->children[i], depth, out);
}

/* Add the frames of a node from @first on, the others below the first one while it is open. */
static void add_frames(const struct report_browser *b, const struct chain_node *n, u32 first,
		       u32 depth, struct outline_lines *out)
{
	if (first < n->nr_frames) {
		outline_add(out, n, first, depth);
		if (!outline_is_open(&b->outline, n))
			return;
		for (u32 i = first + 1; i < n->nr_frames; i++)
			outline_add(out, n, i, depth + 1);
		depth++;
	}
	add_children(b, n, depth, out);
}

static void add_node(const struct report_browser *b, const struct chain_node *n, u32 depth,
		     struct outline_lines *out)
{
	add_frames(b, n, 0, depth, out);
}

void report_lines(void *ctx, u64 entry, struct outline_lines *out)
{
	const struct report_browser *b = ctx;
	const struct hist_row *row = b->rows[entry];
	const struct chain_node *trunk;
	u32 first = 0;

	if (!hist_row_chain(row))
		return;
	trunk = report_chain_trunk(b->shown->h, row, &first);
	if (trunk)
		add_frames(b, trunk, first, 0, out);
	else
		add_children(b, hist_row_chain(row), 0, out);
}

/* ---- their text ---- */

/* Return the sum that the shares of a node's children are parts of. */
static u64 total_of(const struct report_browser *b, const struct hist_row *row)
{
	const struct hist_conf *conf = hist_config(b->shown->h);

	if (conf->chain.mode != CHAIN_FRACTAL)
		return b->table.ev->period;
	return conf->children ? row->more->acc_period : row->period;
}

void report_line_text(const struct report_browser *b, const struct hist_row *row,
		      const struct outline_line *line, struct strbuf *out)
{
	const struct chain_node *n = line->node, *trunk;
	u32 first = 0;
	bool head;

	trunk = report_chain_trunk(b->shown->h, row, &first);
	head = n == trunk ? line->part == first : !line->part;
	strbuf_pad(out, out->len + INDENT * (line->depth + 1));
	strbuf_addch(out, !head || !foldable(n)             ? ' '
			  : outline_is_open(&b->outline, n) ? '-'
							    : '+');
	strbuf_addch(out, ' ');
	if (n != trunk && head) {
		report_chain_value(b->shown->h, n, total_of(b, row), b->conf.palette, out);
		strbuf_addch(out, ' ');
	}
	report_chain_frame(b->shown->h, n, line->part, out);
}

char report_row_sign(const struct report_browser *b, u64 entry)
{
	if (outline_entry_is_open(&b->outline, entry))
		return '-';
	return hist_row_chain(b->rows[entry]) ? '+' : ' ';
}

/* ---- unfolding ---- */

static void set_below(struct outline *o, const struct chain_node *n, bool open)
{
	outline_set(o, n, open);
	for (u32 i = 0; i < n->nr_children; i++)
		set_below(o, n->children[i], open);
}

static void fold_row(struct report_browser *b, u64 entry, bool open)
{
	const struct chain_node *root = hist_row_chain(b->rows[entry]);

	if (!root)
		return;
	set_below(&b->outline, root, open);
	if (open)
		outline_open(&b->outline, entry);
	else
		outline_close(&b->outline, entry);
}

void report_toggle(struct report_browser *b, bool whole)
{
	struct outline *o = &b->outline;
	const struct outline_line *line;
	u64 entry;

	if (!b->nr_rows)
		return;
	line = outline_at(o, b->view.at, &entry);
	if (whole) {
		fold_row(b, entry, !outline_entry_is_open(o, entry));
		view_select(&b->view, outline_row(o, entry));
	} else if (line) {
		outline_set(o, line->node, !outline_is_open(o, line->node));
		outline_open(o, entry);
	} else if (outline_entry_is_open(o, entry)) {
		outline_close(o, entry);
	} else {
		outline_open(o, entry);
	}
}

void report_fold_all(struct report_browser *b, bool open)
{
	u64 entry = 0;

	if (b->nr_rows)
		outline_at(&b->outline, b->view.at, &entry);
	for (u64 i = 0; i < b->nr_rows; i++)
		if (open || outline_entry_is_open(&b->outline, i))
			fold_row(b, i, open);
	view_select(&b->view, outline_row(&b->outline, entry));
}
