// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "annotaterun/choice.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* ---- what users ask for ---- */

static bool asks_for_object(const struct annotate_asked *q, const struct dso *dso)
{
	const struct location l = { .dso = dso };

	return !q->dsos->nr || name_list_has(q->dsos, location_dso(&l)) ||
	       name_list_has(q->dsos, location_dso_long(&l));
}

static bool has_name(const struct annotate_function *f, const char *name)
{
	const struct location *l = &f->at;

	return !strcmp(location_symbol(l), name) ||
	       !strcmp(symtab_raw_name(l->symtab, l->sym), name);
}

/* Tell whether a function of the kernel can have that name. Names of C++ and Rust, as they are
 * shown, have other characters. */
static bool is_kernel_name(const struct annotate_asked *q, const char *name)
{
	static const char characters[] = "abcdefghijklmnopqrstuvwxyz"
					 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";

	return q->demangle_kernel || !name[strspn(name, characters)];
}

bool annotate_asks(const struct annotate_asked *q)
{
	return q->symbol || q->dsos->nr;
}

bool annotate_asks_at(const struct annotate_asked *q, u32 epoch, u8 cpumode, u64 ip)
{
	const struct map *map = machine_find_map(q->machine, epoch, cpumode, ip);

	if (!map || !asks_for_object(q, map->dso))
		return false;
	return !q->symbol || map->dso->cpumode != PERF_RECORD_MISC_KERNEL ||
	       is_kernel_name(q, q->symbol);
}

bool annotate_asks_for(const struct annotate_asked *q, const struct annotate_function *f)
{
	return asks_for_object(q, f->at.dso) && (!q->symbol || has_name(f, q->symbol));
}

/* ---- events ---- */

bool annotate_choice_count(struct annotate_choice *ch)
{
	bool any = false;

	ch->totals = xcalloc(ch->events->nr + (size_t)1, sizeof(*ch->totals));
	for (u32 i = 0; i < ch->events->nr; i++) {
		ch->totals[i] = annotate_total(ch->counts, i);
		any |= ch->totals[i].samples;
	}
	return any;
}

void annotate_choice_release(struct annotate_choice *ch)
{
	free(ch->totals);
}

/* Are events that are no group shown as one? */
static bool is_forced(const struct annotate_choice *ch)
{
	return ch->group && ch->all_one_group && !evlist_has_groups(ch->events);
}

static u32 leader_of(const struct annotate_choice *ch, u32 event)
{
	if (is_forced(ch))
		return 0;
	return ch->group ? ch->events->evsels[event]->leader : event;
}

static void name_columns(const struct annotate_choice *ch, u32 leader, struct annotate_columns *c)
{
	const char *name = ch->events->evsels[leader]->group_name;
	bool group = c->nr > 1 && !is_forced(ch);

	if (group)
		strbuf_addf(&c->names, "%s { ", name && *name ? name : "anon group");
	for (size_t i = 0; i < c->nr; i++)
		strbuf_addf(&c->names, "%s%s", i ? ", " : "",
			    ch->events->evsels[c->events[i]]->name);
	if (group)
		strbuf_addstr(&c->names, " }");
}

static void add_column(const struct annotate_choice *ch, struct annotate_columns *c, u32 event)
{
	if (!ch->skip_empty || ch->totals[event].samples)
		c->events[c->nr++] = event;
}

static void columns_init(const struct annotate_choice *ch, struct annotate_columns *c)
{
	*c = (struct annotate_columns){ .names = STRBUF_INIT };
	c->events = xcalloc(ch->events->nr + (size_t)1, sizeof(*c->events));
}

size_t annotate_columns_find(const struct annotate_choice *ch, u32 leader,
			     struct annotate_columns *c)
{
	const struct perf_event_attr *attr;
	bool any = false;

	columns_init(ch, c);
	if (leader_of(ch, leader) != leader)
		return 0;
	for (u32 i = leader; i < ch->events->nr; i++) {
		if (leader_of(ch, i) != leader)
			continue;
		any |= ch->totals[i].samples;
		add_column(ch, c, i);
	}
	if (!any)
		return 0;
	attr = &ch->events->evsels[leader]->attr;
	c->frequency = attr->freq ? attr->sample_freq : 0;
	name_columns(ch, leader, c);
	return c->nr;
}

void annotate_columns_all(const struct annotate_choice *ch, struct annotate_columns *c)
{
	columns_init(ch, c);
	for (u32 i = 0; i < ch->events->nr; i++)
		add_column(ch, c, i);
}

void annotate_columns_release(struct annotate_columns *c)
{
	free(c->events);
	strbuf_release(&c->names);
}

void annotate_columns_show(const struct annotate_choice *ch, const struct annotate_columns *c,
			   struct annotate_text *t)
{
	t->events = c->events;
	t->nr_events = c->nr;
	t->event_names = strbuf_str(&c->names);
	t->frequency = c->frequency;
	t->totals = ch->totals;
}

void annotate_columns_types(const struct annotate_choice *ch, const struct annotate_columns *c,
			    const struct arch *arch, struct type_counts *types)
{
	struct annotate_function *f;
	u64 samples = 0;
	size_t nr;

	type_counts_init(types, arch, (u32)ch->events->nr);
	f = annotate_functions(ch->counts, &nr);
	for (size_t i = 0; i < nr; i++)
		type_counts_add(types, &f[i], c->events, c->nr);
	for (size_t i = 0; i < c->nr; i++)
		samples += ch->totals[c->events[i]].samples;
	for (int i = 0; i < NR_DATATYPE_RESULTS; i++)
		samples -= types->results[i];
	types->results[DATATYPE_NO_SYM] += samples;
	type_counts_sort(types, c->events[0]);
}

/* ---- functions ---- */

bool annotate_reaches_limit(const struct annotate_choice *ch, const struct annotate_columns *c,
			    const struct annotate_hits *hits)
{
	double most = -1;

	for (size_t i = 0; i < c->nr; i++) {
		u64 all = ch->totals[c->events[i]].period;
		const struct annotate_hits *h = &hits[c->events[i]];

		if (h->samples)
			most = MAX(most, all ? 100.0 * (double)h->period / (double)all : 0);
	}
	return most >= 0 && most >= ch->percent_limit;
}

/* Order functions with the same counts by their objects, names and addresses. */
static int by_name(const struct annotate_function *a, const struct annotate_function *b)
{
	int objects = strcmp(location_dso(&a->at), location_dso(&b->at));
	int names = objects ? 0 : strcmp(location_symbol(&a->at), location_symbol(&b->at));

	if (objects || names)
		return objects ?: names;
	return a->start < b->start ? -1 : a->start > b->start;
}

static int by_period(const void *x, const void *y, void *ctx)
{
	const struct annotate_columns *c = ctx;
	const struct annotate_function *a = *(const struct annotate_function *const *)x;
	const struct annotate_function *b = *(const struct annotate_function *const *)y;

	for (size_t i = 0; i < c->nr; i++) {
		u64 left = a->totals[c->events[i]].period;
		u64 right = b->totals[c->events[i]].period;

		if (left != right)
			return left > right ? -1 : 1;
	}
	return by_name(a, b);
}

const struct annotate_function **annotate_rows(const struct annotate_choice *ch,
					       const struct annotate_columns *c, size_t *nr)
{
	size_t all;
	const struct annotate_function *f = annotate_functions(ch->counts, &all);
	const struct annotate_function **rows = xcalloc(all + 1, sizeof(*rows));

	*nr = 0;
	for (size_t i = 0; i < all; i++)
		if (annotate_reaches_limit(ch, c, f[i].totals))
			rows[(*nr)++] = &f[i];
	qsort_r(rows, *nr, sizeof(*rows), by_period, (void *)c);
	return rows;
}
