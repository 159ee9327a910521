// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/variable.h"

#include "base/alloc.h"
#include "base/suggest.h"
#include "dwarf/source.h"
#include "probe/value.h"

#include <errno.h>

#define RANGES_TOLD 4 /* of the code that has a variable */

/* ---- which variable ---- */

/* Tell whether a place is known at an address: what registers had when the function was entered is
 * known there only. */
static bool is_known(const struct debug_function *f, const struct variable_place *p, u64 addr)
{
	return addr == f->entry || (p->kind != PLACE_ENTRY_BASED && p->kind != PLACE_ENTRY_VALUE);
}

static bool is_visible(const struct debug_function *f, const struct variable *v, u64 addr)
{
	for (u32 i = v->first_range; i < v->first_range + v->nr_ranges; i++)
		if (addr >= f->ranges[i].start && addr < f->ranges[i].end)
			return true;
	return false;
}

const struct variable *probe_variable_at(const struct debug_function *f, u64 addr, const char *name,
					 struct variable_parts *parts)
{
	const struct variable *found = NULL;

	parts->nr = 0;
	for (size_t i = 0; f && i < f->nr_variables; i++) {
		const struct variable *v = &f->variables[i];

		if (v->name && !strcmp(v->name, name) && (!found || v->depth >= found->depth) &&
		    is_visible(f, v, addr))
			found = v;
	}
	for (size_t i = 0; found && i < f->nr_places && f->places[i].start <= addr; i++) {
		const struct variable_place *p = &f->places[i];

		if (&f->variables[p->variable] == found && addr < p->end && is_known(f, p, addr) &&
		    parts->nr < VARIABLE_PARTS_MAX)
			parts->v[parts->nr++] = p;
	}
	return found;
}

bool probe_place_known(const struct debug_function *f, const struct variable_place *p)
{
	const struct variable_place *before = p > f->places ? p - 1 : NULL;
	bool again = before && before->variable == p->variable && before->start == p->start &&
		     before->end == p->end;

	return !again && is_known(f, p, p->start);
}

/* Tell whether a place is that of a variable; of NULL: of any one with a name. */
static bool is_of(const struct debug_function *f, const struct variable_place *p,
		  const struct variable *var, const char *name)
{
	const struct variable *v = &f->variables[p->variable];

	return var ? v == var : v->name && !strcmp(v->name, name);
}

static void put_range(const struct debug_function *f, const struct code_range *r,
		      struct strbuf *out)
{
	if (r->start < r->end)
		strbuf_addf(out, "%s%+" PRId64 " to %+" PRId64, out->len ? ", " : "",
			    (s64)(r->start - f->entry), (s64)(r->end - f->entry));
}

/* Append where a variable lives, as distances from the beginning of its function. */
static void put_ranges(const struct debug_function *f, const struct variable *var, const char *name,
		       struct strbuf *out)
{
	struct code_range r = { 0, 0 };
	size_t nr = 0;

	for (size_t i = 0; f && i < f->nr_places && nr < RANGES_TOLD; i++) {
		const struct variable_place *p = &f->places[i];

		if (!is_of(f, p, var, name) || !probe_place_known(f, p))
			continue;
		if (p->start > r.end) {
			put_range(f, &r, out);
			nr += r.end > 0;
			r = (struct code_range){ p->start, p->end };
		}
		r.end = MAX(r.end, p->end);
	}
	if (f && nr < RANGES_TOLD)
		put_range(f, &r, out);
}

/* Tell whether a variable is described at an address by what was in a register when the function
 * was entered. */
static bool was_in_register(const struct debug_function *f, u64 addr, const struct variable *var)
{
	for (size_t i = 0; var && i < f->nr_places && f->places[i].start <= addr; i++) {
		const struct variable_place *p = &f->places[i];

		if (&f->variables[p->variable] == var && addr < p->end && !is_known(f, p, addr))
			return true;
	}
	return false;
}

static u64 distance(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/* Append the line, as definitions name it, that is nearest to a point and has the variable. @var:
 * NULL: any one of the name */
static void put_nearest_line(struct probe_object *o, const struct debug_function *f, u64 addr,
			     const struct variable *var, const char *name, struct strbuf *out)
{
	const struct source_row *best = NULL;
	const struct variable *found;
	struct variable_parts parts;
	struct source_rows rows = { 0 };
	struct source_function code;

	if (probe_object_lines(o, NULL) || !source_function_at(o->lines, addr, false, &code) ||
	    !code.file)
		return;
	source_function_rows(o->lines, &code, &rows);
	for (size_t i = 0; i < rows.nr; i++) {
		const struct source_row *r = &rows.v[i];

		if (!r->first || r->line <= code.line || strcmp(r->file, code.file) != 0)
			continue;
		found = probe_variable_at(f, r->addr, name, &parts);
		if (!parts.nr || (var && found != var))
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

/* Say why a variable is not there: it is not at this address, or nowhere, or there is none. @var:
 * the one that the name means here; NULL: none */
static int no_variable(const struct probe_value *v, const struct debug_function *f,
		       const struct variable *var, struct err *err)
{
	struct strbuf ranges = STRBUF_INIT, why = STRBUF_INIT;
	const struct probe_point *p = v->point;

	put_ranges(f, var, v->name, &ranges);
	if (was_in_register(f, p->addr, var))
		strbuf_addf(&why,
			    "\n Its value is that of a register when %s was entered: a probe at "
			    "the entry can have it.",
			    f->name ? f->name : "the function");
	if (ranges.len) {
		strbuf_addf(&why, "\n Perhaps it has been optimized out: in %s it is known from %s",
			    p->function ? p->function : "", strbuf_str(&ranges));
		put_nearest_line(v->object, f, p->addr, var, v->name, &why);
	} else if (var && !why.len) {
		strbuf_addstr(&why,
			      "\n It has been optimized out: no code of the function has it.");
	} else if (!var) {
		put_near_names(f, v->name, &why);
	}
	err_set(err, -ENOENT, "Failed to find the location of the '%s' variable at this address.%s",
		v->name, strbuf_str(&why));
	strbuf_release(&ranges);
	strbuf_release(&why);
	return -ENOENT;
}

/* Make a value of a variable outside of functions. One that is only declared in the unit of the
 * probe is where its symbol is, which the kernel looks up itself if it is one of its own. Return:
 * whether there is one of that name. */
static bool find_global(struct probe_value *v, struct variable_place *place)
{
	struct probe_object *o = v->object;
	u64 at = v->point->addr, addr = 0;
	enum place_kind kind = PLACE_FIXED;
	const struct global *g = debug_global_named(o->info, at, v->name, &kind);

	if (g) {
		v->type = g->type;
		addr = g->addr;
	} else if (!debug_declared_at(o->info, at, v->name, &v->type) ||
		   (o->user && probe_symbol_find(o, v->name, &addr, NULL))) {
		return false;
	}
	*place = (struct variable_place){ .kind = kind, .offset = (s64)addr };
	v->parts = (struct variable_parts){ { place }, 1 };
	return true;
}

/* Find the variable that a value is to be of. @global: is its place when it is outside of
 * functions */
static int find_variable(struct probe_value *v, struct variable_place *global, struct err *err)
{
	const struct probe_point *p = v->point;
	const struct debug_function *f = debug_function_at(v->object->info, p->addr);
	const struct variable *var = probe_variable_at(f, p->addr, v->name, &v->parts);

	if (var)
		v->type = var->type;
	if (!v->parts.nr && (var || !find_global(v, global)))
		return no_variable(v, f, var, err);
	return 0;
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

	if (!nr)
		return err_set(err, -EINVAL,
			       "%s(type:%s) has no members: it is only declared, or empty.", what,
			       type_name(di, type));
	for (size_t i = 0; i < nr && names.len < 4096; i++)
		if (m[i].name)
			strbuf_addf(&names, "%s%s", names.len ? " " : "", m[i].name);
	err_set(err, -EINVAL, "%s(type:%s) has no member %s.", what, type_name(di, type), name);
	rc = err_suggest(err, name, strlen(name), strbuf_str(&names));
	strbuf_release(&names);
	return rc;
}

/* Note that a value is a bit field. In memory it is fetched with the unit of its declared type that
 * contains it, or with the next larger one where it does not end in that. @offset: of its first
 * byte in the structure */
static void take_bits(struct probe_value *v, const struct type_member *m, u64 offset)
{
	struct debuginfo *di = v->object->info;
	u64 unit = type_get(di, type_strip(di, m->type))->size;

	v->bits = m->bits;
	v->first_bit = m->first_bit;
	if (!m->bits)
		return;
	unit = unit == 1 || unit == 2 || unit == 4 ? unit : 8;
	while (unit < 8 && offset % unit * 8 + m->first_bit + m->bits > unit * 8)
		unit *= 2;
	v->unit = (u32)unit;
	v->back = (u32)(offset % unit);
}

static int step_member(struct probe_value *v, const struct probe_step *s, const char *what,
		       struct err *err)
{
	struct debuginfo *di = v->object->info;
	u32 type = type_strip(di, v->type);
	bool pointer = type_get(di, type)->kind == TYPE_KIND_POINTER;
	u32 inner = pointer ? type_target(di, type) : type;
	const struct type_member *m;
	u64 offset = 0;
	int rc;

	if (!type_composite(type_get(di, inner)))
		return err_set(err, -EINVAL, "%s is not a data structure nor a union.", what);
	/* a reference of C++ is written like what it refers to */
	if (!pointer && s->through)
		return err_set(err, -EINVAL, "Semantic error: %s must be referred by '.'",
			       s->member);
	if (pointer && !s->through && !type_get(di, type)->is_reference)
		return err_set(err, -EINVAL, "Semantic error: %s must be referred by '->'",
			       s->member);
	type_complete(di, inner);
	m = find_member(di, inner, s->member, &offset, 0);
	if (!m)
		return no_member(di, inner, what, s->member, err);
	rc = pointer ? probe_value_follow(v, err) : 0;
	if (rc)
		return rc;
	v->offset = (s64)((u64)v->offset + offset);
	v->type = m->type;
	take_bits(v, m, offset);
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

static int step_index(struct probe_value *v, const struct probe_step *s, const char *what,
		      struct err *err)
{
	struct debuginfo *di = v->object->info;
	u32 type = type_strip(di, v->type);
	enum type_kind kind = type_get(di, type)->kind;
	u64 size;
	int rc;

	if (kind == TYPE_KIND_POINTER) {
		rc = probe_value_follow(v, err);
		if (rc)
			return rc;
		v->type = type_get(di, type)->target;
		size = type_get(di, type_strip(di, v->type))->size;
	} else if (kind == TYPE_KIND_ARRAY) {
		size = array_step(v, di, type);
	} else {
		return err_set(err, -EINVAL, "%s is not an array or pointer.", what);
	}
	if (!size)
		return err_set(err, -EINVAL, "The size of the elements of %s is not known.", what);
	v->offset = (s64)((u64)v->offset + (u64)s->index * size);
	v->count = s->count;
	return 0;
}

static int take_steps(struct probe_value *v, const struct probe_arg *a, struct err *err)
{
	const char *what = a->value;
	int rc = 0;

	for (size_t i = 0; !rc && i < a->nr_steps; i++) {
		const struct probe_step *s = &a->steps[i];

		rc = s->member ? step_member(v, s, what, err) : step_index(v, s, what, err);
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
static int make_string(struct probe_value *v, const char *what, struct err *err)
{
	struct debuginfo *di = v->object->info;
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
		return probe_value_follow(v, err);
	if (!probe_value_in_memory(v))
		return err_set(err, -EINVAL,
			       "Failed to cast into string: %s is in a register, and the kernel "
			       "reads texts from memory.",
			       what);
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

static void add(const struct probe_value *v, const char *name, const char *type,
		struct probe_fetches *out)
{
	struct strbuf value = STRBUF_INIT, text = STRBUF_INIT;

	probe_value_text(v, &value);
	probe_value_type(v, type, &text);
	probe_fetch_add(out, name, strbuf_str(&value), strbuf_str(&text));
	strbuf_release(&value);
	strbuf_release(&text);
}

/* Return what messages call the value of an argument. */
static const char *shown_name(const struct probe_arg *a)
{
	const struct probe_step *last = a->nr_steps ? &a->steps[a->nr_steps - 1] : NULL;

	return last && last->member ? last->member : a->value;
}

int probe_fetch_variable(struct probe_object *o, const struct probe_arg *a,
			 const struct probe_point *p, struct probe_fetches *out, struct err *err)
{
	bool text = a->type && (!strcmp(a->type, "string") || !strcmp(a->type, "ustring"));
	struct probe_value v = { .object = o, .point = p, .name = a->value };
	struct variable_place global;
	char *name;
	int rc = find_variable(&v, &global, err);

	if (!rc)
		rc = take_steps(&v, a, err);
	if (!rc)
		rc = probe_value_place(&v, err);
	v.user = a->user && !o->user;
	if (!rc && text)
		rc = make_string(&v, shown_name(a), err);
	if (!rc)
		rc = probe_value_finish(&v, a->type, err);
	if (!rc) {
		name = argument_name(a);
		add(&v, name, a->type, out);
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
		struct probe_value value = {
			.object = o, .point = p, .name = v->name, .type = v->type
		};

		if (!v->name || (parameters && !v->parameter) || has_name(out, v->name))
			continue;
		if (probe_variable_at(f, p->addr, v->name, &value.parts) != v || !value.parts.nr)
			continue;
		if (!probe_value_place(&value, NULL) && !probe_value_finish(&value, NULL, NULL))
			add(&value, v->name, NULL, out);
		probe_value_release(&value);
	}
	return out->nr > before
		       ? 0
		       : err_set(err, -ENOENT, "%s: no variable can be fetched at this address.",
				 parameters ? "$params" : "$vars");
}
