// SPDX-License-Identifier: GPL-2.0-or-later
/* Objects of the slab allocator. */
#include "base/compat.h"

#include "base/alloc.h"
#include "kmem/kmem-internal.h"

/* Return the number of the row of an address. */
static u32 row_of(struct slab_rows *r, u64 address)
{
	u32 *slot = map64_slot(&r->of, address);

	if (*slot == MAP64_NONE) {
		*slot = (u32)r->nr;
		VEC_GROW(r->v, r->nr + 1, r->cap);
		r->v[r->nr++] = (struct kmem_use){ 0 };
	}
	return *slot;
}

static void count(struct kmem_use *u, const struct kmem_use *one)
{
	u->ptr = one->ptr;
	u->site = one->site;
	u->requested += one->requested;
	u->allocated += one->allocated;
	u->hits++;
}

/* Tell whether memory was asked for that is on another node than the CPU. */
static bool is_cross_node(const struct engine_input *in, const struct env *env)
{
	s64 node = in->bound->at[SLAB_NODE].size ? (s64)engine_number(in, SLAB_NODE) : -1;

	return node >= 0 && env && in->cpu < env->nr_node_of && env->node_of[in->cpu] >= 0 &&
	       env->node_of[in->cpu] != node;
}

void slab_alloc(struct slab_state *s, const struct engine_input *in, const struct env *env)
{
	const struct kmem_use one = {
		.ptr = engine_number(in, SLAB_PTR),
		.site = engine_number(in, SLAB_SITE),
		.requested = engine_number(in, SLAB_REQUESTED),
		.allocated = engine_number(in, SLAB_ALLOCATED),
	};
	u32 object = row_of(&s->objects, one.ptr), site = row_of(&s->sites, one.site);

	VEC_GROW(s->object, s->objects.nr, s->cap_object);
	s->object[object] = (struct slab_object){ site, in->cpu, true, one.allocated, in->time };
	count(&s->objects.v[object], &one);
	count(&s->sites.v[site], &one);
	s->totals.requested += one.requested;
	s->totals.allocated += one.allocated;
	s->totals.allocations++;
	s->totals.cross_node += is_cross_node(in, env);
}

/* An object that was allocated before the recording began is not counted. */
void slab_free(struct slab_state *s, const struct engine_input *in)
{
	u32 row = map64_get(&s->objects.of, engine_number(in, SLAB_PTR));
	struct slab_object *object = row != MAP64_NONE ? &s->object[row] : NULL;

	if (!object || !object->live)
		return;
	object->live = false;
	s->totals.freed += object->bytes;
	if (object->cpu == in->cpu)
		return;
	s->objects.v[row].pingpong++;
	s->sites.v[object->site].pingpong++;
}

void slab_release(struct slab_state *s)
{
	map64_release(&s->sites.of);
	map64_release(&s->objects.of);
	free(s->sites.v);
	free(s->objects.v);
	free(s->object);
}

/* ---- results ---- */

const struct kmem_slab_totals *kmem_slab_totals(const struct kmem *k)
{
	return &k->slab.totals;
}

const struct kmem_use *kmem_slab_sites(const struct kmem *k, size_t *nr)
{
	*nr = k->slab.sites.nr;
	return k->slab.sites.v;
}

const struct kmem_use *kmem_slab_objects(const struct kmem *k, size_t *nr)
{
	*nr = k->slab.objects.nr;
	return k->slab.objects.v;
}

struct kmem_leak *kmem_slab_leaks(const struct kmem *k, size_t *nr)
{
	const struct slab_state *s = &k->slab;
	struct leak_rows rows = { 0 };

	for (size_t i = 0; i < s->sites.nr; i++)
		leak_row(&rows, s->sites.v[i].site)->allocated = s->sites.v[i].hits;
	for (size_t i = 0; i < s->objects.nr; i++) {
		const struct slab_object *object = &s->object[i];
		struct kmem_leak *leak;

		if (!object->live)
			continue;
		leak = leak_row(&rows, s->sites.v[object->site].site);
		leak->bytes += object->bytes;
		leak->objects++;
		leak->age = MAX(leak->age, k->last - object->time);
	}
	return leak_rows_end(&rows, nr);
}
