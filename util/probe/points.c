// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/points.h"

#include "base/alloc.h"
#include "base/suggest.h"
#include "probe/kernel-internal.h"
#include "probe/points-internal.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <fnmatch.h>

void probe_points_release(struct probe_points *p)
{
	free(p->v);
	map64_release(&p->by_addr);
	*p = (struct probe_points){ 0 };
}

bool probe_points_has(const struct probe_points *p, u64 addr)
{
	return map64_get(&p->by_addr, addr) != MAP64_NONE;
}

struct probe_point *probe_points_add(struct probe_points *p, u64 addr)
{
	VEC_GROW_FROM(p->v, p->nr + 1, p->cap, 4);
	map64_set(&p->by_addr, addr, (u32)p->nr);
	p->v[p->nr] = (struct probe_point){ .addr = addr };
	return &p->v[p->nr++];
}

/* Return a function of the address of @f that has the name; @f when there is none. */
static const struct named_function *alias_of(struct functions *all, const struct named_function *f,
					     const char *name)
{
	size_t nr;
	const u32 *at = functions_named(all, name, &nr);

	for (size_t i = 0; i < nr; i++)
		if (all->v[at[i]].addr == f->addr)
			return &all->v[at[i]];
	return f;
}

void probe_point_at(struct probe_object *o, struct probe_point *p, u64 addr)
{
	const struct named_function *f = functions_at(&o->functions, addr);

	p->addr = addr;
	p->offset = o->user ? probe_object_offset(o, addr) : 0;
	if (!f)
		return;
	/* the kernel is told the name that users know, of several */
	if (p->function)
		f = alias_of(&o->functions, f, p->function);
	p->symbol = f->name;
	p->symbol_addr = f->addr;
	p->module = f->module;
	p->indirect = f->indirect && addr == f->addr;
	p->by_address = functions_several(&o->functions, f->name);
	if (!p->function)
		p->function = f->name;
}

/* ---- functions by name ---- */

/* The search: what is looked for, and what was found. */
struct search {
	struct probe_object *o;
	const struct probe_definition *d;
	const struct probe_limits *limits;
	struct probe_points *out;
	struct err *err;
};

static int too_many(const struct search *s)
{
	return err_set(s->err, -E2BIG,
		       "Too many functions matched in %s: \"%s\" has more than %u addresses. "
		       "Name it more exactly, or allow more with --max-probes.",
		       probe_object_name(s->o), s->d->function, s->limits->points);
}

/* Add the place in a function. A second name of an address adds nothing. */
static int add_function(struct search *s, const struct named_function *f)
{
	struct probe_point *p;
	u64 addr = f->addr + s->d->offset;

	if (f->size && s->d->offset >= f->size)
		return err_set(s->err, -EINVAL,
			       "Offset %" PRIu64 " is behind the end of %s, which has %" PRIu64
			       " bytes.",
			       s->d->offset, f->name, f->size);
	if (probe_points_has(s->out, addr))
		return 0;
	if (s->out->nr >= s->limits->points)
		return too_many(s);
	p = probe_points_add(s->out, addr);
	probe_point_at(s->o, p, addr);
	/* the name that was asked for, which may be another one of the same address */
	p->function = p->symbol = f->name;
	p->symbol_addr = f->addr;
	p->module = f->module;
	return 0;
}

static int by_raw_name(struct search *s)
{
	size_t nr;
	const u32 *at = functions_named(&s->o->functions, s->d->function, &nr);
	int rc = 0;

	for (size_t i = 0; !rc && i < nr; i++)
		rc = add_function(s, &s->o->functions.v[at[i]]);
	return rc;
}

bool probe_name_matches(const char *name, const char *wanted, bool pattern)
{
	return pattern ? !fnmatch(wanted, name, 0) : !strcmp(wanted, name);
}

/* Tell whether the name of a function as the source has it, with or without its parameters, is the
 * one that is wanted. */
static bool shown_matches(const char *name, const char *wanted, bool pattern)
{
	char *shown = name[0] == '_' ? symbol_demangle(name) : NULL, *full;
	bool matches = shown && probe_name_matches(shown, wanted, pattern);

	if (shown && !matches && strchr(wanted, '(')) {
		full = symbol_demangle_full(name);
		matches = full && probe_name_matches(full, wanted, pattern);
		free(full);
	}
	free(shown);
	return matches;
}

bool probe_function_matches(const char *name, const char *linkage, const char *wanted)
{
	bool pattern = probe_is_pattern(wanted);

	if (probe_name_matches(name, wanted, pattern))
		return true;
	return linkage && (probe_name_matches(linkage, wanted, pattern) ||
			   shown_matches(linkage, wanted, pattern));
}

/* Add the functions that have a name in some version, "name@@VERSION" if there is one that programs
 * get now, else "name@VERSION". */
static int by_version(struct search *s)
{
	const struct functions *f = &s->o->functions;
	size_t len = strlen(s->d->function);
	int rc = 0;

	for (int old = 0; old < 2 && !s->out->nr && !strchr(s->d->function, '@'); old++)
		for (size_t i = 0; !rc && i < f->nr; i++)
			if (!f->v[i].stub && !strncmp(f->v[i].name, s->d->function, len) &&
			    f->v[i].name[len] == '@' && (f->v[i].name[len + 1] == '@') != old)
				rc = add_function(s, &f->v[i]);
	return rc;
}

/* Add the stub by which an object calls a function of a library, under the name of that. */
static int by_stub(struct search *s)
{
	char *name = xasprintf("%s@plt", s->d->function);
	size_t nr;
	const u32 *at = functions_named(&s->o->functions, name, &nr);
	int rc = nr ? add_function(s, &s->o->functions.v[*at]) : 0;

	free(name);
	return rc;
}

/* Look at the names of all functions: at patterns, and at names as the source has them. */
static int by_all_names(struct search *s)
{
	const struct functions *f = &s->o->functions;
	bool pattern = probe_is_pattern(s->d->function);
	int rc = 0;

	bool stubs = strchr(s->d->function, '@');

	for (size_t i = 0; !rc && i < f->nr; i++)
		if ((stubs || !f->v[i].stub) &&
		    ((pattern && probe_name_matches(f->v[i].name, s->d->function, true)) ||
		     shown_matches(f->v[i].name, s->d->function, pattern)))
			rc = add_function(s, &f->v[i]);
	return rc;
}

/* Append the names that are like the one that was asked for. */
static void put_near(const struct search *s, struct strbuf *out)
{
	const struct functions *f = &s->o->functions;
	struct near near = { .word = s->d->function };

	for (size_t i = 0; i < f->nr; i++)
		near_add(&near, f->v[i].name);
	for (size_t i = 0; i < near.nr; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "\nDid you mean ", near.best[i]);
	strbuf_addstr(out, near.nr ? "?" : "");
	near_release(&near);
}

/* Say that there is no such function, and what has it, or which ones have a name like it. */
static int no_function(const struct search *s)
{
	struct strbuf hint = STRBUF_INIT;

	if (!s->o->user)
		probe_kernel_owner(s->o, s->d->function, &hint);
	if (s->o->functions.only_stubs)
		strbuf_addstr(&hint,
			      "\nPlease ensure the file is not stripped: it has the names of "
			      "library functions alone.");
	else if (!hint.len)
		put_near(s, &hint);
	err_set(s->err, -ENOENT, "Failed to find symbol %s in %s%s", s->d->function,
		probe_object_name(s->o), strbuf_str(&hint));
	strbuf_release(&hint);
	return -ENOENT;
}

static int by_function(struct search *s)
{
	int rc = probe_is_pattern(s->d->function) ? 0 : by_raw_name(s);

	if (!rc && !s->out->nr && !probe_is_pattern(s->d->function))
		rc = by_version(s);
	if (!rc && !s->out->nr)
		rc = by_all_names(s);
	if (!rc && !s->out->nr && !probe_is_pattern(s->d->function))
		rc = by_stub(s);
	return !rc && !s->out->nr ? no_function(s) : rc;
}

static int by_address(struct search *s)
{
	struct probe_point *p = probe_points_add(s->out, s->d->address);

	/* of the running kernel it is one in memory */
	probe_point_at(s->o, p, s->d->address - s->o->moved);
	return 0;
}

int probe_points_find(struct probe_object *o, const struct probe_definition *d,
		      const struct probe_limits *limits, struct probe_points *out, struct err *err)
{
	struct search s = { o, d, limits, out, err };
	int rc;

	if (d->marker)
		return probe_points_by_marker(o, d, limits, out, err);
	rc = probe_object_functions(o, err);
	if (rc)
		return rc;
	if (d->absolute)
		return by_address(&s);
	rc = probe_object_lines(o, err);
	if (!rc)
		rc = probe_points_by_source(o, d, limits, out, err);
	/* without debug information there are functions, and functions that it does not know */
	if (!rc || probe_needs_place(d) || rc != -ENOENT)
		return rc;
	rc = by_function(&s);
	if (!rc)
		*err = (struct err){ 0 };
	return rc;
}
