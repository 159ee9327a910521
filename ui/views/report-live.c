// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A profile that goes on in the report browser. At each refresh all rows are made anew; the
 * selected line and the lines that are unfolded are found again by what they say.
 */
#include "base/compat.h"
#include "ui/views/report-live.h"

#include "ui/views/report-internal.h"
#include "ui/widgets/popup.h"

/* They come after all requests of the report browser. */
enum top_request {
	TOP_DELAY = 1000,
	TOP_LEAST,
	TOP_KERNEL,
	TOP_USER,
	TOP_ZERO,
	TOP_FREEZE,
};

const struct binding top_bindings[] = {
	{ "ENTER a RIGHT", REPORT_ANNOTATE, "annotate",
	  "Look into the function: instructions and source" },
	{ "f SPACE", TOP_FREEZE, "freeze", "Let the rows stand still, or go on" },
	{ "z", TOP_ZERO, "zero", "Show only what was sampled since the last refresh, or all" },
	{ "K", TOP_KERNEL, "kernel", "Leave out the kernel, or no longer" },
	{ "U", TOP_USER, "user", "Leave out user space, or no longer" },
	{ "D", TOP_DELAY, "delay", "Change the seconds between refreshes" },
	{ "M", TOP_LEAST, "least", "Leave out rows that have less samples" },
	{ NULL },
};

/* ---- names of lines that stay the same over refreshes ---- */

/* Return a name for what a column says of a row, that follows the name of what stands above. */
static u64 cell_name(const struct hist *h, const struct hist_event *ev, const struct hist_row *row,
		     const struct hist_column *col, u64 above)
{
	struct strbuf text = STRBUF_INIT;
	u64 name;

	/* With a separator there is no padding, which depends on the other rows. */
	col->format(h, col, ev, row, UINT8_MAX, "\t", &text);
	name = hash_mix(above, hash_bytes(strbuf_str(&text), text.len));
	strbuf_release(&text);
	return name;
}

static u64 row_name(const struct report_browser *b, const struct hist_row *row)
{
	const struct hist_columns *c = &hist_config(b->shown->h)->cols;
	u64 name = 0;

	for (u32 i = 0; i < c->nr_sort; i++)
		if (!c->sort[i]->metric)
			name = cell_name(b->shown->h, b->table.ev, row, c->sort[i], name);
	return name;
}

static u64 level_name(const struct report_browser *b, const struct hist_node *n, u64 above)
{
	const struct hist_columns *c = &hist_config(b->shown->h)->cols;

	for (u32 i = 0; i < c->nr_level_cols; i++)
		if (c->level_of[i] == n->level && !c->level_col[i]->metric)
			above = cell_name(b->shown->h, b->table.ev, n->row, c->level_col[i], above);
	return above;
}

static u64 entry_name(const struct report_browser *b, u64 entry)
{
	return b->levels ? level_name(b, b->entries[entry], 0) : row_name(b, b->entries[entry]);
}

static u64 frame_name(const struct report_browser *b, u32 frame, u64 above)
{
	const struct hist_frame *f = hist_frame(b->shown->h, frame);
	const char *name = hist_symbol_name(b->shown->h, f->place);

	return hash_mix(above, name ? hash_bytes(name, strlen(name)) : f->addr);
}

/* ---- finding them again ---- */

/* The lines that are unfolded, and the selected one, by their names. */
struct folds {
	struct map64 open;
	u64 entry, line; /* that are selected; line 0: the entry itself */
	u64 above;       /* rows of the screen above the selected one */
	bool moved;      /* users look at something in particular, not at the first rows */
};

/* A walk over the lines below an entry, open or not. */
struct walk {
	struct report_browser *b;
	struct folds *f;
	bool restore;     /* from @f; else they are noted there */
	const void *node; /* the selected line: known, or found by a walk that restores */
	u32 part;
};

static void see_line(struct walk *w, const void *node, u32 part, u64 name)
{
	struct outline *o = &w->b->outline;

	if (w->restore) {
		if (map64_get(&w->f->open, name) != MAP64_NONE)
			outline_set(o, node, true);
		if (name == w->f->line) {
			w->node = node;
			w->part = part;
		}
		return;
	}
	if (outline_is_open(o, node))
		map64_set(&w->f->open, name, 1);
	if (node == w->node && part == w->part)
		w->f->line = name;
}

static void walk_chain(struct walk *w, const struct chain_node *n, u64 name)
{
	for (u32 i = 0; i < n->nr_frames; i++) {
		name = frame_name(w->b, n->frames[i], name);
		see_line(w, n, i, name);
	}
	for (u32 i = 0; i < n->nr_children; i++)
		walk_chain(w, n->children[i], name);
}

static void walk_levels(struct walk *w, const struct hist_node *n, u64 name)
{
	for (u32 i = 0; i < n->nr_children; i++) {
		u64 below = level_name(w->b, n->children[i], name);

		see_line(w, n->children[i], REPORT_LEVEL, below);
		walk_levels(w, n->children[i], below);
	}
	if (!n->nr_children && hist_row_chain(n->row))
		walk_chain(w, hist_row_chain(n->row), name);
}

static void walk_entry(struct walk *w, u64 entry, u64 name)
{
	const struct hist_row *row = report_entry_row(w->b, entry);

	if (w->b->levels)
		walk_levels(w, w->b->entries[entry], name);
	else if (hist_row_chain(row))
		walk_chain(w, hist_row_chain(row), name);
}

/* Note what is unfolded and selected. */
static void keep(struct report_browser *b, struct folds *f)
{
	const struct outline *o = &b->outline;
	struct walk w = { .b = b, .f = f };
	const struct outline_line *line;
	u64 entry;

	f->moved = b->nr_entries && (b->view.at || o->nr);
	if (!f->moved)
		return;
	line = outline_at(o, b->view.at, &entry);
	f->entry = entry_name(b, entry);
	f->above = b->view.at - b->view.top;
	if (line) {
		w.node = line->node;
		w.part = line->part;
	}
	for (size_t i = 0; i < o->nr; i++) {
		u64 name = entry_name(b, o->opened[i].entry);

		map64_set(&f->open, name, 1);
		walk_entry(&w, o->opened[i].entry, name);
	}
}

/* Return the row of a line below an entry; that of the entry where it is not there. */
static u64 row_of_line(const struct outline *o, u64 entry, const struct walk *w)
{
	u64 row = outline_row(o, entry), at;
	const struct outline_line *line;

	for (u64 i = row + 1; w->node && (line = outline_at(o, i, &at)); i++)
		if (line->node == w->node && line->part == w->part)
			return i;
	return row;
}

/* Unfold and select again what was. What is no longer there leaves the selection in its row. */
static void restore(struct report_browser *b, struct folds *f)
{
	u64 selected = UINT64_MAX, row;
	struct walk line = { NULL };

	for (u64 i = 0; f->moved && i < b->nr_entries; i++) {
		struct walk w = { .b = b, .f = f, .restore = true };
		u64 name = entry_name(b, i);

		if (map64_get(&f->open, name) != MAP64_NONE) {
			walk_entry(&w, i, name);
			outline_open(&b->outline, i);
		}
		if (name == f->entry) {
			selected = i;
			line = w;
		}
	}
	map64_release(&f->open);
	if (selected == UINT64_MAX)
		return;
	row = row_of_line(&b->outline, selected, &line);
	b->view.top = row - MIN(row, f->above);
	view_select(&b->view, row);
}

/* ---- refreshes ---- */

void report_live_start(struct report_browser *b)
{
	b->view.interval = live_interval(b->shown->live->settings);
}

/* Count anew. Return: as view_ops.request() */
static int renew(struct report_browser *b, bool again)
{
	struct report_live *live = b->shown->live;
	struct folds f = { .moved = false };

	keep(b, &f);
	report_forget_rows(b);
	if (live->refresh(b->shown->ctx, again, b->shown, live->err)) {
		map64_release(&f.open);
		return VIEW_OWN;
	}
	report_count(b);
	restore(b, &f);
	report_live_start(b);
	return VIEW_STAYS;
}

int report_live_tick(struct view *v, struct ui *ui __unused)
{
	struct report_browser *b = report_browser(v);

	return b->shown->live->frozen || b->shown->live->ended ? VIEW_STAYS : renew(b, false);
}

void report_live_hint(struct report_browser *b, struct strbuf *out)
{
	const struct report_live *live = b->shown->live;

	if (live->frozen)
		strbuf_addstr(out, "The rows stand still: press 'f' to let them go on");
	else if (live->ended)
		strbuf_addstr(out, "All threads that were measured have ended");
	else
		live->hint(b->shown->ctx, b->evsel, out);
}

/* ---- requests ---- */

/* Ask for a number of at least @least. Return: whether there was one. */
static bool ask_number(struct ui *ui, const char *question, double least, double *v)
{
	struct strbuf text = STRBUF_INIT;
	bool good = false;
	double number;
	char *end;

	strbuf_addf(&text, "%g", *v);
	if (popup_input(ui, question, &text)) {
		number = strtod(strbuf_str(&text), &end);
		good = text.len && !*end && number >= least && number <= 1e6;
		if (good)
			*v = number;
		else
			ui_say(ui, "'%s' is no number of %g or more", strbuf_str(&text), least);
	}
	strbuf_release(&text);
	return good;
}

static int ask_delay(struct report_browser *b, struct ui *ui)
{
	if (ask_number(ui, "Seconds between refreshes", 0.01, &b->shown->live->settings->delay))
		report_live_start(b);
	return VIEW_STAYS;
}

static int ask_least(struct report_browser *b, struct ui *ui)
{
	struct live_settings *s = b->shown->live->settings;
	double v = s->least;

	if (!ask_number(ui, "Samples below which rows are not shown", 0, &v))
		return VIEW_STAYS;
	s->least = (unsigned int)v;
	return renew(b, true);
}

static int toggle(struct report_browser *b, bool *setting)
{
	*setting = !*setting;
	return renew(b, true);
}

int report_live_request(struct report_browser *b, struct ui *ui, int request)
{
	struct live_settings *s = b->shown->live->settings;

	switch (request) {
	case TOP_DELAY:
		return ask_delay(b, ui);
	case TOP_LEAST:
		return ask_least(b, ui);
	case TOP_KERNEL:
		return toggle(b, &s->hide_kernel);
	case TOP_USER:
		return toggle(b, &s->hide_user);
	case TOP_ZERO:
		s->zero = !s->zero;
		ui_say(ui, s->zero ? "Each refresh shows only what was sampled since the last one"
				   : "Older samples are shown, too, and count less and less");
		return VIEW_STAYS;
	case TOP_FREEZE:
		b->shown->live->frozen = !b->shown->live->frozen;
		return VIEW_STAYS;
	case REPORT_STRIP:
	case REPORT_OTHER_FILE:
	case REPORT_SCRIPTS:
		ui_say(ui, "This is of a data file, and there is none: see --record");
		return VIEW_STAYS;
	default:
		return VIEW_UNKNOWN;
	}
}
