// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/views/calls.h"

#include "base/alloc.h"
#include "codec/quote.h"
#include "stacktree/calls.h"
#include "ui/widgets/popup.h"

enum calls_request {
	CALLS_OUT = REQ_OWN,
	CALLS_PRINT,
	CALLS_COMMAND,
};

const struct binding calls_bindings[] = {
	{ "ENTER RIGHT b", REQ_ENTER, "focus", "Show the callers and callees of this function" },
	{ "ESC LEFT BACKSPACE", CALLS_OUT, "out",
	  "Go back to the function before, or to the report" },
	{ "/", REQ_SEARCH, "search", "Search for a text" },
	{ "n", REQ_SEARCH_NEXT, "search-next", "Search for it again" },
	{ "N", REQ_SEARCH_PREVIOUS, "search-previous", "Search for it backwards" },
	{ "P", CALLS_PRINT, "print", "Write what is shown to the file perf.hist.N" },
	{ "y", CALLS_COMMAND, "command", "Show the commands that print this" },
	{ NULL },
};

/* A function that was shown before, with the row that was selected. */
struct calls_step {
	u32 func;
	u64 at;
};

struct calls_browser {
	struct view view;
	const struct calls_shown *shown;
	struct calls calls;       /* of the function that is shown */
	struct calls_step *steps; /* owned; the way back, the last one last */
	size_t nr_steps, cap_steps;
};

static struct calls_browser *browser_of(struct view *v)
{
	return container_of(v, struct calls_browser, view);
}

/* ---- rows: callers, the heaviest last; the function; callees, the heaviest first ---- */

static u64 nr_rows(struct view *v)
{
	const struct calls *c = &browser_of(v)->calls;

	return (u64)c->nr_callers + 1 + c->nr_callees;
}

/* Return the caller or callee in a row; NULL: it is the row of the function. */
static const struct calls_end *end_at(const struct calls *c, u64 row)
{
	if (row < c->nr_callers)
		return &c->callers[c->nr_callers - 1 - row];
	return row > c->nr_callers ? &c->callees[row - c->nr_callers - 1] : NULL;
}

static double percent(const struct calls_browser *b, u64 weight)
{
	return b->shown->total ? weight * 100.0 / b->shown->total : 0.0;
}

static void add_func(const struct calls_browser *b, u32 func, struct strbuf *out)
{
	const struct stacks *s = b->shown->stacks;
	const struct stacks_frame *f = &s->frames[func];

	strbuf_addname(out, stacks_text(s, f->name));
	if (f->kind == FRAME_INLINED)
		strbuf_addstr(out, " (inlined)");
	if (f->symbol && f->dso) {
		strbuf_addstr(out, "  ");
		strbuf_addname(out, stacks_text(s, f->dso));
	}
}

static void put_row(struct view *v, u64 row, struct strbuf *out)
{
	const struct calls_browser *b = browser_of(v);
	const struct calls *c = &b->calls;
	const struct calls_end *end = end_at(c, row);

	if (end)
		strbuf_addf(out, " %-8s  %7.2f%%            ",
			    row < c->nr_callers ? "caller" : "callee", percent(b, end->weight));
	else
		strbuf_addf(out, " %-8s  %7.2f%%  %7.2f%%  ", "function", percent(b, c->total),
			    percent(b, c->self));
	add_func(b, end ? end->func : c->func, out);
}

static void put_heads(struct view *v, struct strbuf *out)
{
	strbuf_addstr(out, "              Share      Self  Function");
}

static void put_title(struct view *v, struct strbuf *out)
{
	const struct calls_browser *b = browser_of(v);

	strbuf_addstr(out, "Callers and callees of ");
	add_func(b, b->calls.func, out);
}

/* ---- going from function to function ---- */

/* Show a function, with its row in the middle of the screen if there are as many callers. */
static void show(struct calls_browser *b, u32 func)
{
	struct view *v = &b->view;

	calls_release(&b->calls);
	calls_count(&b->calls, b->shown->stacks, b->shown->event, WEIGHT_PERIOD, func);
	v->at = b->calls.nr_callers;
	v->top = v->at - MIN(v->at, v->height / 2);
}

static void go_on(struct calls_browser *b, struct ui *ui)
{
	const struct calls_end *end = end_at(&b->calls, b->view.at);

	if (!end) {
		ui_say(ui, "This function is shown: select one of its callers or callees");
		return;
	}
	VEC_GROW(b->steps, b->nr_steps + 1, b->cap_steps);
	b->steps[b->nr_steps++] = (struct calls_step){ b->calls.func, b->view.at };
	show(b, end->func);
}

/* Return: false: no function was shown before. */
static bool go_back(struct calls_browser *b)
{
	const struct calls_step *step;

	if (!b->nr_steps)
		return false;
	step = &b->steps[--b->nr_steps];
	show(b, step->func);
	view_select(&b->view, step->at);
	return true;
}

/* ---- what leaves the screen ---- */

/* Append the command whose call graphs go from the function to its callers, or to its callees. */
static void add_command(const struct calls_browser *b, const char *order, struct strbuf *out)
{
	const struct stacks *s = b->shown->stacks;
	const char *name = stacks_text(s, s->frames[b->calls.func].name);

	/* A list of symbols would choose samples in them, and leave out those in their callees. */
	strbuf_addf(out, "%s --children -g graph,%s --symbol-filter=", b->shown->command, order);
	quote_shell(out, name);
}

static void show_commands(struct calls_browser *b, struct ui *ui)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addstr(&text, "Callers:\n");
	add_command(b, "callee", &text);
	strbuf_addstr(&text, "\nCallees:\n");
	add_command(b, "caller", &text);
	popup_text(ui, "The commands that print this", text.buf);
	strbuf_release(&text);
}

/* ---- requests ---- */

static int do_request(struct view *v, struct ui *ui, int request)
{
	struct calls_browser *b = browser_of(v);

	switch (request) {
	case REQ_ENTER:
		go_on(b, ui);
		break;
	case CALLS_OUT:
		return go_back(b) ? VIEW_STAYS : VIEW_BACK;
	case CALLS_PRINT:
		view_save(v, ui, b->shown->save, b->shown->ctx);
		break;
	case CALLS_COMMAND:
		show_commands(b, ui);
		break;
	default:
		return VIEW_UNKNOWN;
	}
	return VIEW_STAYS;
}

static const struct view_ops calls_ops = {
	.name = "calls",
	.bindings = calls_bindings,
	.title = put_title,
	.heads = put_heads,
	.nr_rows = nr_rows,
	.row = put_row,
	.request = do_request,
};

int calls_view(struct ui *ui, const struct calls_shown *shown)
{
	struct calls_browser b = { .view = { .ops = &calls_ops }, .shown = shown };
	int ret;

	b.view.height = ui->term->screen.rows;
	show(&b, shown->func);
	ret = view_run(&b.view, ui);
	calls_release(&b.calls);
	free(b.steps);
	return ret;
}
