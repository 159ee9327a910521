// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting with addresses that are resolved at the end. Without stacks, each worker has a tally for
 * each address, and in the end as many threads as are worth it make the rows of places of their
 * own. With stacks, there is a tally for each address and stack, in the table of the one worker
 * that owns the stack: samples are handed to it by whoever reads them.
 */
#include "base/compat.h"

#include "hist/counting-internal.h"
#include "hist/rows-internal.h"

static void flush_queues(struct hist *h)
{
	for (int i = 0; i < h->nr_workers; i++)
		tallies_flush(h->workers[i]);
}

/* ---- without stacks ---- */

static void count(struct hist_worker *w, const struct hist_sample *s)
{
	tally_end(w, tally_begin(w, s, NO_STACK));
}

void parts_finish(struct hist *h)
{
	rows_in_parts(h);
	rows_order(h);
}

const struct counting counting_in_parts = {
	.early = &counting_early,
	.add = count,
	.count = count,
	.flush = flush_queues,
	.resolve = resolve_at_end,
	.finish = parts_finish,
};

/* ---- with stacks ---- */

static void count_stack(struct hist_worker *w, const struct hist_sample *s)
{
	tally_end(w, tally_begin(w, s, s->filtered ? NO_STACK : stack_id(w, s)));
}

static void flush_stacks(struct hist *h)
{
	handoff_finish(h);
	flush_queues(h);
}

static void finish_stacks(struct hist *h)
{
	rows_by_worker(h);
	rows_order(h);
}

const struct counting counting_by_stack = {
	.add = handoff_add,
	.count = count_stack,
	.number = addr_number,
	.flush = flush_stacks,
	.resolve = resolve_at_end,
	.finish = finish_stacks,
};
