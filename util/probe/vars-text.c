// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/vars-text.h"

#include "base/alloc.h"
#include "dwarf/types.h"
#include "dwarf/variables.h"
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

static void put_lines(struct var_lines *l, struct strbuf *out)
{
	if (l->nr)
		qsort(l->v, l->nr, sizeof(*l->v), by_text);
	else
		strbuf_addstr(out, "\t\t(No matched variables)\n");
	for (size_t i = 0; i < l->nr; i++) {
		if (!i || strcmp(l->v[i], l->v[i - 1]))
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
	else if (t->kind == TYPE_KIND_BASE || t->kind == TYPE_KIND_ALIAS || t->by_typedef)
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
static void put_ranges(const struct debug_function *f, const struct variable *v, struct strbuf *out)
{
	bool any = false;

	strbuf_addf(out, "\t@<%s+[", f->name ? f->name : "");
	for (size_t i = 0; i < f->nr_places; i++) {
		const struct variable_place *p = &f->places[i];

		if (&f->variables[p->variable] != v)
			continue;
		strbuf_addf(out, "%s%" PRIu64 "-%" PRIu64, any ? "," : "", p->start - f->entry,
			    p->end - f->entry);
		any = true;
	}
	strbuf_addstr(out, "]>");
}

/* Tell whether a variable is known anywhere; damaged information has some that are not. */
static bool has_place(const struct debug_function *f, const struct variable *v)
{
	for (size_t i = 0; i < f->nr_places; i++)
		if (&f->variables[f->places[i].variable] == v)
			return true;
	return false;
}

static void add_locals(struct probe_object *o, const struct debug_function *f, u64 addr,
		       const struct vars_shown *shown, struct var_lines *to)
{
	for (size_t i = 0; i < f->nr_variables; i++) {
		const struct variable *v = &f->variables[i];
		const struct variable_place *place;
		struct strbuf text = STRBUF_INIT;
		bool here;

		if (!v->name || !name_filter_matches(shown->filter, v->name))
			continue;
		here = probe_variable_at(f, addr, v->name, &place) == v;
		if (!here && !(shown->ranges && !v->depth && has_place(f, v)))
			continue;
		if (shown->ranges)
			strbuf_addstr(&text, here ? "[VAL]\t" : "[OPT]\t");
		put_type(o->info, v->type, &text);
		strbuf_addch(&text, '\t');
		strbuf_addname(&text, v->name);
		if (shown->ranges)
			put_ranges(f, v, &text);
		add_line(to, &text);
	}
}

static void add_globals(struct probe_object *o, const struct vars_shown *shown,
			struct var_lines *to)
{
	size_t nr;
	const struct global *g = debug_globals(o->info, &nr);

	for (size_t i = 0; i < nr; i++) {
		struct strbuf text = STRBUF_INIT;

		if (!g[i].name || !name_filter_matches(shown->filter, g[i].name))
			continue;
		if (shown->ranges)
			strbuf_addstr(&text, "[EXT]\t");
		put_type(o->info, g[i].type, &text);
		strbuf_addch(&text, '\t');
		strbuf_addname(&text, g[i].name);
		add_line(to, &text);
	}
}

int probe_vars_text(struct probe_object *o, const struct probe_definition *d,
		    const struct probe_points *points, const struct vars_shown *shown,
		    struct strbuf *out, struct err *err)
{
	int rc = probe_object_debug(o, err);

	if (rc)
		return rc;
	strbuf_addstr(out, "Available variables at ");
	probe_point_text(d, out);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < points->nr; i++) {
		const struct probe_point *p = &points->v[i];
		const struct debug_function *f = debug_function_at(o->info, p->addr);
		struct var_lines lines = { 0 };

		strbuf_addf(out, "\t@<%s+%" PRIu64 ">\n",
			    p->symbol      ? p->symbol
			    : f && f->name ? f->name
					   : "",
			    p->addr - (p->symbol ? p->symbol_addr
				       : f       ? f->entry
						 : 0));
		if (f)
			add_locals(o, f, p->addr, shown, &lines);
		if (shown->externs)
			add_globals(o, shown, &lines);
		put_lines(&lines, out);
	}
	return 0;
}
