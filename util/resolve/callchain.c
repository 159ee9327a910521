// SPDX-License-Identifier: GPL-2.0-or-later
/* Make the frames of samples that differ from the recorded chain. */
#include "base/compat.h"
#include "resolve/callchain.h"

bool callchain_from_others(struct callchain_maker *m, bool call_stack, u32 epoch,
			   const struct sample *s, struct callchain *out)
{
	const struct callchain_conf *c = m->conf;

	if (c->unwind && c->unwind(c->unwind_ctx, epoch, s, out))
		return true;
	*out = (struct callchain){ 0 };
	if (c->call_stacks && call_stack && sample_lbr_chain(s, &m->lbr)) {
		out->ips = (const u64_una *)m->lbr.ips;
		out->nr = m->lbr.nr;
		out->calls = true;
		return true;
	}
	if (c->leaves && leaf_chain_make(c->leaves, epoch, s, &m->leaf)) {
		out->ips = (const u64_una *)m->leaf.ips;
		out->nr = m->leaf.nr;
		return true;
	}
	if (c->branches && branch_chain_make(&m->branches, &c->in_front, s)) {
		out->ips = (const u64_una *)m->branches.ips;
		out->nr = m->branches.nr;
		out->nr_branch_ends = m->branches.nr_ends;
		return true;
	}
	return false;
}

void callchain_maker_release(struct callchain_maker *m)
{
	free(m->lbr.ips);
	free(m->leaf.ips);
	branch_chain_release(&m->branches);
}
