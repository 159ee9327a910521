// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "resolve/branch-chain.h"

#include "base/alloc.h"

#define MAX_BRANCHES 127
#define SLOTS 127 /* size of the table of addresses for the search for loops */

/* Parts of the flags word of struct perf_branch_entry. */
#define FLAG_PREDICTED 2
#define FLAG_ABORT 8
#define FLAG_CYCLES(flags) ((flags) >> 4 & 0xffff)

struct branch {
	u64 from, to, flags;
	u64 rounds, round_cycles; /* rounds that were left out before it, and their cycles */
};

/* Return the slot of an address; two addresses with the same slot hide each other. */
static u32 slot_of(u64 addr)
{
	return (addr * 0x61C8864680B583EBULL >> 57) % SLOTS;
}

/* Remove branches that repeat those before them. */
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
		off = k; /* the last round may be incomplete */
		if (i + off < nr) {
			u64 cycles = 0;

			for (k = 0; k < off; k++)
				cycles += FLAG_CYCLES(v[i + k].flags);
			v[i + off].rounds++;
			v[i + off].round_cycles = cycles;
			memmove(v + i, v + i + off, (nr - i - off) * sizeof(*v));
		}
		nr -= off;
	}
	return nr;
}

/*
 * Return the first word of the chain that no branch represents. The first address of the chain is
 * the place of the sample, to which a branch may lead. A later one is a return address, at most 8
 * bytes after its call, and that call may be one of the branches.
 */
static u64 skip_known(const struct sample *s, const struct branch *v, u32 nr)
{
	u64 first = 0;
	u32 i;

	while (first < s->nr_callchain && s->callchain[first] >= (u64)PERF_CONTEXT_MAX)
		first++;
	for (i = 0; i < nr && first < s->nr_callchain; i++)
		if (v[i].from < s->callchain[first] && v[i].from >= s->callchain[first] - 8)
			first++;
	return first;
}

static u64 info_to(const struct branch *b)
{
	u64 info = BRANCH_MARK | BRANCH_MARK_TO, type = b->flags >> 20 & 0xf;

	info |= b->flags & FLAG_PREDICTED ? BRANCH_MARK_PREDICTED : 0;
	info |= b->flags & FLAG_ABORT ? BRANCH_MARK_ABORT : 0;
	if (!type || !b->from)
		return info;
	info |= type == 1 && b->to <= b->from ? BRANCH_MARK_BACK : 0;
	info |= b->from >> 21 != b->to >> 21   ? BRANCH_MARK_2M
		: b->from >> 12 != b->to >> 12 ? BRANCH_MARK_4K
					       : 0;
	return info | type << 8;
}

static u64 info_from(const struct branch *b)
{
	return BRANCH_MARK | FLAG_CYCLES(b->flags) | MIN(b->rounds, 255ULL) << 16 |
	       MIN(b->round_cycles, 0xffffffULL) << 24;
}

static u64 put(struct branch_chain *b, u64 len, u64 ip, bool marks, u64 info)
{
	b->ips[len++] = ip;
	if (marks)
		b->ips[len++] = info;
	return len;
}

/*
 * Append the call chain from its @first word on, without the frames beyond @max; the innermost ones
 * if it is printed from its root. Return: the new length.
 */
static u64 put_chain(struct branch_chain *b, u64 len, const struct sample *s, u64 first,
		     bool caller, u32 max)
{
	u64 nr = 0, k, seen = 0, from;

	for (k = first; k < s->nr_callchain; k++)
		nr += s->callchain[k] < (u64)PERF_CONTEXT_MAX;
	from = caller && nr > max ? nr - max : 0;
	for (k = 0; k < s->nr_callchain; k++) {
		bool marker = s->callchain[k] >= (u64)PERF_CONTEXT_MAX;

		if (!marker && k < first)
			continue;
		if (marker || (seen >= from && seen < from + max))
			b->ips[len++] = s->callchain[k];
		seen += !marker;
	}
	return len;
}

bool branch_chain_make(struct branch_chain *b, const struct branch_chain_conf *conf,
		       const struct sample *s)
{
	bool caller = conf->caller, marks = conf->marks;
	struct branch v[MAX_BRANCHES];
	u32 all = MIN(s->nr_branches, (u64)MAX_BRANCHES), nr = MIN(all, conf->max), i;
	u64 first, len = 0;

	if (!nr)
		return false;
	/* Loops are searched in the order in which branches are printed. */
	for (i = 0; i < nr; i++) {
		const u64_una *from = s->branches + (caller ? all - 1 - i : i) * 3;

		v[i] = (struct branch){ from[0], from[1], from[2], 0, 0 };
	}
	first = caller ? 0 : skip_known(s, v, nr);
	nr = remove_loops(v, nr);
	VEC_GROW(b->ips, nr * 4 + s->nr_callchain + 1, b->cap);
	b->ips[len++] = marks ? BRANCH_CONTEXT_MARKS : BRANCH_CONTEXT_ANY;
	for (i = 0; i < nr; i++) {
		/* When chains are printed from the root, what precedes a chain follows it. */
		const struct branch *br = &v[caller ? nr - 1 - i : i];

		if (caller)
			len = put(b, len, br->from, marks, info_from(br));
		len = put(b, len, br->to, marks, info_to(br));
		if (!caller)
			len = put(b, len, br->from, marks, info_from(br));
	}
	b->nr = put_chain(b, len, s, first, caller, conf->max);
	b->nr_ends = nr * 2;
	return true;
}

void branch_chain_release(struct branch_chain *b)
{
	free(b->ips);
}
