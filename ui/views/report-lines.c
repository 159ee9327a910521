// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines below the rows of a report: levels of a hierarchy, call graphs, and their text. */
#include "base/compat.h"
#include "ui/views/report-internal.h"

enum { INDENT = 3 }; /* blanks for each level */

static bool foldable(const struct chain_node *n)
{
	return n->nr_frames > 1 || n->nr_children;
}

const struct hist_node *report_line_node(const struct outline_line *line)
{
	return line->part == REPORT_LEVEL ? line->node : NULL;
}

const struct hist_row *report_entry_row(const struct report_browser *b, u64 entry)
{
	return b->levels ? ((const struct hist_node *)b->entries[entry])->row : b->entries[entry];
}

/* ---- which lines there are ---- */

static void add_frames(const struct report_browser *b, const struct chain_node *n, u32 first,
		       u32 depth, struct outline_below *out);

static void add_branches(const struct report_browser *b, const struct chain_node *n, u32 depth,
			 struct outline_below *out)
{
	u32 limit = hist_config(b->shown->h)->chain.print_limit;

	for (u32 i = 0; i < n->nr_children && (!limit || i < limit); i++)
		add_frames(b, n->children[i], 0, depth, out);
}

/* Add the frames of a node from @first on, the others below the first one while it is open. */
static void add_frames(const struct report_browser *b, const struct chain_node *n, u32 first,
		       u32 depth, struct outline_below *out)
{
	if (first < n->nr_frames) {
		outline_add(out, n, first, depth);
		if (!outline_is_open(&b->outline, n))
			return;
		for (u32 i = first + 1; i < n->nr_frames; i++)
			outline_add(out, n, i, depth + 1);
		depth++;
	}
	add_branches(b, n, depth, out);
}

static void add_chains(const struct report_browser *b, const struct hist_row *row, u32 depth,
		       struct outline_below *out)
{
	const struct chain_node *trunk;
	u32 first = 0;

	if (!hist_row_chain(row))
		return;
	trunk = report_chain_trunk(b->shown->h, row, &first);
	if (trunk)
		add_frames(b, trunk, first, depth, out);
	else
		add_branches(b, hist_row_chain(row), depth, out);
}

/*
 * A level may have a hundred thousand rows, which lie anywhere in memory: most of the time that a
 * walk over them takes is waiting for it. So the nodes that come soon are asked for early.
 */
static const struct hist_node *child_of(const struct hist_node *n, u32 i)
{
	enum { NODES_AHEAD = 16, ROWS_AHEAD = 8 };

	if (i + NODES_AHEAD < n->nr_children) {
		__builtin_prefetch(n->children[i + NODES_AHEAD]);
		__builtin_prefetch(n->children[i + ROWS_AHEAD]->row);
	}
	return n->children[i];
}

/* Add what stands below a node of a hierarchy. */
static void add_levels(const struct report_browser *b, const struct hist_node *n,
		       struct outline_below *out)
{
	for (u32 i = 0; i < n->nr_children; i++) {
		const struct hist_node *below = child_of(n, i);

		if (!report_table_shows(&b->table, below->row))
			continue;
		outline_add(out, below, REPORT_LEVEL, below->level);
		if (outline_is_open(&b->outline, below))
			add_levels(b, below, out);
	}
	if (!n->nr_children)
		add_chains(b, n->row, n->level, out);
}

void report_lines(void *ctx, u64 entry, struct outline_below *out)
{
	const struct report_browser *b = ctx;

	if (b->levels)
		add_levels(b, b->entries[entry], out);
	else
		add_chains(b, b->entries[entry], 0, out);
}

/* ---- their text ---- */

/* Append a row of the table, and put a sign on its first blank. */
static void add_level(const struct report_browser *b, const struct hist_node *n, bool open,
		      struct strbuf *out)
{
	size_t from = out->len;

	report_level_row(&b->table, n, out);
	out->buf[--out->len] = 0; /* the newline */
	if (n->nr_children || hist_row_chain(n->row))
		out->buf[from + n->level * INDENT] = open ? '-' : '+';
}

void report_entry_text(const struct report_browser *b, u64 entry, struct strbuf *out)
{
	bool open = outline_entry_is_open(&b->outline, entry);
	size_t from = out->len;

	if (b->levels) {
		add_level(b, b->entries[entry], open, out);
		return;
	}
	report_table_row(&b->table, b->entries[entry], out);
	out->buf[--out->len] = 0; /* the newline */
	if (hist_row_chain(b->entries[entry]))
		out->buf[from] = open ? '-' : '+';
}

/* Return the row whose call graph a line is part of: that of the last level above it. */
static const struct hist_row *row_of_chain(const struct report_browser *b, u64 entry,
					   const struct outline_line *line)
{
	const struct outline_line *first = outline_lines(&b->outline, entry);

	for (; b->levels && line >= first; line--)
		if (report_line_node(line))
			return report_line_node(line)->row;
	return report_entry_row(b, entry);
}

/* Return the sum that the shares of a node's branches are parts of. */
static u64 total_of(const struct report_browser *b, const struct hist_row *row)
{
	const struct hist_conf *conf = hist_config(b->shown->h);

	if (conf->chain.mode != CHAIN_FRACTAL)
		return hist_event(b->shown->h, b->evsel)->period;
	return conf->children ? row->more->acc_period : row->period;
}

/* Append the object of a frame, for verbose call graphs. */
static void add_object(const struct report_browser *b, const struct chain_node *n, u32 i,
		       struct strbuf *out)
{
	const struct hist_frame *f = hist_frame(b->shown->h, n->frames[i]);

	strbuf_addch(out, ' ');
	strbuf_addname(out, hist_dso_name(b->shown->h, hist_place(b->shown->h, f->place)->dso));
}

static void add_chain_line(const struct report_browser *b, const struct hist_row *row,
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
	if (b->verbose)
		add_object(b, n, line->part, out);
}

void report_line_text(const struct report_browser *b, u64 entry, const struct outline_line *line,
		      struct strbuf *out)
{
	const struct hist_node *n = report_line_node(line);

	if (n)
		add_level(b, n, outline_is_open(&b->outline, n), out);
	else
		add_chain_line(b, row_of_chain(b, entry, line), line, out);
}

/* ---- unfolding ---- */

static void set_chains(struct outline *o, const struct chain_node *n, bool open)
{
	if (foldable(n))
		outline_set(o, n, open);
	for (u32 i = 0; i < n->nr_children; i++)
		set_chains(o, n->children[i], open);
}

static void set_levels(struct outline *o, const struct hist_node *n, bool open)
{
	const struct chain_node *root = hist_row_chain(n->row);

	if (n->nr_children || root)
		outline_set(o, n, open);
	for (u32 i = 0; i < n->nr_children; i++)
		set_levels(o, child_of(n, i), open);
	if (root)
		set_chains(o, root, open);
}

static void fold_entry(struct report_browser *b, u64 entry, bool open)
{
	const struct chain_node *root = hist_row_chain(report_entry_row(b, entry));

	if (b->levels)
		set_levels(&b->outline, b->entries[entry], open);
	else if (root)
		set_chains(&b->outline, root, open);
	else
		return;
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

	if (!b->nr_entries)
		return;
	line = outline_at(o, b->view.at, &entry);
	if (whole) {
		fold_entry(b, entry, !outline_entry_is_open(o, entry));
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

void report_fold_row(struct report_browser *b)
{
	u64 entry;

	if (!b->nr_entries)
		return;
	outline_at(&b->outline, b->view.at, &entry);
	fold_entry(b, entry, false);
	view_select(&b->view, outline_row(&b->outline, entry));
}

/*
 * A profile may have millions of lines. Those on the screen are unfolded at once, the others by and
 * by, so that the next key need not wait for them.
 */
enum { SLICE_NS = 20 * 1000 * 1000 };

void report_fold_all(struct report_browser *b, bool open)
{
	u64 entry = 0, first = 0;

	if (b->nr_entries) {
		outline_at(&b->outline, b->view.at, &entry);
		outline_at(&b->outline, b->view.top, &first);
	}
	outline_clear(&b->outline, b->nr_entries);
	if (open)
		outline_open_all(&b->outline, first, b->view.height);
	view_select(&b->view, outline_row(&b->outline, entry));
	if (open)
		report_unfold_more(b, false);
}

void report_unfold_more(struct report_browser *b, bool whole)
{
	u64 entry = 0, below, above;

	if (!b->nr_entries)
		return;
	outline_at(&b->outline, b->view.at, &entry);
	below = b->view.at - outline_row(&b->outline, entry);
	above = b->view.at - b->view.top;
	if (whole || b->shown->live)
		outline_open_more(&b->outline, UINT64_MAX);
	else
		b->view.interval = outline_open_more(&b->outline, SLICE_NS);
	b->view.at = outline_row(&b->outline, entry) + below;
	b->view.top = b->view.at - MIN(b->view.at, above);
}
