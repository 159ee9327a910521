// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/vars-text.h"

#include "base/alloc.h"
#include "dwarf/types.h"
#include "dwarf/variables.h"
#include "probe/json-internal.h"
#include "probe/value.h"
#include "probe/variable.h"

/* Lines of one address, which are sorted. */
struct var_lines {
	char **v; /* owned */
	size_t nr, cap;
};

static void add_line(struct var_lines *l, struct strbuf *text)
{
	VEC_GROW(l->v, l->nr + 1, l->cap);
	l->v[l->nr++] = strbuf_detach(text);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_lines(struct var_lines *l, bool json, struct strbuf *out)
{
	if (l->nr)
		qsort(l->v, l->nr, sizeof(*l->v), by_text);
	else if (!json)
		strbuf_addstr(out, "\t\t(No matched variables)\n");
	for (size_t i = 0; i < l->nr; i++) {
		if (i && !strcmp(l->v[i], l->v[i - 1]))
			continue;
		if (json)
			strbuf_addf(out, "%s\n  %s", i ? "," : "", l->v[i]);
		else
			strbuf_addf(out, "\t\t%s\n", l->v[i]);
	}
	for (size_t i = 0; i < l->nr; i++)
		free(l->v[i]);
	free(l->v);
}

/* ---- types ---- */

/* Append a type in the manner of perf 6.1: without qualifiers, an array as a pointer. */
static void put_type(struct debuginfo *di, u32 type, struct strbuf *out)
{
	const struct type *t = type_get(di, type);
	size_t stars = 0;

	for (int i = 0; i < 64; i++) {
		bool star = t->kind == TYPE_KIND_POINTER || t->kind == TYPE_KIND_ARRAY;

		if (!star && !(t->kind == TYPE_KIND_ALIAS && !t->name))
			break;
		stars += star;
		t = type_get(di, t->target);
	}
	if (t->kind == TYPE_KIND_FUNCTION)
		strbuf_addstr(out, "(function_type)");
	else if (t->kind == TYPE_KIND_VOID)
		strbuf_addstr(out, "void");
	else if (t->kind == TYPE_KIND_BASE || t->kind == TYPE_KIND_ALIAS ||
		 t->kind == TYPE_KIND_CLASS || t->by_typedef)
		strbuf_addname(out, t->name ? t->name : "(unknown_type)");
	else
		strbuf_addf(out, "%s %s",
			    t->kind == TYPE_KIND_UNION  ? "union"
			    : t->kind == TYPE_KIND_ENUM ? "enum"
							: "struct",
			    t->name ? t->name : "(unknown_type)");
	while (stars--)
		strbuf_addch(out, '*');
}

/* ---- variables ---- */

/* Append where a variable is known, as distances from the beginning of its function. */
static void put_ranges(const struct debug_function *f, const struct variable *v, bool json,
		       struct strbuf *out)
{
	bool any = false;

	for (size_t i = 0; i < f->nr_places; i++) {
		const struct variable_place *p = &f->places[i];

		if (&f->variables[p->variable] != v || !probe_place_known(f, p))
			continue;
		strbuf_addf(out, json ? "%s[%" PRId64 ",%" PRId64 "]" : "%s%" PRId64 "-%" PRId64,
			    any ? "," : "", (s64)(p->start - f->entry), (s64)(p->end - f->entry));
		any = true;
	}
}

/* A variable that is shown. */
struct shown_variable {
	enum { HERE, ELSEWHERE, EXTERNAL } kind;
	u32 type;
	const char *name;
	const struct debug_function *f; /* the function it is of; NULL: none */
	const struct variable *v;       /* of @f */
};

static void put_variable_text(struct probe_object *o, const struct shown_variable *s, bool ranges,
			      struct strbuf *out)
{
	static const char *const marks[] = { "[VAL]", "[OPT]", "[EXT]" };

	if (ranges)
		strbuf_addf(out, "%s\t", marks[s->kind]);
	put_type(o->info, s->type, out);
	strbuf_addch(out, '\t');
	strbuf_addname(out, s->name);
	if (!ranges || !s->f)
		return;
	strbuf_addf(out, "\t@<%s+[", s->f->name ? s->f->name : "");
	put_ranges(s->f, s->v, false, out);
	strbuf_addstr(out, "]>");
}

static void put_variable_json(struct probe_object *o, const struct shown_variable *s, bool ranges,
			      struct strbuf *out)
{
	static const char *const kinds[] = { "here", "elsewhere", "external" };
	struct strbuf type = STRBUF_INIT;

	put_type(o->info, s->type, &type);
	strbuf_addstr(out, "{\"name\":");
	json_string(out, s->name);
	json_add_text("type", strbuf_str(&type), out);
	json_add_text("kind", kinds[s->kind], out);
	if (ranges && s->f) {
		strbuf_addstr(out, ",\"ranges\":[");
		put_ranges(s->f, s->v, true, out);
		strbuf_addch(out, ']');
	}
	strbuf_addch(out, '}');
	strbuf_release(&type);
}

static void add_variable(struct probe_object *o, const struct shown_variable *s,
			 const struct vars_shown *shown, struct var_lines *to)
{
	struct strbuf text = STRBUF_INIT;

	if (shown->json)
		put_variable_json(o, s, shown->ranges, &text);
	else
		put_variable_text(o, s, shown->ranges, &text);
	add_line(to, &text);
}

/* Tell whether a variable is known anywhere; damaged information has some that are not. */
static bool has_place(const struct debug_function *f, const struct variable *v)
{
	for (size_t i = 0; i < f->nr_places; i++)
		if (&f->variables[f->places[i].variable] == v &&
		    probe_place_known(f, &f->places[i]))
			return true;
	return false;
}

static void add_locals(struct probe_object *o, const struct debug_function *f, u64 addr,
		       const struct vars_shown *shown, struct var_lines *to)
{
	for (size_t i = 0; i < f->nr_variables; i++) {
		const struct variable *v = &f->variables[i];
		struct variable_parts parts;
		struct shown_variable s = { HERE, v->type, v->name, f, v };

		if (!v->name || !name_filter_matches(shown->filter, v->name))
			continue;
		if (probe_variable_at(f, addr, v->name, &parts) != v || !parts.nr)
			s.kind = ELSEWHERE;
		if (s.kind == HERE || (shown->ranges && !v->depth && has_place(f, v)))
			add_variable(o, &s, shown, to);
	}
}

static void add_globals(struct probe_object *o, const struct vars_shown *shown,
			struct var_lines *to)
{
	size_t nr;
	const struct global *g = debug_globals(o->info, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct shown_variable s = { EXTERNAL, g[i].type, g[i].name, NULL, NULL };

		if (g[i].name && name_filter_matches(shown->filter, g[i].name))
			add_variable(o, &s, shown, to);
	}
}

/* ---- places ---- */

static void put_place(const struct probe_point *p, const struct debug_function *f, bool json,
		      struct strbuf *out)
{
	/* code that was moved out of a function has a symbol of its own */
	bool whole = f && f->name && (!p->symbol || p->symbol_addr == f->entry);
	const char *function = whole ? f->name : p->symbol ? p->symbol : "";
	u64 offset = p->addr - (whole ? f->entry : p->symbol ? p->symbol_addr : 0);

	if (!json) {
		strbuf_addf(out, "\t@<%s+%" PRIu64 ">\n", function, offset);
		return;
	}
	strbuf_addstr(out, "\n{\"function\":");
	json_string(out, function);
	strbuf_addf(out, ",\"offset\":%" PRIu64, offset);
	json_add_address("address", p->addr, out);
	strbuf_addstr(out, ",\"variables\":[");
}

static void put_places(struct probe_object *o, const struct probe_points *points,
		       const struct vars_shown *shown, struct strbuf *out)
{
	for (size_t i = 0; i < points->nr; i++) {
		const struct probe_point *p = &points->v[i];
		const struct debug_function *f = debug_function_at(o->info, p->addr);
		struct var_lines lines = { 0 };

		if (shown->json && i)
			strbuf_addch(out, ',');
		put_place(p, f, shown->json, out);
		if (f)
			add_locals(o, f, p->addr, shown, &lines);
		if (shown->externs)
			add_globals(o, shown, &lines);
		put_lines(&lines, shown->json, out);
		if (shown->json)
			strbuf_addstr(out, "]}");
	}
}

int probe_vars_text(struct probe_object *o, const struct probe_definition *d,
		    const struct probe_points *points, const struct vars_shown *shown,
		    struct strbuf *out, struct err *err)
{
	struct strbuf point = STRBUF_INIT;
	int rc = probe_object_debug(o, err);

	if (rc)
		return rc;
	probe_point_text(d, &point);
	if (shown->json) {
		json_begin("variables", o, out);
		json_add_text("point", strbuf_str(&point), out);
		strbuf_addstr(out, ",\"places\":[");
	} else {
		strbuf_addf(out, "Available variables at %s\n", strbuf_str(&point));
	}
	strbuf_release(&point);
	put_places(o, points, shown, out);
	if (shown->json)
		strbuf_addstr(out, "]}\n");
	return 0;
}
