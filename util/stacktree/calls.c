// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "stacktree/calls.h"

#include "base/alloc.h"

/*
 * The sum of a set of nodes. They come in the order of the tree, depth first, so a node before @end
 * is below one that was added, and its samples are in the sum already.
 */
struct tally {
	u64 sum;
	u32 end;
};

static void tally_add(struct tally *t, const struct stacks *s, const u64 *total, u32 node)
{
	if (node < t->end)
		return;
	t->sum = stacks_add(t->sum, total[node]);
	t->end = s->nodes[node].end;
}

static int heavier(const void *a, const void *b)
{
	const struct calls_end *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return x->func < y->func ? -1 : x->func > y->func;
}

/* Return the functions that have a sum, the heaviest first. */
static struct calls_end *ends_of(const struct tally *by_func, u32 nr_funcs, u32 *nr)
{
	struct calls_end *ends = NULL;
	size_t cap = 0;

	*nr = 0;
	for (u32 i = 0; i < nr_funcs; i++) {
		if (!by_func[i].sum)
			continue;
		VEC_GROW(ends, *nr + (size_t)1, cap);
		ends[(*nr)++] = (struct calls_end){ i, by_func[i].sum };
	}
	if (*nr)
		qsort(ends, *nr, sizeof(*ends), heavier);
	return ends;
}

void calls_count(struct calls *c, const struct stacks *s, u32 event, enum stacks_weight w, u32 func)
{
	u64 *self = xcalloc(s->nr_nodes, sizeof(*self)),
	    *total = xcalloc(s->nr_nodes, sizeof(*total));
	struct tally *callers = xcalloc(s->nr_frames + (size_t)1, sizeof(*callers)),
		     *callees = xcalloc(s->nr_frames + (size_t)1, sizeof(*callees)), all = { 0 };

	*c = (struct calls){ .func = func };
	stacks_node_sums(s, event, w, self, total);
	for (u32 i = 1; i < s->nr_nodes; i++) {
		u32 parent = s->nodes[i].parent, of = stacks_func(s, i);

		if (of == func) {
			tally_add(&all, s, total, i);
			c->self = stacks_add(c->self, self[i]);
			if (parent)
				tally_add(&callers[stacks_func(s, parent)], s, total, i);
		}
		if (parent && stacks_func(s, parent) == func)
			tally_add(&callees[of], s, total, i);
	}
	c->total = all.sum;
	c->callers = ends_of(callers, s->nr_frames, &c->nr_callers);
	c->callees = ends_of(callees, s->nr_frames, &c->nr_callees);
	free(self);
	free(total);
	free(callers);
	free(callees);
}

void calls_release(struct calls *c)
{
	free(c->callers);
	free(c->callees);
	*c = (struct calls){ 0 };
}

u32 calls_find(const struct stacks *s, const char *name, const char *dso, bool inlined)
{
	for (u32 i = 0; i < s->nr_frames; i++) {
		const struct stacks_frame *f = &s->frames[i];

		if (f->symbol && inlined == (f->kind == FRAME_INLINED) &&
		    !strcmp(stacks_text(s, f->name), name) && !strcmp(stacks_text(s, f->dso), dso))
			return f->func;
	}
	return UINT32_MAX;
}
