// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracectl/instance.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "events/parse.h"
#include "ftracectl/put-internal.h"
#include "kernel/tracing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names of our instances: this, the process, and the time when it began. */
#define OURS "perf-ftrace-"

/* Return when a process began, in the kernel's units, or 0 when there is no such process. */
static u64 began(const struct sysroot *sr, long pid)
{
	struct strbuf text = STRBUF_INIT;
	const char *p;
	u64 v = 0;

	if (!sysroot_read(sr, &text, "/proc/%ld/stat", pid)) {
		/* The name in parentheses may have blanks; the start is the 20th word behind it. */
		p = strrchr(strbuf_str(&text), ')');
		for (int i = 0; p && i < 20; i++)
			p = strchr(p + 1, ' ');
		v = p ? strtoull(p, NULL, 10) : 0;
	}
	strbuf_release(&text);
	return v;
}

/* Whether the process that has made an instance still runs. */
static bool has_owner(const struct sysroot *sr, const char *name)
{
	char *end;
	const long pid = strtol(name + strlen(OURS), &end, 10);

	return *end == '-' && pid > 0 && began(sr, pid) == strtoull(end + 1, NULL, 10);
}

static void remove_left(const struct sysroot *sr, const char *instances)
{
	DIR *d = opendir(instances);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char *path;

		if (strncmp(e->d_name, OURS, strlen(OURS)) || has_owner(sr, e->d_name))
			continue;
		path = xasprintf("%s/%s", instances, e->d_name);
		/* Another run may remove it at the same time; nobody needs to know. */
		rmdir(path);
		free(path);
	}
	if (d)
		closedir(d);
}

static int refused(const struct sysroot *sr, const char *path, int code, struct err *err)
{
	if (code == -EACCES || (code == -EPERM && geteuid()))
		return err_set(err, code, "cannot make %s: %s\nTracing is for root.", path,
			       err_str(code));
	if (code == -EPERM && sysroot_lockdown(sr) == LOCKDOWN_CONFIDENTIALITY)
		return err_set(err, code, "cannot make %s: the kernel is locked down", path);
	if (code == -ENOENT)
		return err_set(err, code,
			       "cannot make %s: this kernel has no tracing files, or they are not "
			       "mounted\n(mount -t tracefs nodev /sys/kernel/tracing)",
			       path);
	return err_set(err, code, "cannot make %s: %s", path, err_str(code));
}

static int make_folder(struct ftrace_instance *in, const char *root, struct err *err)
{
	char *instances = sysroot_path(in->sr, "%s/instances", root);
	int rc = 0;

	remove_left(in->sr, instances);
	in->dir = xasprintf("%s/" OURS "%d-%" PRIu64, instances, getpid(), began(in->sr, getpid()));
	free(instances);
	rc = guard_tell(&in->guard, GUARD_RMDIR, in->dir, "");
	if (!rc && mkdir(in->dir, 0700))
		rc = -errno;
	return rc ? refused(in->sr, in->dir, rc, err) : 0;
}

int ftrace_instance_open(struct ftrace_instance *in, const struct sysroot *sr, bool top,
			 struct err *err)
{
	const char *root;
	int rc;

	*in = (struct ftrace_instance){ .sr = sr, .top = top, .guard.pipe = -1 };
	tracefs_mount(sr);
	root = tracefs_path(sr);
	rc = guard_start(&in->guard, err);
	if (rc)
		return rc;
	if (top)
		in->dir = sysroot_path(sr, "%s", root);
	else
		rc = make_folder(in, root, err);
	if (rc)
		ftrace_instance_close(in);
	return rc;
}

int ftrace_instance_close(struct ftrace_instance *in)
{
	int rc = guard_end(&in->guard);

	strbuf_release(&in->changed);
	free(in->dir);
	in->dir = NULL;
	return rc;
}

char *ftrace_path(const struct ftrace_instance *in, const char *file)
{
	return xasprintf("%s/%s", in->dir, file);
}

static int read_all(const char *path, struct strbuf *out)
{
	const struct sysroot whole = { 0 };

	return sysroot_read(&whole, out, "%s", path);
}

int ftrace_get(const struct ftrace_instance *in, const char *file, struct strbuf *out)
{
	char *path = ftrace_path(in, file);
	int rc = read_all(path, out);

	free(path);
	return rc;
}

/* Turn what a file shows into what has to be written to get it back. */
static void as_written(const char *file, struct strbuf *value)
{
	const char *text = strbuf_str(value), *expanded = strstr(text, "(expanded: ");
	size_t len;

	if (!strcmp(file, "buffer_size_kb") && value->len) {
		/* A ring that has not been used yet is small; later it has the other size. */
		text = expanded ? expanded + strlen("(expanded: ") : text;
		memmove(value->buf, text, strlen(text) + 1);
		len = strspn(value->buf, "0123456789");
		value->buf[len] = '\0';
		value->len = len;
	} else if (text[0] == '#' || !strncmp(text, "no pid", 6)) {
		strbuf_reset(value);
	} else if (!strcmp(file, "trace_clock")) {
		const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
		char *clock = close ? xstrndup(open + 1, close - open - 1) : xstrdup("local");

		strbuf_reset(value);
		strbuf_addstr(value, clock);
		free(clock);
	}
}

static int remember(struct ftrace_instance *in, const char *path, const char *file)
{
	struct strbuf value = STRBUF_INIT;
	char *line = xasprintf("%s\n", path);
	const bool known = strstr(strbuf_str(&in->changed), line);
	int rc = 0;

	/* Only the value before the first change is kept: that is put back at the end. */
	if (in->top && !known)
		strbuf_addstr(&in->changed, line);
	free(line);
	if (!in->top || known)
		return 0;
	if (!read_all(path, &value)) {
		as_written(file, &value);
		rc = guard_tell(&in->guard, GUARD_WRITE, path, strbuf_str(&value));
	}
	strbuf_release(&value);
	return rc;
}

static int tell_refused(const char *path, const char *text, const char *why, int code,
			struct err *err)
{
	if (code == -ENOENT)
		return err_set(err, code, "%s needs %s, which this kernel does not have", why,
			       path);
	if (code == -EPERM || code == -EACCES)
		return err_set(err, code, "%s needs %s, which may not be written: %s", why, path,
			       err_str(code));
	return err_set(err, code, "%s: '%.80s' is refused by %s: %s", why, text, path,
		       err_str(code));
}

static int put_flags(struct ftrace_instance *in, const char *file, int flags, const char *text,
		     const char *why, struct err *err)
{
	char *path = ftrace_path(in, file);
	int rc = flags & O_TRUNC ? remember(in, path, file) : 0;

	if (!rc)
		rc = file_put(path, flags, text);
	if (rc)
		tell_refused(path, text, why, rc, err);
	free(path);
	return rc;
}

int ftrace_put(struct ftrace_instance *in, const char *file, const char *text, const char *why,
	       struct err *err)
{
	return put_flags(in, file, O_TRUNC, text, why, err);
}

int ftrace_add(struct ftrace_instance *in, const char *file, const char *text, const char *why,
	       struct err *err)
{
	return put_flags(in, file, O_APPEND, text, why, err);
}

int ftrace_change(struct ftrace_instance *in, const char *path, const char *text, const char *undo,
		  const char *why, struct err *err)
{
	int rc = guard_tell(&in->guard, GUARD_APPEND, path, undo);

	if (!rc)
		rc = file_put(path, O_APPEND, text);
	return rc ? tell_refused(path, text, why, rc, err) : 0;
}

bool ftrace_has_word(const struct ftrace_instance *in, const char *file, const char *word)
{
	struct strbuf text = STRBUF_INIT;
	const size_t len = strlen(word);
	bool found = false;

	if (!ftrace_get(in, file, &text))
		for (const char *p = text.buf; p && !found; p = strpbrk(p, " \n")) {
			p += strspn(p, " \n");
			found = !strncmp(p, word, len) && strchr(" \n", p[len]);
			if (!*p)
				break;
		}
	strbuf_release(&text);
	return found;
}
