// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the kernel's symbols on a thread of their own, while the caller has other work for one. */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

struct symbols_ahead {
	struct symbols *s; /* borrowed */
	struct dso dso;    /* the kernel as it was known then */
	struct symtab t;
	pthread_t thread;
};

static void *ahead_main(void *arg)
{
	struct symbols_ahead *a = arg;

	load_kernel(a->s, &a->dso, &a->t);
	return NULL;
}

void symbols_load_ahead(struct symbols *s, const struct dso *kernel)
{
	struct symbols_ahead *a;

	if (s->ahead || kernel->kind != DSO_KERNEL)
		return;
	a = xzalloc(sizeof(*a));
	a->s = s;
	a->dso = *kernel;
	if (pthread_create(&a->thread, NULL, ahead_main, a))
		free(a);
	else
		s->ahead = a;
}

static bool same_kernel(const struct dso *a, const struct dso *b)
{
	return a->id == b->id && a->cpumode == b->cpumode && a->base == b->base &&
	       a->size == b->size && a->ref_sym == b->ref_sym && a->ref_addr == b->ref_addr &&
	       a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size);
}

bool symbols_take_ahead(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	struct symbols_ahead *a;
	bool same;

	pthread_mutex_lock(&s->lock);
	a = s->ahead && s->ahead->dso.id == dso->id ? s->ahead : NULL;
	if (a)
		s->ahead = NULL;
	pthread_mutex_unlock(&s->lock);
	if (!a)
		return false;
	pthread_join(a->thread, NULL);
	same = same_kernel(&a->dso, dso);
	if (same)
		symtab_move(t, &a->t);
	symtab_clear(&a->t);
	free(a);
	return same;
}

void symbols_end_ahead(struct symbols *s)
{
	struct symbols_ahead *a = s->ahead;

	if (!a)
		return;
	pthread_join(a->thread, NULL);
	symtab_clear(&a->t);
	free(a);
	s->ahead = NULL;
}
