// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "annotate/type-counts.h"

#include "base/alloc.h"

void type_counts_init(struct type_counts *c, const struct arch *arch, u32 nr_events)
{
	*c = (struct type_counts){ .nr_events = nr_events, .types = datatypes_new(arch) };
}

void type_counts_release(struct type_counts *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->v[i].sites);
		free(c->v[i].totals);
		free(c->v[i].name);
	}
	for (size_t i = 0; i < c->nr_insns; i++)
		free(c->insns[i].name);
	free(c->v);
	free(c->insns);
	intern_release(&c->keys);
	intern_release(&c->insn_names);
	datatypes_free(c->types);
}

/* Return the counts of a type of an object. Each compilation unit may describe it once more. */
static struct type_count *type_of(struct type_counts *c, const struct dso *dso,
				  const struct datatype *found)
{
	u64 size = type_get(found->info, found->type)->size;
	struct strbuf key = STRBUF_INIT;
	size_t name;
	u32 at;

	datatype_text(found, &key);
	name = key.len;
	strbuf_addf(&key, " %" PRIu64 " %u", size, dso->id);
	at = intern_id(&c->keys, key.buf, key.len) - 1;
	if (at == c->nr) {
		VEC_GROW(c->v, c->nr + 1, c->cap);
		c->v[c->nr++] = (struct type_count){
			.info = found->info,
			.type = found->type,
			.size = size,
			.name = xstrndup(key.buf, name),
			.dso = dso,
			.totals = xcalloc(c->nr_events + (size_t)1, sizeof(*c->v->totals)),
		};
	}
	strbuf_release(&key);
	return &c->v[at];
}

static void add_hits(struct annotate_hits *to, const struct annotate_hits *hits)
{
	to->samples += hits->samples;
	to->period += hits->period;
}

static void count_type(struct type_counts *c, const struct dso *dso, const struct datatype *found,
		       const struct annotate_site *site)
{
	struct type_count *t = type_of(c, dso, found);
	u64 offset = (u64)type_first(found->info, found->type, (s64)found->offset);

	add_hits(&t->totals[site->event], &site->hits);
	for (size_t i = 0; i < t->nr_sites; i++)
		if (t->sites[i].offset == offset && t->sites[i].event == site->event) {
			add_hits(&t->sites[i].hits, &site->hits);
			return;
		}
	VEC_GROW(t->sites, t->nr_sites + 1, t->cap_sites);
	t->sites[t->nr_sites++] = (struct type_site){ offset, site->event, site->hits };
}

static void count_insn(struct type_counts *c, const struct location *place, bool good, u64 samples)
{
	struct strbuf name = STRBUF_INIT;
	u32 at;

	if (!datatype_insn(c->types, place, &name))
		strbuf_addstr(&name, "(none)");
	at = intern_id(&c->insn_names, name.buf, name.len) - 1;
	if (at == c->nr_insns) {
		VEC_GROW(c->insns, c->nr_insns + 1, c->cap_insns);
		c->insns[c->nr_insns++] = (struct insn_count){ .name = xstrdup(strbuf_str(&name)) };
	}
	strbuf_release(&name);
	c->insns[at].good += good ? samples : 0;
	c->insns[at].bad += good ? 0 : samples;
}

static bool has_event(const u32 *events, size_t nr, u32 event)
{
	for (size_t i = 0; i < nr; i++)
		if (events[i] == event)
			return true;
	return false;
}

void type_counts_add(struct type_counts *c, const struct annotate_function *f, const u32 *events,
		     size_t nr)
{
	struct location at = f->at;

	for (size_t i = 0; i < f->nr_sites; i++) {
		const struct annotate_site *site = &f->sites[i];
		struct datatype found;
		bool good;

		if (!has_event(events, nr, site->event))
			continue;
		at.addr = site->addr;
		good = datatype_at(c->types, &at, &found);
		c->results[found.result] += site->hits.samples;
		count_insn(c, &at, good, site->hits.samples);
		if (found.result == DATATYPE_FOUND)
			count_type(c, at.dso, &found, site);
	}
}

static int by_period(const void *a, const void *b, void *ctx)
{
	const struct type_count *x = a, *y = b;
	u32 event = *(const u32 *)ctx;
	u64 left = x->totals[event].period, right = y->totals[event].period;

	if (left != right)
		return left > right ? -1 : 1;
	return strcmp(x->name, y->name) ?: x->dso->id < y->dso->id ? -1 : x->dso->id > y->dso->id;
}

static int by_samples(const void *a, const void *b)
{
	const struct insn_count *x = a, *y = b;
	u64 left = x->good + x->bad, right = y->good + y->bad;

	if (left != right)
		return left > right ? -1 : 1;
	return strcmp(x->name, y->name);
}

void type_counts_sort(struct type_counts *c, u32 event)
{
	if (c->nr)
		qsort_r(c->v, c->nr, sizeof(*c->v), by_period, &event);
	if (c->nr_insns)
		qsort(c->insns, c->nr_insns, sizeof(*c->insns), by_samples);
}

struct annotate_hits type_count_at(const struct type_count *t, u32 event, u64 offset, u64 size)
{
	struct annotate_hits sum = { 0 };

	for (size_t i = 0; i < t->nr_sites; i++)
		if (t->sites[i].event == event && t->sites[i].offset >= offset &&
		    t->sites[i].offset - offset < size)
			add_hits(&sum, &t->sites[i].hits);
	return sum;
}
