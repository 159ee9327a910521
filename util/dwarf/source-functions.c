// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code of functions by name. An entry for code of its own has the name, or refers to one that
 * has it; an entry for a copy that was inlined refers to the entry of the function. What an entry
 * refers to is asked for its name once: functions are inlined often.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/hash.h"
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
			lines_need_table(l, unit, s);
			f->file = lines_path(l, s, file);
		}
		if (!dw_die_origin(&next, &die))
			break;
		die = next;
	}
}

struct extent {
	u64 entry, end, lowest, lowest_end;
	bool any;
};

static void take_range(void *ctx, u64 start, u64 end)
{
	struct extent *e = ctx;

	if (!start) /* a function that the linker left out */
		return;
	if (!e->any || start < e->lowest) {
		e->lowest = start;
		e->lowest_end = end;
	}
	if (e->entry >= start && e->entry < end)
		e->end = end;
	e->any = true;
}

/* Return where an entry says that its code begins: an address, or a distance from the lowest one;
 * 0: it does not say. */
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
	f->entry = e.entry ? e.entry : e.lowest;
	f->end = e.end ? e.end : e.lowest_end;
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

struct search {
	struct lines *l;
	source_match_fn *match;
	void *ctx;
	struct source_functions *out;
	struct map64 origins; /* whether what entries refer to is wanted */
};

static bool names_match(const struct search *s, const struct dw_die *d)
{
	struct source_function f = { .name = NULL };

	read_names(d, &f);
	return f.name && s->match(s->ctx, f.name, f.linkage);
}

static bool is_wanted(struct search *s, const struct dw_die *d)
{
	const struct dw_value *origin = &d->v[DW_ORIGIN];
	u64 key = hash_mix((u64)(uintptr_t)d->u, origin->n * 64 + origin->form);
	u32 *verdict;

	if (!dw_has(d, DW_ORIGIN))
		return names_match(s, d);
	verdict = map64_slot(&s->origins, key);
	if (*verdict == MAP64_NONE)
		*verdict = names_match(s, d);
	return *verdict;
}

static bool no_functions(u16 tag)
{
	return tag == DW_TAG_enumeration_type || tag == DW_TAG_subroutine_type;
}

static void search_unit(struct search *s, u32 unit, struct unit_state *state)
{
	const struct dw_unit *u = lines_entries(s->l, unit, state);
	struct dw_walk w = dw_walk(u, u->root);
	struct source_function f;
	struct dw_die d;

	while (dw_walk_next(&w)) {
		if (w.at->tag != DW_TAG_subprogram && w.at->tag != DW_TAG_inlined_subroutine) {
			dw_walk_skip(&w);
			if (no_functions(w.at->tag))
				dw_walk_skip_below(&w, NULL);
			continue;
		}
		dw_walk_read(&w, &d);
		if (!is_wanted(s, &d) || !describe(s->l, unit, state, &d, &f))
			continue;
		VEC_GROW(s->out->v, s->out->nr + 1, s->out->cap);
		s->out->v[s->out->nr++] = f;
	}
}

void source_functions(struct lines *l, source_match_fn *match, void *ctx,
		      struct source_functions *out)
{
	struct search s = { .l = l, .match = match, .ctx = ctx, .out = out };

	for (u32 unit = 0; unit < l->file->nr_units; unit++) {
		if (dw_unit_has_code(&l->file->units[unit]))
			search_unit(&s, unit, lines_lock(l, unit));
		else
			lines_lock(l, unit);
		lines_unlock(l, unit);
	}
	map64_release(&s.origins);
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
