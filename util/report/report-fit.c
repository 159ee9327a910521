// SPDX-License-Identifier: GPL-2.0-or-later
/* Columns of names give way where the lines of a report have to fit a terminal. */
#include "base/compat.h"

#include "base/alloc.h"
#include "report/report-internal.h"

#define LEVEL_WIDTH 4    /* "[.] " */
#define ADDRESS_WIDTH 18 /* stands where there is no name */
#define TID_WIDTH 8      /* "   1234:" */
#define LEAST_NAME 12    /* what is left of a name */

/* Tell whether the texts of a column begin as "[.] main" does. */
static bool has_level(const struct hist_column *col)
{
	return col->function || col->key == KEY_SYM_OFF || col->key == KEY_DATA_LINE;
}

/* Return the columns of what stands in front of a name. */
static u16 front_width(const struct hist *h, const struct hist_column *col)
{
	if (has_level(col))
		return LEVEL_WIDTH + (hist_config(h)->origins ? HIST_ORIGIN_WIDTH : 0);
	return !strcmp(col->name, "pid") || !strcmp(col->name, "tgid") ? TID_WIDTH : 0;
}

static u16 least_width(const struct hist *h, const struct hist_column *col, u16 width)
{
	size_t least = front_width(h, col) + (has_level(col) ? ADDRESS_WIDTH : LEAST_NAME);

	least = MAX(least, strlen(col->header));
	return col->shortens ? MIN(least, (size_t)width) : width;
}

void report_fit(const struct hist *h, const struct hist_column *const *cols, u16 *width, u32 nr,
		size_t room)
{
	u16 *least = xcalloc(nr + 1, sizeof(*least));
	size_t sum = 0;

	for (u32 i = 0; i < nr; i++) {
		least[i] = least_width(h, cols[i], width[i]);
		sum += width[i];
	}
	if (sum > room)
		fit_widths(width, least, nr, sum - room);
	free(least);
}

void report_fit_cell(const struct hist *h, const struct hist_column *col, struct strbuf *out,
		     size_t at, u16 width, bool utf8)
{
	size_t front = MIN((size_t)front_width(h, col), out->len - at);

	/* No name begins with a digit. */
	if (has_level(col) && out->buf[at + front] == '0')
		return;
	fit_shorten(out, at + front, width > front ? width - front : 0, utf8);
}
