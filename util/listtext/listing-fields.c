// SPDX-License-Identifier: GPL-2.0-or-later
/* perf list --fields: reads the formats of tracepoints and shows their fields. */
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

static int show_event(struct listing *l, struct tracefmt *tf, const char *full, bool json)
{
	const char *colon = strchr(full, ':');
	char *system = xstrndup(full, (size_t)(colon - full));
	struct strbuf text = STRBUF_INIT;
	const struct tf_event *ev = NULL;
	struct err err = { 0 };
	struct line print;
	int rc = sysroot_read_max(&l->sysroot, MAX_FORMAT, &text, "%s/events/%s/%s/format",
				  tracefs_path(&l->sysroot), system, colon + 1);

	if (rc)
		err_set(&err, rc, "cannot read the format of %s: %s", full, err_str(rc));
	else
		ev = tracefmt_add(tf, system, strbuf_str(&text), text.len, &err);
	if (!ev) {
		notice(l->notices, "%s\n", err.msg);
		rc = -1;
	} else {
		print_format(&text, &print);
		if (l->view.nr++)
			strbuf_addstr(&l->out, json ? ",\n" : "\n");
		(json ? list_fields_json : list_fields)(&l->out, ev, print.p,
							(size_t)(print.end - print.p));
	}
	strbuf_release(&text);
	free(system);
	return rc;
}

/* Show the tracepoints that match @name. A name without a system is looked for in all systems. */
static int show_matching(struct listing *l, const char *name, bool json)
{
	const struct catalog *c = listing_catalog(l, CATALOG_TRACEPOINT);
	char *pattern = strchr(name, ':') ? xstrdup(name) : xasprintf("*:%s", name);
	const u16 one = 1;
	struct tracefmt *tf = tracefmt_new(!*(const u8 *)&one, sizeof(long));
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
