// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "proberun/live.h"

#include "base/alloc.h"
#include "kernel/probe-files.h"
#include "probe/text.h"
#include "proberun/live-internal.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

static bool read_file(const struct sysroot *sr, enum probe_file which, struct probe_lines *out)
{
	struct strbuf text = STRBUF_INIT;
	bool read = !probe_file_read(sr, which, &text);

	if (read)
		probe_lines_parse(out, strbuf_str(&text), text.len, which == PROBE_FILE_USER);
	strbuf_release(&text);
	return read;
}

bool probe_live_read(const struct sysroot *sr, struct probe_lines *out)
{
	bool kernel = read_file(sr, PROBE_FILE_KERNEL, out);

	return read_file(sr, PROBE_FILE_USER, out) || kernel;
}

/* ---- removing ---- */

#define LATE_MS 1000 /* how long the kernel may take to close the events of what has ended */
#define PAUSE_MS 20

/* Write the line that removes an event. The kernel closes the events of a program that has just
 * ended when it has time, and until then they are in use. */
static int put_removal(int fd, const char *line)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
	int rc = probe_file_put(fd, line);

	for (u32 ms = 0; rc == -EBUSY && ms < LATE_MS; ms += PAUSE_MS) {
		nanosleep(&pause, NULL);
		rc = probe_file_put(fd, line);
	}
	return rc;
}

/* @fds: by enum probe_file */
static int remove_event(const struct probe_run *r, const int fds[2], const struct probe_line *l,
			struct err *err)
{
	char *line = xasprintf("-:%s/%s", l->group, l->event);
	int rc = r->dry_run ? 0 : put_removal(fds[l->user], line);

	if (r->verbose)
		notice(r->notices, "Writing event: %s\n", line);
	free(line);
	if (rc == -EBUSY)
		return err_set(err, rc,
			       "Failed to delete event %s:%s: it is in use; end what records or "
			       "traces it first.",
			       l->group, l->event);
	if (rc)
		return err_set(err, rc, "Failed to delete event %s:%s: %s", l->group, l->event,
			       err_str(rc));
	notice(r->notices, "Removed event: %s:%s\n", l->group, l->event);
	return 0;
}

static int remove_matching(const struct probe_run *r, const int fds[2], const char *filter,
			   struct err *err)
{
	struct name_filter *f = name_filter_parse(filter, err);
	struct probe_lines all = { 0 };
	int rc = f ? 0 : err->code;
	size_t nr = 0;

	(void)probe_live_read(&r->sysroot, &all);
	for (size_t i = 0; !rc && i < all.nr; i++) {
		if (!probe_line_passes(&all.v[i], f, strchr(filter, ':')) ||
		    probe_lines_again(&all, i))
			continue;
		rc = remove_event(r, fds, &all.v[i], err);
		nr++;
	}
	if (!rc && !nr)
		rc = err_set(err, -ENOENT, "\"%s\" does not hit any event.", filter);
	probe_lines_release(&all);
	name_filter_free(f);
	return rc;
}

int probe_live_remove(const struct probe_run *r, const char *const *filters, size_t nr,
		      struct err *err)
{
	int fds[2] = { -1, -1 }, rc = 0;

	if (!r->dry_run) {
		fds[PROBE_FILE_USER] = probe_file_open(&r->sysroot, PROBE_FILE_USER, err);
		fds[PROBE_FILE_KERNEL] = probe_file_open(&r->sysroot, PROBE_FILE_KERNEL, NULL);
		if (fds[0] < 0 && fds[1] < 0)
			return err->code;
	}
	for (size_t i = 0; !rc && i < nr; i++)
		rc = remove_matching(r, fds, filters[i], err);
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return rc;
}

/* ---- listing ---- */

/* The object of the last event, which the next one is often of, too. */
struct last_object {
	struct run_target about;
	struct probe_object object;
	char *path; /* owned: a program, or a module; NULL: the kernel itself */
	bool user, open, tried;
};

static void forget(struct last_object *s)
{
	if (s->tried)
		probe_object_close(&s->object);
	run_target_release(&s->about);
	free(s->path);
	*s = (struct last_object){ 0 };
}

static bool is_of(const struct last_object *s, const struct probe_line *l)
{
	return s->tried && s->user == l->user && !strcmp(s->path ?: "", l->path ?: "");
}

/* Return the object of an event; NULL: it cannot be opened. */
static struct probe_object *object_of(const struct probe_run *r, struct last_object *s,
				      const struct probe_line *l)
{
	struct err ignored = { 0 };

	if (is_of(s, l))
		return s->open ? &s->object : NULL;
	forget(s);
	s->path = l->path ? xstrdup(l->path) : NULL;
	s->user = l->user;
	s->tried = true;
	run_target_init(&s->about, r, l->user ? s->path : NULL, l->user ? NULL : s->path);
	s->open = !probe_object_open(&s->object, &s->about.target, &ignored);
	return s->open ? &s->object : NULL;
}

static void put_events(const struct probe_run *r, const struct probe_lines *all,
		       const struct name_filter *f, bool whole, bool json, struct strbuf *out)
{
	struct last_object last = { .tried = false };

	for (size_t i = 0; i < all->nr; i++) {
		const struct probe_line *l = &all->v[i];

		if (!probe_line_passes(l, f, whole))
			continue;
		if (json) {
			strbuf_addstr(out, out->len ? ",\n" : "\n");
			probe_line_json(object_of(r, &last, l), l, out);
		} else {
			probe_line_text(object_of(r, &last, l), l, out);
		}
	}
	forget(&last);
}

/* Return why neither file could be read: it is the same that stands against opening them. */
static int unreadable(const struct probe_run *r, struct err *err)
{
	int fd = probe_file_open(&r->sysroot, PROBE_FILE_USER, err);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int probe_live_list(const struct probe_run *r, const char *filter, bool json, struct strbuf *out,
		    struct err *err)
{
	struct name_filter *f = *filter ? name_filter_parse(filter, err) : NULL;
	struct strbuf events = STRBUF_INIT;
	struct probe_lines all = { 0 };
	int rc = 0;

	if (*filter && !f)
		return err->code;
	if (!probe_live_read(&r->sysroot, &all))
		rc = unreadable(r, err);
	put_events(r, &all, f, strchr(filter, ':'), json, &events);
	if (!rc && json)
		probe_events_json(&events, out);
	else if (!rc)
		strbuf_addstr(out, strbuf_str(&events));
	strbuf_release(&events);
	probe_lines_release(&all);
	name_filter_free(f);
	return rc;
}
