// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "resolve/leaf.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "dwarf/frames.h"

#include <pthread.h>

#define ADDRESS_BITS 48 /* higher bits may be a signature */

struct object {
	bool tried;
	struct frames *frames; /* NULL: none */
	struct map64
		untouched; /* address in the file -> whether lr holds the return address there */
};

struct leaf_callers {
	const struct machine *machine;
	struct symbols *symbols;
	u32 link_reg; /* perf's number of it on the recording's architecture */
	int link_dwarf;
	pthread_mutex_t lock;
	struct object *objects; /* by dso id */
	size_t nr;
};

struct leaf_callers *leaf_callers_new(const struct machine *m, struct symbols *s, const char *arch)
{
	const struct arch *a = arch_of(arch);
	struct leaf_callers *l;

	if (!s || !a->link_reg)
		return NULL;
	l = xzalloc(sizeof(*l));
	l->machine = m;
	l->symbols = s;
	l->link_reg = a->link_reg;
	l->link_dwarf = arch_reg_dwarf(a, a->link_reg);
	pthread_mutex_init(&l->lock, NULL);
	return l;
}

void leaf_callers_free(struct leaf_callers *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->nr; i++) {
		frames_close(l->objects[i].frames);
		map64_release(&l->objects[i].untouched);
	}
	free(l->objects);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

static struct object *object_of(struct leaf_callers *l, const struct dso *dso)
{
	size_t old = l->nr;
	const char *file;
	struct object *o;

	if (dso->id >= l->nr) {
		l->nr = MAX((size_t)dso->id + 1, old * 2);
		l->objects = xrealloc(l->objects, l->nr, sizeof(*l->objects));
		memset(l->objects + old, 0, (l->nr - old) * sizeof(*l->objects));
	}
	o = &l->objects[dso->id];
	if (o->tried)
		return o;
	o->tried = true;
	file = symtab_object(symbols_load(l->symbols, dso));
	if (file)
		o->frames = frames_open(file);
	return o;
}

/* Tell whether lr holds the return address at an address. */
static bool is_return_address(struct leaf_callers *l, u32 epoch, u64 ip)
{
	const struct map *map = machine_find_map(l->machine, epoch, PERF_RECORD_MISC_USER, ip);
	struct object *o;
	bool is = false;
	u32 *slot;
	u64 addr;

	if (!map || map->dso->kind != DSO_USER)
		return false;
	addr = map_to_file(map, ip);
	pthread_mutex_lock(&l->lock);
	o = object_of(l, map->dso);
	if (o->frames) {
		slot = map64_slot(&o->untouched, addr);
		if (*slot == MAP64_NONE)
			*slot = frames_untouched(o->frames, addr, l->link_dwarf);
		is = *slot;
	}
	pthread_mutex_unlock(&l->lock);
	return is;
}

static bool link_register(const struct leaf_callers *l, const struct sample *s, u64 *lr)
{
	const struct wire_regs *r = &s->user_regs;
	u64 bit = 1ULL << l->link_reg;

	if (!r->regs || r->abi != PERF_SAMPLE_REGS_ABI_64 || !(r->mask & bit))
		return false;
	*lr = r->regs[__builtin_popcountll(r->mask & (bit - 1))] & ((1ULL << ADDRESS_BITS) - 1);
	return *lr;
}

bool leaf_chain_make(struct leaf_callers *l, u32 epoch, const struct sample *s,
		     struct leaf_chain *out)
{
	u64 at = 0, lr;

	if (!link_register(l, s, &lr))
		return false;
	while (at < s->nr_callchain && s->callchain[at] != (u64)PERF_CONTEXT_USER)
		at++;
	at += 2; /* after the function */
	if (at > s->nr_callchain || s->nr_callchain >= SIZE_MAX / sizeof(u64) - 1 ||
	    (at < s->nr_callchain && s->callchain[at] == lr))
		return false;
	if (!machine_find_map(l->machine, epoch, PERF_RECORD_MISC_USER, lr) ||
	    !is_return_address(l, epoch, s->callchain[at - 1]))
		return false;
	out->nr = s->nr_callchain + 1;
	VEC_GROW(out->ips, out->nr, out->cap);
	memcpy(out->ips, s->callchain, at * sizeof(u64));
	out->ips[at] = lr;
	memcpy(out->ips + at + 1, s->callchain + at, (s->nr_callchain - at) * sizeof(u64));
	return true;
}
