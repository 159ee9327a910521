// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which rows would have been compared by a column, had samples been told apart one key after the
 * other. Some columns are as wide as the texts that such a comparison asked for.
 */
#include "base/compat.h"

#include "hist/rows-internal.h"

static u64 key_of(const struct hist *h, const struct hist_column *col, const struct hist_row *row)
{
	return col->identity ? col->identity(h, row) : col->rank(h, col, row, 0);
}

/* Do the first @nr sort keys tell two rows apart? */
static bool apart(const struct hist *h, u32 nr, const struct hist_row *a, const struct hist_row *b)
{
	const struct hist_columns *c = &h->conf.cols;

	for (u32 i = 0; i < nr; i++)
		if (!c->sort[i]->metric && key_of(h, c->sort[i], a) != key_of(h, c->sort[i], b))
			return true;
	return false;
}

static u64 keys_hash(const struct hist *h, u32 nr, const struct hist_row *row)
{
	const struct hist_columns *c = &h->conf.cols;
	u64 hash = nr;

	for (u32 i = 0; i < nr; i++)
		if (!c->sort[i]->metric)
			hash = hash_u64(hash ^ key_of(h, c->sort[i], row));
	return hash;
}

bool *rows_compared(const struct hist *h, const struct hist_event *ev)
{
	const struct hist_columns *c = &h->conf.cols;
	u32 nr = 0, *first = xcalloc(ev->nr_rows + 1, sizeof(*first));
	u64 *samples = xcalloc(ev->nr_rows + 1, sizeof(*samples));
	bool *compared = xcalloc(ev->nr_rows + 1, sizeof(*compared));
	struct index ix = { 0 };
	/* rows are compared with those of callers, and of other events of the group */
	bool always = h->conf.children || ev->nr_members > 1;
	size_t i, pos;

	while (nr < c->nr_sort && !c->sort[nr]->if_compared)
		nr++;
	for (i = 0; i < ev->nr_rows; i++) {
		u64 hash = keys_hash(h, nr, ev->rows[i]);

		first[i] = i;
		index_reserve(&ix);
		index_for_each(&ix, hash, pos)
		{
			if (!apart(h, nr, ev->rows[index_at(&ix, pos)], ev->rows[i])) {
				first[i] = index_at(&ix, pos);
				break;
			}
		}
		if (first[i] == i)
			index_put(&ix, pos, hash, i);
		samples[first[i]] += h->conf.children ? ev->rows[i]->more->acc_nr : ev->rows[i]->nr;
	}
	for (i = 0; i < ev->nr_rows; i++)
		compared[i] = always || samples[first[i]] > 1;
	index_release(&ix);
	free(samples);
	free(first);
	return compared;
}
