// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries of a unit: their attributes, what they refer to, and walks over them. */
#include "base/compat.h"

#include "dwarf/dwarf-internal.h"

#define ORIGINS_MAX 8 /* references from an inlined function to the entry with its name */

static void skip_attr(struct cur *c, const struct dw_unit *u, const struct dw_abbrev_attr *attr)
{
	if (attr->size >= 0)
		cur_skip(c, (size_t)attr->size);
	else
		dw_form_skip(c, &u->sizes, attr->form);
}

void dw_die_attrs(struct dw_die *d, struct cur *c, const struct dw_unit *u,
		  const struct dw_abbrevs *all, const struct dw_abbrev *a, u64 off)
{
	d->u = u;
	d->abbrev = a;
	d->off = off;
	d->have = 0;
	for (u32 i = 0; i < a->nr && cur_ok(c); i++) {
		const struct dw_abbrev_attr *attr = &all->attrs[a->first + i];

		if (attr->wanted == DW_WANTED) {
			skip_attr(c, u, attr);
			continue;
		}
		dw_form_read(c, &u->sizes, attr->form, attr->constant, &d->v[attr->wanted]);
		d->have |= (u32)cur_ok(c) << attr->wanted;
	}
}

bool dw_die_read(struct dw_die *d, const struct dw_unit *u, u64 off)
{
	struct dw_walk w = dw_walk(u, off);

	if (!dw_walk_next(&w))
		return false;
	dw_walk_read(&w, d);
	return true;
}

/* Get the offset that a reference within its own unit leads to. */
static bool own_offset(const struct dw_unit *u, const struct dw_value *ref, u64 *off)
{
	switch (ref->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		*off = u->off + ref->n;
		return ref->n < u->end - u->off;
	default:
		return false;
	}
}

bool dw_die_refer(struct dw_die *d, const struct dw_unit *u, const struct dw_value *ref)
{
	u64 off;

	if (own_offset(u, ref, &off))
		return dw_die_read(d, u, off);
	switch (ref->form) {
	case DW_FORM_ref_addr:
		u = dw_unit_at(u->file, ref->n);
		break;
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_GNU_ref_alt:
		u = u->file->alt ? dw_unit_at(u->file->alt, ref->n) : NULL;
		break;
	default: /* DW_FORM_ref_sig8 is for types */
		u = NULL;
	}
	return u && dw_die_read(d, u, ref->n);
}

bool dw_die_origin(struct dw_die *origin, const struct dw_die *d)
{
	if (dw_has(d, DW_ORIGIN))
		return dw_die_refer(origin, d->u, &d->v[DW_ORIGIN]);
	return dw_has(d, DW_SPECIFICATION) && dw_die_refer(origin, d->u, &d->v[DW_SPECIFICATION]);
}

const char *dw_die_function_name(const struct dw_die *d)
{
	const char *plain = NULL, *name;
	struct dw_die die = *d, next;

	/* An inlined function is an instance of another entry, a method is declared elsewhere. */
	for (int i = 0; i < ORIGINS_MAX; i++) {
		name = dw_has(&die, DW_LINKAGE_NAME) ? dw_string(die.u, &die.v[DW_LINKAGE_NAME])
						     : NULL;
		if (name)
			return name;
		if (!plain && dw_has(&die, DW_NAME))
			plain = dw_string(die.u, &die.v[DW_NAME]);
		if (!dw_die_origin(&next, &die))
			break;
		die = next;
	}
	return plain;
}

/* ---- walks ---- */

struct dw_walk dw_walk(const struct dw_unit *u, u64 off)
{
	struct dw_walk w = { .u = u, .abbrevs = dw_abbrevs(u) };

	w.c = dw_cur(u, DW_INFO, off);
	if (off >= u->root && off < u->end && u->end - off <= cur_left(&w.c))
		w.c.end = w.c.p + (u->end - off);
	else
		w.c.end = w.c.p;
	return w;
}

/* Read the code of an entry, or the end of a list of entries; w->at is NULL then. Return: false at
 * the end of the walk, or where the entries are damaged. */
static bool read_code(struct dw_walk *w)
{
	u64 code;

	if ((w->begun && !w->next) || !cur_left(&w->c))
		return false;
	w->off = (u64)(w->c.p - w->u->sec[DW_INFO].p);
	code = cur_uleb(&w->c);
	w->at = code && cur_ok(&w->c) ? dw_abbrev(w->abbrevs, code) : NULL;
	if (code ? !w->at : !w->begun)
		return false;
	w->depth = w->next;
	w->next = code ? w->next + w->at->children : w->next - 1;
	w->begun = true;
	return true;
}

bool dw_walk_next(struct dw_walk *w)
{
	do {
		if (!read_code(w))
			return false;
	} while (!w->at);
	return true;
}

void dw_walk_skip(struct dw_walk *w)
{
	for (u32 i = 0; i < w->at->nr_steps && cur_ok(&w->c); i++) {
		const struct dw_step *step = &w->abbrevs->steps[w->at->first_step + i];

		cur_skip(&w->c, step->bytes);
		if (step->form)
			dw_form_skip(&w->c, &w->u->sizes, step->form);
	}
}

bool dw_walk_peek(const struct dw_walk *w, enum dw_wanted which, struct dw_value *v)
{
	const struct dw_abbrev_attr *attr = &w->abbrevs->attrs[w->at->first];
	struct cur c = w->c;

	if (!(w->at->has >> which & 1))
		return false;
	for (; attr->wanted != which; attr++)
		skip_attr(&c, w->u, attr);
	dw_form_read(&c, &w->u->sizes, attr->form, attr->constant, v);
	return cur_ok(&c);
}

void dw_walk_read(struct dw_walk *w, struct dw_die *d)
{
	dw_die_attrs(d, &w->c, w->u, w->abbrevs, w->at, w->off);
}

/* Go on at the entry that follows all below the current one. Return: whether it is known. */
static bool go_to_sibling(struct dw_walk *w, const struct dw_value *sibling)
{
	const u8 *info = w->u->sec[DW_INFO].p;
	u64 here = (u64)(w->c.p - info), to;

	if (!own_offset(w->u, sibling, &to) || to < here || to >= w->u->end)
		return false;
	w->c.p = info + to;
	w->next = w->depth;
	return true;
}

static void walk_below(struct dw_walk *w)
{
	u32 depth = w->depth;

	while (w->next > depth && read_code(w))
		if (w->at)
			dw_walk_skip(w);
}

void dw_walk_skip_below(struct dw_walk *w, const struct dw_die *d)
{
	if (w->next == w->depth) /* there is nothing below */
		return;
	if (!d || !dw_has(d, DW_SIBLING) || !go_to_sibling(w, &d->v[DW_SIBLING]))
		walk_below(w);
}

void dw_walk_pass(struct dw_walk *w)
{
	struct dw_value sibling;

	if (w->at->children && dw_walk_peek(w, DW_SIBLING, &sibling) && go_to_sibling(w, &sibling))
		return;
	dw_walk_skip(w);
	walk_below(w);
}
