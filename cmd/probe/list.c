// SPDX-License-Identifier: GPL-2.0-or-later
/* Events that there are, shown and removed. */
#include "base/compat.h"
#include "cmd/probe/probe.h"

#include "base/alloc.h"
#include "cmd/common/message.h"
#include "cmd/common/pager.h"
#include "probe/text.h"

#include <errno.h>
#include <unistd.h>

int probe_lines_read(const struct sysroot *sr, enum probe_file which, struct probe_lines *out)
{
	struct strbuf text = STRBUF_INIT;
	int rc = probe_file_read(sr, which, &text);

	if (!rc)
		probe_lines_parse(out, strbuf_str(&text), text.len, which == PROBE_FILE_USER);
	strbuf_release(&text);
	return rc;
}

/* ---- removing ---- */

struct deleting {
	const struct probe_cmd *c;
	int fds[2];
	size_t nr;
};

static int delete_event(struct deleting *d, const struct probe_line *l, struct err *err)
{
	char *line = xasprintf("-:%s/%s", l->group, l->event);
	int rc = d->c->dry_run ? 0 : probe_file_put(d->fds[l->user], line);

	if (d->c->verbose)
		fprintf(stderr, "Writing event: %s\n", line);
	free(line);
	if (rc == -EBUSY)
		return err_set(err, rc,
			       "Failed to delete event %s:%s: it is in use; end what records or "
			       "traces it first.",
			       l->group, l->event);
	if (rc)
		return err_set(err, rc, "Failed to delete event %s:%s: %s", l->group, l->event,
			       err_str(rc));
	probe_say(d->c, "Removed event: %s:%s\n", l->group, l->event);
	d->nr++;
	return 0;
}

static int delete_matching(struct deleting *d, const char *pattern, struct err *err)
{
	struct name_filter *f = name_filter_parse(pattern, err);
	struct probe_lines all = { 0 };
	size_t before = d->nr;
	int rc = f ? 0 : err->code;

	(void)probe_lines_read(&d->c->sysroot, PROBE_FILE_KERNEL, &all);
	(void)probe_lines_read(&d->c->sysroot, PROBE_FILE_USER, &all);
	for (size_t i = 0; !rc && i < all.nr; i++)
		if (probe_line_passes(&all.v[i], f, strchr(pattern, ':')) &&
		    !probe_lines_again(&all, i))
			rc = delete_event(d, &all.v[i], err);
	if (!rc && d->nr == before)
		rc = err_set(err, -ENOENT, "\"%s\" does not hit any event.", pattern);
	probe_lines_release(&all);
	name_filter_free(f);
	return rc;
}

int probe_verb_delete(const struct probe_cmd *c)
{
	struct deleting d = { .c = c, .fds = { -1, -1 } };
	struct err err = { 0 };
	int rc = 0;

	if (!c->dry_run) {
		d.fds[1] = probe_file_open(&c->sysroot, PROBE_FILE_USER, &err);
		d.fds[0] = probe_file_open(&c->sysroot, PROBE_FILE_KERNEL, NULL);
		if (d.fds[0] < 0 && d.fds[1] < 0)
			return probe_fail(&err, "delete events");
	}
	for (size_t i = 0; !rc && i < c->nr_deletions; i++)
		rc = delete_matching(&d, c->deletions[i], &err);
	for (int i = 0; i < 2; i++)
		if (d.fds[i] >= 0)
			close(d.fds[i]);
	return rc ? probe_fail(&err, "delete events") : 0;
}

/* ---- showing ---- */

/* The object of the last event, which the next one is often of, too. */
struct shown {
	struct probe_target target;
	struct probe_object object;
	char *path; /* owned; NULL: the kernel */
	bool open, tried;
};

static void forget(struct shown *s)
{
	if (s->open)
		probe_object_close(&s->object);
	free(s->path);
	s->path = NULL;
	s->open = s->tried = false;
}

/* Return the object of an event; NULL: it cannot be opened. */
static struct probe_object *object_of(const struct probe_cmd *c, struct shown *s,
				      const struct probe_line *l)
{
	struct err ignored = { 0 };
	bool same = s->tried && s->target.exec ? l->user && l->path && !strcmp(s->path, l->path)
					       : s->tried && !l->user;

	if (same)
		return s->open ? &s->object : NULL;
	forget(s);
	s->path = l->path ? xstrdup(l->path) : NULL;
	probe_target_of(c, l->user ? s->path : NULL, NULL, &s->target);
	s->target.exec = l->user ? s->path : NULL;
	s->target.module = NULL;
	s->tried = true;
	s->open = !probe_object_open(&s->object, &s->target, &ignored);
	return s->open ? &s->object : NULL;
}

static int print_events(const struct probe_cmd *c, struct strbuf *events)
{
	struct strbuf document = STRBUF_INIT;

	if (c->json) {
		probe_events_json(events, &document);
		SWAP(document, *events);
	}
	setup_pager();
	print_text(events);
	strbuf_release(&document);
	return 0;
}

static void show_event(const struct probe_cmd *c, struct probe_object *o,
		       const struct probe_line *l, struct strbuf *out)
{
	if (!c->json) {
		probe_line_text(o, l, out);
		return;
	}
	strbuf_addstr(out, out->len ? ",\n" : "\n");
	probe_line_json(o, l, out);
}

int probe_verb_list(const struct probe_cmd *c)
{
	struct probe_lines all = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct name_filter *f = NULL;
	struct shown s = { 0 };
	struct err err = { 0 };
	int rc[2];

	if (*c->list) {
		f = name_filter_parse(c->list, &err);
		if (!f)
			return probe_fail(&err, "show event list");
	}
	rc[0] = probe_lines_read(&c->sysroot, PROBE_FILE_KERNEL, &all);
	rc[1] = probe_lines_read(&c->sysroot, PROBE_FILE_USER, &all);
	for (size_t i = 0; i < all.nr; i++)
		if (probe_line_passes(&all.v[i], f, strchr(c->list, ':')))
			show_event(c, object_of(c, &s, &all.v[i]), &all.v[i], &text);
	forget(&s);
	name_filter_free(f);
	probe_lines_release(&all);
	if (!rc[0] || !rc[1])
		return print_events(c, &text);
	strbuf_release(&text);
	/* neither could be read: the same would be told of opening them */
	rc[1] = probe_file_open(&c->sysroot, PROBE_FILE_USER, &err);
	if (rc[1] >= 0)
		close(rc[1]);
	return rc[1] < 0 ? probe_fail(&err, "show event list") : 0;
}
