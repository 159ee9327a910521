/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arrow that an annotation shows beside its lines: of the selected jump, or of the loop around
 * the selected line. */
#ifndef PERF_UI_VIEWS_ARROWS_H
#define PERF_UI_VIEWS_ARROWS_H

#include "annotate/annotate.h"

/* An arrow from one line to another. There is none where both are the same. */
struct arrow {
	size_t from, to; /* numbers of lines of the annotation */
};

/** ARROW_WIDTH - the columns that an arrow takes. */
#define ARROW_WIDTH 3

/**
 * arrow_find - find the arrow to show while line @at is selected: that of the jump which it is, or
 * else that of the jump backwards which closes the smallest loop around it.
 */
struct arrow arrow_find(const struct annotation *a, size_t at);
/** arrow_target - return the line that a jump leads to; SIZE_MAX: it is none, or leads elsewhere.
 */
size_t arrow_target(const struct annotation *a, size_t line);
/**
 * arrow_cell - return what an arrow has beside a line: ARROW_WIDTH columns at its ends, one between
 * them; NULL: nothing.
 */
const char *arrow_cell(const struct arrow *arrow, size_t line);

#endif
