// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/views/pick.h"

#include "base/alloc.h"
#include "report/fit.h"
#include "ui/widgets/popup.h"

enum pick_request {
	PICK_CHOOSE = REQ_OWN,
	PICK_CLEAR,
	PICK_DONE,
	PICK_FILTER,
	PICK_NEXT,
	PICK_PREVIOUS,
	PICK_ABOUT,
};

const struct binding pick_bindings[] = {
	{ "SPACE", PICK_CHOOSE, "choose", "Choose the event, or no longer" },
	{ "ENTER", PICK_DONE, "done", "Leave, and print the command" },
	{ "/", PICK_FILTER, "filter", "Type a part of a name: only such events are listed" },
	{ "TAB", PICK_NEXT, "next-group", "Go to the next group of events" },
	{ "UNTAB", PICK_PREVIOUS, "previous-group", "Go to the group of events before" },
	{ "f", PICK_ABOUT, "fields", "Show all about the event, and how to filter by its fields" },
	{ "c", PICK_CLEAR, "clear", "Choose none of the events" },
	{ NULL },
};

/* A line of the list. */
struct pick_row {
	size_t item;
	bool heading; /* it is the heading of the item's group */
};

struct picker {
	struct view view;
	struct ui *ui; /* borrowed */
	const struct pick_shown *shown;
	struct strbuf filter;
	bool typing; /* keys change the filter */
	struct pick_row *rows;
	size_t nr, cap, nr_passing;
	size_t *chosen; /* numbers of items, in the order in which they were chosen */
	size_t nr_chosen, cap_chosen;
};

static struct picker *picker(struct view *v)
{
	return container_of(v, struct picker, view);
}

/* ---- the list ---- */

static bool passes(const struct pick_item *it, const char *filter)
{
	return strcasestr(it->name, filter) || (it->alias && strcasestr(it->alias, filter));
}

static void add_row(struct picker *p, size_t item, bool heading)
{
	VEC_GROW(p->rows, p->nr + 1, p->cap);
	p->rows[p->nr++] = (struct pick_row){ item, heading };
}

/* List the items that pass the filter, below the headings of their groups. */
static void list_passing(struct picker *p)
{
	const char *heading = NULL;

	p->nr = p->nr_passing = 0;
	for (size_t i = 0; i < p->shown->nr; i++) {
		const struct pick_item *it = &p->shown->items[i];

		if (!passes(it, strbuf_str(&p->filter)))
			continue;
		if (!heading || strcmp(heading, it->heading))
			add_row(p, i, true);
		heading = it->heading;
		add_row(p, i, false);
		p->nr_passing++;
	}
	p->view.top = 0;
	p->view.at = 1; /* the event below the first heading */
}

/* Return the selected event; NULL: a heading is selected, or nothing is listed. */
static const struct pick_item *selected(const struct picker *p)
{
	const struct pick_row *row = p->view.at < p->nr ? &p->rows[p->view.at] : NULL;

	return row && !row->heading ? &p->shown->items[row->item] : NULL;
}

/* ---- choosing ---- */

/* Return the place of an item among those that are chosen; behind them: it is not. */
static size_t place_of(const struct picker *p, size_t item)
{
	size_t i = 0;

	while (i < p->nr_chosen && p->chosen[i] != item)
		i++;
	return i;
}

static void choose(struct picker *p)
{
	const struct pick_item *it = selected(p);
	size_t item, at;

	if (!it) {
		ui_say(p->ui, "No event is selected: go to one below a heading");
		return;
	}
	item = (size_t)(it - p->shown->items);
	at = place_of(p, item);
	if (at == p->nr_chosen) {
		VEC_GROW(p->chosen, p->nr_chosen + 1, p->cap_chosen);
		p->chosen[p->nr_chosen++] = item;
		return;
	}
	p->nr_chosen--;
	memmove(p->chosen + at, p->chosen + at + 1, (p->nr_chosen - at) * sizeof(*p->chosen));
}

static void add_argument(const struct pick_item *it, struct strbuf *out)
{
	strbuf_addf(out, " -e %s", it->argument);
}

/* Append the command: with the selected event while none is chosen. */
static void put_command(const struct picker *p, struct strbuf *out)
{
	const struct pick_item *it = selected(p);

	strbuf_addstr(out, p->shown->command);
	for (size_t i = 0; i < p->nr_chosen; i++)
		add_argument(&p->shown->items[p->chosen[i]], out);
	if (!p->nr_chosen && it)
		add_argument(it, out);
}

/* ---- the screen ---- */

static u64 nr_rows(struct view *v)
{
	return picker(v)->nr;
}

static void put_title(struct view *v, struct strbuf *out)
{
	const struct picker *p = picker(v);

	strbuf_addf(out, "Events: %zu of %zu, %zu chosen", p->nr_passing, p->shown->nr,
		    p->nr_chosen);
	if (p->typing || p->filter.len)
		strbuf_addf(out, "  Filter: %s%s", strbuf_str(&p->filter), p->typing ? "_" : "");
}

/* The command is in the line of heads. A long one is shortened in its middle, so that the event
 * that was chosen last is seen. */
static void put_heads(struct view *v, struct strbuf *out)
{
	const struct picker *p = picker(v);
	const struct screen *s = &p->ui->term->screen;

	put_command(p, out);
	fit_shorten(out, 0, s->cols, s->utf8);
}

static void put_row(struct view *v, u64 row, struct strbuf *out)
{
	const struct picker *p = picker(v);
	const struct pick_row *r = &p->rows[row];
	const struct pick_item *it = &p->shown->items[r->item];
	char seq[16];

	if (r->heading) {
		style_sequence(STYLE_ROOT, seq, sizeof(seq));
		strbuf_addstr(out, seq);
		strbuf_addname(out, it->heading);
		return;
	}
	strbuf_addstr(out, place_of(p, r->item) < p->nr_chosen ? "[x] " : "[ ] ");
	strbuf_addname(out, it->name);
	if (it->alias) {
		strbuf_addstr(out, " OR ");
		strbuf_addname(out, it->alias);
	}
}

static void put_about(struct view *v, struct strbuf *out)
{
	const struct picker *p = picker(v);
	const struct pick_item *it = selected(p);

	if (it)
		p->shown->about(p->shown->ctx, it, false, out);
}

static void put_hint(struct view *v, struct strbuf *out)
{
	strbuf_addstr(out,
		      picker(v)->typing
			      ? "Type a part of a name. ENTER keeps the filter, ESC drops it"
			      : "SPACE chooses, ENTER prints the command, '/' filters, 'f' tells "
				"more, 'h' helps");
}

/* ---- requests ---- */

/* Go to the first event of another group, whose heading is to be seen. */
static void go_to_group(struct picker *p, bool down)
{
	u64 row = p->view.at;

	do {
		if (down ? row + 1 >= p->nr : row <= 1)
			return;
		row = down ? row + 1 : row - 1;
	} while (!p->rows[row - 1].heading);
	view_select(&p->view, row - 1);
	view_select(&p->view, row);
}

static void show_about(struct picker *p)
{
	const struct pick_item *it = selected(p);
	struct strbuf text = STRBUF_INIT;

	if (!it)
		return;
	p->shown->about(p->shown->ctx, it, true, &text);
	popup_text(p->ui, "Event", strbuf_str(&text));
	strbuf_release(&text);
}

static int leave(struct picker *p)
{
	if (p->nr_chosen || selected(p))
		return VIEW_OWN;
	ui_say(p->ui, "No event is chosen: go to one and press SPACE, or 'q' to leave");
	return VIEW_STAYS;
}

/* Drop the filter, or leave where there is none. */
static int go_back(struct picker *p)
{
	if (!p->filter.len)
		return VIEW_BACK;
	strbuf_reset(&p->filter);
	list_passing(p);
	return VIEW_STAYS;
}

static int do_request(struct view *v, struct ui *ui __unused, int request)
{
	struct picker *p = picker(v);

	switch (request) {
	case PICK_CHOOSE:
	case REQ_ENTER: /* a click on the selected row */
		choose(p);
		break;
	case PICK_CLEAR:
		p->nr_chosen = 0;
		break;
	case PICK_DONE:
		return leave(p);
	case PICK_FILTER:
		p->typing = true;
		break;
	case PICK_NEXT:
	case PICK_PREVIOUS:
		go_to_group(p, request == PICK_NEXT);
		break;
	case PICK_ABOUT:
		show_about(p);
		break;
	case REQ_BACK:
		return go_back(p);
	default:
		return VIEW_UNKNOWN;
	}
	return VIEW_STAYS;
}

/* While the filter is typed, characters are part of it. No name has a blank, so SPACE chooses, and
 * keys that type nothing do what they always do. */
static int on_key(struct view *v, struct ui *ui __unused, u32 key)
{
	struct picker *p = picker(v);

	if (!p->typing || key == ' ')
		return VIEW_UNKNOWN;
	p->typing = key != K_ENTER && key != K_ESC;
	if (key == K_ENTER)
		return VIEW_STAYS;
	if (key == K_ESC)
		strbuf_reset(&p->filter);
	else if (!popup_edit(&p->filter, key))
		return VIEW_UNKNOWN;
	list_passing(p);
	return VIEW_STAYS;
}

static const struct view_ops pick_ops = {
	.name = "pick",
	.bindings = pick_bindings,
	.title = put_title,
	.heads = put_heads,
	.hint = put_hint,
	.nr_rows = nr_rows,
	.row = put_row,
	.about = put_about,
	.key = on_key,
	.request = do_request,
};

bool pick_view(struct ui *ui, const struct pick_shown *shown, struct strbuf *command)
{
	struct picker p = { .view = { .ops = &pick_ops }, .ui = ui, .shown = shown };
	bool done;

	list_passing(&p);
	done = view_run(&p.view, ui) == VIEW_OWN;
	if (done)
		put_command(&p, command);
	strbuf_release(&p.filter);
	free(p.rows);
	free(p.chosen);
	return done;
}
