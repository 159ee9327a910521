// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of addresses. Each address is looked up once. The lock is not held while debug
 * information is read, so threads that ask for different units do not wait for each other.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "resolve/srcline-internal.h"

#define NAMELESS "[unknown]"

/* ---- one address ---- */

/* Most functions are inlined at many places; each name is converted once. */
static const char *printed_name(struct srclines *s, const struct location *l, const char *name)
{
	u64 key = (u64)(uintptr_t)name;
	const char *known = NULL;
	char *shown;
	u32 id;

	pthread_mutex_lock(&s->lock);
	id = map64_get(&s->name_of, key);
	if (id != MAP64_NONE)
		known = intern_str(&s->names, id);
	pthread_mutex_unlock(&s->lock);
	if (known)
		return known;
	shown = symtab_show(l->symtab, name);
	pthread_mutex_lock(&s->lock);
	id = intern_str_id(&s->names, shown);
	map64_set(&s->name_of, key, id);
	known = intern_str(&s->names, id);
	pthread_mutex_unlock(&s->lock);
	free(shown);
	return known;
}

/* Remember a place. @frames: its own; they are copied, with the names that are printed */
static void remember(struct srclines *s, struct line_object *o, const struct location *l,
		     struct line_place *p, struct inline_frame *frames)
{
	size_t size = (p->nr + 1U) * sizeof(*frames);
	u32 *slot;

	for (u16 i = 0; i < p->nr; i++)
		frames[i].name = printed_name(s, l, frames[i].raw ? frames[i].raw : NAMELESS);
	frames[p->nr].name = NULL;
	pthread_mutex_lock(&s->lock);
	p->frames = memcpy(arena_alloc(&s->arena, size), frames, size);
	slot = map64_slot(&o->known, p->addr);
	if (*slot == MAP64_NONE) {
		VEC_GROW(s->places, s->nr_places + 1, s->cap_places);
		*slot = (u32)s->nr_places++;
	}
	s->places[*slot] = *p;
	o->fresh |= p->fresh;
	pthread_mutex_unlock(&s->lock);
}

/* Look an address up in the debug information. */
static void look_up(struct srclines *s, struct line_object *o, const struct location *l,
		    struct line_place *p)
{
	struct inline_frame frames[INLINED_MAX + 1] = { { .line = 0 } };
	struct lines *lines = line_object_lines(o, l);
	struct inlined in[INLINED_MAX];
	u32 unit = lines ? lines_unit(lines, p->addr, o->virtual) : LINES_NO_UNIT;

	if (unit != LINES_NO_UNIT) {
		frames[0].line = lines_find(lines, p->addr, o->virtual, &frames[0].file);
		if (p->whole)
			p->nr = (u16)lines_inlined(lines, p->addr, o->virtual, in);
	}
	for (u16 i = 0; i < p->nr; i++) {
		frames[i].raw = in[i].name;
		frames[i + 1].file = in[i].file;
		frames[i + 1].line = in[i].line;
	}
	p->fresh = lines && (unit == LINES_NO_UNIT || !lines_lacking(lines, unit));
	remember(s, o, l, p, frames);
}

/* Take an address from what earlier runs found. Return: whether it is there. */
static bool take_cached(struct srclines *s, struct line_object *o, const struct location *l,
			struct line_place *p)
{
	const struct lc_place *c = line_cache_find(&o->cache, p->addr);
	struct inline_frame frames[INLINED_MAX + 1];

	if (!c || (p->whole && !c->whole) || c->nr > INLINED_MAX)
		return false;
	p->whole = c->whole;
	p->nr = c->nr;
	for (u16 i = 0; i <= c->nr; i++)
		frames[i] = line_cache_frame(&o->cache, c, i);
	remember(s, o, l, p, frames);
	return true;
}

static bool is_known(struct srclines *s, const struct line_object *o, struct line_place *p)
{
	bool known;
	u32 i;

	pthread_mutex_lock(&s->lock);
	i = map64_get(&o->known, p->addr);
	known = i != MAP64_NONE && (s->places[i].whole || !p->whole);
	if (known)
		*p = s->places[i];
	pthread_mutex_unlock(&s->lock);
	return known;
}

/* Find a place without its debug information. Return: whether that was possible. */
static bool find_known(struct srclines *s, struct line_object *o, const struct location *l,
		       bool whole, struct line_place *p)
{
	*p = (struct line_place){ .addr = line_object_addr(o, l), .whole = whole };
	return is_known(s, o, p) || take_cached(s, o, l, p);
}

bool line_place(struct srclines *s, const struct location *l, bool whole, struct line_place *out)
{
	struct line_object *o = line_object(s, l);

	if (!o)
		return false;
	if (!find_known(s, o, l, whole, out))
		look_up(s, o, l, out);
	return true;
}

/* ---- many at once ---- */

/* A location and the unit that it is in. */
struct ahead_item {
	const struct location *l;
	struct line_object *object;
	u32 unit; /* LINES_NO_UNIT: there is nothing to be read for it */
};

struct ahead {
	struct srclines *s;
	bool whole;
	struct ahead_item *items; /* sorted by object and unit */
	size_t *groups;           /* where each unit's begin; one more for the end */
	size_t nr, nr_groups;
};

#define PER_PIECE 1024 /* locations whose units are found at a time */

static u32 find_unit(struct ahead *a, struct ahead_item *item)
{
	struct line_object *o = line_object(a->s, item->l);
	struct line_place place;
	struct lines *lines;

	item->object = o;
	if (!o || find_known(a->s, o, item->l, a->whole, &place))
		return LINES_NO_UNIT;
	lines = line_object_lines(o, item->l);
	return lines ? lines_unit(lines, place.addr, o->virtual) : LINES_NO_UNIT;
}

static void find_units(void *ctx, int worker, size_t piece)
{
	struct ahead *a = ctx;
	size_t i = piece * PER_PIECE, end = MIN(i + PER_PIECE, a->nr);

	(void)worker;
	for (; i < end; i++)
		a->items[i].unit = find_unit(a, &a->items[i]);
}

static void find_places(void *ctx, int worker, size_t group)
{
	struct ahead *a = ctx;
	const struct ahead_item *first = &a->items[a->groups[group]];
	struct line_place place;

	(void)worker;
	for (size_t i = a->groups[group]; i < a->groups[group + 1]; i++)
		line_place(a->s, a->items[i].l, a->whole, &place);
	lines_forget(first->object->lines, first->unit);
}

static int by_unit(const void *x, const void *y)
{
	const struct ahead_item *a = x, *b = y;

	if (a->object != b->object)
		return (uintptr_t)a->object < (uintptr_t)b->object ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->l->addr < b->l->addr ? -1 : a->l->addr > b->l->addr;
}

static void group_units(struct ahead *a)
{
	a->groups = xcalloc(a->nr + 1, sizeof(*a->groups));
	for (size_t i = 0; i < a->nr; i++) {
		const struct ahead_item *b = &a->items[i];

		if (!i || b->object != b[-1].object || b->unit != b[-1].unit)
			a->groups[a->nr_groups++] = i;
	}
	a->groups[a->nr_groups] = a->nr;
}

void srclines_ahead(struct srclines *s, const struct location *l, size_t nr, bool inlines,
		    int workers)
{
	struct ahead a = { .s = s, .whole = inlines, .nr = nr };
	size_t kept = 0;

	a.items = xcalloc(nr + 1, sizeof(*a.items));
	for (size_t i = 0; i < nr; i++)
		a.items[i].l = &l[i];
	pool_run(workers, (nr + PER_PIECE - 1) / PER_PIECE, find_units, &a);
	for (size_t i = 0; i < nr; i++)
		if (a.items[i].unit != LINES_NO_UNIT)
			a.items[kept++] = a.items[i];
	a.nr = kept;
	if (kept)
		qsort(a.items, kept, sizeof(*a.items), by_unit);
	group_units(&a);
	pool_run(workers, a.nr_groups, find_places, &a);
	free(a.groups);
	free(a.items);
}
