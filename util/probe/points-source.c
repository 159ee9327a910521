// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses by way of the debug information: functions with their inlined copies, lines of
 * functions and of files, and lines whose text matches a pattern. */
#include "base/compat.h"
#include "probe/points-internal.h"

#include "base/alloc.h"
#include "dwarf/source.h"
#include "dwarf/variables.h"
#include "probe/source-text.h"

#include <ctype.h>
#include <errno.h>

/* The search: what is looked for, and what was found. */
struct source_search {
	struct probe_object *o;
	const struct probe_definition *d;
	const struct probe_limits *limits;
	struct probe_points *out;
	struct err *err;
	u32 below, above; /* the lines with code next to the one that has none; 0: none */
	bool only_copies; /* copies were found where code of its own is needed */
	bool no_file;     /* no code is of that source file */
};

static int add_point(struct source_search *s, u64 addr, const char *function, u32 line)
{
	struct probe_point *p;

	if (probe_points_has(s->out, addr))
		return 0;
	if (s->out->nr >= s->limits->points)
		return err_set(s->err, -E2BIG,
			       "Too many probe points: the definition has more than %u addresses. "
			       "Make it narrower, or allow more with --max-probes.",
			       s->limits->points);
	p = probe_points_add(s->out, addr);
	p->function = function;
	p->line = line;
	probe_point_at(s->o, p, addr);
	if (function)
		p->function = function;
	return 0;
}

/* ---- functions ---- */

static bool match_function(void *ctx, const char *name, const char *linkage)
{
	const char *const *wanted = ctx;

	return probe_function_matches(name, linkage, *wanted);
}

/* Tell whether a name is one as entries have it, without scopes and parameters. */
static bool is_plain(const char *name)
{
	for (; isalnum((unsigned char)*name) || *name == '_'; name++)
		;
	return !*name;
}

void probe_source_functions(struct probe_object *o, const char *wanted,
			    struct source_functions *out)
{
	if (is_plain(wanted))
		source_functions_named(o->lines, wanted, match_function, &wanted, out);
	else
		source_functions(o->lines, match_function, &wanted, out);
}

void probe_source_first(struct probe_object *o, const char *wanted, const char *file,
			struct source_functions *out)
{
	if (is_plain(wanted))
		source_functions_first(o->lines, wanted, file, match_function, &wanted, out);
	else
		source_functions(o->lines, match_function, &wanted, out);
}

/* Tell whether code of the function counts. */
static bool counts(struct source_search *s, const struct source_function *f)
{
	if (s->d->file && !(f->file && source_path_ends(f->file, s->d->file)))
		return false;
	if (!f->inlined)
		return true;
	s->only_copies = true;
	return !s->limits->no_inlines && !s->d->returns;
}

/* ---- lines ---- */

/* Note a line with code as one that could be meant instead. */
static void note_near(struct source_search *s, u32 line, u32 wanted)
{
	if (line < wanted)
		s->below = MAX(s->below, line);
	else if (line > wanted)
		s->above = s->above ? MIN(s->above, line) : line;
}

/* Add the line of a function that is counted from its first one. */
static int add_function_line(struct source_search *s, const struct source_function *f)
{
	struct source_rows rows = { 0 };
	u32 wanted = f->line + s->d->line;
	int rc = 0;

	source_function_rows(s->o->lines, f, &rows);
	for (size_t i = 0; !rc && i < rows.nr; i++) {
		const struct source_row *r = &rows.v[i];

		if (f->file && strcmp(r->file, f->file))
			continue;
		if (r->line == wanted)
			rc = add_point(s, r->addr, f->name, s->d->line);
		else if (r->line >= f->line)
			note_near(s, r->line - f->line, s->d->line);
	}
	source_rows_release(&rows);
	return rc;
}

/* Add the lines of a function whose text matches. */
static int add_function_pattern(struct source_search *s, const struct source_function *f)
{
	struct source_rows rows = { 0 };
	struct source_text text;
	int rc = f->file ? source_text_read(&text, s->o->target, f->file, s->err) : -ENOENT;

	if (rc)
		return rc;
	source_function_rows(s->o->lines, f, &rows);
	for (size_t i = 0; !rc && i < rows.nr; i++) {
		const struct source_row *r = &rows.v[i];

		if (!strcmp(r->file, f->file) && source_text_matches(&text, r->line, s->d->pattern))
			rc = add_point(s, r->addr, f->name, r->line - f->line);
	}
	source_rows_release(&rows);
	source_text_release(&text);
	return rc;
}

/* Tell whether variables of a function are in memory from its first instruction on, where the
 * prologue of code without optimization has not put them yet. */
static bool has_prologue(struct source_search *s, const struct source_function *f)
{
	const struct debug_function *code;
	bool stored = false;

	if (!s->o->user || f->inlined || s->d->offset || probe_object_debug(s->o, NULL))
		return false;
	code = debug_function_at(s->o->info, f->entry);
	for (size_t i = 0; code && i < code->nr_places; i++) {
		const struct variable_place *p = &code->places[i];

		if (code->variables[p->variable].depth)
			continue;
		/* the compiler moves variables when it optimizes, and says so in lists */
		if (p->listed)
			return false;
		/* gcc counts from the frame of the function, LLVM from a register */
		stored |= p->kind == PLACE_FRAME || p->kind == PLACE_BASED;
	}
	return stored;
}

static bool needs_variables(const struct probe_definition *d)
{
	for (size_t i = 0; i < d->nr_args; i++)
		if (d->args[i].variable || probe_arg_is_set(&d->args[i]))
			return true;
	return false;
}

/* Return where variables of a function are in their places: at its second line, if code without
 * optimization has to put them there. */
static u64 behind_prologue(struct source_search *s, const struct source_function *f)
{
	struct source_rows rows = { 0 };
	u64 addr = f->entry;

	if (!needs_variables(s->d) || !has_prologue(s, f))
		return addr;
	source_function_rows(s->o->lines, f, &rows);
	for (size_t i = 0; i < rows.nr && addr == f->entry; i++)
		if (rows.v[i].addr > f->entry)
			addr = rows.v[i].addr;
	source_rows_release(&rows);
	s->out->skipped = addr != f->entry ? f->entry : s->out->skipped;
	return addr;
}

static int add_function(struct source_search *s, const struct source_function *f)
{
	if (s->d->line)
		return add_function_line(s, f);
	if (s->d->pattern)
		return add_function_pattern(s, f);
	if (s->d->offset && s->d->offset >= f->end - f->entry)
		return err_set(s->err, -EINVAL,
			       "Offset %" PRIu64 " is behind the end of %s, which has %" PRIu64
			       " bytes.",
			       s->d->offset, f->name, f->end - f->entry);
	return add_point(s, behind_prologue(s, f) + s->d->offset, f->name, 0);
}

static int by_function(struct source_search *s)
{
	struct source_functions found = { 0 };
	int rc = 0;

	probe_source_functions(s->o, s->d->function, &found);
	for (size_t i = 0; !rc && i < found.nr; i++)
		if (counts(s, &found.v[i]))
			rc = add_function(s, &found.v[i]);
	source_functions_release(&found);
	return rc;
}

/* ---- files ---- */

static int add_row(struct source_search *s, const struct source_row *r)
{
	struct source_function f = { .name = NULL };

	/* the function names the event */
	source_function_at(s->o->lines, r->addr, true, &f);
	return add_point(s, r->addr, f.name, f.line && r->line >= f.line ? r->line - f.line : 0);
}

/* Add functions that begin at the line: it has no code where the compiler counts code from the line
 * of the brace. */
static int by_first_line(struct source_search *s)
{
	struct source_functions all = { 0 };
	int rc = 0;

	source_functions_with(s->o->lines, s->d->file, &all);
	for (size_t i = 0; !rc && i < all.nr; i++) {
		const struct source_function *f = &all.v[i];

		if (!f->inlined && f->line == s->d->line && f->file &&
		    source_path_ends(f->file, s->d->file))
			rc = add_point(s, f->entry, f->name, 0);
	}
	source_functions_release(&all);
	return rc;
}

/* See which lines of the file have code, when the wanted one has none. */
static void look_around(struct source_search *s)
{
	struct source_rows rows = { 0 };

	source_file_rows(s->o->lines, s->d->file, 1, UINT32_MAX, &rows);
	s->no_file = !rows.nr;
	for (size_t i = 0; s->d->line && i < rows.nr; i++)
		note_near(s, rows.v[i].line, s->d->line);
	source_rows_release(&rows);
}

static int by_file(struct source_search *s)
{
	struct source_rows rows = { 0 };
	struct source_text text = { 0 };
	bool lazy = s->d->pattern;
	int rc = 0;

	source_file_rows(s->o->lines, s->d->file, lazy ? 1 : s->d->line,
			 lazy ? UINT32_MAX : s->d->line, &rows);
	if (lazy && rows.nr)
		rc = source_text_read(&text, s->o->target, rows.v[0].file, s->err);
	for (size_t i = 0; !rc && i < rows.nr; i++)
		if (!lazy || source_text_matches(&text, rows.v[i].line, s->d->pattern))
			rc = add_row(s, &rows.v[i]);
	source_rows_release(&rows);
	source_text_release(&text);
	if (rc || s->out->nr)
		return rc;
	if (!lazy)
		rc = by_first_line(s);
	if (!s->out->nr)
		look_around(s);
	return rc;
}

/* ---- what is told when there is nothing ---- */

static int nothing(const struct source_search *s)
{
	struct strbuf place = STRBUF_INIT, hint = STRBUF_INIT;

	probe_point_text(s->d, &place);
	if (s->below || s->above) {
		strbuf_addf(
			&hint,
			"\nThere is no code on this line; lines of the %s with code next to it:",
			s->d->function ? "function" : "file");
		if (s->below)
			strbuf_addf(&hint, " %u", s->below);
		if (s->above)
			strbuf_addf(&hint, "%s %u", s->below ? "," : "", s->above);
	} else if (s->no_file) {
		strbuf_addf(&hint, "\nThe debug information names no source file %s with code.",
			    s->d->file);
	} else if (s->only_copies) {
		strbuf_addf(&hint, "\n%s is inlined everywhere%s.", s->d->function,
			    s->d->returns ? ", where nothing returns from it" : "");
	}
	err_set(s->err, s->only_copies ? -ENODATA : -ENOENT, "Probe point '%s' not found.%s",
		strbuf_str(&place), strbuf_str(&hint));
	strbuf_release(&place);
	strbuf_release(&hint);
	/* with -ENOENT a symbol of that name would be looked for */
	return s->only_copies ? -ENODATA : -ENOENT;
}

int probe_points_by_source(struct probe_object *o, const struct probe_definition *d,
			   const struct probe_limits *limits, struct probe_points *out,
			   struct err *err)
{
	struct source_search s = { o, d, limits, out, err, 0, 0, false, false };
	int rc = d->function ? by_function(&s) : by_file(&s);

	return !rc && !out->nr ? nothing(&s) : rc;
}
