// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/variable.h"

#include "base/alloc.h"
#include "base/suggest.h"
#include "dwarf/source.h"
#include "probe/value.h"

#include <errno.h>

/* ---- which variable ---- */

const struct variable *probe_variable_at(const struct debug_function *f, u64 addr, const char *name,
					 const struct variable_place **place)
{
	const struct variable *found = NULL;

	for (size_t i = 0; f && i < f->nr_places && f->places[i].start <= addr; i++) {
		const struct variable_place *p = &f->places[i];
		const struct variable *v = &f->variables[p->variable];

		if (addr >= p->end || p->part || !v->name || strcmp(v->name, name))
			continue;
		if (found && found->depth > v->depth)
			continue;
		found = v;
		*place = p;
	}
	return found;
}

/* Append where a variable lives, as distances from the beginning of its function. */
static void put_ranges(const struct debug_function *f, const char *name, struct strbuf *out)
{
	size_t nr = 0;

	for (size_t i = 0; i < f->nr_places && nr < 4; i++) {
		const struct variable_place *p = &f->places[i];

		if (f->variables[p->variable].name && !strcmp(f->variables[p->variable].name, name))
			strbuf_addf(out, "%s+%" PRIu64 " to +%" PRIu64, nr++ ? ", " : "",
				    p->start - f->entry, p->end - f->entry);
	}
}

static u64 distance(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/* Append the line, as definitions name it, that is nearest to a point and has the variable. */
static void put_nearest_line(struct probe_object *o, const struct debug_function *f, u64 addr,
			     const char *name, struct strbuf *out)
{
	const struct source_row *best = NULL;
	const struct variable_place *place;
	struct source_rows rows = { 0 };
	struct source_function code;

	if (probe_object_lines(o, NULL) || !source_function_at(o->lines, addr, false, &code) ||
	    !code.file)
		return;
	source_function_rows(o->lines, &code, &rows);
	for (size_t i = 0; i < rows.nr; i++) {
		const struct source_row *r = &rows.v[i];

		if (!r->first || r->line <= code.line || strcmp(r->file, code.file) != 0 ||
		    !probe_variable_at(f, r->addr, name, &place))
			continue;
		if (!best || distance(r->addr, addr) < distance(best->addr, addr))
			best = r;
	}
	if (best)
		strbuf_addf(out, "; the nearest line that has it is %s:%u", code.name,
			    best->line - code.line);
	source_rows_release(&rows);
}

/* Append the names like one that the function does not have. */
static void put_near_names(const struct debug_function *f, const char *name, struct strbuf *out)
{
	struct near near = { .word = name };

	for (size_t i = 0; f && i < f->nr_variables; i++)
		if (f->variables[i].name)
			near_add(&near, f->variables[i].name);
	for (size_t i = 0; i < near.nr; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "\n Did you mean ", near.best[i]);
	if (near.nr)
		strbuf_addch(out, '?');
	near_release(&near);
}

static bool has_variable(const struct debug_function *f, const char *name)
{
	for (size_t i = 0; f && i < f->nr_variables; i++)
		if (f->variables[i].name && !strcmp(f->variables[i].name, name))
			return true;
	return false;
}

/* Say why a variable is not there: it is not at this address, or nowhere, or there is none. */
static int no_variable(struct probe_object *o, const struct debug_function *f,
		       const struct probe_point *p, const char *name, struct err *err)
{
	struct strbuf ranges = STRBUF_INIT, why = STRBUF_INIT;

	if (f)
		put_ranges(f, name, &ranges);
	if (ranges.len) {
		strbuf_addf(&why, "\n Perhaps it has been optimized out: in %s it is known from %s",
			    p->function ? p->function : "", strbuf_str(&ranges));
		put_nearest_line(o, f, p->addr, name, &why);
	} else if (has_variable(f, name)) {
		strbuf_addstr(&why,
			      "\n It has been optimized out: no code of the function has it.");
	} else {
		put_near_names(f, name, &why);
	}
	err_set(err, -ENOENT, "Failed to find the location of the '%s' variable at this address.%s",
		name, strbuf_str(&why));
	strbuf_release(&ranges);
	strbuf_release(&why);
	return -ENOENT;
}

static int find_variable(struct probe_value *v, struct probe_object *o, const char *name,
			 const struct probe_point *p, struct err *err)
{
	const struct debug_function *f = debug_function_at(o->info, p->addr);
	const struct variable_place *place;
	const struct variable *var = probe_variable_at(f, p->addr, name, &place);
	const struct global *g;

	*v = (struct probe_value){ 0 };
	if (var)
		return probe_value_init(v, o, p, place, name, var->type, err);
	g = debug_global_named(o->info, name);
	if (g) {
		const struct variable_place fixed = { .kind = PLACE_FIXED, .offset = (s64)g->addr };

		return probe_value_init(v, o, p, &fixed, name, g->type, err);
	}
	return no_variable(o, f, p, name, err);
}

/* ---- members and elements ---- */

static const char *type_name(struct debuginfo *di, u32 type)
{
	const struct type *t = type_get(di, type_strip(di, type));

	return t->name ? t->name : "nameless";
}

/* Find a member by its name, also in members without a name, whose members count as those of the
 * structure. @offset: is increased by where it is */
static const struct type_member *find_member(struct debuginfo *di, u32 type, const char *name,
					     u64 *offset, int depth)
{
	const struct type_member *m = NULL, *inner;
	size_t nr = type_members(di, type, &m);

	for (size_t i = 0; i < nr; i++) {
		u64 within = *offset + m[i].offset;

		if (m[i].name && !strcmp(m[i].name, name)) {
			*offset = within;
			return &m[i];
		}
		if (m[i].name || depth > 16)
			continue;
		inner = find_member(di, type_strip(di, m[i].type), name, &within, depth + 1);
		if (inner) {
			*offset = within;
			return inner;
		}
	}
	return NULL;
}

static int no_member(struct debuginfo *di, u32 type, const char *what, const char *name,
		     struct err *err)
{
	const struct type_member *m = NULL;
	size_t nr = type_members(di, type, &m);
	struct strbuf names = STRBUF_INIT;
	int rc;

	for (size_t i = 0; i < nr && names.len < 4096; i++)
		if (m[i].name)
			strbuf_addf(&names, "%s%s", names.len ? " " : "", m[i].name);
	err_set(err, -EINVAL, "%s(type:%s) has no member %s.", what, type_name(di, type), name);
	rc = err_suggest(err, name, strlen(name), strbuf_str(&names));
	strbuf_release(&names);
	return rc;
}

/* Put a bit field into the unit of its declared type that contains it, or into the next larger one
 * where it does not end in that. @offset: of its first byte in the structure */
static void take_bits(struct probe_value *v, struct debuginfo *di, const struct type_member *m,
		      u64 offset)
{
	u64 unit = type_get(di, type_strip(di, m->type))->size, bit;

	v->bits = m->bits;
	if (!m->bits)
		return;
	unit = unit == 1 || unit == 2 || unit == 4 ? unit : 8;
	for (;; unit *= 2) {
		bit = offset % unit * 8 + m->first_bit;
		if (bit + m->bits <= unit * 8 || unit == 8)
			break;
	}
	v->offset -= (s64)(offset % unit);
	v->first_bit = (u32)bit;
	v->unit = (u32)unit;
}

static int step_member(struct probe_value *v, struct debuginfo *di, const struct probe_step *s,
		       const char *what, struct err *err)
{
	u32 type = type_strip(di, v->type);
	bool pointer = type_get(di, type)->kind == TYPE_KIND_POINTER;
	u32 inner = pointer ? type_target(di, type) : type;
	const struct type_member *m;
	u64 offset = 0;

	if (!type_composite(type_get(di, inner)))
		return err_set(err, -EINVAL, "%s is not a data structure nor a union.", what);
	/* a reference of C++ is written like what it refers to */
	if (!pointer && s->through)
		return err_set(err, -EINVAL, "Semantic error: %s must be referred by '.'",
			       s->member);
	if (pointer && !s->through && !type_get(di, type)->is_reference)
		return err_set(err, -EINVAL, "Semantic error: %s must be referred by '->'",
			       s->member);
	m = find_member(di, inner, s->member, &offset, 0);
	if (!m)
		return no_member(di, inner, what, s->member, err);
	if (pointer)
		probe_value_follow(v);
	else if (!v->memory)
		return err_set(err, -EINVAL,
			       "%s is in a register as a whole: its members cannot be fetched.",
			       what);
	v->offset += (s64)offset;
	v->type = m->type;
	take_bits(v, di, m, offset);
	return 0;
}

/* Go to an element of an array, or of its rows as long as it has more dimensions than indices. */
static u64 array_step(struct probe_value *v, struct debuginfo *di, u32 array)
{
	u64 lengths[DIMENSIONS_MAX], size = type_get(di, type_target(di, array))->size;
	size_t nr = type_dimensions(di, array, lengths);

	for (size_t i = v->indexed + 1; i < nr; i++)
		if (__builtin_mul_overflow(size, lengths[i], &size))
			return 0;
	if (++v->indexed >= nr) {
		v->type = type_get(di, array)->target;
		v->indexed = 0;
	}
	return size;
}

static int step_index(struct probe_value *v, struct debuginfo *di, const struct probe_step *s,
		      const char *what, struct err *err)
{
	u32 type = type_strip(di, v->type);
	enum type_kind kind = type_get(di, type)->kind;
	u64 size;

	if (kind == TYPE_KIND_POINTER) {
		probe_value_follow(v);
		v->type = type_get(di, type)->target;
		size = type_get(di, type_strip(di, v->type))->size;
	} else if (kind == TYPE_KIND_ARRAY && v->memory) {
		size = array_step(v, di, type);
	} else {
		return err_set(err, -EINVAL, "%s is not an array or pointer.", what);
	}
	if (!size)
		return err_set(err, -EINVAL, "The size of the elements of %s is not known.", what);
	v->offset += s->index * (s64)size;
	return 0;
}

static int take_steps(struct probe_value *v, struct debuginfo *di, const struct probe_arg *a,
		      struct err *err)
{
	const char *what = a->value;
	int rc = 0;

	for (size_t i = 0; !rc && i < a->nr_steps; i++) {
		const struct probe_step *s = &a->steps[i];

		rc = s->member ? step_member(v, di, s, what, err) : step_index(v, di, s, what, err);
		if (s->member)
			what = s->member;
	}
	return rc;
}

/* ---- texts ---- */

static bool is_char(struct debuginfo *di, u32 type)
{
	const struct type *t = type_get(di, type_strip(di, type));

	return t->kind == TYPE_KIND_BASE && t->size == 1;
}

/* The kernel takes the address of a text: of an array itself, of a pointer what it points to. */
static int make_string(struct probe_value *v, struct debuginfo *di, const char *what,
		       struct err *err)
{
	u32 type = type_strip(di, v->type);
	const struct type *t = type_get(di, type);
	enum type_kind kind = t->kind;

	if (kind != TYPE_KIND_POINTER && kind != TYPE_KIND_ARRAY)
		return err_set(err, -EINVAL,
			       "Failed to cast into string: %s(%s) is not a pointer nor array.",
			       what, type_name(di, type));
	if (!is_char(di, t->target))
		return err_set(err, -EINVAL,
			       "Failed to cast into string: %s is not (unsigned) char *.", what);
	if (kind == TYPE_KIND_POINTER)
		probe_value_follow(v);
	return 0;
}

/* ---- arguments ---- */

/* Return the name of an argument: the user's, that of the last member, or that of the variable and
 * its type. The caller frees it. */
static char *argument_name(const struct probe_arg *a)
{
	if (a->name)
		return xstrdup(a->name);
	for (size_t i = a->nr_steps; i--;)
		if (a->steps[i].member)
			return xstrdup(a->steps[i].member);
	if (a->type && !a->nr_steps)
		return xasprintf("%s_%.*s", a->value, (int)strcspn(a->type, "[@/"), a->type);
	return xstrdup(a->value);
}

static void add(struct probe_value *v, struct debuginfo *di, const char *name, const char *type,
		struct probe_fetches *out)
{
	struct strbuf value = STRBUF_INIT, text = STRBUF_INIT;

	probe_value_text(v, &value);
	probe_value_type(v, di, type, &text);
	probe_fetch_add(out, name, strbuf_str(&value), strbuf_str(&text));
	strbuf_release(&value);
	strbuf_release(&text);
}

int probe_fetch_variable(struct probe_object *o, const struct probe_arg *a,
			 const struct probe_point *p, struct probe_fetches *out, struct err *err)
{
	bool text = a->type && (!strcmp(a->type, "string") || !strcmp(a->type, "ustring"));
	struct probe_value v;
	char *name;
	int rc = find_variable(&v, o, a->value, p, err);

	if (!rc)
		rc = take_steps(&v, o->info, a, err);
	v.user = a->user && !o->user;
	if (!rc && text)
		rc = make_string(&v, o->info,
				 a->nr_steps && a->steps[a->nr_steps - 1].member
					 ? a->steps[a->nr_steps - 1].member
					 : a->value,
				 err);
	if (!rc) {
		name = argument_name(a);
		add(&v, o->info, name, a->type, out);
		free(name);
	}
	probe_value_release(&v);
	return rc;
}

static bool has_name(const struct probe_fetches *f, const char *name)
{
	for (size_t i = 0; i < f->nr; i++)
		if (f->v[i].name && !strcmp(f->v[i].name, name))
			return true;
	return false;
}

int probe_fetch_visible(struct probe_object *o, bool parameters, const struct probe_point *p,
			struct probe_fetches *out, struct err *err)
{
	const struct debug_function *f = debug_function_at(o->info, p->addr);
	size_t before = out->nr;

	for (size_t i = 0; f && i < f->nr_variables; i++) {
		const struct variable *v = &f->variables[i];
		const struct variable_place *place;
		struct probe_value value;

		if (!v->name || (parameters && !v->parameter) || has_name(out, v->name))
			continue;
		if (probe_variable_at(f, p->addr, v->name, &place) != v)
			continue;
		if (!probe_value_init(&value, o, p, place, v->name, v->type, NULL))
			add(&value, o->info, v->name, NULL, out);
		probe_value_release(&value);
	}
	return out->nr > before
		       ? 0
		       : err_set(err, -ENOENT, "%s: no variable can be fetched at this address.",
				 parameters ? "$params" : "$vars");
}
