// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the formats of tracepoints: their fields are shown, and what else is known of events. */
#include "base/compat.h"

#include "listtext/listing.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "events/parse.h"

/* Ten times the longest format that the kernel can write. */
#define MAX_FORMAT (1u << 20)

/* Find the rest of the line that starts with "print fmt: "; empty when there is none. */
static void print_format(const struct strbuf *text, struct line *print)
{
	static const char key[] = "print fmt: ";
	const char *p = text->buf, *end = p + text->len;
	struct line l;

	print->p = print->end = end;
	while (next_line(&p, end, &l))
		if ((size_t)(l.end - l.p) >= sizeof(key) - 1 && !memcmp(l.p, key, sizeof(key) - 1))
			*print = (struct line){ l.p + sizeof(key) - 1, l.end };
}

static struct tracefmt *formats_of_this_machine(void)
{
	const u16 one = 1;

	return tracefmt_new(!*(const u8 *)&one, sizeof(long));
}

/* Read the format of the tracepoint "system:event". @text: receives it. Return: what it says; NULL
 * and a sentence: it cannot be read. */
static const struct tf_event *read_event(const struct listing *l, struct tracefmt *tf,
					 const char *full, struct strbuf *text, struct err *err)
{
	const char *colon = strchr(full, ':');
	char *system = xstrndup(full, (size_t)(colon - full));
	const struct tf_event *ev = NULL;
	int rc = sysroot_read_max(&l->sysroot, MAX_FORMAT, text, "%s/events/%s/%s/format",
				  tracefs_path(&l->sysroot), system, colon + 1);

	if (rc)
		err_set(err, rc, "cannot read the format of %s: %s", full, err_str(rc));
	else
		ev = tracefmt_add(tf, system, strbuf_str(text), text->len, err);
	free(system);
	return ev;
}

static void put_event(struct strbuf *out, const struct tf_event *ev, const struct strbuf *text,
		      bool json)
{
	struct line print;

	print_format(text, &print);
	(json ? list_fields_json : list_fields)(out, ev, print.p, (size_t)(print.end - print.p));
}

static int show_event(struct listing *l, struct tracefmt *tf, const char *full, bool json)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	const struct tf_event *ev = read_event(l, tf, full, &text, &err);

	if (ev) {
		if (l->view.nr++)
			strbuf_addstr(&l->out, json ? ",\n" : "\n");
		put_event(&l->out, ev, &text, json);
	} else {
		notice(l->notices, "%s\n", err.msg);
	}
	strbuf_release(&text);
	return ev ? 0 : -1;
}

/* Show the tracepoints that match @name. A name without a system is looked for in all systems. */
static int show_matching(struct listing *l, const char *name, bool json)
{
	const struct catalog *c = listing_catalog(l, CATALOG_TRACEPOINT);
	char *pattern = strchr(name, ':') ? xstrdup(name) : xasprintf("*:%s", name);
	struct tracefmt *tf = formats_of_this_machine();
	size_t i, found = 0;
	int ret = 0;

	for (i = 0; i < c->nr; i++) {
		if (!catalog_match(pattern, c->v[i].name, false))
			continue;
		found++;
		if (show_event(l, tf, c->v[i].name, json))
			ret = -1;
	}
	if (!found && c->nr)
		listing_near(l, name, true);
	tracefmt_free(tf);
	free(pattern);
	return found ? ret : -1;
}

int listing_show_fields(struct listing *l, const char *const *names, size_t nr, bool json)
{
	size_t i;
	int ret = 0;

	strbuf_addstr(&l->out, json ? "[\n" : "");
	for (i = 0; i < nr; i++)
		if (show_matching(l, names[i], json))
			ret = -1;
	strbuf_addstr(&l->out, json ? "\n]\n" : "");
	return ret;
}

static void about_tracepoint(const struct listing *l, const char *full, bool all,
			     struct strbuf *out)
{
	struct tracefmt *tf = formats_of_this_machine();
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	const struct tf_event *ev = read_event(l, tf, full, &text, &err);

	if (!ev)
		strbuf_addf(out, "%s\n", err.msg);
	else if (all)
		put_event(out, ev, &text, false);
	else
		list_fields_line(out, ev);
	strbuf_release(&text);
	tracefmt_free(tf);
}

static void put_line(struct strbuf *out, const char *label, const char *text)
{
	if (!text)
		return;
	strbuf_addstr(out, label);
	strbuf_addname(out, text);
	strbuf_addch(out, '\n');
}

void listing_about(const struct listing *l, const struct catalog_event *e, bool all,
		   struct strbuf *out)
{
	strbuf_addname(out, e->name);
	strbuf_addf(out, " [%s]\n", catalog_kind_name(e->kind));
	put_line(out, "Also called ", e->alias);
	put_line(out, "", e->long_desc ? e->long_desc : e->desc);
	put_line(out, "Encoded as ", e->encoding);
	if (e->kind == CATALOG_TRACEPOINT)
		about_tracepoint(l, e->name, all, out);
}
