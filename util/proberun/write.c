// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing a batch into the tracing files, and taking back what was written. */
#include "base/compat.h"
#include "proberun/batch-internal.h"

#include "base/alloc.h"
#include "kernel/probe-files.h"
#include "proberun/cache-internal.h"
#include "proberun/live-internal.h"

#include <errno.h>
#include <unistd.h>

/* ---- the files ---- */

/* Open the files that the batch writes to. @fds: by enum probe_file; -1: not needed */
static int open_files(const struct probe_batch *b, int fds[2], struct err *err)
{
	for (int user = 0; user < 2; user++) {
		bool needed = false;

		for (size_t i = 0; i < b->nr; i++)
			needed = needed || b->v[i].object->user == user;
		if (!needed || b->run->dry_run)
			continue;
		fds[user] = probe_file_open(&b->run->sysroot,
					    user ? PROBE_FILE_USER : PROBE_FILE_KERNEL, err);
		if (fds[user] < 0)
			return fds[user];
	}
	return 0;
}

/* ---- names ---- */

static int name_all(struct probe_batch *b, struct err *err)
{
	struct probe_names taken = { 0 };
	struct probe_lines lines = { 0 };
	int rc = 0;

	probe_live_read(&b->run->sysroot, &lines);
	for (size_t i = 0; i < lines.nr; i++)
		probe_names_add(&taken, lines.v[i].group, lines.v[i].event);
	probe_lines_release(&lines);
	for (size_t i = 0; !rc && i < b->nr; i++)
		rc = probe_adding_name(b, &b->v[i], &taken, err);
	probe_names_release(&taken);
	return rc;
}

/* ---- why the kernel refused a line ---- */

/* Return a word of the arguments that this kernel does not know, so that users see what to leave
 * out; NULL: that is not why. */
static const char *unknown_word(const struct sysroot *sr, const struct probe_event *e)
{
	static const char *const words[] = { "string", "ustring", "symbol", "symstr", "char" };

	for (size_t i = 0; i < e->args.nr; i++) {
		const struct probe_fetch *f = &e->args.v[i];

		if (strstr(f->value, "$arg") && !probe_kernel_knows(sr, "$arg<N>"))
			return f->value;
		if (strchr(f->value, '\\') && !probe_kernel_knows(sr, "imm-value"))
			return f->value;
		for (size_t k = 0; f->type && k < ARRAY_SIZE(words); k++)
			if (!strcmp(f->type, words[k]) && !probe_kernel_knows(sr, words[k]))
				return f->type;
	}
	return NULL;
}

static int refused(const struct probe_batch *b, const struct probe_adding *a,
		   const struct probe_event *e, const char *line, int rc, struct err *err)
{
	const struct sysroot *sr = &b->run->sysroot;
	const char *unknown = rc == -EINVAL ? unknown_word(sr, e) : NULL;
	struct strbuf why = STRBUF_INIT;

	if (!a->object->user && rc == -EINVAL && e->point.symbol &&
	    probe_file_forbids(sr, e->point.symbol))
		return err_set(err, -ENOENT,
			       "%s is blacklisted function: the kernel allows no probes in it "
			       "(/sys/kernel/debug/kprobes/blacklist).",
			       e->point.symbol);
	if (rc == -EINVAL || rc == -ENOENT)
		probe_file_why(sr, &why);
	if (unknown)
		strbuf_addf(&why, "%sthis kernel does not have %s", why.len ? "; " : "", unknown);
	err_set(err, rc, "Failed to write event: %s%s%s\nThe kernel refused %s:%s: %s", err_str(rc),
		why.len ? ": " : "", strbuf_str(&why), e->group, e->event, line);
	strbuf_release(&why);
	return rc;
}

/* ---- writing ---- */

static int write_event(const struct probe_batch *b, int fd, const struct probe_adding *a,
		       const struct probe_event *e, struct err *err)
{
	const struct probe_run *r = b->run;
	struct strbuf line = STRBUF_INIT;
	int rc = probe_event_line(a->object, e, &line, err), put;

	if (!rc && r->verbose)
		notice(r->notices, "Writing event: %s\n", strbuf_str(&line));
	put = rc || r->dry_run
		      ? 0
		      : probe_file_put_for(&r->sysroot, a->object->user ? a->about.target.pid : 0,
					   fd, strbuf_str(&line));
	if (put)
		rc = refused(b, a, e, strbuf_str(&line), put, err);
	strbuf_release(&line);
	return rc;
}

/* Take back the events of the definitions before number @nr, which were all written, and the first
 * @events of that definition. */
static void take_back(const struct probe_batch *b, const int fds[2], size_t nr, size_t events)
{
	for (size_t i = 0; i <= nr; i++) {
		const struct probe_adding *a = &b->v[i];
		size_t written = i < nr ? a->events.nr : events;

		for (size_t k = 0; k < written; k++) {
			char *line =
				xasprintf("-:%s/%s", a->events.v[k].group, a->events.v[k].event);

			/* the second of one name is gone with the first */
			(void)probe_file_put(fds[a->object->user], line);
			free(line);
		}
	}
}

static int write_all(const struct probe_batch *b, const int fds[2], struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < b->nr; i++) {
		const struct probe_adding *a = &b->v[i];

		for (size_t k = 0; !rc && k < a->events.nr; k++) {
			rc = write_event(b, fds[a->object->user], a, &a->events.v[k], err);
			if (rc && !b->run->dry_run)
				take_back(b, fds, i, k);
		}
	}
	return rc;
}

/* Keep the definitions of events that were added. */
static void keep_all(const struct probe_batch *b)
{
	for (size_t i = 0; i < b->nr; i++) {
		const struct probe_adding *a = &b->v[i];
		struct err err = { 0 };

		if (!a->definition.marker && !a->cached &&
		    probe_cache_save(b->run, a->object, &a->definition, &a->events, &err))
			notice(b->run->notices,
			       "Warning: the event was added, but not kept in the cache: %s\n",
			       err.msg);
	}
}

int probe_batch_add(struct probe_batch *b, struct err *err)
{
	int fds[2] = { -1, -1 };
	/* the files are locked while they are open, so that the names stay free */
	int rc = open_files(b, fds, err);

	if (!rc)
		rc = name_all(b, err);
	if (!rc)
		rc = write_all(b, fds, err);
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (!rc && b->run->cache)
		keep_all(b);
	return rc;
}
