/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Styles: what text on the screen is, in place of how it looks. The configuration gives each a
 * colour (colors.NAME = FOREGROUND, BACKGROUND).
 */
#ifndef PERF_UI_TERM_STYLE_H
#define PERF_UI_TERM_STYLE_H

#include "base/color.h"
#include "cli/config.h"

enum style {
	STYLE_NORMAL,
	STYLE_TOP,    /* shares of 5% and more */
	STYLE_MEDIUM, /* of more than 0.5% */
	STYLE_SELECTED,
	STYLE_JUMP_ARROWS,
	STYLE_ADDR,
	STYLE_ROOT,  /* titles, and frames of windows */
	STYLE_MATCH, /* what was searched for */
	STYLE_DIM,   /* what stands behind the rest: hints, tips */
	STYLE_BAR,   /* STYLE_NR_BARS of them: boxes of pictures */
	STYLE_NR_BARS = 6,
	NR_STYLES = STYLE_BAR + STYLE_NR_BARS,
};

/* It tells how a style looks. Names of colours are those of S-Lang; "#rrggbb" where there are so
 * many. */
struct look {
	char fg[24], bg[24];
};

/* The looks of all styles. */
struct looks {
	struct look of[NR_STYLES];
	bool colored; /* else styles differ by reverse and bold alone */
};

/**
 * looks_init - take the looks from the configuration; $NO_COLOR and color.ui = never leave colours
 * out. @c: NULL: there is none
 */
void looks_init(struct looks *l, const struct config *c);

/** STYLE_END - the byte that ends a sequence that style_sequence() writes. */
#define STYLE_END 'm'
/**
 * style_sequence - write the sequence that gives the text behind it a style, for text that
 * screen_put_styled() draws. A terminal never receives it.
 */
void style_sequence(enum style style, char *seq, size_t size);
/** style_palette - return the palette with which numbers of a report get these styles. */
struct palette style_palette(void);

#endif
