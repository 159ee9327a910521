// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/text.h"

#include "base/alloc.h"
#include "dwarf/source.h"

#define NAME_WIDTH 20

/* Append "  GROUP:EVENT          (on ". */
static void put_name(const char *group, const char *event, struct strbuf *out)
{
	size_t start = out->len + 2;

	strbuf_addf(out, "  %s:%s", group, event);
	strbuf_pad(out, start + NAME_WIDTH);
	strbuf_addstr(out, " (on ");
}

static void put_object(const struct probe_object *o, struct strbuf *out)
{
	if (o->user || o->module)
		strbuf_addf(out, " in %s", probe_object_name(o));
}

void probe_event_text(const struct probe_object *o, const struct probe_definition *d,
		      const struct probe_event *e, struct strbuf *out)
{
	put_name(e->group, e->event, out);
	if (d->function && probe_is_pattern(d->function)) {
		struct probe_definition named = *d;

		named.function = (char *)(uintptr_t)e->point.function;
		probe_point_text(&named, out);
	} else {
		probe_point_text(d, out);
	}
	put_object(o, out);
	for (size_t i = 0; i < d->nr_args; i++) {
		strbuf_addstr(out, i ? " " : " with ");
		probe_arg_text(&d->args[i], out);
	}
	strbuf_addstr(out, ")\n");
}

/* ---- events that there are ---- */

/* Return the address that a line is about, as the object's headers number it. */
static u64 line_address(struct probe_object *o, const struct probe_line *l)
{
	const u32 *at;
	size_t nr;

	if (l->user)
		return probe_object_vaddr(o, l->offset);
	if (!l->symbol)
		return l->offset;
	if (o->functions.text_name && !strcmp(l->symbol, o->functions.text_name))
		return o->functions.text + l->offset;
	at = functions_named(&o->functions, l->symbol, &nr);
	return nr ? o->functions.v[*at].addr + l->offset : 0;
}

/* Append the place in the source: the function, how far behind its beginning in lines, or in bytes
 * where no line begins, and the file. Return: whether the debug information tells. */
static bool put_source(struct probe_object *o, const struct probe_line *l, u64 addr,
		       struct strbuf *out)
{
	struct source_function f;
	const char *file;
	u32 line;

	if (probe_object_lines(o, NULL) || !source_function_at(o->lines, addr, false, &f))
		return false;
	line = source_line_begins(o->lines, addr, &file);
	strbuf_addname(out, f.name);
	if (l->returns)
		strbuf_addstr(out, "%return");
	else if (addr != f.entry && line > f.line && f.file && !strcmp(file, f.file))
		strbuf_addf(out, ":%u", line - f.line);
	else if (addr != f.entry)
		strbuf_addf(out, "+%" PRIu64, addr - f.entry);
	if (f.file) {
		strbuf_addch(out, '@');
		strbuf_addname(out, f.file);
	}
	return true;
}

/* Append the function of an address, and how far behind its beginning that is. Return: whether
 * there is one. */
static bool put_function(struct probe_object *o, const struct probe_line *l, u64 addr,
			 struct strbuf *out)
{
	const struct named_function *f = functions_at(&o->functions, addr);

	if (put_source(o, l, addr, out))
		return true;
	if (!f)
		return false;
	strbuf_addname(out, f->name);
	if (addr != f->addr)
		strbuf_addf(out, "+%" PRIu64, addr - f->addr);
	if (l->returns)
		strbuf_addstr(out, "%return");
	return true;
}

static void put_raw_place(const struct probe_line *l, struct strbuf *out)
{
	if (l->symbol)
		strbuf_addf(out, "%s+%" PRIu64, l->symbol, l->offset);
	else
		strbuf_addf(out, "0x%" PRIx64, l->offset);
	if (l->returns)
		strbuf_addstr(out, "%return");
}

void probe_line_text(struct probe_object *o, const struct probe_line *l, struct strbuf *out)
{
	struct err ignored = { 0 };
	bool known = o && !probe_object_functions(o, &ignored);
	u64 addr = known ? line_address(o, l) : 0;

	put_name(l->group, l->event, out);
	if (!addr || !put_function(o, l, addr, out))
		put_raw_place(l, out);
	if (l->path)
		strbuf_addf(out, " in %s", l->path);
	for (size_t i = 0; i < l->nr_args; i++)
		strbuf_addf(out, "%s%.*s", i ? " " : " with ", (int)strcspn(l->args[i], "="),
			    l->args[i]);
	strbuf_addstr(out, ")\n");
}

/* ---- functions ---- */

void probe_functions_text(const struct probe_object *o, const struct name_filter *f,
			  struct strbuf *out)
{
	struct strbuf name = STRBUF_INIT, last = STRBUF_INIT;

	for (size_t i = 0; i < o->functions.nr; i++) {
		strbuf_reset(&name);
		probe_function_text(o, o->functions.v[o->functions.by_name[i]].name, &name);
		if (!strcmp(strbuf_str(&name), strbuf_str(&last)) ||
		    !name_filter_matches(f, strbuf_str(&name)))
			continue;
		strbuf_addf(out, "%s\n", strbuf_str(&name));
		SWAP(name, last);
	}
	strbuf_release(&name);
	strbuf_release(&last);
}
