/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions tell when text is coloured, and which ANSI sequence stands for a percentage. */
#ifndef PERF_BASE_COLOR_H
#define PERF_BASE_COLOR_H

#include "base/compat.h"
#include "base/strbuf.h"

enum color_when {
	COLOR_AUTO, /* on a terminal */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/** COLOR_RESET - the sequence that returns to the terminal's normal colour. */
#define COLOR_RESET "\033[m"
/** COLOR_BLUE - the sequence of text that stands behind the rest. */
#define COLOR_BLUE "\033[34m"

/* The colours of percentages. Each member is a complete sequence, or "" for no colour. */
struct palette {
	char top[24];    /* 5% and more */
	char medium[24]; /* more than 0.5% */
	char normal[24]; /* the rest */
};

/**
 * color_parse_when - parse "always", "never", "auto" or a truth value, where true means auto.
 * Return: 0 or -EINVAL.
 */
int color_parse_when(const char *s, enum color_when *when);

/**
 * color_wanted - tell whether output to @fd is to be coloured. COLOR_AUTO colours a terminal unless
 * it is a dumb one or $NO_COLOR is set.
 */
bool color_wanted(enum color_when when, int fd);

/** palette_init - set the default colours: red (top), green (medium) and none (normal). */
void palette_init(struct palette *p);

/**
 * color_parse - translate "fg" or "fg, bg" into a sequence. The colours are black, red, green,
 * yellow, blue, magenta, cyan, white and default.
 * Return: 0, or -EINVAL, which leaves @seq unchanged.
 */
int color_parse(const char *spec, char *seq, size_t size);

/**
 * palette_percent - return the sequence for a percentage. The sign does not matter: -7% is coloured
 * like 7%. The palette owns the text.
 */
const char *palette_percent(const struct palette *p, double percent);

/**
 * strbuf_add_percent - append @percent as "%*.2f%%" in its colour, or without colour when @p is
 * NULL. @width is the width of the number alone.
 */
void strbuf_add_percent(struct strbuf *sb, const struct palette *p, double percent, int width);

#endif
