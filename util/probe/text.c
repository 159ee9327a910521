// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/text.h"

#include "base/alloc.h"
#include "dwarf/source.h"
#include "probe/json-internal.h"

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
		return l->offset - o->moved;
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

/* Append the place as the source has it, if that is known. */
static void put_place(struct probe_object *o, const struct probe_line *l, struct strbuf *out)
{
	struct err ignored = { 0 };
	bool known = o && !probe_object_functions(o, &ignored);
	u64 addr = known ? line_address(o, l) : 0;

	if (!addr || !put_function(o, l, addr, out))
		put_raw_place(l, out);
}

void probe_line_text(struct probe_object *o, const struct probe_line *l, struct strbuf *out)
{
	put_name(l->group, l->event, out);
	put_place(o, l, out);
	if (l->path)
		strbuf_addf(out, " in %s", l->path);
	for (size_t i = 0; i < l->nr_args; i++)
		strbuf_addf(out, "%s%.*s", i ? " " : " with ", (int)strcspn(l->args[i], "="),
			    l->args[i]);
	strbuf_addstr(out, ")\n");
}

static void put_arg_json(const char *arg, struct strbuf *out)
{
	size_t len = strcspn(arg, "=");

	strbuf_addstr(out, "{\"name\":\"");
	json_text(out, arg, len);
	strbuf_addch(out, '"');
	json_add_text("fetch", arg[len] ? arg + len + 1 : NULL, out);
	strbuf_addch(out, '}');
}

void probe_line_json(struct probe_object *o, const struct probe_line *l, struct strbuf *out)
{
	struct strbuf place = STRBUF_INIT;

	put_place(o, l, &place);
	strbuf_addstr(out, "{\"group\":");
	json_string(out, l->group);
	json_add_text("event", l->event, out);
	strbuf_addf(out, ",\"kind\":\"%s\",\"returns\":%s", l->user ? "uprobe" : "kprobe",
		    l->returns ? "true" : "false");
	json_add_text("place", strbuf_str(&place), out);
	json_add_text(l->user ? "path" : "module", l->path, out);
	json_add_text("symbol", l->symbol, out);
	json_add_address("offset", l->offset, out);
	strbuf_addstr(out, ",\"arguments\":[");
	for (size_t i = 0; i < l->nr_args; i++) {
		strbuf_addstr(out, i ? "," : "");
		put_arg_json(l->args[i], out);
	}
	strbuf_addstr(out, "]}");
	strbuf_release(&place);
}

void probe_events_json(const struct strbuf *events, struct strbuf *out)
{
	json_begin("events", NULL, out);
	strbuf_addf(out, ",\"events\":[%s]}\n", strbuf_str(events));
}

/* ---- functions ---- */

static void put_name_text(const char *name, struct strbuf *out)
{
	strbuf_addstr(out, name);
	strbuf_addch(out, '\n');
}

static void put_name_json(const char *name, struct strbuf *out)
{
	strbuf_addstr(out, out->buf[out->len - 1] == '[' ? "\n" : ",\n");
	json_string(out, name);
}

static void put_functions(struct probe_object *o, const struct name_filter *f,
			  void (*put)(const char *, struct strbuf *), struct strbuf *out)
{
	const u32 *sorted = functions_by_name(&o->functions);
	struct strbuf name = STRBUF_INIT, last = STRBUF_INIT;

	for (size_t i = 0; i < o->functions.nr; i++) {
		strbuf_reset(&name);
		probe_function_text(o, o->functions.v[sorted[i]].name, &name);
		if (!strcmp(strbuf_str(&name), strbuf_str(&last)) ||
		    !name_filter_matches(f, strbuf_str(&name)))
			continue;
		put(strbuf_str(&name), out);
		SWAP(name, last);
	}
	strbuf_release(&name);
	strbuf_release(&last);
}

void probe_functions_text(struct probe_object *o, const struct name_filter *f, struct strbuf *out)
{
	put_functions(o, f, put_name_text, out);
}

void probe_functions_json(struct probe_object *o, const struct name_filter *f, struct strbuf *out)
{
	json_begin("functions", o, out);
	strbuf_addstr(out, ",\"functions\":[");
	put_functions(o, f, put_name_json, out);
	strbuf_addstr(out, "]}\n");
}
