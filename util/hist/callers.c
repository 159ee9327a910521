// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows of callers. They have the values of the samples of what they call, except those that an
 * address has: these are of the place of the call, in the caller itself.
 */
#include "base/compat.h"

#include "hist/tables-internal.h"

static bool of_address(enum hist_key what)
{
	switch (what) {
	case KEY_IP:
	case KEY_DSO_SIZE:
	case KEY_SYM_SIZE:
	case KEY_SYM_OFF:
	case KEY_SRCLINE:
	case KEY_SRCFILE:
		return true;
	default:
		return false;
	}
}

bool callers_differ(const struct hist_conf *conf)
{
	for (u32 i = 0; i < conf->cols.nr_keys; i++)
		if (of_address(conf->cols.keys[i].key))
			return conf->children || conf->chain.ignore_callees;
	return false;
}

/* Return the base that differs from @base in the address only. */
static u32 base_at(struct hist_worker *w, u32 base, u32 at)
{
	const struct hist_columns *c = &w->h->conf.cols;
	u64 set = w->bases[base].key_set;

	for (u32 i = 0; i < c->nr_keys; i++)
		if (of_address(c->keys[i].key))
			set = key_set_change(w, set, i,
					     c->keys[i].key == KEY_IP ? w->key_addrs[at].ip : at);
	if (set == w->bases[base].key_set)
		return base;
	VEC_GROW(w->bases, w->nr_bases + 1, w->cap_bases);
	w->bases[w->nr_bases] = w->bases[base];
	w->bases[w->nr_bases].key_set = set;
	return w->nr_bases++;
}

static void part_worker(void *ctx, int worker, size_t item)
{
	struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];

	(void)worker;
	for (size_t i = 0; i < w->nr_tallies; i++) {
		struct tally *r = &w->tallies[i];
		const struct stack *s = r->stack == UINT32_MAX ? NULL : &w->stacks[r->stack];

		if (s && s->root) /* the samples belong to the frame that the chain was cut at */
			r->base = base_at(w, r->base, s->key_addrs[0]);
		for (u32 k = 0; s && h->conf.children && k < s->nr; k++) {
			u32 *slot =
				map64_slot(&w->caller_bases, (u64)r->base << 32 | s->key_addrs[k]);

			if (*slot == MAP64_NONE)
				*slot = base_at(w, r->base, s->key_addrs[k]);
		}
	}
}

void callers_part(struct hist *h)
{
	if (h->own_callers)
		crew_run(h->crew, h->nr_workers, part_worker, h);
}
