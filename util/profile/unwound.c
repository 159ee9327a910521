// SPDX-License-Identifier: GPL-2.0-or-later
/* Tell in notices how far copied stacks could be unwound. */
#include "base/compat.h"

#include "profile/profile-internal.h"

#include "base/alloc.h"
#include "base/escape.h"

/* Percent of the stacks from which on something matters. */
#define ROOT_MATTERS 1 /* of those that did not reach it */
#define GUESSED_MATTERS 1
#define OBJECT_MATTERS 0.5

#define MAX_TOLD 3 /* objects */

/* The stacks that end in one object for one reason. */
struct reason {
	u32 dso;
	u64 nr;
	const char *why;
};

static double percent(u64 part, u64 all)
{
	return all ? (double)part * 100 / (double)all : 0;
}

static int reason_cmp(const void *pa, const void *pb)
{
	const struct reason *a = pa, *b = pb;

	if (a->nr != b->nr)
		return a->nr > b->nr ? -1 : 1;
	return a->dso < b->dso ? -1 : a->dso > b->dso;
}

/* Return: *@nr reasons, the most frequent first; the caller frees. */
static struct reason *list_reasons(const struct unwind_counts *c, size_t *nr)
{
	struct reason *v = xcalloc(c->nr * 4 + 1, sizeof(*v));

	*nr = 0;
	for (size_t i = 0; i < c->nr; i++) {
		const struct unwind_ends *e = &c->ends[i];

		const struct reason of[] = {
			{ (u32)i, e->absent, "not found" },
			{ (u32)i, e->no_tables, "no unwind tables" },
			{ (u32)i, e->lost, "its tables lead no further" },
			{ (u32)i, e->elsewhere, "its caller is on another stack" },
		};

		for (size_t k = 0; k < ARRAY_SIZE(of); k++)
			if (of[k].nr)
				v[(*nr)++] = of[k];
	}
	qsort(v, *nr, sizeof(*v), reason_cmp);
	return v;
}

static void tell_root(const struct profile *p, const struct unwind_counts *c,
		      const struct notices *sentences)
{
	struct strbuf sb = STRBUF_INIT;
	size_t nr, nr_dsos;
	struct reason *v = list_reasons(c, &nr);
	struct dso *const *dsos = machine_dsos(p->r->machine, &nr_dsos);

	for (size_t i = 0; i < nr && i < MAX_TOLD && v[i].dso < nr_dsos; i++) {
		char name[256];

		if (i && percent(v[i].nr, c->stacks) < OBJECT_MATTERS)
			break;
		escape_name(name, sizeof(name), dsos[v[i].dso]->short_name);
		strbuf_addf(&sb, "%s %s (%s)", i ? "," : "; worst:", name, v[i].why);
	}
	notice(sentences, "%.1f%% of the stacks reached the root%s", percent(c->root, c->stacks),
	       strbuf_str(&sb));
	strbuf_release(&sb);
	free(v);
}

void profile_tell_unwound(const struct profile *p, const struct notices *sentences)
{
	struct unwind_counts all = { 0 };

	for (int i = 0; i < p->nr_workers; i++)
		unwind_counts_merge(&all, profile_worker_unwound(p->of_worker[i]));
	if (percent(all.stacks - all.root, all.stacks) >= ROOT_MATTERS)
		tell_root(p, &all, sentences);
	if (percent(all.guessed, all.stacks) >= GUESSED_MATTERS)
		notice(sentences,
		       "%.1f%% of the stacks have frames that no unwind table describes: those were "
		       "guessed from the code or from frame pointers",
		       percent(all.guessed, all.stacks));
	unwind_tell_beyond(&all, "dwarf", sentences);
	unwind_counts_release(&all);
}
