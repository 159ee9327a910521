// SPDX-License-Identifier: GPL-2.0-or-later
/* Print the fields of tracepoints, and how filters can use them. */
#include "base/compat.h"
#include "listtext/listtext.h"

#include "codec/json.h"
#include "events/filter.h"

/* Fields that every event has without being in its format. */
static const struct {
	const char *name, *what, *ops;
} everywhere[] = {
	{ "cpu", "the CPU it happens on", "== != < <= > >= &" },
	{ "comm", "the name of the thread", "== != ~" },
};

static bool takes(const struct tf_field *f, const char *op)
{
	return strstr(tracefilter_ops(f), op) != NULL;
}

/*
 * Tell whether the kernel compares the user's text that the pointer points to, instead of the
 * pointer.
 */
static bool is_user_text(const struct tf_event *ev, const struct tf_field *f)
{
	return !strcmp(ev->system, "syscalls") && takes(f, "~") && !(f->flags & TF_ARRAY);
}

void list_fields_example(struct strbuf *out, const struct tf_event *ev)
{
	const struct tf_field *text = NULL, *number = NULL;
	u32 i;

	for (i = ev->nr_common; i < ev->nr_fields; i++) {
		const struct tf_field *f = &ev->fields[i];

		if (!text && takes(f, "~"))
			text = f;
		else if (!number && takes(f, ">") && strcmp(f->name, "__syscall_nr"))
			number = f;
	}
	if (text)
		strbuf_addf(out, "%s%s ~ \"a*\"", text->name,
			    is_user_text(ev, text) ? ".ustring" : "");
	if (number)
		strbuf_addf(out, "%s%s > 0", text ? " && " : "", number->name);
	if (!text && !number)
		strbuf_addstr(out, "common_pid == 1");
}

/* Return the @i-th field: first those of the event, then those of all events. */
static const struct tf_field *in_order(const struct tf_event *ev, u32 i)
{
	return &ev->fields[(i + ev->nr_common) % ev->nr_fields];
}

static const char *sign(const struct tf_field *f)
{
	/* Signedness does not matter for fields that are compared as text. */
	if (f->flags & (TF_STRING | TF_POINTER) || (f->flags & TF_DYNAMIC))
		return "-";
	return f->flags & TF_SIGNED ? "yes" : "no";
}

static void put_field(struct strbuf *out, const struct tf_field *f)
{
	struct strbuf type = STRBUF_INIT, name = STRBUF_INIT;
	const char *ops = tracefilter_ops(f);

	strbuf_addname(&name, f->name);
	tracefilter_type(f, &type);
	strbuf_addf(out, "  %-24s %-24s %6u %5u  %-6s  %s\n", strbuf_str(&name), strbuf_str(&type),
		    f->offset, f->size, sign(f), *ops ? ops : "-");
	strbuf_release(&type);
	strbuf_release(&name);
}

static void put_text(struct strbuf *out, const char *text, size_t len)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_add(&sb, text, len);
	strbuf_addname(out, strbuf_str(&sb));
	strbuf_release(&sb);
}

void list_fields(struct strbuf *out, const struct tf_event *ev, const char *print, size_t print_len)
{
	u32 i;

	strbuf_addname(out, ev->system);
	strbuf_addch(out, ':');
	strbuf_addname(out, ev->name);
	strbuf_addf(out, "\n\n  %-24s %-24s %6s %5s  %-6s  %s\n", "field", "type", "offset", "size",
		    "signed", "filter with");
	for (i = 0; i < ev->nr_fields; i++)
		put_field(out, in_order(ev, i));
	for (i = 0; i < ARRAY_SIZE(everywhere); i++)
		strbuf_addf(out, "  %-24s %-24s %6s %5s  %-6s  %s\n", everywhere[i].name,
			    everywhere[i].what, "-", "-", "-", everywhere[i].ops);
	strbuf_addstr(out, "\n  print format: ");
	put_text(out, print, print_len);
	if (ev->failed) {
		strbuf_addstr(out, "\n  (not understood here: ");
		strbuf_addname(out, ev->why);
		strbuf_addstr(out, "; the plain fields are printed)");
	}
	strbuf_addstr(out, "\n  example: perf record -e ");
	strbuf_addname(out, ev->system);
	strbuf_addch(out, ':');
	strbuf_addname(out, ev->name);
	strbuf_addstr(out, " --filter '");
	list_fields_example(out, ev);
	strbuf_addstr(out, "'\n");
}

void list_fields_line(struct strbuf *out, const struct tf_event *ev)
{
	strbuf_addstr(out, ev->nr_fields > ev->nr_common ? "Fields: " : "It has no fields.");
	for (u32 i = ev->nr_common; i < ev->nr_fields; i++) {
		strbuf_addstr(out, i > ev->nr_common ? ", " : "");
		tracefilter_type(&ev->fields[i], out);
		strbuf_addch(out, ' ');
		strbuf_addname(out, ev->fields[i].name);
	}
	strbuf_addch(out, '\n');
}

/* ---- JSON ---- */

static void json_field(struct strbuf *out, const char *name, const char *type, const char *ops)
{
	strbuf_addstr(out, "\t\t{ \"Name\": ");
	json_string(out, name);
	strbuf_addstr(out, ", \"Type\": ");
	json_string(out, type);
	strbuf_addstr(out, ", \"FilterOperators\": ");
	json_string(out, ops);
}

void list_fields_json(struct strbuf *out, const struct tf_event *ev, const char *print,
		      size_t print_len)
{
	struct strbuf sb = STRBUF_INIT;
	u32 i;

	strbuf_addf(&sb, "%s:%s", ev->system, ev->name);
	strbuf_addstr(out, "{\n\t\"EventName\": ");
	json_string(out, strbuf_str(&sb));
	strbuf_addstr(out, ",\n\t\"Fields\": [\n");
	for (i = 0; i < ev->nr_fields; i++) {
		const struct tf_field *f = in_order(ev, i);

		strbuf_reset(&sb);
		tracefilter_type(f, &sb);
		json_field(out, f->name, strbuf_str(&sb), tracefilter_ops(f));
		strbuf_addf(out, ", \"Offset\": %u, \"Size\": %u, \"Signed\": %s },\n", f->offset,
			    f->size, f->flags & TF_SIGNED ? "true" : "false");
	}
	for (i = 0; i < ARRAY_SIZE(everywhere); i++) {
		json_field(out, everywhere[i].name, everywhere[i].what, everywhere[i].ops);
		strbuf_addstr(out, i + 1 < ARRAY_SIZE(everywhere) ? " },\n" : " }\n");
	}
	strbuf_addstr(out, "\t],\n\t\"PrintFormat\": \"");
	json_text(out, print, print_len);
	strbuf_addstr(out, "\",\n\t\"FilterExample\": ");
	strbuf_reset(&sb);
	list_fields_example(&sb, ev);
	json_string(out, strbuf_str(&sb));
	strbuf_addstr(out, "\n}");
	strbuf_release(&sb);
}
