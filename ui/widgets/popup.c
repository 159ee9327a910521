// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/widgets/popup.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "report/fit.h"

/* The lines of a window, one of which may be selected. */
struct popup {
	const char *title;
	const char *const *lines; /* borrowed */
	size_t nr, top, at;
	bool menu;
	u32 y, x, height, width; /* of what is inside the frame; as drawn last */
};

/* ---- drawing ---- */

static u32 columns_of(const char *text)
{
	return (u32)fit_columns(text, strlen(text));
}

/* Draw the frame of a window, empty inside. */
static void draw_frame(struct screen *s, const struct popup *p)
{
	u32 y = p->y - 1, x = p->x - 1, right = p->x + p->width, below = p->y + p->height;

	screen_fill(s, y, x + 1, p->width, STYLE_NORMAL, "─");
	screen_fill(s, below, x + 1, p->width, STYLE_NORMAL, "─");
	for (u32 i = p->y; i < below; i++) {
		screen_fill(s, i, x, 1, STYLE_NORMAL, "│");
		screen_fill(s, i, p->x, p->width, STYLE_NORMAL, " ");
		screen_fill(s, i, right, 1, STYLE_NORMAL, "│");
	}
	screen_fill(s, y, x, 1, STYLE_NORMAL, "┌");
	screen_fill(s, y, right, 1, STYLE_NORMAL, "┐");
	screen_fill(s, below, x, 1, STYLE_NORMAL, "└");
	screen_fill(s, below, right, 1, STYLE_NORMAL, "┘");
	screen_put(s, y, x + 1, p->width, STYLE_NORMAL, p->title, strlen(p->title));
}

/* Give the window the room that its lines need and the screen has. */
static void place(struct popup *p, const struct screen *s)
{
	u32 width = columns_of(p->title);

	for (size_t i = 0; i < p->nr; i++)
		width = MAX(width, columns_of(p->lines[i]));
	p->width = MIN(width, s->cols - 2);
	p->height = (u32)MIN(MAX(p->nr, (size_t)1), s->rows - 3);
	p->y = MAX((s->rows - p->height) / 2, 1u);
	p->x = MAX((s->cols - p->width) / 2, 1u);
	if (p->top + p->height > p->nr)
		p->top = p->nr > p->height ? p->nr - p->height : 0;
	if (p->menu && p->at < p->top)
		p->top = p->at;
	if (p->menu && p->at >= p->top + p->height)
		p->top = p->at - p->height + 1;
}

static void draw_popup(void *ctx, struct screen *s)
{
	struct popup *p = ctx;

	place(p, s);
	draw_frame(s, p);
	for (u32 i = 0; i < p->height && p->top + i < p->nr; i++) {
		const char *line = p->lines[p->top + i];
		bool selected = p->menu && p->top + i == p->at;

		if (selected)
			screen_style(s, p->y + i, p->x, p->width, STYLE_SELECTED);
		screen_put_styled(s, p->y + i, p->x, p->width,
				  selected ? STYLE_SELECTED : STYLE_NORMAL, line, strlen(line), 0);
	}
}

/* ---- keys ---- */

/* Move within @nr places by a key. Return: false: it is no key that moves. */
static bool move(size_t *at, size_t nr, size_t page, u32 key)
{
	size_t last = nr ? nr - 1 : 0;

	switch (key) {
	case K_UP:
		*at -= *at > 0;
		return true;
	case K_DOWN:
		*at = MIN(*at + 1, last);
		return true;
	case K_PGUP:
		*at -= MIN(*at, page);
		return true;
	case K_PGDN:
	case ' ':
		*at = MIN(*at + page, last);
		return true;
	case K_HOME:
		*at = 0;
		return true;
	case K_END:
		*at = last;
		return true;
	default:
		return false;
	}
}

/* Turn the wheel into keys. */
static u32 wheel_key(const struct term_event *ev)
{
	if (ev->type == TERM_KEY)
		return ev->key;
	return ev->button == MOUSE_WHEEL_UP ? K_UP : ev->button == MOUSE_WHEEL_DOWN ? K_DOWN : 0;
}

/* Cut @text into lines; the caller frees the result and *@copy. */
static const char **lines_of(const char *text, size_t *nr, char **copy)
{
	const char **lines = NULL;
	size_t cap = 0;
	char *rest = *copy = xstrdup(text);

	for (*nr = 0; rest && *rest;) {
		VEC_GROW(lines, *nr + 1, cap);
		lines[(*nr)++] = rest;
		rest = strchr(rest, '\n');
		if (rest)
			*rest++ = 0;
	}
	return lines;
}

void popup_text(struct ui *ui, const char *title, const char *text)
{
	struct popup p = { .title = title };
	struct layer layer = { draw_popup, &p, NULL };
	struct term_event ev;
	char *copy;

	p.lines = lines_of(text, &p.nr, &copy);
	ui_push(ui, &layer);
	do {
		ui_event(ui, -1, &ev);
	} while (ev.type == TERM_TIMEOUT ||
		 (ev.type != TERM_GONE &&
		  (ev.type == TERM_MOUSE ? ev.button >= MOUSE_WHEEL_UP : true) &&
		  move(&p.top, p.nr, p.height, wheel_key(&ev))));
	ui_pop(ui);
	free((void *)p.lines);
	free(copy);
}

/* The answer to an event in a menu: -2: there is none yet. */
static int menu_answer(struct popup *p, const struct term_event *ev)
{
	if (ev->type == TERM_GONE)
		return -1;
	if (ev->type == TERM_MOUSE && ev->button == MOUSE_LEFT) {
		if (ev->y < p->y || ev->y >= p->y + p->height || ev->x < p->x ||
		    ev->x >= p->x + p->width)
			return -1;
		return (int)(p->top + ev->y - p->y);
	}
	if ((ev->type != TERM_KEY && ev->type != TERM_MOUSE) ||
	    move(&p->at, p->nr, p->height, wheel_key(ev)) || ev->type == TERM_MOUSE)
		return -2;
	if (ev->key == K_ENTER || ev->key == K_RIGHT)
		return (int)p->at;
	return ev->key == K_ESC || ev->key == 'q' || ev->key == K_LEFT || ev->key == K_CTRL('c')
		       ? -1
		       : -2;
}

int popup_menu(struct ui *ui, const char *title, const char *const *items, size_t nr, size_t at)
{
	struct popup p = { .title = title, .lines = items, .nr = nr, .at = at, .menu = true };
	struct layer layer = { draw_popup, &p, NULL };
	struct term_event ev;
	int answer;

	ui_push(ui, &layer);
	do {
		ui_event(ui, -1, &ev);
		answer = menu_answer(&p, &ev);
	} while (answer == -2);
	ui_pop(ui);
	return answer;
}

/* ---- a line to type ---- */

struct input {
	const char *title;
	struct strbuf *text;
};

static void draw_input(void *ctx, struct screen *s)
{
	struct input *in = ctx;
	struct popup p = { .title = in->title };
	u32 has = (u32)fit_columns(strbuf_str(in->text), in->text->len), skip;

	p.width = MIN(MAX(columns_of(in->title), 40u), s->cols - 2);
	p.height = 1;
	p.y = s->rows / 2;
	p.x = MAX((s->cols - p.width) / 2, 1u);
	skip = has + 1 > p.width ? has + 1 - p.width : 0;
	draw_frame(s, &p);
	screen_put_styled(s, p.y, p.x, p.width, STYLE_NORMAL, strbuf_str(in->text), in->text->len,
			  skip);
	screen_style(s, p.y, p.x + has - skip, 1, STYLE_SELECTED);
}

static void delete_last(struct strbuf *text)
{
	while (text->len && ((unsigned char)text->buf[text->len - 1] & 0xc0) == 0x80)
		text->len--;
	if (text->len)
		text->buf[--text->len] = 0;
}

bool popup_edit(struct strbuf *text, u32 key)
{
	char name[KEY_NAME_SIZE];

	if (key == K_BACKSPACE)
		delete_last(text);
	else if (key == K_CTRL('u'))
		strbuf_reset(text);
	else if (key == ' ')
		strbuf_addch(text, ' ');
	else if (key > ' ' && key < K_UP)
		strbuf_addstr(text, key_name(key, name));
	else
		return false;
	return true;
}

/* Return: 1: the line is done, -1: it is given up, 0: it goes on. */
static int input_key(struct strbuf *text, const struct term_event *ev)
{
	if (ev->type == TERM_GONE)
		return -1;
	if (ev->type != TERM_KEY)
		return 0;
	if (ev->key == K_ENTER)
		return 1;
	if (ev->key == K_ESC || ev->key == K_CTRL('c'))
		return -1;
	popup_edit(text, ev->key);
	return 0;
}

bool popup_input(struct ui *ui, const char *title, struct strbuf *text)
{
	struct input in = { title, text };
	struct layer layer = { draw_input, &in, NULL };
	char *before = xstrdup(strbuf_str(text));
	struct term_event ev;
	int done;

	ui_push(ui, &layer);
	do {
		ui_event(ui, -1, &ev);
		done = input_key(text, &ev);
	} while (!done);
	ui_pop(ui);
	if (done < 0) {
		strbuf_reset(text);
		strbuf_addstr(text, before);
	}
	free(before);
	return done > 0;
}
