// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/views/icicle.h"

#include "base/alloc.h"
#include "ui/widgets/popup.h"

enum icicle_request {
	ICICLE_LEFT = REQ_OWN,
	ICICLE_RIGHT,
	ICICLE_OUT,
	ICICLE_CALLS,
	ICICLE_COMMAND,
};

const struct binding icicle_bindings[] = {
	{ "UP k", REQ_UP, "up", "Go to the box above" },
	{ "DOWN j", REQ_DOWN, "down", "Go to the widest box below" },
	{ "LEFT", ICICLE_LEFT, "left", "Go to the box on the left" },
	{ "RIGHT", ICICLE_RIGHT, "right", "Go to the box on the right" },
	{ "ENTER +", REQ_ENTER, "zoom", "Zoom into the box" },
	{ "BACKSPACE - u", ICICLE_OUT, "out", "Zoom out" },
	{ "b", ICICLE_CALLS, "calls", "Show the callers and callees of the function" },
	{ "/", REQ_SEARCH, "search", "Search for a part of names, and tell the share that has it" },
	{ "y", ICICLE_COMMAND, "command", "Show the command that prints this" },
	{ NULL },
};

/* One function of a chain. A box knows its part of the whole, not columns: these follow from what
 * is zoomed into. */
struct box {
	u32 frame; /* hist_frame() */
	u32 parent;
	u32 level;
	u64 from, sum; /* on a line as long as the sum of the row */
};

struct icicle {
	struct view view;
	const struct icicle_shown *shown;
	struct box *boxes; /* owned; parents before their children; box 0 is the row itself */
	u32 nr;
	size_t cap;
	u32 at, root; /* the selected box, and the one that is as wide as the screen */
	struct strbuf find;
	u32 cols, y, height; /* as drawn last */
};

static struct icicle *icicle_of(struct view *v)
{
	return container_of(v, struct icicle, view);
}

/* ---- boxes ---- */

static u32 add_box(struct icicle *ic, u32 frame, u32 parent, u64 from, u64 sum)
{
	u32 level = ic->nr ? ic->boxes[parent].level + 1 : 0;

	VEC_GROW(ic->boxes, ic->nr + (size_t)1, ic->cap);
	ic->boxes[ic->nr] = (struct box){ frame, parent, level, from, sum };
	return ic->nr++;
}

/* Add the frames of a node from @first on, one below the other, and below the last one its
 * branches. */
static void add_node(struct icicle *ic, const struct chain_node *n, u32 first, u32 parent, u64 from,
		     u64 sum)
{
	for (u32 i = first; i < n->nr_frames; i++)
		parent = add_box(ic, n->frames[i], parent, from, sum);
	for (u32 i = 0; i < n->nr_children; i++) {
		const struct chain_node *below = n->children[i];
		u64 part = below->period + below->children_period;

		add_node(ic, below, 0, parent, from, part);
		from += part;
	}
}

/* Tell whether a node begins with the function of the row, whose box is there already. */
static bool repeats_row(const struct icicle *ic, const struct chain_node *n)
{
	return n->nr_frames &&
	       hist_frame(ic->shown->h, n->frames[0])->place == ic->shown->row->place;
}

static void make_boxes(struct icicle *ic)
{
	const struct chain_node *n = hist_row_chain(ic->shown->row);
	u64 sum = n->period + n->children_period;

	add_box(ic, 0, 0, 0, sum);
	if (n->nr_children == 1 && repeats_row(ic, n->children[0])) {
		n = n->children[0];
		add_node(ic, n, 1, 0, 0, n->period + n->children_period);
	} else {
		add_node(ic, n, 0, 0, 0, sum);
	}
}

static u32 box_place(const struct icicle *ic, u32 i)
{
	return i ? hist_frame(ic->shown->h, ic->boxes[i].frame)->place : ic->shown->row->place;
}

static const char *box_name(const struct icicle *ic, u32 i)
{
	const char *name = hist_symbol_name(ic->shown->h, box_place(ic, i));

	return name ? name : "[unknown]";
}

static bool matches(const struct icicle *ic, u32 i)
{
	return ic->find.len && strstr(box_name(ic, i), ic->find.buf);
}

/* Return whether a box is the other, or below it. */
static bool is_below(const struct icicle *ic, u32 i, u32 other)
{
	while (ic->boxes[i].level > ic->boxes[other].level)
		i = ic->boxes[i].parent;
	return i == other;
}

/* Return the sum of boxes that match, each part once, however many of its boxes do. */
static u64 matched_sum(const struct icicle *ic)
{
	u64 sum = 0, behind = 0;

	for (u32 i = 0; i < ic->nr; i++) {
		const struct box *b = &ic->boxes[i];

		if (b->from < behind || !matches(ic, i))
			continue;
		sum += b->sum;
		behind = b->from + b->sum;
	}
	return sum;
}

/* ---- drawing ---- */

static double percent(const struct icicle *ic, u64 sum)
{
	return ic->shown->total ? sum * 100.0 / ic->shown->total : 0.0;
}

/* Return the columns [*from, *to) of a box; it has none where nothing of it is to be seen. */
static void columns_of(const struct icicle *ic, u32 i, u32 *from, u32 *to)
{
	const struct box *b = &ic->boxes[i], *root = &ic->boxes[ic->root];
	double scale = root->sum ? (double)ic->cols / root->sum : 0.0;

	*from = *to = 0;
	if (is_below(ic, ic->root, i)) { /* what is above has the whole width, too */
		*to = ic->cols;
		return;
	}
	if (!is_below(ic, i, ic->root))
		return;
	*from = (u32)((b->from - root->from) * scale);
	*to = MAX((u32)((b->from - root->from + b->sum) * scale), *from + 1);
}

static enum style style_of(const struct icicle *ic, u32 i)
{
	u32 hash = 0;

	if (i == ic->at)
		return STYLE_SELECTED;
	if (matches(ic, i))
		return STYLE_MATCH;
	for (const char *s = box_name(ic, i); *s; s++)
		hash = hash * 31 + (unsigned char)*s;
	return (enum style)(STYLE_BAR + hash % STYLE_NR_BARS);
}

/* Return the first level that is drawn, so that the selected box is on the screen. */
static u32 first_level(const struct icicle *ic)
{
	u32 level = ic->boxes[ic->at].level;

	return level >= ic->height ? level - ic->height + 1 : 0;
}

static void paint(struct view *v, struct screen *s, u32 y, u32 height)
{
	struct icicle *ic = icicle_of(v);
	u32 first, from, to;

	ic->cols = s->cols;
	ic->y = y;
	ic->height = height;
	first = first_level(ic);
	for (u32 i = 0; i < ic->nr; i++) {
		u32 level = ic->boxes[i].level;
		const char *name = box_name(ic, i);

		columns_of(ic, i, &from, &to);
		if (from == to || level < first || level - first >= height)
			continue;
		screen_fill(s, y + level - first, from, to - from, style_of(ic, i), " ");
		if (to - from > 1) /* the last column keeps neighbours apart */
			screen_put(s, y + level - first, from, to - from - 1, style_of(ic, i), name,
				   strlen(name));
	}
}

static void put_title(struct view *v, struct strbuf *out)
{
	const struct icicle *ic = icicle_of(v);

	strbuf_addstr(out, "Call graph of ");
	strbuf_addname(out, box_name(ic, 0));
	if (ic->root) {
		strbuf_addstr(out, ", zoomed into ");
		strbuf_addname(out, box_name(ic, ic->root));
	}
	if (ic->find.len) {
		strbuf_addstr(out, ", with '");
		strbuf_addname(out, ic->find.buf);
		strbuf_addf(out, "' in it: %.2f%%", percent(ic, matched_sum(ic)));
	}
}

static void put_hint(struct view *v, struct strbuf *out)
{
	const struct icicle *ic = icicle_of(v);

	strbuf_addf(out, "%.2f%% ", percent(ic, ic->boxes[ic->at].sum));
	strbuf_addname(out, box_name(ic, ic->at));
}

/* ---- requests ---- */

static u64 nr_rows(struct view *v)
{
	return 0;
}

/* Select the next box of the same level in a direction, within what is zoomed into. */
static void go_sideways(struct icicle *ic, bool right)
{
	u32 level = ic->boxes[ic->at].level;

	for (u32 i = right ? ic->at + 1 : ic->at - 1; i < ic->nr; i = right ? i + 1 : i - 1) {
		if (ic->boxes[i].level != level || !is_below(ic, i, ic->root))
			continue;
		ic->at = i;
		return;
	}
}

static void go_down(struct icicle *ic)
{
	u32 best = ic->at;

	for (u32 i = ic->at + 1; i < ic->nr; i++)
		if (ic->boxes[i].parent == ic->at &&
		    (best == ic->at || ic->boxes[i].sum > ic->boxes[best].sum))
			best = i;
	ic->at = best;
}

static void zoom_out(struct icicle *ic)
{
	ic->root = ic->boxes[ic->root].parent;
	/* Boxes with a single one below them are as wide as that. */
	while (ic->root && ic->boxes[ic->boxes[ic->root].parent].sum == ic->boxes[ic->root].sum)
		ic->root = ic->boxes[ic->root].parent;
	ic->at = ic->root;
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	struct icicle *ic = icicle_of(v);

	switch (request) {
	case REQ_UP:
		ic->at = ic->boxes[ic->at].parent;
		break;
	case REQ_DOWN:
		go_down(ic);
		break;
	case ICICLE_LEFT:
	case ICICLE_RIGHT:
		go_sideways(ic, request == ICICLE_RIGHT);
		break;
	case REQ_ENTER:
		ic->root = ic->at;
		break;
	case ICICLE_OUT:
		zoom_out(ic);
		break;
	case ICICLE_CALLS:
		return ic->shown->calls(ic->shown->ctx, ui, box_place(ic, ic->at));
	case ICICLE_COMMAND:
		ic->shown->show_command(ic->shown->ctx, ui);
		break;
	case REQ_SEARCH:
		popup_input(ui, "Part of the names of functions", &ic->find);
		break;
	default:
		return VIEW_UNKNOWN;
	}
	return VIEW_STAYS;
}

/* Select the box that is clicked; a click on the selected one zooms into it. */
static int on_mouse(struct view *v, struct ui *ui, const struct term_event *ev)
{
	struct icicle *ic = icicle_of(v);
	u32 level = first_level(ic) + ev->y - ic->y, from, to;

	if (ev->button == MOUSE_WHEEL_UP || ev->button == MOUSE_WHEEL_DOWN)
		return do_request(v, ui, ev->button == MOUSE_WHEEL_UP ? REQ_UP : REQ_DOWN);
	for (u32 i = 0; i < ic->nr && ev->y >= ic->y; i++) {
		columns_of(ic, i, &from, &to);
		if (ic->boxes[i].level != level || ev->x < from || ev->x >= to)
			continue;
		if (i == ic->at)
			ic->root = i;
		ic->at = i;
		break;
	}
	return VIEW_STAYS;
}

static const struct view_ops icicle_ops = {
	.name = "icicle",
	.bindings = icicle_bindings,
	.title = put_title,
	.hint = put_hint,
	.nr_rows = nr_rows,
	.paint = paint,
	.request = do_request,
	.mouse = on_mouse,
};

int icicle_view(struct ui *ui, const struct icicle_shown *shown)
{
	struct icicle ic = { .view = { .ops = &icicle_ops }, .shown = shown };
	int ret;

	make_boxes(&ic);
	ret = view_run(&ic.view, ui);
	strbuf_release(&ic.find);
	free(ic.boxes);
	return ret;
}
