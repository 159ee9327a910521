// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decide which column stands in which level of --hierarchy. Each sort key makes a level, and keys
 * within braces make one together: "comm,{dso,sym}".
 */
#include "columns/columns.h"

#include "columns/columns-internal.h"
#include "hist/hist.h"

static bool in_levels(const struct hist_columns *c, const struct hist_column *col)
{
	u32 i;

	for (i = 0; i < c->nr_level_cols; i++)
		if (c->level_col[i] == col)
			return true;
	return false;
}

static bool shown(const struct hist_columns *c, const struct hist_column *col)
{
	u32 i;

	for (i = 0; i < c->nr; i++)
		if (c->col[i] == col)
			return true;
	return false;
}

static void drop_shown(struct hist_columns *c, const struct hist_column *col)
{
	u32 i, kept = 0;

	for (i = 0; i < c->nr; i++)
		if (c->col[i] != col)
			c->col[kept++] = c->col[i];
	c->nr = kept;
}

/*
 * Move the first key to the front of all sums, if it is one and shares are named among the keys.
 * Return: that key; NULL: the order stays.
 */
static const struct hist_column *foremost(struct hist_columns *c, const char *keys)
{
	size_t begin = strspn(keys, ", {}");
	const struct hist_column *col = column_find(keys + begin, strcspn(keys + begin, ", {}"));

	if (!col || !col->metric || !strstr(keys, "overhead") || !shown(c, col))
		return NULL;
	drop_shown(c, col);
	memmove(c->col + 1, c->col, c->nr++ * sizeof(c->col[0]));
	c->col[0] = col;
	return col;
}

void columns_levels(struct hist_columns *c, const char *keys)
{
	const struct hist_column *first = foremost(c, keys);
	bool braces = false, fresh = true;
	const char *p;
	u32 i;

	c->hierarchy = true;
	for (p = keys; *p;) {
		size_t len = strcspn(p, ", {}");
		const struct hist_column *col = len ? column_find(p, len) : NULL;

		if (len && !col && c->more) /* the column of the first event */
			col = c->more(c->more_ctx, p, len, 0);
		braces = *p == '{' || (braces && *p != '}');
		fresh |= !braces || *p == '{';
		p += len ? len : 1;
		if (!col || col == first || (!first && !strncmp(col->name, "overhead", 8)) ||
		    !shown(c, col) || in_levels(c, col) || c->nr_level_cols == HIST_MAX_COLUMNS)
			continue;
		c->nr_levels += fresh;
		fresh = false;
		c->level_of[c->nr_level_cols] = c->nr_levels - 1;
		c->level_col[c->nr_level_cols++] = col;
	}
	/* The columns of levels stand behind the sums, as widths are by column. */
	for (i = 0; i < c->nr_level_cols; i++) {
		drop_shown(c, c->level_col[i]);
		if (c->nr < HIST_MAX_COLUMNS)
			c->col[c->nr++] = c->level_col[i];
	}
	for (i = 0; i < c->nr; i++)
		c->place[i] = (u16)i;
}
