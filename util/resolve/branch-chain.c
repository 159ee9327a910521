// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "resolve/branch-chain.h"

#include "base/alloc.h"

#define MAX_BRANCHES 127
#define SLOTS 127

struct branch {
	u64 from, to, flags;
	u64 rounds, round_cycles; /* that were left out before it */
};

/* Where an address of a branch is remembered; two that share a slot hide each other. */
static u32 slot_of(u64 addr)
{
	return (addr * 0x61C8864680B583EBULL >> 57) % SLOTS;
}

/* Take out branches that repeat those before them. */
static u32 remove_loops(struct branch *v, u32 nr)
{
	u8 seen[SLOTS];
	u32 i, k, off;

	memset(seen, 0xff, sizeof(seen));
	for (i = 0; i < nr; i++) {
		u8 *slot = &seen[slot_of(v[i].from)];

		if (*slot == 0xff) {
			*slot = i;
			continue;
		}
		if (v[*slot].from != v[i].from)
			continue;
		off = i - *slot;
		for (k = 0; k < off && i + k < nr && v[*slot + k].from == v[i + k].from;)
			k++;
		if (k < off && i + k < nr)
			continue;
		off = k; /* the last round may not be whole */
		if (i + off < nr) {
			u64 cycles = 0;

			for (k = 0; k < off; k++)
				cycles += HIST_CYCLES(v[i + k].flags);
			v[i + off].rounds++;
			v[i + off].round_cycles = cycles;
			memmove(v + i, v + i + off, (nr - i - off) * sizeof(*v));
		}
		nr -= off;
	}
	return nr;
}

/* The first of the chain is where the sample was, which the branches may lead to, or the call that
 * a branch was: a return address is at most 8 bytes behind its call. */
static u64 skip_known(const struct hist_sample *hs, const struct branch *v, u32 nr)
{
	u64 first = 0;
	u32 i;

	while (first < hs->nr_chain && hs->chain[first] >= (u64)PERF_CONTEXT_MAX)
		first++;
	for (i = 0; i < nr && first < hs->nr_chain; i++)
		if (v[i].from < hs->chain[first] && v[i].from >= hs->chain[first] - 8)
			first++;
	return first;
}

static u64 info_to(const struct branch *b)
{
	u64 info = HIST_BRANCH | HIST_BRANCH_TO, type = b->flags >> 20 & 0xf;

	info |= b->flags & HIST_PREDICTED ? HIST_BRANCH_PREDICTED : 0;
	info |= b->flags & HIST_ABORT ? HIST_BRANCH_ABORT : 0;
	if (!type || !b->from)
		return info;
	info |= type == 1 && b->to <= b->from ? HIST_BRANCH_BACK : 0;
	info |= b->from >> 21 != b->to >> 21   ? HIST_BRANCH_2M
		: b->from >> 12 != b->to >> 12 ? HIST_BRANCH_4K
					       : 0;
	return info | type << 8;
}

static u64 info_from(const struct branch *b)
{
	return HIST_BRANCH | HIST_CYCLES(b->flags) | MIN(b->rounds, 255ULL) << 16 |
	       MIN(b->round_cycles, 0xffffffULL) << 24;
}

static u64 put(struct branch_chain *b, u64 len, u64 ip, bool marks, u64 info)
{
	b->ips[len++] = ip;
	if (marks)
		b->ips[len++] = info;
	return len;
}

/* The call chain from its @first word on, without the frames beyond @max: innermost ones, if it
 * will be printed from its root. Return: the new length */
static u64 put_chain(struct branch_chain *b, u64 len, const struct hist_sample *hs, u64 first,
		     bool caller, u32 max)
{
	u64 nr = 0, k, seen = 0, from;

	for (k = first; k < hs->nr_chain; k++)
		nr += hs->chain[k] < (u64)PERF_CONTEXT_MAX;
	from = caller && nr > max ? nr - max : 0;
	for (k = 0; k < hs->nr_chain; k++) {
		bool marker = hs->chain[k] >= (u64)PERF_CONTEXT_MAX;

		if (!marker && k < first)
			continue;
		if (marker || (seen >= from && seen < from + max))
			b->ips[len++] = hs->chain[k];
		seen += !marker;
	}
	return len;
}

void branch_chain_glue(struct branch_chain *b, const struct sample *s, bool caller, bool marks,
		       u32 max, struct hist_sample *hs)
{
	struct branch v[MAX_BRANCHES];
	u32 all = MIN(s->nr_branches, (u64)MAX_BRANCHES), nr = MIN(all, max), i;
	u64 first, len = 0;

	if (!nr)
		return;
	/* Loops are looked for in the order that is printed. */
	for (i = 0; i < nr; i++) {
		const u64_una *from = s->branches + (caller ? all - 1 - i : i) * 3;

		v[i] = (struct branch){ from[0], from[1], from[2], 0, 0 };
	}
	first = caller ? 0 : skip_known(hs, v, nr);
	nr = remove_loops(v, nr);
	VEC_GROW(b->ips, nr * 4 + hs->nr_chain + 1, b->cap);
	b->ips[len++] = marks ? HIST_CONTEXT_BRANCHES : HIST_CONTEXT_ANY;
	for (i = 0; i < nr; i++) {
		/* What is in front of a chain is behind it when it is printed from its root. */
		const struct branch *br = &v[caller ? nr - 1 - i : i];

		if (caller)
			len = put(b, len, br->from, marks, info_from(br));
		len = put(b, len, br->to, marks, info_to(br));
		if (!caller)
			len = put(b, len, br->from, marks, info_from(br));
	}
	len = put_chain(b, len, hs, first, caller, max);
	hs->nr_glued = nr * 2;
	hs->chain = b->ips;
	hs->nr_chain = len;
}

void branch_chain_release(struct branch_chain *b)
{
	free(b->ips);
}
