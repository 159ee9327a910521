// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Objects whose lines are asked for. What earlier runs found of an object is read from the cache
 * first; its debug information is opened when that does not have an address.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "resolve/srcline-internal.h"

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

static struct lines *open_module(const struct location *l)
{
	const char *debug = symtab_debug_file(l->symtab);
	size_t nr;
	const struct module_section *sections = symtab_sections(l->symtab, &nr);

	return debug && sections ? lines_open_module(debug, sections, nr) : NULL;
}

static void open_lines(struct line_object *o, const struct location *l)
{
	if (l->dso->kind == DSO_MODULE)
		o->lines = open_module(l);
	else if (symtab_file(l->symtab))
		o->lines = lines_open_by(o->by, symtab_file(l->symtab), symtab_object(l->symtab));
	if (o->lines && l->dso->kind == DSO_KERNEL && !find_moved(o, l->dso)) {
		lines_close(o->lines);
		o->lines = NULL;
	}
	atomic_store_explicit(&o->tried, true, memory_order_release);
}

/*
 * Get the build-id. Without the object, whose headers tell where code is in its file, nothing is
 * kept.
 */
static void find_key(struct line_object *o, const struct location *l)
{
	const char *object = symtab_object(l->symtab);
	int size = l->dso->build_id_size;

	o->key = (struct objcache_key){ .kind = OBJCACHE_LINES, .version = LINE_CACHE_VERSION };
	if (!object && !o->virtual)
		return;
	memcpy(o->key.id, l->dso->build_id, sizeof(o->key.id));
	if (!size && object)
		size = elf_build_id(object, o->key.id);
	o->key.id_size = size > 0 ? (u8)size : 0;
}

static void begin(struct srclines *s, struct line_object *o, const struct location *l)
{
	o->virtual = l->dso->kind != DSO_USER;
	if (s->cache)
		find_key(o, l);
	if (objcache_get(s->cache, &o->key, &o->file) &&
	    !line_cache_read(&o->cache, o->file.data, o->file.len))
		objcache_file_release(&o->file);
	if (l->dso->kind == DSO_KERNEL) /* its file tells how far it was moved */
		open_lines(o, l);
	atomic_store_explicit(&o->begun, true, memory_order_release);
}

/* Return the entry of an object, made when it is new. */
static struct line_object *entry_of(struct srclines *s, u32 id)
{
	struct line_object *o;
	size_t old;

	pthread_mutex_lock(&s->lock);
	old = s->nr;
	if (id >= old) {
		s->nr = MAX((size_t)id + 1, old * 2);
		s->objects = xrealloc(s->objects, s->nr, sizeof(struct line_object *));
		memset(s->objects + old, 0, (s->nr - old) * sizeof(struct line_object *));
	}
	o = s->objects[id];
	if (!o) {
		o = s->objects[id] = xzalloc(sizeof(*o));
		o->by = &s->by;
		pthread_mutex_init(&o->lock, NULL);
	}
	pthread_mutex_unlock(&s->lock);
	return o;
}

struct line_object *line_object(struct srclines *s, const struct location *l)
{
	struct line_object *o;

	if (!l->dso || !l->symtab ||
	    (l->dso->kind != DSO_USER && l->dso->kind != DSO_KERNEL && l->dso->kind != DSO_MODULE))
		return NULL;
	o = entry_of(s, l->dso->id);
	if (atomic_load_explicit(&o->begun, memory_order_acquire))
		return o;
	pthread_mutex_lock(&o->lock);
	if (!atomic_load(&o->begun))
		begin(s, o, l);
	pthread_mutex_unlock(&o->lock);
	return o;
}

struct lines *line_object_lines(struct line_object *o, const struct location *l)
{
	if (atomic_load_explicit(&o->tried, memory_order_acquire))
		return o->lines;
	pthread_mutex_lock(&o->lock);
	if (!atomic_load(&o->tried))
		open_lines(o, l);
	pthread_mutex_unlock(&o->lock);
	return o->lines;
}

/* ---- keeping what is new ---- */

static int by_addr(const void *a, const void *b)
{
	const struct line_place *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Return the new places of an object, sorted by address. */
static struct line_place *fresh_places(const struct srclines *s, const struct line_object *o,
				       size_t *nr)
{
	struct line_place *v = xcalloc(o->known.nr + 1, sizeof(*v));

	*nr = 0;
	for (size_t i = 0; o->known.vals && i <= o->known.mask; i++) {
		u32 place = o->known.vals[i];

		if (place != MAP64_NONE && s->places[place].fresh)
			v[(*nr)++] = s->places[place];
	}
	qsort(v, *nr, sizeof(*v), by_addr);
	return v;
}

static void put_old(struct line_cache_maker *m, const struct line_cache *old, size_t i)
{
	const struct lc_place *p = line_cache_find(old, old->places[i].addr);
	struct inline_frame frames[INLINED_MAX + 1];

	if (!p || p->nr > INLINED_MAX)
		return;
	for (u16 k = 0; k <= p->nr; k++)
		frames[k] = line_cache_frame(old, p, k);
	line_cache_add(m, p->addr, p->whole, frames, p->nr);
}

static void put_new(struct line_cache_maker *m, const struct line_place *p)
{
	line_cache_add(m, p->addr, p->whole, p->frames, p->nr);
}

/* Put the places of both together; where both have an address, the new one counts. */
static void merge(struct line_cache_maker *m, const struct line_cache *old,
		  const struct line_place *v, size_t nr)
{
	size_t i = 0;

	for (size_t k = 0; k < nr; k++) {
		for (; i < old->nr_places && old->places[i].addr < v[k].addr; i++)
			put_old(m, old, i);
		while (i < old->nr_places && old->places[i].addr == v[k].addr)
			i++;
		put_new(m, &v[k]);
	}
	for (; i < old->nr_places; i++)
		put_old(m, old, i);
}

/* Others may have written meanwhile, so what is there now is read again. */
static void keep_on_disk(struct srclines *s, const struct line_object *o)
{
	struct line_cache_maker m = { 0 };
	struct strbuf out = STRBUF_INIT;
	struct line_cache old = { 0 };
	struct objcache_file file;
	struct line_place *v;
	size_t nr;

	if (objcache_get(s->cache, &o->key, &file))
		line_cache_read(&old, file.data, file.len);
	v = fresh_places(s, o, &nr);
	merge(&m, &old, v, nr);
	line_cache_finish(&m, &out);
	objcache_put(s->cache, &o->key, out.buf, out.len);
	objcache_file_release(&file);
	strbuf_release(&out);
	free(v);
}

void line_object_free(struct srclines *s, struct line_object *o)
{
	if (!o)
		return;
	if (o->fresh && objcache_wants(s->cache, &o->key))
		keep_on_disk(s, o);
	lines_close(o->lines);
	objcache_file_release(&o->file);
	map64_release(&o->known);
	pthread_mutex_destroy(&o->lock);
	free(o);
}
