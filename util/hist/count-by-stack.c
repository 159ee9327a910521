// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting by stack, for rows with call chains: there is a tally for each address and stack, in the
 * table of the one worker that owns the stack. Samples are handed to it by whoever reads them.
 */
#include "base/compat.h"

#include "hist/counting-internal.h"
#include "hist/rows-internal.h"

static void count(struct hist_worker *w, const struct hist_sample *s)
{
	tally_end(w, tally_begin(w, s, s->filtered ? NO_STACK : stack_id(w, s)));
}

static void flush(struct hist *h)
{
	handoff_finish(h);
	for (int i = 0; i < h->nr_workers; i++)
		tallies_flush(h->workers[i]);
}

static void finish(struct hist *h)
{
	rows_by_worker(h);
	rows_order(h);
}

const struct counting counting_by_stack = {
	.add = handoff_add,
	.count = count,
	.number = addr_number,
	.flush = flush,
	.resolve = resolve_at_end,
	.finish = finish,
};
