// SPDX-License-Identifier: GPL-2.0-or-later
/* The annotate browser: its keys, and what is on its screen. */
#include "base/compat.h"
#include "ui/views/annotate.h"

#include "base/alloc.h"
#include "ui/views/arrows.h"
#include "ui/widgets/popup.h"

enum annotate_request {
	ANN_RIGHT = REQ_OWN,
	ANN_HOTTEST,
	ANN_NEXT_HOT,
	ANN_PREVIOUS_HOT,
	ANN_NEXT_FUNCTION,
	ANN_PREVIOUS_FUNCTION,
	ANN_SOURCE,
	ANN_NUMBERS,
	ANN_GLOBAL,
	ANN_BASE,
	ANN_LINE_NUMBERS,
	ANN_PLACE,
	ANN_ARROWS,
	ANN_JUMP_COUNTS,
	ANN_CYCLE_RANGES,
	ANN_SCRIPTS,
	ANN_RAW,
	ANN_BYTES,
	ANN_TYPES,
	ANN_LEVEL,
	ANN_ADDRESSES,
	ANN_PRINT,
	ANN_COMMAND,
};

const struct binding annotate_bindings[] = {
	{ "ENTER RIGHT", REQ_ENTER, "enter",
	  "Go to where a jump or call leads; leave at a return" },
	{ "ESC LEFT", REQ_BACK, "back", "Go back to where you came from" },
	{ "H", ANN_HOTTEST, "hottest", "Go to the hottest instruction" },
	{ "TAB", ANN_NEXT_HOT, "next-hot", "Go to the next of the hot instructions" },
	{ "UNTAB", ANN_PREVIOUS_HOT, "previous-hot", "Go to the hotter one before" },
	{ "]", ANN_NEXT_FUNCTION, "next-function", "Show the next function" },
	{ "[", ANN_PREVIOUS_FUNCTION, "previous-function", "Show the function before" },
	{ "/", REQ_SEARCH, "search", "Search for a text" },
	{ "?", REQ_SEARCH_BACK, "search-back", "Search for a text backwards" },
	{ "n", REQ_SEARCH_NEXT, "search-next", "Search for it again" },
	{ "N", REQ_SEARCH_PREVIOUS, "search-previous", "Search for it backwards" },
	{ "s", ANN_SOURCE, "source", "Show or hide lines of source" },
	{ "t", ANN_NUMBERS, "numbers", "Show percentages, sums of periods, or numbers of samples" },
	{ "p", ANN_GLOBAL, "global", "Show shares of the function's counts, or of all" },
	{ "b", ANN_BASE, "base", "Show shares of periods, or of samples" },
	{ "k", ANN_LINE_NUMBERS, "line-numbers", "Show or hide the numbers of lines of source" },
	{ "l", ANN_PLACE, "place", "Tell the source file and line of the selected instruction" },
	{ "j", ANN_ARROWS, "arrows", "Show or hide arrows of jumps and loops" },
	{ "J", ANN_JUMP_COUNTS, "jump-counts", "Show or hide how many jumps lead to a place" },
	{ "c", ANN_CYCLE_RANGES, "cycle-ranges",
	  "Show or hide the fewest and most cycles of blocks" },
	{ "o", ANN_RAW, "disassembly", "Show instructions as disassembled, or simplified" },
	{ "B", ANN_BYTES, "bytes", "Show or hide the bytes of instructions" },
	{ "T", ANN_TYPES, "types", "Show or hide the types of data that instructions access" },
	{ "O", ANN_LEVEL, "offsets", "Show addresses where jumps lead to, of calls too, or all" },
	{ "f", ANN_ADDRESSES, "addresses", "Count addresses from the function's start, or not" },
	{ "r", ANN_SCRIPTS, "scripts", "Run a script on the samples of the function" },
	{ "P", ANN_PRINT, "print", "Write what is shown to the file perf.annotation.N" },
	{ "y", ANN_COMMAND, "command", "Show the command that prints this" },
	{ NULL },
};

struct annotate_browser {
	struct view view;
	struct annotate_shown *shown;
	struct annotate_widths widths;
	size_t *lines; /* owned; those that are shown */
	size_t nr_lines;
	size_t *hot; /* owned; lines with samples, the hottest first */
	size_t nr_hot, at_hot;
	struct arrow arrow; /* of line @arrow_at */
	size_t arrow_at;
};

static struct annotate_browser *annotate_browser(struct view *v)
{
	return container_of(v, struct annotate_browser, view);
}

/* ---- lines ---- */

static size_t selected(const struct annotate_browser *b)
{
	return b->nr_lines ? b->lines[b->view.at] : 0;
}

/* Select a line, or the next one that is shown. */
static void select_line(struct annotate_browser *b, size_t line)
{
	size_t row = 0;

	while (row + 1 < b->nr_lines && b->lines[row] < line)
		row++;
	b->view.top = row - MIN(row, (size_t)b->view.height / 2);
	view_select(&b->view, row);
}

/* Find which lines are shown; the same one stays selected. */
static void refresh(struct annotate_browser *b)
{
	const struct annotation *a = b->shown->a;
	size_t at = selected(b);

	annotate_measure(b->shown->text, a, &b->widths);
	b->nr_lines = 0;
	for (size_t i = a->nr && !*annotation_text(a, a->lines[0].text); i < a->nr; i++)
		if (a->lines[i].kind != ANNOTATE_SOURCE || !*b->shown->no_source)
			b->lines[b->nr_lines++] = i;
	select_line(b, at);
}

static double heat(const struct annotate_browser *b, size_t line)
{
	const struct annotate_text *t = b->shown->text;
	double most = 0;

	for (size_t c = 0; c < t->nr_events; c++)
		most = MAX(most, annotate_percent(t, b->shown->a, line, c));
	return most;
}

static int by_heat(const void *x, const void *y, void *ctx)
{
	size_t left = *(const size_t *)x, right = *(const size_t *)y;
	double a = heat(ctx, left), b = heat(ctx, right);

	return a != b ? (a > b ? -1 : 1) : left < right ? -1 : left > right;
}

static void find_hot(struct annotate_browser *b)
{
	const struct annotation *a = b->shown->a;

	b->nr_hot = b->at_hot = 0;
	for (size_t i = 0; i < a->nr; i++)
		if (a->lines[i].kind == ANNOTATE_INSN && heat(b, i) > 0)
			b->hot[b->nr_hot++] = i;
	qsort_r(b->hot, b->nr_hot, sizeof(*b->hot), by_heat, b);
}

static void go_hot(struct annotate_browser *b, struct ui *ui, size_t at)
{
	if (!b->nr_hot) {
		ui_say(ui, "There are no samples in this function");
		return;
	}
	b->at_hot = at % b->nr_hot;
	select_line(b, b->hot[b->at_hot]);
}

/* ---- drawing ---- */

static u64 nr_rows(struct view *v)
{
	return annotate_browser(v)->nr_lines;
}

static void find_arrow(struct annotate_browser *b)
{
	size_t at = selected(b);

	if (b->arrow_at != at)
		b->arrow = arrow_find(b->shown->a, at);
	b->arrow_at = at;
}

/* Return the bytes of the character that @s begins with; @len: all there are. */
static size_t character(const char *s, size_t len)
{
	size_t n = len > 0;

	while (n < len && ((unsigned char)s[n] & 0xc0) == 0x80)
		n++;
	return n;
}

/* Append what stands behind the numbers, with an arrow between addresses and instructions. */
static void put_code(const struct annotate_browser *b, size_t line, struct strbuf *text, size_t at,
		     struct strbuf *out)
{
	size_t column = at + b->widths.address + 1;
	const char *cell = *b->shown->no_arrows ? NULL : arrow_cell(&b->arrow, line);
	bool end = line == b->arrow.from || line == b->arrow.to;
	char seq[8];

	if (!cell) {
		strbuf_add(out, text->buf + at, text->len - at);
		return;
	}
	strbuf_pad(text, column + ARROW_WIDTH);
	strbuf_add(out, text->buf + at, column - at);
	style_sequence(STYLE_JUMP_ARROWS, seq, sizeof(seq));
	strbuf_addf(out, "%s%s\033[%c", seq, cell, STYLE_END);
	for (int i = 0; i < (end ? ARROW_WIDTH : 1); i++)
		column += character(text->buf + column, text->len - column);
	strbuf_add(out, text->buf + column, text->len - column);
}

static void put_row(struct view *v, u64 row, struct strbuf *out)
{
	struct annotate_browser *b = annotate_browser(v);
	size_t line = b->lines[row], numbers = b->widths.numbers + b->widths.cycles;
	const struct palette palette = style_palette();
	const char *color = palette_percent(&palette, heat(b, line));
	struct strbuf text = STRBUF_INIT;

	find_arrow(b);
	annotate_stdio2_line(b->shown->text, b->shown->a, &b->widths, line, &text);
	strbuf_pad(&text, numbers + 1);
	strbuf_addstr(out, color);
	strbuf_add(out, text.buf, numbers);
	if (*color)
		strbuf_addstr(out, COLOR_RESET);
	strbuf_addstr(out, "│");
	put_code(b, line, &text, numbers + 1, out);
	strbuf_release(&text);
}

static void put_title(struct view *v, struct strbuf *out)
{
	struct annotate_browser *b = annotate_browser(v);
	const struct location *l = &b->shown->a->of->at;

	strbuf_addname(out, location_symbol(l));
	strbuf_addstr(out, "  ");
	strbuf_addname(out, location_dso_long(l));
}

static void put_heads(struct view *v, struct strbuf *out)
{
	struct annotate_browser *b = annotate_browser(v);

	annotate_stdio2_heads(b->shown->text, &b->widths, out);
	strbuf_pad(out, b->widths.numbers + b->widths.cycles);
	strbuf_addf(out, "│ [Percent: %s] ", annotate_text_name(b->shown->text));
	annotate_stdio2_title(b->shown->text, out);
}

/* ---- requests ---- */

static int enter(struct annotate_browser *b, struct ui *ui)
{
	size_t line = selected(b), to;
	const struct annotate_line *l = &b->shown->a->lines[line];

	if (!b->nr_lines || l->kind != ANNOTATE_INSN || l->flow == FLOW_NONE) {
		ui_say(ui, "This is neither a jump nor a call nor a return");
		return VIEW_STAYS;
	}
	if (l->flow == FLOW_RETURN)
		return VIEW_BACK;
	to = arrow_target(b->shown->a, line);
	if (to == SIZE_MAX) {
		b->shown->line = line;
		return ANNOTATE_ENTERS;
	}
	select_line(b, to);
	return VIEW_STAYS;
}

static void tell_place(struct annotate_browser *b, struct ui *ui)
{
	const struct annotation *a = b->shown->a;
	const struct annotate_line *l = &a->lines[selected(b)];

	if (!b->nr_lines || !l->file)
		ui_say(ui, "The debug information does not tell where this comes from");
	else
		ui_say(ui, "%" PRIx64 " is of %s:%u", l->addr, annotation_text(a, l->file),
		       l->line);
}

static void show_command(struct annotate_browser *b, struct ui *ui)
{
	const struct annotate_text *t = b->shown->text;
	struct strbuf text = STRBUF_INIT;

	b->shown->command(b->shown->ctx, &text);
	strbuf_addstr(&text, " --stdio2");
	if (t->total_period || t->nr_samples)
		strbuf_addstr(&text, t->nr_samples ? " --show-nr-samples" : " --show-total-period");
	strbuf_addf(&text, " --percent-type=%s-%s", t->global ? "global" : "local",
		    t->hits ? "hits" : "period");
	if (*b->shown->no_source)
		strbuf_addstr(&text, " --no-source");
	if (t->types)
		strbuf_addstr(&text, " --code-with-type");
	popup_text(ui, "The command that prints this", text.buf);
	strbuf_release(&text);
}

/* Save all lines as they are on the screen, without arrows. */
static void print(struct annotate_browser *b, struct ui *ui)
{
	const struct annotate_text *t = b->shown->text;
	struct strbuf text = STRBUF_INIT, said = STRBUF_INIT;

	put_title(&b->view, &text);
	strbuf_addch(&text, '\n');
	put_heads(&b->view, &text);
	strbuf_addch(&text, '\n');
	for (size_t i = 0; i < b->nr_lines; i++) {
		annotate_stdio2_line(t, b->shown->a, &b->widths, b->lines[i], &text);
		strbuf_addch(&text, '\n');
	}
	b->shown->save(b->shown->ctx, &text, &said);
	ui_say(ui, "%s", strbuf_str(&said));
	strbuf_release(&said);
	strbuf_release(&text);
}

/* Show percentages, then sums of periods, then numbers of samples. */
static void next_numbers(struct annotate_text *t)
{
	bool percent = !t->total_period && !t->nr_samples;

	t->nr_samples = t->total_period;
	t->total_period = percent;
}

static bool knows_types(const struct annotation *a)
{
	for (size_t i = 0; i < a->nr; i++)
		if (a->lines[i].type)
			return true;
	return false;
}

/* Show or hide the types of data, which are looked for when they are shown first. */
static void toggle_types(struct annotate_browser *b, struct ui *ui)
{
	struct annotate_text *t = b->shown->text;

	t->types = !t->types;
	if (!t->types)
		return;
	ui_busy(ui, "Looking for types of data...");
	b->shown->find_types(b->shown->ctx);
	if (!knows_types(b->shown->a))
		ui_say(ui, "The debug information tells no type of data that is accessed here");
}

/* Change the form of what is shown. Return: false: the request is another one. */
static bool change_form(struct annotate_browser *b, int request)
{
	struct annotate_text *t = b->shown->text;
	bool *flag;

	switch (request) {
	case ANN_SOURCE:
		flag = b->shown->no_source;
		break;
	case ANN_ARROWS:
		flag = b->shown->no_arrows;
		break;
	case ANN_GLOBAL:
		flag = &t->global;
		break;
	case ANN_BASE:
		flag = &t->hits;
		break;
	case ANN_LINE_NUMBERS:
		flag = &t->line_numbers;
		break;
	case ANN_JUMP_COUNTS:
		flag = &t->jump_counts;
		break;
	case ANN_CYCLE_RANGES:
		flag = &t->cycle_ranges;
		break;
	case ANN_RAW:
		flag = &t->raw;
		break;
	case ANN_BYTES:
		flag = &t->bytes;
		break;
	case ANN_ADDRESSES:
		flag = &t->whole_addresses;
		break;
	default:
		return false;
	}
	*flag = !*flag;
	find_hot(b);
	refresh(b);
	return true;
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	struct annotate_browser *b = annotate_browser(v);
	struct annotate_text *t = b->shown->text;

	if (change_form(b, request))
		return VIEW_STAYS;
	switch (request) {
	case REQ_ENTER:
		return enter(b, ui);
	case ANN_NEXT_FUNCTION:
		return ANNOTATE_NEXT;
	case ANN_PREVIOUS_FUNCTION:
		return ANNOTATE_PREVIOUS;
	case ANN_HOTTEST:
		go_hot(b, ui, 0);
		break;
	case ANN_NEXT_HOT:
		go_hot(b, ui, b->at_hot + 1);
		break;
	case ANN_PREVIOUS_HOT:
		go_hot(b, ui, b->at_hot + b->nr_hot - 1);
		break;
	case ANN_NUMBERS:
		next_numbers(t);
		refresh(b);
		break;
	case ANN_LEVEL:
		t->offset_level = t->offset_level % 3 + 1;
		refresh(b);
		break;
	case ANN_TYPES:
		toggle_types(b, ui);
		break;
	case ANN_PLACE:
		tell_place(b, ui);
		break;
	case ANN_SCRIPTS:
		if (b->shown->scripts)
			b->shown->scripts(b->shown->ctx, ui);
		else
			ui_say(ui, "The samples cannot be read again");
		break;
	case ANN_PRINT:
		print(b, ui);
		break;
	case ANN_COMMAND:
		show_command(b, ui);
		break;
	default:
		return VIEW_UNKNOWN;
	}
	return VIEW_STAYS;
}

/* Show what is counted by now; the selected line stays where it is. */
static int on_tick(struct view *v, struct ui *ui __unused)
{
	struct annotate_browser *b = annotate_browser(v);

	b->shown->recount(b->shown->ctx);
	find_hot(b);
	annotate_measure(b->shown->text, b->shown->a, &b->widths);
	return VIEW_STAYS;
}

static const struct view_ops annotate_ops = {
	.name = "annotate",
	.bindings = annotate_bindings,
	.title = put_title,
	.heads = put_heads,
	.nr_rows = nr_rows,
	.row = put_row,
	.request = do_request,
	.tick = on_tick,
};

int annotate_view(struct ui *ui, struct annotate_shown *shown)
{
	struct annotate_browser b = { .view = { .ops = &annotate_ops,
						.interval = shown->recount ? shown->interval : 0 },
				      .shown = shown,
				      .arrow_at = SIZE_MAX };
	int ret;

	b.view.height = ui->term->screen.rows;
	b.lines = xcalloc(shown->a->nr + 1, sizeof(*b.lines));
	b.hot = xcalloc(shown->a->nr + 1, sizeof(*b.hot));
	find_hot(&b);
	refresh(&b);
	if (shown->line != SIZE_MAX)
		select_line(&b, shown->line);
	else if (b.nr_hot)
		select_line(&b, b.hot[0]);
	ret = view_run(&b.view, ui);
	shown->line = selected(&b);
	free(b.lines);
	free(b.hot);
	return ret;
}
