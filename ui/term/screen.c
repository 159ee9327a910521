// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/term/screen.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "report/fit.h"

static const struct cell blank = { " ", 1, STYLE_NORMAL };

void screen_init(struct screen *s, u32 rows, u32 cols, bool utf8)
{
	*s = (struct screen){ .utf8 = utf8 };
	screen_resize(s, rows, cols);
}

void screen_release(struct screen *s)
{
	free(s->cells);
	*s = (struct screen){ 0 };
}

void screen_resize(struct screen *s, u32 rows, u32 cols)
{
	free(s->cells);
	s->rows = rows;
	s->cols = cols;
	s->cells = xcalloc((size_t)rows * cols + 1, sizeof(*s->cells));
	screen_clear(s);
}

void screen_clear(struct screen *s)
{
	for (size_t i = 0; i < (size_t)s->rows * s->cols; i++)
		s->cells[i] = blank;
}

/* Return the ASCII character that comes closest to another one that screens are drawn with; "?":
 * none does. */
static const char *ascii_for(const char *text, size_t len)
{
	static const char likes[][8] = {
		"─-", "│|", "┌+", "┐+", "└+", "┘+", "←<", "→>", "↑^",
		"↓v", "▁.", "▂:", "▃-", "▄=", "▅+", "▆*", "▇%", "█#",
	};

	for (size_t i = 0; i < ARRAY_SIZE(likes); i++)
		if (!memcmp(likes[i], text, len) && !likes[i][len + 1])
			return likes[i] + len;
	return "?";
}

/* Return the length of the character at @text, and what is drawn for it: itself, or another one
 * where it would control the terminal or cannot be shown. C1 controls are "\xc2\x80" to
 * "\xc2\x9f". */
static size_t drawable(const struct screen *s, const char *text, size_t len, const char **shown,
		       size_t *shown_len)
{
	size_t n = utf8_length(text, len);
	unsigned char c = (unsigned char)*text;
	bool control = c < ' ' || c == 127 || !n || (c == 0xc2 && (unsigned char)text[1] < 0xa0);

	*shown = text;
	*shown_len = n;
	if (control || (n > 1 && !s->utf8) || n >= sizeof(s->cells->text)) {
		*shown = control ? "?" : ascii_for(text, n);
		*shown_len = 1;
	}
	return MAX(n, (size_t)1);
}

/* Add a mark without width to the character in front of it, where it has room. */
static void add_mark(struct screen *s, u32 y, u32 x, const char *mark, size_t len)
{
	struct cell *c = &s->cells[(size_t)y * s->cols + x];
	size_t has = strlen(c->text);

	if (has && has + len < sizeof(c->text)) {
		memcpy(c->text + has, mark, len);
		c->text[has + len] = 0;
	}
}

/* A pen that draws from left to right. */
struct pen {
	struct screen *s;
	u32 y, x, end, skip;
	enum style style;
};

static void set_cell(struct pen *p, const char *text, size_t len, u32 width)
{
	struct cell *c = &p->s->cells[(size_t)p->y * p->s->cols + p->x];

	*c = (struct cell){ .width = (u8)width, .style = (u8)p->style };
	memcpy(c->text, text, len);
	if (width == 2)
		c[1] = (struct cell){ .style = (u8)p->style };
	p->x += width;
}

/* Draw one character. Return: false: there is no room left. */
static bool put_character(struct pen *p, const char *text, size_t len)
{
	u32 width = (u32)fit_columns(text, len);

	if (p->skip) {
		p->skip -= MIN(p->skip, width);
		return true;
	}
	if (!width) {
		if (p->x)
			add_mark(p->s, p->y, p->x - 1, text, len);
		return true;
	}
	if (p->x + width > p->end)
		return false;
	set_cell(p, text, len, width);
	return true;
}

/* Return the length of a sequence of style at @text, and its number in *@style; 0: there is
 * none. */
static size_t style_at(const char *text, size_t len, unsigned long *style)
{
	size_t i = 2;

	if (len < 3 || text[0] != '\033' || text[1] != '[')
		return 0;
	for (*style = 0; i < len && text[i] >= '0' && text[i] <= '9' && i < 5; i++)
		*style = *style * 10 + (unsigned long)(text[i] - '0');
	return i < len && text[i] == STYLE_END && *style < NR_STYLES ? i + 1 : 0;
}

static u32 draw(struct screen *s, u32 y, u32 x, u32 width, enum style style, const char *text,
		size_t len, u32 skip, bool styled)
{
	struct pen p = { s, y, x, MIN(s->cols, x + width), skip, style };
	unsigned long other;
	const char *shown;
	size_t n, shown_len;

	if (y >= s->rows || x >= s->cols || x + width < x)
		return 0;
	for (size_t i = 0; i < len; i += n) {
		n = styled ? style_at(text + i, len - i, &other) : 0;
		if (n) {
			p.style = style == STYLE_NORMAL ? (enum style)other : style;
			continue;
		}
		n = drawable(s, text + i, len - i, &shown, &shown_len);
		if (!put_character(&p, shown, shown_len))
			break;
	}
	return p.x - x;
}

u32 screen_put(struct screen *s, u32 y, u32 x, u32 width, enum style style, const char *text,
	       size_t len)
{
	return draw(s, y, x, width, style, text, len, 0, false);
}

u32 screen_put_styled(struct screen *s, u32 y, u32 x, u32 width, enum style style, const char *text,
		      size_t len, u32 skip)
{
	return draw(s, y, x, width, style, text, len, skip, true);
}

void screen_fill(struct screen *s, u32 y, u32 x, u32 width, enum style style, const char *what)
{
	size_t len = strlen(what);

	for (u32 i = 0; i < width && x + i < s->cols; i++)
		screen_put(s, y, x + i, 1, style, what, len);
}

void screen_style(struct screen *s, u32 y, u32 x, u32 width, enum style style)
{
	for (u32 i = 0; y < s->rows && i < width && x + i < s->cols; i++)
		s->cells[(size_t)y * s->cols + x + i].style = (u8)style;
}

void screen_row(const struct screen *s, u32 y, struct strbuf *out)
{
	size_t from = out->len;

	for (u32 x = 0; x < s->cols; x++)
		strbuf_addstr(out, s->cells[(size_t)y * s->cols + x].text);
	while (out->len > from && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = 0;
}
