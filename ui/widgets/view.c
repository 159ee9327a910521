// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/widgets/view.h"

#include "report/fit.h"
#include "ui/widgets/popup.h"

#include <time.h>

enum { STEP = 8, WHEEL = 3 };

/* ---- drawing ---- */

static void draw_line(struct screen *s, u32 y, enum style style, const struct strbuf *text,
		      u32 shift)
{
	screen_fill(s, y, 0, s->cols, style, " ");
	screen_put_styled(s, y, 0, s->cols, style, strbuf_str(text), text->len, shift);
}

/* Select the last row where the selected one is gone. */
static void keep_selected(struct view *v, u64 nr)
{
	v->at = nr ? MIN(v->at, nr - 1) : 0;
}

/* Keep the selected row on the screen. */
static void follow(struct view *v, u64 nr)
{
	keep_selected(v, nr);
	if (v->at < v->top)
		v->top = v->at;
	if (v->at >= v->top + v->height)
		v->top = v->at - v->height + 1;
	if (v->top + v->height > nr)
		v->top = nr > v->height ? nr - v->height : 0;
}

/* Draw in the last column which part of the rows is on the screen. */
static void draw_scrollbar(const struct view *v, struct screen *s, u64 nr)
{
	u64 from = v->top * v->height / nr, to = (v->top + v->height) * v->height / nr;

	for (u32 i = 0; i < v->height; i++) {
		bool inside = i == from || (i > from && i < to);

		screen_fill(s, v->y + i, s->cols - 1, 1, STYLE_DIM, inside ? "█" : "│");
	}
}

static void draw_rows(struct view *v, struct screen *s)
{
	u64 nr = v->ops->nr_rows(v);
	struct strbuf text = STRBUF_INIT;

	follow(v, nr);
	for (u32 i = 0; i < v->height && v->top + i < nr; i++) {
		strbuf_reset(&text);
		v->ops->row(v, v->top + i, &text);
		draw_line(s, v->y + i, v->top + i == v->at ? STYLE_SELECTED : STYLE_NORMAL, &text,
			  v->shift);
	}
	if (nr > v->height)
		draw_scrollbar(v, s, nr);
	strbuf_release(&text);
}

/* Return how many bytes of a line fit @columns columns. It is broken at a blank; a word that alone
 * is wider is cut off by the screen. */
static size_t fitting(const char *line, size_t len, u32 columns)
{
	size_t fits = 0;

	for (size_t end = 0; end < len; end++) {
		const char *blank = memchr(line + end, ' ', len - end);

		end = blank ? (size_t)(blank - line) : len;
		if (fits && fit_columns(line, end) > columns)
			break;
		fits = end;
	}
	return fits;
}

/* Draw in @height lines what is known of the selected row. Text that needs more is cut off. */
static void draw_about(struct view *v, struct screen *s, u32 height)
{
	u32 y = v->y + v->height, end = y + height;
	struct strbuf text = STRBUF_INIT;

	screen_fill(s, y++, 0, s->cols, STYLE_DIM, "─");
	if (v->ops->nr_rows(v))
		v->ops->about(v, &text);
	for (const char *p = strbuf_str(&text); *p && y < end; y++) {
		size_t n = fitting(p, strcspn(p, "\n"), s->cols);

		screen_put_styled(s, y, 0, s->cols, STYLE_NORMAL, p, n, 0);
		p += n;
		p += *p != 0;
	}
	strbuf_release(&text);
}

static void draw_view(void *ctx, struct screen *s)
{
	struct view *v = ctx;
	struct strbuf text = STRBUF_INIT;
	u32 below;

	screen_clear(s); /* of the view below */
	v->ops->title(v, &text);
	draw_line(s, 0, STYLE_ROOT, &text, 0);
	strbuf_reset(&text);
	if (v->ops->heads)
		v->ops->heads(v, &text);
	v->y = 1 + (text.len > 0);
	if (text.len)
		draw_line(s, 1, STYLE_ROOT, &text, v->shift);
	v->height = s->rows - 1 - v->y;
	below = v->ops->about ? v->height / 3 : 0;
	v->height -= below;
	if (v->ops->paint)
		v->ops->paint(v, s, v->y, v->height);
	else
		draw_rows(v, s);
	if (below)
		draw_about(v, s, below);
	strbuf_reset(&text);
	if (v->ops->hint)
		v->ops->hint(v, &text);
	else
		strbuf_addstr(&text, "Press 'h' for help on key bindings");
	ui_put_last(s, strbuf_str(&text), text.len);
	strbuf_release(&text);
}

/* ---- requests that all views know ---- */

void view_select(struct view *v, u64 row)
{
	v->at = row;
	follow(v, v->ops->nr_rows(v));
}

/* Append a line without the sequences of styles in it. */
static void add_plain(const struct strbuf *line, struct strbuf *out)
{
	for (const char *p = strbuf_str(line); *p;) {
		size_t n = strcspn(p, "\033");

		strbuf_add(out, p, n);
		p += n;
		if (*p)
			p += strcspn(p, (const char[]){ STYLE_END, 0 });
		p += *p == STYLE_END;
	}
	strbuf_addch(out, '\n');
}

void view_save(struct view *v, struct ui *ui,
	       void (*save)(void *ctx, const struct strbuf *text, struct strbuf *said), void *ctx)
{
	struct strbuf line = STRBUF_INIT, text = STRBUF_INIT, said = STRBUF_INIT;
	u64 nr = v->ops->nr_rows(v);

	v->ops->title(v, &line);
	add_plain(&line, &text);
	strbuf_reset(&line);
	if (v->ops->heads)
		v->ops->heads(v, &line);
	if (line.len)
		add_plain(&line, &text);
	for (u64 i = 0; i < nr; i++) {
		strbuf_reset(&line);
		v->ops->row(v, i, &line);
		add_plain(&line, &text);
	}
	save(ctx, &text, &said);
	ui_say(ui, "%s", strbuf_str(&said));
	strbuf_release(&said);
	strbuf_release(&text);
	strbuf_release(&line);
}

static void move_by(struct view *v, s64 rows)
{
	u64 up = rows < 0 ? MIN(v->at, (u64)-rows) : 0;

	view_select(v, rows < 0 ? v->at - up : v->at + (u64)rows);
}

/* Move screen and selection together. */
static void page(struct view *v, bool down)
{
	u64 step = MAX(v->height, 1u), nr = v->ops->nr_rows(v);

	v->top = down ? MIN(v->top + step, nr > step ? nr - step : 0) : v->top - MIN(v->top, step);
	move_by(v, down ? (s64)step : -(s64)step);
}

static void show_help(struct view *v, struct ui *ui)
{
	struct strbuf text = STRBUF_INIT;

	keymap_help(&v->keys, &text);
	strbuf_addstr(&text, "\nPress any key...");
	popup_text(ui, "Help", text.buf);
	strbuf_release(&text);
}

/* Select the next row that has the text that is searched for. */
static void find(struct view *v, struct ui *ui, bool down)
{
	u64 nr = v->ops->nr_rows(v);
	struct strbuf text = STRBUF_INIT;

	for (u64 i = 1; i <= nr && v->find.len; i++) {
		u64 row = (down ? v->at + i : v->at + nr - i) % nr;

		strbuf_reset(&text);
		v->ops->row(v, row, &text);
		if (strstr(strbuf_str(&text), v->find.buf)) {
			strbuf_release(&text);
			view_select(v, row);
			return;
		}
	}
	ui_say(ui, "'%s' is in no row", strbuf_str(&v->find));
	strbuf_release(&text);
}

static int common_request(struct view *v, struct ui *ui, int request)
{
	switch (request) {
	case REQ_UP:
		move_by(v, -1);
		break;
	case REQ_DOWN:
		move_by(v, 1);
		break;
	case REQ_PAGE_UP:
	case REQ_PAGE_DOWN:
		page(v, request == REQ_PAGE_DOWN);
		break;
	case REQ_FIRST:
		view_select(v, 0);
		break;
	case REQ_LAST:
		view_select(v, UINT64_MAX);
		break;
	case REQ_SCROLL_LEFT:
		v->shift -= MIN(v->shift, (u32)STEP);
		break;
	case REQ_SCROLL_RIGHT:
		v->shift += STEP;
		break;
	case REQ_HELP:
		show_help(v, ui);
		break;
	case REQ_SEARCH:
	case REQ_SEARCH_BACK:
		if (popup_input(ui, "Search", &v->find))
			find(v, ui, request == REQ_SEARCH);
		break;
	case REQ_SEARCH_NEXT:
	case REQ_SEARCH_PREVIOUS:
		find(v, ui, request == REQ_SEARCH_NEXT);
		break;
	case REQ_REDRAW:
		term_show(ui->term, true);
		break;
	case REQ_SUSPEND:
		term_suspend(ui->term);
		break;
	case REQ_BACK:
		return VIEW_BACK;
	case REQ_QUIT:
		return VIEW_QUIT;
	default:
		break;
	}
	return VIEW_STAYS;
}

static int do_request(struct view *v, struct ui *ui, int request)
{
	int ret = v->ops->request ? v->ops->request(v, ui, request) : VIEW_UNKNOWN;

	return ret == VIEW_UNKNOWN ? common_request(v, ui, request) : ret;
}

static int on_key(struct view *v, struct ui *ui, u32 key)
{
	int ret = v->ops->key ? v->ops->key(v, ui, key) : VIEW_UNKNOWN;

	return ret == VIEW_UNKNOWN ? do_request(v, ui, keymap_request(&v->keys, key)) : ret;
}

/* Select what is clicked; a click on what is selected enters it. */
static int on_mouse(struct view *v, struct ui *ui, const struct term_event *ev)
{
	int ret = v->ops->mouse ? v->ops->mouse(v, ui, ev) : VIEW_UNKNOWN;
	u64 row = v->top + ev->y - v->y;

	if (ret != VIEW_UNKNOWN)
		return ret;
	if (ev->button >= MOUSE_WHEEL_UP) {
		move_by(v, ev->button == MOUSE_WHEEL_UP ? -WHEEL : WHEEL);
		return VIEW_STAYS;
	}
	if (ev->button != MOUSE_LEFT || ev->y < v->y || ev->y >= v->y + v->height ||
	    row >= v->ops->nr_rows(v))
		return VIEW_STAYS;
	if (row == v->at)
		return do_request(v, ui, REQ_ENTER);
	view_select(v, row);
	return VIEW_STAYS;
}

/* ---- the loop ---- */

static u64 now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000 + (u64)ts.tv_nsec / 1000000;
}

/* Return the ms that are left until @then; -1: there is no such time. */
static int ms_until(const struct view *v, u64 then)
{
	u64 now = now_ms();

	if (!v->interval)
		return -1;
	return then > now ? (int)(then - now) : 0;
}

static int next_step(struct view *v, struct ui *ui, u64 *then)
{
	struct term_event ev;

	ui_event(ui, ms_until(v, *then), &ev);
	/* With keys that were typed ahead, nothing was drawn since rows have changed. */
	keep_selected(v, v->ops->nr_rows(v));
	switch (ev.type) {
	case TERM_KEY:
		return on_key(v, ui, ev.key);
	case TERM_MOUSE:
		return on_mouse(v, ui, &ev);
	case TERM_TIMEOUT:
		*then = now_ms() + (u64)v->interval;
		return v->ops->tick ? v->ops->tick(v, ui) : VIEW_STAYS;
	case TERM_GONE:
		return VIEW_QUIT;
	default:
		return VIEW_STAYS;
	}
}

int view_run(struct view *v, struct ui *ui)
{
	struct layer layer = { draw_view, v, NULL };
	struct strbuf problems = STRBUF_INIT;
	u64 then = now_ms() + (u64)v->interval;
	const struct keys_of own = { v->ops->name, v->ops->bindings };
	int ret;

	keymap_init(&v->keys, &own, v->ops->more_keys, ui->config, &problems);
	if (problems.len) {
		problems.len = strcspn(problems.buf, "\n");
		ui_say(ui, "%.*s", (int)problems.len, problems.buf);
	}
	ui_push(ui, &layer);
	do {
		ret = next_step(v, ui, &then);
	} while (ret == VIEW_STAYS || ret == VIEW_UNKNOWN);
	ui_pop(ui);
	keymap_release(&v->keys);
	strbuf_release(&v->find);
	strbuf_release(&problems);
	return ret;
}
