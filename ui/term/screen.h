/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen in memory: cells of text with a style. Everything is drawn here, and a terminal shows
 * the whole at once, so that nothing flickers. No control byte gets in, wherever text is from.
 */
#ifndef PERF_UI_TERM_SCREEN_H
#define PERF_UI_TERM_SCREEN_H

#include "base/strbuf.h"
#include "ui/term/style.h"

struct cell {
	char text[14]; /* one character with its marks, in UTF-8; "": it is the second half of one */
	u8 width;      /* columns: 1 or 2, 0 of a second half */
	u8 style;
};

struct screen {
	u32 rows, cols;
	/* The terminal shows it; otherwise lines, bars and arrows are drawn with ASCII characters,
	 * and all others become '?'. */
	bool utf8;
	struct cell *cells; /* owned; rows * cols */
};

/** screen_init - make an empty screen. screen_release() frees it. */
void screen_init(struct screen *s, u32 rows, u32 cols, bool utf8);
void screen_release(struct screen *s);
/** screen_resize - change its size; it is empty then. */
void screen_resize(struct screen *s, u32 rows, u32 cols);
/** screen_clear - fill it with blanks. */
void screen_clear(struct screen *s);

/**
 * screen_put - draw @len bytes of text from (@y, @x) on, in @width columns at most. What is outside
 * the screen is left out, and bytes that control terminals become '?'.
 * Return: the columns that were drawn.
 */
u32 screen_put(struct screen *s, u32 y, u32 x, u32 width, enum style style, const char *text,
	       size_t len);
/** screen_put_styled - do so with text that has sequences of style_sequence(). Such a sequence
 * counts where @style is STYLE_NORMAL; a selected line is drawn in one style. @skip: columns of the
 * text that are left out at its beginning */
u32 screen_put_styled(struct screen *s, u32 y, u32 x, u32 width, enum style style, const char *text,
		      size_t len, u32 skip);
/** screen_fill - draw @width times the same character. */
void screen_fill(struct screen *s, u32 y, u32 x, u32 width, enum style style, const char *what);
/** screen_style - give @width cells another style. */
void screen_style(struct screen *s, u32 y, u32 x, u32 width, enum style style);
/** screen_row - append a row as text, without blanks at its end. */
void screen_row(const struct screen *s, u32 y, struct strbuf *out);

#endif
