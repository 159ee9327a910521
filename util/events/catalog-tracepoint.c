// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tracepoints of the running kernel. The file "available_events" has nearly all of them, a
 * "system:name" on each line. Looking for the id files of 2300 directories takes forty times as
 * long and is done only when that file does not exist. The file lacks the events of the system
 * "ftrace", a few of which have ids.
 */
#include "base/compat.h"
#include "events/catalog.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "events/parse.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* More than any kernel has; a limit in case this is not tracefs. */
#define MAX_LIST (16u << 20)

static void add(struct catalog *c, const char *full, size_t len)
{
	catalog_add(c, CATALOG_TRACEPOINT, arena_strndup(&c->strings, full, len))->pmu =
		"tracepoint";
}

static int sub_dir(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/*
 * Call @fn with the descriptor of @fd, which is closed at the end, and the name of each directory
 * in it.
 */
static void each_dir(int fd, void (*fn)(void *ctx, int fd, const char *name), void *ctx)
{
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *d;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((d = readdir(dir)))
		if (d->d_name[0] != '.' && (d->d_type == DT_DIR || d->d_type == DT_UNKNOWN))
			fn(ctx, dirfd(dir), d->d_name);
	closedir(dir);
}

struct walk {
	struct catalog *c;
	const char *system;
};

static void add_with_id(void *ctx, int fd, const char *name)
{
	struct walk *w = ctx;
	char path[256 + 4];
	char *full;

	if (snprintf(path, sizeof(path), "%s/id", name) >= (int)sizeof(path) ||
	    faccessat(fd, path, F_OK, 0))
		return;
	full = xasprintf("%s:%s", w->system, name);
	add(w->c, full, strlen(full));
	free(full);
}

static void add_system(void *ctx, int fd, const char *name)
{
	struct walk *w = ctx;

	w->system = name;
	each_dir(sub_dir(fd, name), add_with_id, w);
}

void catalog_tracepoint_list(struct catalog *c, const char *text, size_t len)
{
	const char *p = text, *end = text + len;
	struct line l;

	while (next_line(&p, end, &l)) {
		size_t n = (size_t)(l.end - l.p);
		const char *colon = memchr(l.p, ':', n);

		if (colon && colon > l.p && colon + 1 < l.end && !memchr(l.p, '\0', n))
			add(c, l.p, n);
	}
}

static int add_list(struct catalog *c, const struct sysroot *sr, const char *tracefs)
{
	struct strbuf text = STRBUF_INIT;
	int rc = sysroot_read_max(sr, MAX_LIST, &text, "%s/available_events", tracefs);

	if (!rc && text.len)
		catalog_tracepoint_list(c, text.buf, text.len);
	strbuf_release(&text);
	return rc;
}

/* Several events may have the same name; it is listed once. */
static void sort_once(struct catalog *c, size_t first)
{
	size_t i, to = first;

	catalog_sort(c, first);
	for (i = first; i < c->nr; i++)
		if (i == first || strcmp(c->v[to - 1].name, c->v[i].name))
			c->v[to++] = c->v[i];
	c->nr = to;
}

static int cannot_read(const char *tracefs, int code, struct err *err)
{
	if (code == -EACCES || code == -EPERM)
		return err_set(
			err, code,
			"tracepoints are not listed: no permission to read %s/events (as root: "
			"mount -o remount,mode=755 %s)",
			tracefs, tracefs);
	return err_set(err, code,
		       "tracepoints are not listed: cannot read %s/events: %s (as root: mount -t "
		       "tracefs nodev /sys/kernel/tracing)",
		       tracefs, err_str(code));
}

int catalog_tracepoints(struct catalog *c, const struct sysroot *sr, struct err *err)
{
	const char *tracefs = tracefs_path(sr);
	struct walk w = { .c = c };
	size_t first = c->nr;
	int fd = sysroot_open(sr, "%s/events", tracefs);

	if (fd < 0)
		return cannot_read(tracefs, fd, err);
	if (!add_list(c, sr, tracefs)) {
		w.system = "ftrace";
		each_dir(sub_dir(fd, w.system), add_with_id, &w);
		close(fd);
	} else {
		c->nr = first;
		each_dir(fd, add_system, &w);
	}
	sort_once(c, first);
	return 0;
}
