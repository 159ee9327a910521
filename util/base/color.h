/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colour of text output as ANSI sequences: whether, and which for a percentage. */
#ifndef PERF_BASE_COLOR_H
#define PERF_BASE_COLOR_H

#include "base/compat.h"
#include "base/strbuf.h"

enum color_when {
	COLOR_AUTO, /* on a terminal */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/** COLOR_RESET - ends every coloured stretch. */
#define COLOR_RESET "\033[m"

/* Colours of percentages; each is a whole sequence, "" for none. */
struct palette {
	char top[24];    /* 5% and more */
	char medium[24]; /* more than 0.5% */
	char normal[24]; /* the rest */
};

/** color_parse_when - "always", "never", "auto", or a truth value (true is auto). Return: 0 or
 * -EINVAL. */
int color_parse_when(const char *s, enum color_when *when);

/**
 * color_wanted - whether to colour what goes to @fd. With COLOR_AUTO: a terminal that is not dumb,
 * and $NO_COLOR is not set.
 */
bool color_wanted(enum color_when when, int fd);

/** palette_init - red, green and none. */
void palette_init(struct palette *p);

/**
 * color_parse - the sequence for "fg" or "fg, bg": black, red, green, yellow, blue, magenta, cyan,
 * white or default. Return: 0, or -EINVAL and @seq unchanged.
 */
int color_parse(const char *spec, char *seq, size_t size);

/** palette_percent - the sequence for a percentage; a change of -7% is as worth a look as one of
 * 7%. Borrowed. */
const char *palette_percent(const struct palette *p, double percent);

/** strbuf_add_percent - append "%*.2f%%" of @percent in its colour; @p NULL: without. @width counts
 * the number. */
void strbuf_add_percent(struct strbuf *sb, const struct palette *p, double percent, int width);

#endif
