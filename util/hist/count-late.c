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

static void count(struct hist_worker *w, const struct hist_sample *s)
{
	tally_end(w, tally_begin(w, s, NO_STACK));
}

const struct counting counting_in_parts = {
	.early = &counting_early,
	.count = count,
	.flush = tallies_flush,
	.resolve = resolve_at_end,
	.merge = rows_in_parts,
};

static void count_stack(struct hist_worker *w, const struct hist_sample *s)
{
	tally_end(w, tally_begin(w, s, s->filtered ? NO_STACK : stack_id(w, s)));
}

const struct counting counting_by_stack = {
	.by_stack = true,
	.count = count_stack,
	.flush = tallies_flush,
	.number = addr_number,
	.resolve = resolve_at_end,
	.merge = rows_by_worker,
};
