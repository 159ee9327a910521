// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/views/top.h"

#include "base/alloc.h"
#include "ui/term/style.h"
#include "ui/widgets/popup.h"

enum top_request {
	TOP_DELAY = REQ_OWN,
	TOP_LEAST,
	TOP_EVENT,
	TOP_KERNEL,
	TOP_USER,
	TOP_ZERO,
	TOP_CHAINS,
	TOP_FREEZE,
	TOP_HEADS,
	TOP_PRINT,
	TOP_ANNOTATE,
};

const struct binding top_bindings[] = {
	{ "d", TOP_DELAY, "delay", "Change the seconds between refreshes" },
	{ "a ENTER", TOP_ANNOTATE, "annotate", "Look into the function: instructions and source" },
	{ "f", TOP_FREEZE, "freeze", "Let the rows stand still, or go on" },
	{ "z", TOP_ZERO, "zero", "Show only what was sampled since the last refresh, or all" },
	{ "K", TOP_KERNEL, "kernel", "Leave out the kernel, or no longer" },
	{ "U", TOP_USER, "user", "Leave out user space, or no longer" },
	{ "TAB E", TOP_EVENT, "next-event", "Show the next event" },
	{ "c", TOP_CHAINS, "chains", "Show or hide call graphs" },
	{ "m", TOP_LEAST, "least", "Leave out functions that have less samples" },
	{ "H", TOP_HEADS, "columns", "Show or hide the titles of columns" },
	{ "P", TOP_PRINT, "print", "Write what is shown to the file perf.hist.N" },
	{ "/", REQ_SEARCH, "search", "Search for a text" },
	{ "n", REQ_SEARCH_NEXT, "search-next", "Search on" },
	{ "N", REQ_SEARCH_PREVIOUS, "search-previous", "Search back" },
	{ NULL },
};

struct top_browser {
	struct view view;
	const struct top_shown *shown;
	struct top_text text;
	size_t *lines; /* owned; where each line of text.rows begins */
	size_t nr, cap;
	bool frozen, heads_hidden;
	struct err *err; /* of the last refresh */
};

static struct top_browser *top_browser(struct view *v)
{
	return container_of(v, struct top_browser, view);
}

/* ---- the text ---- */

static void reset(struct top_text *t)
{
	strbuf_reset(&t->title);
	strbuf_reset(&t->heads);
	strbuf_reset(&t->hint);
	strbuf_reset(&t->rows);
}

static void find_lines(struct top_browser *b)
{
	const struct strbuf *rows = &b->text.rows;

	b->nr = 0;
	for (size_t at = 0; at < rows->len; at += strcspn(rows->buf + at, "\n") + 1) {
		VEC_GROW(b->lines, b->nr + 1, b->cap);
		b->lines[b->nr++] = at;
	}
}

/* Make the text anew. Return: as a request */
static int renew(struct top_browser *b, bool refresh)
{
	int ret;

	reset(&b->text);
	ret = b->shown->text(b->shown->ctx, refresh, &b->text, b->err);
	find_lines(b);
	b->view.interval = (int)MIN(b->shown->settings->delay * 1000, 3600e3);
	return ret ? VIEW_OWN : VIEW_STAYS;
}

static int on_tick(struct view *v, struct ui *ui __unused)
{
	struct top_browser *b = top_browser(v);

	return b->frozen || b->text.ended ? VIEW_STAYS : renew(b, true);
}

/* ---- the screen ---- */

static u64 nr_rows(struct view *v)
{
	return top_browser(v)->nr;
}

static void put_row(struct view *v, u64 row, struct strbuf *out)
{
	const struct top_browser *b = top_browser(v);
	const char *text = b->text.rows.buf + b->lines[row];

	strbuf_add(out, text, strcspn(text, "\n"));
}

static void put_title(struct view *v, struct strbuf *out)
{
	const char *title = strbuf_str(&top_browser(v)->text.title);

	strbuf_addstr(out, title + strspn(title, " "));
}

static void put_heads(struct view *v, struct strbuf *out)
{
	const struct top_browser *b = top_browser(v);

	if (!b->heads_hidden)
		strbuf_addstr(out, strbuf_str(&b->text.heads));
}

static void put_hint(struct view *v, struct strbuf *out)
{
	const struct top_browser *b = top_browser(v);

	if (b->frozen)
		strbuf_addstr(out, "The rows stand still: press 'f' to let them go on");
	else if (b->text.hint.len)
		strbuf_addstr(out, b->text.hint.buf);
	else
		strbuf_addstr(out, "Press 'h' for help on key bindings");
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

static int ask_delay(struct top_browser *b, struct ui *ui)
{
	return ask_number(ui, "Seconds between refreshes", 0.01, &b->shown->settings->delay)
		       ? renew(b, false)
		       : VIEW_STAYS;
}

static int ask_least(struct top_browser *b, struct ui *ui)
{
	double v = b->shown->settings->least;

	if (!ask_number(ui, "Samples below which functions are not shown", 0, &v))
		return VIEW_STAYS;
	b->shown->settings->least = (unsigned int)v;
	return renew(b, false);
}

static int next_event(struct top_browser *b, struct ui *ui)
{
	if (b->shown->next_event(b->shown->ctx))
		return renew(b, false);
	ui_say(ui, "There is no other event");
	return VIEW_STAYS;
}

/* Save the lines as they are on the screen, without styles. */
static void print(struct top_browser *b, struct ui *ui)
{
	struct strbuf text = STRBUF_INIT, said = STRBUF_INIT;
	const char *p = strbuf_str(&b->text.rows), *seq;

	strbuf_addf(&text, "%s\n%s\n", strbuf_str(&b->text.title), strbuf_str(&b->text.heads));
	for (; (seq = strchr(p, '\033')); p = seq + strcspn(seq, (char[]){ STYLE_END, 0 }) + 1)
		strbuf_add(&text, p, (size_t)(seq - p));
	strbuf_addstr(&text, p);
	b->shown->save(b->shown->ctx, &text, &said);
	ui_say(ui, "%s", strbuf_str(&said));
	strbuf_release(&said);
	strbuf_release(&text);
}

/* Look into the function of the selected line, whose name stands last; users may change it. */
static void annotate(struct top_browser *b, struct ui *ui)
{
	struct strbuf name = STRBUF_INIT, text = STRBUF_INIT;
	struct err err = { 0 };
	const char *at;

	if (b->nr)
		put_row(&b->view, b->view.at, &name);
	at = strstr(strbuf_str(&name), "] ");
	strbuf_addstr(&text, at ? at + strlen("] ") : "");
	strbuf_reset(&name);
	strbuf_addstr(&name, strbuf_str(&text));
	while (name.len && name.buf[name.len - 1] == ' ')
		name.buf[--name.len] = 0;
	strbuf_reset(&text);
	if (popup_input(ui, "Function to look into", &name) && name.len) {
		ui_busy(ui, "Reading %s...", name.buf);
		if (b->shown->annotate(b->shown->ctx, name.buf, &text, &err))
			ui_say(ui, "%s", err.msg);
		else
			popup_text(ui, name.buf, strbuf_str(&text));
	}
	strbuf_release(&name);
	strbuf_release(&text);
}

static int toggle(struct top_browser *b, bool *setting)
{
	*setting = !*setting;
	return renew(b, false);
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	struct top_browser *b = top_browser(v);
	struct top_settings *s = b->shown->settings;

	switch (request) {
	case TOP_DELAY:
		return ask_delay(b, ui);
	case TOP_LEAST:
		return ask_least(b, ui);
	case TOP_EVENT:
		return next_event(b, ui);
	case TOP_KERNEL:
		return toggle(b, &s->hide_kernel);
	case TOP_USER:
		return toggle(b, &s->hide_user);
	case TOP_ZERO:
		return toggle(b, &s->zero);
	case TOP_CHAINS:
		return toggle(b, &s->chains);
	case TOP_FREEZE:
		b->frozen = !b->frozen;
		break;
	case TOP_HEADS:
		b->heads_hidden = !b->heads_hidden;
		break;
	case TOP_PRINT:
		print(b, ui);
		break;
	case TOP_ANNOTATE:
		annotate(b, ui);
		break;
	default:
		return VIEW_UNKNOWN;
	}
	return VIEW_STAYS;
}

static const struct view_ops top_ops = {
	.name = "top",
	.bindings = top_bindings,
	.title = put_title,
	.heads = put_heads,
	.hint = put_hint,
	.nr_rows = nr_rows,
	.row = put_row,
	.request = do_request,
	.tick = on_tick,
};

int top_view(struct ui *ui, const struct top_shown *shown, struct err *err)
{
	struct top_browser b = { .view = { .ops = &top_ops }, .shown = shown, .err = err };
	int ret = renew(&b, true);

	if (ret == VIEW_STAYS)
		ret = view_run(&b.view, ui);
	strbuf_release(&b.text.title);
	strbuf_release(&b.text.heads);
	strbuf_release(&b.text.hint);
	strbuf_release(&b.text.rows);
	free(b.lines);
	return ret == VIEW_OWN ? err->code : 0;
}
