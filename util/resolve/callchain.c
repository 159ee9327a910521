// SPDX-License-Identifier: GPL-2.0-or-later
/* Make the frames of samples that differ from the recorded chain. */
#include "base/compat.h"
#include "resolve/callchain.h"

void callchain_conf_open(struct callchain_conf *c, const struct callchain_source *from)
{
	c->leaves = leaf_callers_new(from->machine, from->symbols, from->arch);
	if (from->copies)
		c->unwinder = unwinder_new(from->machine, from->symbols, from->arch, from->swap,
					   from->unwind_style);
}

void callchain_conf_close(struct callchain_conf *c)
{
	leaf_callers_free(c->leaves);
	unwinder_free(c->unwinder);
	c->leaves = NULL;
	c->unwinder = NULL;
}

bool callchain_from_others(struct callchain_maker *m, bool call_stack, u32 epoch,
			   const struct sample *s, struct callchain *out)
{
	const struct callchain_conf *c = m->conf;

	*out = (struct callchain){ 0 };
	if (c->unwinder && unwind_sample(c->unwinder, &m->unwound, epoch, s)) {
		out->ips = (const u64_una *)m->unwound.ips;
		out->nr = m->unwound.nr;
		out->calls = true;
		return true;
	}
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
	unwind_thread_release(&m->unwound);
	*m = (struct callchain_maker){ .conf = m->conf };
}
