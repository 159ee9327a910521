// SPDX-License-Identifier: GPL-2.0-or-later
/* Give the tables of one model's objects to the same objects of another model. */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

static u64 dso_hash(const struct dso *d)
{
	return hash_mix(hash_bytes(d->path, strlen(d->path)),
			d->base ^ (u64)d->pid << 32 ^ d->kind);
}

static bool same_file(const struct dso *a, const struct dso *b)
{
	return a->maj == b->maj && a->min == b->min && a->ino == b->ino &&
	       a->ino_generation == b->ino_generation && a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size);
}

static bool same_object(const struct dso *a, const struct dso *b)
{
	return a->kind == b->kind && a->cpumode == b->cpumode && a->pid == b->pid &&
	       a->base == b->base && a->size == b->size && !strcmp(a->path, b->path) &&
	       same_file(a, b) &&
	       (!a->ref_sym == !b->ref_sym && (!a->ref_sym || !strcmp(a->ref_sym, b->ref_sym)));
}

/* What programs compile at run time gets new names all the time, which are read again. */
static bool changes(const struct dso *d)
{
	return d->kind == DSO_PERF_MAP || d->kind == DSO_JIT || d->kind == DSO_BPF;
}

/* Return the objects by hash: the next hash when that is taken. */
static struct map64 objects_by_hash(struct dso *const *dsos, size_t nr)
{
	struct map64 by_hash = { 0 };

	for (size_t i = 0; i < nr; i++) {
		u64 hash = dso_hash(dsos[i]);

		while (*map64_slot(&by_hash, hash) != MAP64_NONE)
			hash++;
		map64_set(&by_hash, hash, (u32)i);
	}
	return by_hash;
}

/* Return the table of the object of the old model that is @d; NULL: there is none. */
static struct symtab *take_table(struct symbols *s, const struct map64 *by_hash,
				 struct dso *const *dsos, const struct dso *d)
{
	struct symtab *t = NULL;
	u64 hash = dso_hash(d);
	u32 at;

	for (; !t && (at = map64_get(by_hash, hash)) != MAP64_NONE; hash++) {
		if (at >= s->nr || !same_object(dsos[at], d))
			continue;
		t = s->tables[at];
		s->tables[at] = NULL;
	}
	return t;
}

void symbols_follow(struct symbols *s, const struct machine *from, const struct machine *to)
{
	size_t nr_old, nr_new;
	struct dso *const *old = machine_dsos(from, &nr_old);
	struct dso *const *new = machine_dsos(to, &nr_new);
	struct symtab **tables = xcalloc(nr_new + 1, sizeof(*tables));
	struct map64 by_hash = objects_by_hash(old, nr_old);

	for (size_t i = 0; i < nr_new; i++)
		if (!changes(new[i]))
			tables[i] = take_table(s, &by_hash, old, new[i]);
	for (size_t i = 0; i < s->nr; i++)
		symtab_free(s->tables[i]);
	free(s->tables);
	s->tables = tables;
	s->nr = s->cap = nr_new;
	map64_release(&by_hash);
}
