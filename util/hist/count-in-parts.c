// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting in parts, for rows without stacks: each worker has a tally for each address, and in the
 * end as many threads as are worth it make the rows of places of their own.
 */
#include "base/compat.h"

#include "hist/counting-internal.h"
#include "hist/rows-internal.h"

static void count(struct hist_worker *w, const struct hist_sample *s)
{
	tally_end(w, tally_begin(w, s, NO_STACK));
}

static void flush(struct hist *h)
{
	for (int i = 0; i < h->nr_workers; i++)
		tallies_flush(h->workers[i]);
}

static void finish(struct hist *h)
{
	rows_in_parts(h);
	rows_order(h);
}

const struct counting counting_in_parts = {
	.early = &counting_early,
	.add = count,
	.count = count,
	.flush = flush,
	.resolve = resolve_at_end,
	.finish = finish,
};
