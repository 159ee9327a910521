// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of addresses. Each address is looked up once. The lock is not held while debug
 * information is read, so threads that ask for different units do not wait for each other.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "resolve/srcline-internal.h"

/* ---- objects ---- */

/*
 * Find how far a kernel was relocated: addresses are those at run time, and its file has those of
 * the link.
 */
static bool find_moved(struct line_object *o, const struct dso *dso)
{
	u64 linked;

	if (!dso->ref_sym || !lines_symbol(o->lines, dso->ref_sym, &linked))
		return false;
	o->moved = dso->ref_addr - linked;
	return true;
}

static void open_object(struct line_object *o, const struct location *l)
{
	if (l->dso->kind != DSO_USER && l->dso->kind != DSO_KERNEL)
		return;
	o->virtual = l->dso->kind == DSO_KERNEL;
	if (symtab_file(l->symtab))
		o->lines = lines_open(symtab_file(l->symtab), symtab_object(l->symtab));
	if (o->lines && o->virtual && !find_moved(o, l->dso)) {
		lines_close(o->lines);
		o->lines = NULL;
	}
}

/* Return the entry of an object, made when it is new. */
static struct line_object *object_entry(struct srclines *s, u32 id)
{
	struct line_object *o;
	size_t old = s->nr;

	pthread_mutex_lock(&s->lock);
	if (id >= old) {
		s->nr = MAX((size_t)id + 1, old * 2);
		s->objects = xrealloc(s->objects, s->nr, sizeof(struct line_object *));
		memset(s->objects + old, 0, (s->nr - old) * sizeof(struct line_object *));
	}
	o = s->objects[id];
	if (!o) {
		o = s->objects[id] = xzalloc(sizeof(*o));
		pthread_mutex_init(&o->lock, NULL);
	}
	pthread_mutex_unlock(&s->lock);
	return o;
}

struct line_object *line_object(struct srclines *s, const struct location *l)
{
	struct line_object *o;

	if (!l->dso || !l->symtab)
		return NULL;
	o = object_entry(s, l->dso->id);
	pthread_mutex_lock(&o->lock);
	if (!o->opened)
		open_object(o, l);
	o->opened = true;
	pthread_mutex_unlock(&o->lock);
	return o->lines ? o : NULL;
}

/* ---- addresses ---- */

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

static void keep(struct srclines *s, struct line_object *o, struct line_place *p,
		 const struct inline_frame *frames)
{
	size_t size = (p->nr + 1U) * sizeof(*frames);
	u32 *slot;

	pthread_mutex_lock(&s->lock);
	p->frames = memcpy(arena_alloc(&s->arena, size), frames, size);
	slot = map64_slot(&o->known, p->addr);
	if (*slot == MAP64_NONE) {
		VEC_GROW(s->places, s->nr_places + 1, s->cap_places);
		*slot = (u32)s->nr_places++;
	}
	s->places[*slot] = *p;
	pthread_mutex_unlock(&s->lock);
}

/* Look an address up in the debug information. */
static void look_up(struct srclines *s, struct line_object *o, const struct location *l,
		    struct line_place *p)
{
	struct inline_frame frames[INLINED_MAX + 1];
	struct inlined in[INLINED_MAX];

	frames[0].line = lines_find(o->lines, p->addr, o->virtual, &frames[0].file);
	if (p->whole)
		p->nr = (u16)lines_inlined(o->lines, p->addr, o->virtual, in);
	for (u16 i = 0; i < p->nr; i++) {
		frames[i].name = printed_name(s, l, in[i].name);
		frames[i + 1].file = in[i].file;
		frames[i + 1].line = in[i].line;
	}
	frames[p->nr].name = NULL;
	keep(s, o, p, frames);
}

static bool is_known(struct srclines *s, const struct line_object *o, u64 addr, bool whole,
		     struct line_place *out)
{
	bool known;
	u32 i;

	pthread_mutex_lock(&s->lock);
	i = map64_get(&o->known, addr);
	known = i != MAP64_NONE && (s->places[i].whole || !whole);
	if (known)
		*out = s->places[i];
	pthread_mutex_unlock(&s->lock);
	return known;
}

bool line_place(struct srclines *s, const struct location *l, bool whole, struct line_place *out)
{
	struct line_object *o = line_object(s, l);

	if (!o)
		return false;
	*out = (struct line_place){ .addr = line_object_addr(o, l), .whole = whole };
	if (!is_known(s, o, out->addr, whole, out))
		look_up(s, o, l, out);
	return true;
}

/* ---- many at once ---- */

/* A location and the unit that it is in. */
struct ahead_item {
	const struct location *l;
	struct line_object *object; /* NULL: it has no lines */
	u32 unit;
};

struct ahead {
	struct srclines *s;
	bool whole;
	struct ahead_item *items; /* sorted by object and unit */
	size_t *groups;           /* where each unit's begin; one more for the end */
	size_t nr, nr_groups;
};

#define PER_PIECE 1024 /* locations whose units are found at a time */

static void find_units(void *ctx, int worker, size_t piece)
{
	struct ahead *a = ctx;
	size_t i = piece * PER_PIECE, end = MIN(i + PER_PIECE, a->nr);

	(void)worker;
	for (; i < end; i++) {
		struct ahead_item *item = &a->items[i];

		item->object = line_object(a->s, item->l);
		item->unit = item->object ? lines_unit(item->object->lines,
						       line_object_addr(item->object, item->l),
						       item->object->virtual)
					  : LINES_NO_UNIT;
	}
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
