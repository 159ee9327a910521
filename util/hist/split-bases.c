// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bases that are split once stacks are resolved, as samples of one base may differ in key values
 * that depend on their stacks.
 */
#include "base/compat.h"

#include <regex.h>

#include "hist/places-internal.h"

/* Return a new base that differs from @base in its set of key values only. */
static u32 base_with_set(struct hist_worker *w, u32 base, u64 set)
{
	VEC_GROW(w->bases, w->nr_bases + 1, w->cap_bases);
	w->bases[w->nr_bases] = w->bases[base];
	w->bases[w->nr_bases].key_set = set;
	return w->nr_bases++;
}

/* ---- parents ---- */

/*
 * The parent of a sample: the first function of its call chain, as printed, whose name matches an
 * expression. Each name is matched once.
 */
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

	if (*slot == MAP64_NONE)
		*slot = base_with_set(w, base,
				      key_set_change(w, w->bases[base].key_set, p->at, parent));
	return *slot;
}

static void split_base(struct parents *p, struct hist_worker *w, struct map64 *made, u32 *base,
		       u32 stack, const u32 *of_stack)
{
	if (stack != NO_STACK && of_stack[stack])
		*base = base_with(p, w, made, *base, of_stack[stack]);
}

static void split_by_parent(struct parents *p, struct hist_worker *w)
{
	u32 *of_stack = xcalloc(w->nr_stacks + 1, sizeof(*of_stack));
	struct map64 made = { 0 };

	for (size_t i = 0; i < w->nr_stacks; i++)
		of_stack[i] = stack_parent(p, &w->stacks[i]);
	for (size_t i = 0; i < w->nr_tallies; i++)
		split_base(p, w, &made, &w->tallies[i].base, w->tallies[i].stack, of_stack);
	for (size_t i = 0; i < w->trees.nr_counts; i++) {
		struct stack_count *c = &w->trees.counts[i];

		split_base(p, w, &made, &c->base, c->stack, of_stack);
	}
	for (size_t i = 0; i < w->trees.nr_sites; i++) {
		struct site_count *c = &w->trees.sites[i];

		split_base(p, w, &made, &c->base, c->stack, of_stack);
	}
	map64_release(&made);
	free(of_stack);
}

void parents_split(struct hist *h)
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
			split_by_parent(&p, h->workers[i]);
		regfree(&p.regex);
	}
	free(p.by_place);
}

/* ---- rows of callers ---- */

/*
 * Rows of callers have the values of the samples of what they call, except those that an address
 * has: these are of the place of the call, in the caller itself.
 */
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
	return set == w->bases[base].key_set ? base : base_with_set(w, base, set);
}

static void split_by_caller(void *ctx, int worker, size_t item)
{
	struct hist *h = ctx;
	struct hist_worker *w = h->workers[item];

	(void)worker;
	for (size_t i = 0; i < w->nr_tallies; i++) {
		struct tally *r = &w->tallies[i];
		const struct stack *s = r->stack == NO_STACK ? NULL : &w->stacks[r->stack];

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

void callers_split(struct hist *h)
{
	if (h->own_callers)
		crew_run(h->crew, h->nr_workers, split_by_caller, h);
}
