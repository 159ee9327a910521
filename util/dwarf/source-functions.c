// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code of functions by name. An entry for code of its own has the name, or refers to one that
 * has it; an entry for a copy that was inlined refers to the entry of the function. What an entry
 * refers to is asked for its name once: functions are inlined often.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/pool.h"
#include "dwarf/lines-internal.h"

#define RANGES_MAX (1u << 20)
#define ORIGINS_MAX 8 /* references from a copy to the entry with its name */

void source_functions_release(struct source_functions *f)
{
	free(f->v);
	*f = (struct source_functions){ 0 };
}

/* ---- what an entry says ---- */

/* Fill in the names of a function, from an entry or what that refers to. */
static void read_names(const struct dw_die *d, struct source_function *f)
{
	struct dw_die die = *d, next;

	for (int i = 0; i < ORIGINS_MAX; i++) {
		if (!f->linkage && dw_has(&die, DW_LINKAGE_NAME))
			f->linkage = dw_string(die.u, &die.v[DW_LINKAGE_NAME]);
		if (!f->name && dw_has(&die, DW_NAME))
			f->name = dw_string(die.u, &die.v[DW_NAME]);
		if (!dw_die_origin(&next, &die))
			break;
		die = next;
	}
	if (!f->name)
		f->name = f->linkage;
}

/* Fill in where a function begins in the source. Files have numbers of their unit. */
static void read_place(struct lines *l, u32 unit, struct unit_state *s, const struct dw_die *d,
		       struct source_function *f)
{
	struct dw_die die = *d, next;
	u64 file, line;

	for (int i = 0; i < ORIGINS_MAX && !f->line; i++) {
		if (dw_has(&die, DW_DECL_LINE) && dw_number(&die.v[DW_DECL_LINE], &line) &&
		    line <= UINT32_MAX)
			f->line = (u32)line;
		if (f->line && die.u == d->u && dw_has(&die, DW_DECL_FILE) &&
		    dw_number(&die.v[DW_DECL_FILE], &file)) {
			lines_need_files(l, unit, s);
			f->file = lines_path(l, s, file);
		}
		if (!dw_die_origin(&next, &die))
			break;
		die = next;
	}
}

struct extent {
	u64 entry, end, first, first_end;
	bool any;
};

static void take_range(void *ctx, u64 start, u64 end)
{
	struct extent *e = ctx;

	if (!start) /* a function that the linker left out */
		return;
	if (!e->any) {
		e->first = start;
		e->first_end = end;
	}
	if (e->entry >= start && e->entry < end)
		e->end = end;
	e->any = true;
}

/* Return where an entry says that its code begins: an address, or a distance from the lowest one;
 * 0: it does not say, and the first of its ranges is meant (DWARF 5, 2.18). */
static u64 stated_entry(const struct dw_die *d)
{
	u64 entry = 0, distance;

	if (dw_has(d, DW_ENTRY_PC) && dw_address(d->u, &d->v[DW_ENTRY_PC], &entry))
		return entry;
	if (!dw_has(d, DW_LOW_PC) || !dw_address(d->u, &d->v[DW_LOW_PC], &entry))
		return 0;
	if (dw_has(d, DW_ENTRY_PC) && dw_number(&d->v[DW_ENTRY_PC], &distance))
		entry += distance;
	return entry;
}

bool source_extent(const struct dw_die *d, struct source_function *f)
{
	struct extent e = { .entry = stated_entry(d) };
	struct dw_ranges to = { .fn = take_range, .ctx = &e, .left = RANGES_MAX };

	dw_die_ranges(d, &to);
	/* the first instruction may be in no range: the compiler moved all but its line away */
	f->entry = e.entry ? e.entry : e.first;
	f->end = e.end ? e.end : e.first_end;
	return e.any;
}

/* Describe the function of an entry. Return: whether it has code and a name. */
static bool describe(struct lines *l, u32 unit, struct unit_state *s, const struct dw_die *d,
		     struct source_function *f)
{
	*f = (struct source_function){ .unit = unit, .die = d->off };
	f->inlined = d->abbrev->tag == DW_TAG_inlined_subroutine;
	if (!source_extent(d, f))
		return false;
	read_names(d, f);
	if (f->name)
		read_place(l, unit, s, d, f);
	return f->name;
}

/* ---- searching ---- */

#define UNITS_FEW 16 /* so many are read before threads are worth their start */

struct search {
	struct lines *l;
	source_match_fn *match;
	void *ctx;
	const u32 *units;               /* those that are read */
	struct source_functions *found; /* of each of @units */
};

/* A worker of a search keeps whether what entries refer to is wanted. */
struct searcher {
	const struct search *s;
	struct map64 origins;
};

static bool names_match(const struct search *s, const struct dw_die *d)
{
	struct source_function f = { .name = NULL };

	read_names(d, &f);
	return f.name && s->match(s->ctx, f.name, f.linkage);
}

static bool is_wanted(struct searcher *by, const struct dw_die *d)
{
	const struct dw_value *origin = &d->v[DW_ORIGIN];
	u64 key = hash_mix((u64)(uintptr_t)d->u, origin->n * 64 + origin->form);
	u32 *verdict;

	if (!dw_has(d, DW_ORIGIN))
		return names_match(by->s, d);
	verdict = map64_slot(&by->origins, key);
	if (*verdict == MAP64_NONE)
		*verdict = names_match(by->s, d);
	return *verdict;
}

static bool is_structure(u16 tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* Go past an entry that is not a function. There are functions below those of scopes, and of
 * structures that are not of C. */
static void pass(struct dw_walk *w)
{
	u16 tag = w->at->tag;
	struct dw_die d;

	if (is_structure(tag) && w->u->is_c) {
		dw_walk_read(w, &d);
		dw_walk_skip_below(w, &d);
		return;
	}
	dw_walk_skip(w);
	if (tag == DW_TAG_enumeration_type || tag == DW_TAG_subroutine_type)
		dw_walk_skip_below(w, NULL);
}

static void search_unit(struct searcher *by, u32 unit, struct unit_state *state,
			struct source_functions *out)
{
	struct lines *l = by->s->l;
	const struct dw_unit *u = lines_entries(l, unit, state);
	struct dw_walk w = dw_walk(u, u->root);
	struct source_function f;
	struct dw_die d;

	while (dw_walk_next(&w)) {
		if (w.at->tag != DW_TAG_subprogram && w.at->tag != DW_TAG_inlined_subroutine) {
			pass(&w);
			continue;
		}
		dw_walk_read(&w, &d);
		if (!is_wanted(by, &d) || !describe(l, unit, state, &d, &f))
			continue;
		VEC_GROW(out->v, out->nr + 1, out->cap);
		out->v[out->nr++] = f;
	}
}

static void search_item(void *ctx, int worker, size_t item)
{
	struct searcher *by = (struct searcher *)ctx + worker;
	u32 unit = by->s->units[item];

	search_unit(by, unit, lines_lock(by->s->l, unit), &by->s->found[item]);
	lines_unlock(by->s->l, unit);
}

static void append(struct source_functions *out, struct source_functions *more)
{
	VEC_GROW(out->v, out->nr + more->nr, out->cap);
	if (more->nr)
		memcpy(out->v + out->nr, more->v, more->nr * sizeof(*more->v));
	out->nr += more->nr;
	source_functions_release(more);
}

/* Search the units that are marked. @may: NULL: all */
static void search_units(struct search *s, const bool *may, struct source_functions *out)
{
	const struct dw_file *f = s->l->file;
	u32 *units = xcalloc(f->nr_units + 1, sizeof(*units));
	struct searcher *workers;
	size_t nr = 0;
	int count;

	for (u32 i = 0; i < f->nr_units; i++)
		if (dw_unit_has_code(&f->units[i]) && (!may || may[i]))
			units[nr++] = i;
	count = nr > UNITS_FEW ? pool_workers() : 1;
	workers = xcalloc((size_t)count, sizeof(*workers));
	for (int i = 0; i < count; i++)
		workers[i].s = s;
	s->units = units;
	s->found = xcalloc(nr + 1, sizeof(*s->found));
	pool_run(count, nr, search_item, workers);
	for (size_t i = 0; i < nr; i++)
		append(out, &s->found[i]);
	for (int i = 0; i < count; i++)
		map64_release(&workers[i].origins);
	free(workers);
	free(s->found);
	free(units);
}

void source_functions(struct lines *l, source_match_fn *match, void *ctx,
		      struct source_functions *out)
{
	search_units(&(struct search){ .l = l, .match = match, .ctx = ctx }, NULL, out);
}

void source_functions_named(struct lines *l, const char *name, source_match_fn *match, void *ctx,
			    struct source_functions *out)
{
	struct search s = { .l = l, .match = match, .ctx = ctx };
	bool *may = xcalloc(l->file->nr_units + 1, sizeof(*may));

	search_units(&s, dw_units_naming(l->file, name, may) ? may : NULL, out);
	free(may);
}

static bool match_any(void *ctx, const char *name, const char *linkage)
{
	(void)ctx;
	(void)name;
	(void)linkage;
	return true;
}

void source_functions_with(struct lines *l, const char *file, struct source_functions *out)
{
	struct search s = { .l = l, .match = match_any };
	bool *may = xcalloc(l->file->nr_units + 1, sizeof(*may));

	for (size_t i = 0; i < l->file->nr_units; i++)
		may[i] = source_unit_has_file(&l->file->units[i], file);
	search_units(&s, may, out);
	free(may);
}

bool source_function_at(struct lines *l, u64 addr, bool inner, struct source_function *out)
{
	u32 unit = range_map_at(&l->by_addr, addr), function;
	u64 offs[INLINED_MAX], off;
	struct unit_state *s;
	struct dw_die d;
	bool found;

	if (unit == RANGE_NONE)
		return false;
	s = lines_lock(l, unit);
	lines_need_code(l, unit, s);
	function = range_map_at(&s->code.by_addr, addr);
	found = function != RANGE_NONE;
	if (found) {
		off = s->code.functions[function].off;
		if (inner && unit_code_inlined(&s->code, addr, offs, INLINED_MAX))
			off = offs[0];
		found = dw_die_read(&d, s->code.unit, off) && describe(l, unit, s, &d, out);
	}
	lines_unlock(l, unit);
	return found;
}
