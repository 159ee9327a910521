// SPDX-License-Identifier: GPL-2.0-or-later
/* perf list --fields: what the payloads of tracepoints hold. */
#include "base/compat.h"

#include "cmd/list/list.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "events/parse.h"

/* Ten times what the kernel can write. */
#define MAX_FORMAT (1u << 20)

/* What stands behind "print fmt:". */
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

static int show_event(struct list *l, struct tracefmt *tf, const char *full, bool json)
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
		error_err(&err);
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

/* A name without a system is looked for in all of them. */
int list_show_fields(struct list *l, const char *name, bool json)
{
	const struct catalog *c = list_catalog(l, CATALOG_TRACEPOINT);
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
		list_near(l, name, true);
	tracefmt_free(tf);
	free(pattern);
	return found ? ret : -1;
}
