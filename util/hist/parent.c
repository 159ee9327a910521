// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parent of a sample: the first function of its call chain, as printed, whose name matches an
 * expression. Names are known only once addresses are resolved, so bases are split by parent after
 * samples were counted. Each name is matched once.
 */
#include "base/compat.h"

#include <regex.h>

#include "hist/places-internal.h"

struct parents {
	struct hist *h;
	regex_t regex;
	u32 *by_place; /* by place: the text of a name that matches; 0: it does not; UINT32_MAX: it
			  was not matched yet */
	u32 at;        /* position in a set of key values */
};

static u32 place_parent(struct parents *p, u32 place)
{
	const char *name;

	if (p->by_place[place] != UINT32_MAX)
		return p->by_place[place];
	name = hist_symbol_name(p->h, place);
	p->by_place[place] = name && !regexec(&p->regex, name, 0, NULL, 0)
				     ? intern_str_id(&p->h->texts, name)
				     : 0;
	return p->by_place[place];
}

static u32 stack_parent(struct parents *p, const struct stack *s)
{
	const u32 *frames = s->ids;
	u32 parent = 0;

	for (u32 i = 0; i < s->nr && !parent; i++)
		parent = place_parent(p, p->h->frames[frames[i]].place);
	return parent;
}

/* Return the base that differs from @base in the parent only. */
static u32 base_with(struct parents *p, struct hist_worker *w, struct map64 *made, u32 base,
		     u32 parent)
{
	u32 *slot = map64_slot(made, (u64)base << 32 | parent);

	if (*slot == MAP64_NONE) {
		u64 set = key_set_change(w, w->bases[base].key_set, p->at, parent);

		VEC_GROW(w->bases, w->nr_bases + 1, w->cap_bases);
		w->bases[w->nr_bases] = w->bases[base];
		w->bases[w->nr_bases].key_set = set;
		*slot = w->nr_bases++;
	}
	return *slot;
}

static void part(struct parents *p, struct hist_worker *w, struct map64 *made, u32 *base, u32 stack,
		 const u32 *of_stack)
{
	if (stack != UINT32_MAX && of_stack[stack])
		*base = base_with(p, w, made, *base, of_stack[stack]);
}

static void part_worker(struct parents *p, struct hist_worker *w)
{
	u32 *of_stack = xcalloc(w->nr_stacks + 1, sizeof(*of_stack));
	struct map64 made = { 0 };

	for (size_t i = 0; i < w->nr_stacks; i++)
		of_stack[i] = stack_parent(p, &w->stacks[i]);
	for (size_t i = 0; i < w->nr_tallies; i++)
		part(p, w, &made, &w->tallies[i].base, w->tallies[i].stack, of_stack);
	for (size_t i = 0; i < w->trees.nr_counts; i++) {
		struct stack_count *c = &w->trees.counts[i];

		part(p, w, &made, &c->base, c->stack, of_stack);
	}
	for (size_t i = 0; i < w->trees.nr_sites; i++) {
		struct site_count *c = &w->trees.sites[i];

		part(p, w, &made, &c->base, c->stack, of_stack);
	}
	map64_release(&made);
	free(of_stack);
}

void parents_part(struct hist *h)
{
	struct parents p = { .h = h };

	if (!(h->conf.cols.need & NEED_PARENT))
		return;
	intern_str_id(&h->texts, ""); /* 0 is none */
	p.at = h->conf.cols.key_at[KEY_PARENT] - 1U;
	p.by_place = xmalloc((h->nr_places + 1) * sizeof(*p.by_place));
	memset(p.by_place, 0xff, (h->nr_places + 1) * sizeof(*p.by_place));
	if (!regcomp(&p.regex, h->conf.parent ? h->conf.parent : HIST_PARENT,
		     REG_EXTENDED | REG_NOSUB)) {
		for (int i = 0; i < h->nr_workers; i++)
			part_worker(&p, h->workers[i]);
		regfree(&p.regex);
	}
	free(p.by_place);
}
