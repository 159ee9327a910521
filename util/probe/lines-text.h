/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source with the lines that can be probed (perf probe --line). */
#ifndef PERF_PROBE_LINES_TEXT_H
#define PERF_PROBE_LINES_TEXT_H

#include "probe/object.h"

/* FUNC[@SRC][:RLN[+NUM|-RLN2]] or SRC[:ALN[+NUM|-ALN2]] */
struct line_range {
	char *function, *file; /* owned; NULL: not given */
	u32 first, last; /* counted from the function, or in the file; last UINT32_MAX: open */
};

/** line_range_parse - read a range. Return: 0, or -EINVAL and a sentence. */
int line_range_parse(struct line_range *r, const char *text, struct err *err);
void line_range_release(struct line_range *r);

enum lines_form {
	LINES_PLAIN,
	LINES_COLORED, /* with ANSI sequences, for a terminal */
	LINES_JSON,    /* one document */
};

/**
 * probe_lines_text - append the source of a range, with the numbers of lines that can be probed.
 * Return: 0, or a negative errno and a sentence.
 */
int probe_lines_text(struct probe_object *o, const struct line_range *r, enum lines_form form,
		     struct strbuf *out, struct err *err);

#endif
