// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The output of exports. A file gets its name when it is complete, so if the process is killed, the
 * former file remains. Until then the new file has no name or, on file systems without such files,
 * a temporary name.
 */
#include "base/compat.h"

#include "export/export.h"

#include "base/alloc.h"
#include "base/escape.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER (256u << 10)

struct export_out {
	struct strbuf own, *buf; /* bytes that are not written yet */
	char *path;              /* as requested; NULL: memory or standard output */
	char *real;              /* the file to replace at the end; NULL: @path itself is written */
	char *temp;              /* its temporary name; NULL: it has none */
	int fd;                  /* -1: memory */
	mode_t mode;             /* mode of the file to replace; 0: there is none */
	int failed;              /* a negative errno */
	u64 written;
};

/* ---- files ---- */

/*
 * Tell whether the file can be replaced by another one. It must be a regular file without other
 * names that belongs to the user.
 */
static bool replaceable(const char *path, mode_t *mode)
{
	struct stat st;

	*mode = 0;
	if (stat(path, &st))
		return errno == ENOENT;
	*mode = st.st_mode & 0777;
	return S_ISREG(st.st_mode) && st.st_nlink == 1 && st.st_uid == geteuid() &&
	       !access(path, W_OK);
}

/* Return the target of a symbolic link; a dangling link is written through. */
static char *real_path(const char *path)
{
	struct stat st;

	if (lstat(path, &st))
		return xstrdup(path);
	return S_ISLNK(st.st_mode) ? realpath(path, NULL) : xstrdup(path);
}

/*
 * Open a file without a name, or with a temporary one, beside the file to replace. Return: whether
 * that worked.
 */
static bool open_beside(struct export_out *o)
{
	char *copy = xstrdup(o->real), *folder = dirname(copy);

	/* the name is given through /proc */
	o->fd = access("/proc/self/fd", X_OK)
			? -1
			: open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	free(copy);
	if (o->fd < 0) {
		o->temp = xasprintf("%s.%d.tmp", o->real, (int)getpid());
		o->fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	}
	return o->fd >= 0;
}

static void open_file(struct export_out *o)
{
	o->real = replaceable(o->path, &o->mode) ? real_path(o->path) : NULL;
	if (o->real && open_beside(o))
		return;
	free(o->real);
	free(o->temp);
	o->real = o->temp = NULL;
	o->fd = open(o->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

/* Give the complete file its name. Return: 0 or a negative errno. */
static int give_name(struct export_out *o)
{
	char of[32];

	if (o->mode && fchmod(o->fd, o->mode))
		return -errno;
	if (!o->temp) {
		snprintf(of, sizeof(of), "/proc/self/fd/%d", o->fd);
		o->temp = xasprintf("%s.%d.tmp", o->real, (int)getpid());
		unlink(o->temp);
		if (linkat(AT_FDCWD, of, AT_FDCWD, o->temp, AT_SYMLINK_FOLLOW)) {
			free(o->temp);
			o->temp = NULL;
			return -errno;
		}
	}
	return rename(o->temp, o->real) ? -errno : 0;
}

int export_check(const char *path)
{
	char *copy = xstrdup(path);
	struct stat st;
	int code = 0;

	if (!strcmp(path, "-"))
		code = 0;
	else if (stat(path, &st))
		code = access(dirname(copy), W_OK | X_OK) ? -errno : 0;
	else if (S_ISDIR(st.st_mode))
		code = -EISDIR;
	else if (access(path, W_OK))
		code = -errno;
	free(copy);
	return code;
}

bool export_is_page(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (!strcmp(dot, ".html") || !strcmp(dot, ".htm"));
}

struct export_out *export_open(const char *path, struct err *err)
{
	struct export_out *o = xzalloc(sizeof(*o));
	char name[1024];

	o->buf = &o->own;
	o->fd = STDOUT_FILENO;
	if (!strcmp(path, "-"))
		return o;
	o->path = xstrdup(path);
	open_file(o);
	if (o->fd < 0) {
		int code = -errno;

		escape_name(name, sizeof(name), path);
		err_set(err, code, "Cannot write %s: %s", name, err_str(code));
		free(o->path);
		free(o);
		return NULL;
	}
	return o;
}

struct export_out *export_memory(struct strbuf *to)
{
	struct export_out *o = xzalloc(sizeof(*o));

	o->buf = to;
	o->fd = -1;
	return o;
}

static void write_all(struct export_out *o, const char *p, size_t left)
{
	while (left && !o->failed) {
		ssize_t n = write(o->fd, p, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			o->failed = n ? -errno : -EIO;
			break;
		}
		p += n;
		left -= n;
		o->written += n;
	}
}

static void flush(struct export_out *o)
{
	if (o->fd < 0)
		return;
	write_all(o, o->buf->buf, o->buf->len);
	strbuf_reset(o->buf);
}

static void out_free(struct export_out *o)
{
	strbuf_release(&o->own);
	free(o->path);
	free(o->real);
	free(o->temp);
	free(o);
}

/* Remove everything, except what was written to a file that existed before and is not ours. */
static void forget(struct export_out *o)
{
	if (o->real && o->temp)
		unlink(o->temp);
}

int export_close(struct export_out *o, struct err *err)
{
	char name[1024] = "standard output";
	int ret;

	flush(o);
	if (o->real && !o->failed)
		o->failed = give_name(o);
	if (o->path && close(o->fd) && !o->failed)
		o->failed = -errno;
	ret = o->failed;
	if (ret) {
		if (o->path)
			escape_name(name, sizeof(name), o->path);
		err_set(err, ret, "Cannot write %s: %s", name, err_str(ret));
		forget(o);
	}
	out_free(o);
	return ret;
}

void export_cancel(struct export_out *o)
{
	if (o->path)
		close(o->fd);
	forget(o);
	out_free(o);
}

bool export_failed(const struct export_out *o)
{
	return o->failed;
}

bool export_streams(const struct export_out *o)
{
	struct stat st;

	return o->fd >= 0 && (!o->path || fstat(o->fd, &st) || !S_ISREG(st.st_mode));
}

u64 export_bytes(const struct export_out *o)
{
	return o->written + o->buf->len;
}

struct strbuf *export_buf(struct export_out *o)
{
	return o->buf;
}

void export_more(struct export_out *o)
{
	if (o->buf->len >= BUFFER)
		flush(o);
}

void export_put(struct export_out *o, const void *data, size_t len)
{
	if (len >= BUFFER && o->fd >= 0) { /* it need not be copied */
		flush(o);
		write_all(o, data, len);
		return;
	}
	strbuf_add(o->buf, data, len);
	export_more(o);
}

void export_str(struct export_out *o, const char *s)
{
	export_put(o, s, strlen(s));
}

void export_ch(struct export_out *o, char c)
{
	strbuf_addch(o->buf, c);
	export_more(o);
}

void export_dec(struct export_out *o, u64 v)
{
	strbuf_dec(o->buf, v, 0);
	export_more(o);
}

void export_f(struct export_out *o, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(o->buf, fmt, ap);
	va_end(ap);
	export_more(o);
}
