// SPDX-License-Identifier: GPL-2.0-or-later
/* It is found which files hold the events of a trace, and whether a stream is one. */
#include "base/compat.h"

#include "blktrace/blktrace-internal.h"

#include "base/alloc.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/blktrace_api.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool blktrace_has_magic(const u8 *p)
{
	u32 magic;

	memcpy(&magic, p, sizeof(magic));
	return (magic & ~0xffU) == BLK_IO_TRACE_MAGIC ||
	       (__builtin_bswap32(magic) & ~0xffU) == BLK_IO_TRACE_MAGIC;
}

/* ---- files ---- */

static void add(struct blktrace_paths *p, char *path)
{
	VEC_GROW(p->v, p->nr + 1, p->cap);
	p->v[p->nr++] = path;
}

/* Tell whether a file has the name of one of a device's; of any device when @base is empty. */
static bool is_name(const char *name, const char *base, size_t len)
{
	const char *middle = len ? name + len : strstr(name, BLKTRACE_MIDDLE);

	if (!middle || strncmp(name, base, len) ||
	    strncmp(middle, BLKTRACE_MIDDLE, strlen(BLKTRACE_MIDDLE)))
		return false;
	middle += strlen(BLKTRACE_MIDDLE);
	return *middle && !middle[strspn(middle, "0123456789")];
}

static void add_from(struct blktrace_paths *p, const char *dir, const char *base, size_t len)
{
	DIR *d = opendir(*dir ? dir : ".");
	const struct dirent *e;

	if (!d)
		return;
	while ((e = readdir(d)))
		if (strlen(e->d_name) > len && is_name(e->d_name, base, len))
			add(p, xasprintf("%s%s%s", dir, *dir ? "/" : "", e->d_name));
	closedir(d);
}

static int compare(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

static bool file_is_trace(const char *path)
{
	u8 head[4];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is = fd >= 0 && pread(fd, head, sizeof(head), 0) == sizeof(head) &&
		  blktrace_has_magic(head);

	if (fd >= 0)
		close(fd);
	return is;
}

void blktrace_paths_find(const char *path, struct blktrace_paths *out)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	struct stat st;
	char *dir;

	*out = (struct blktrace_paths){ 0 };
	if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		add_from(out, path, "", 0);
	} else if (!stat(path, &st)) {
		if (S_ISREG(st.st_mode) && file_is_trace(path))
			add(out, xstrdup(path));
	} else if (*base) {
		dir = xstrndup(path, slash ? (size_t)MAX(slash - path, 1) : 0);
		add_from(out, dir, base, strlen(base));
		free(dir);
	}
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), compare);
}

void blktrace_paths_release(struct blktrace_paths *p)
{
	for (size_t i = 0; i < p->nr; i++)
		free(p->v[i]);
	free(p->v);
}

/* ---- standard input ---- */

/* Look at the first bytes of a pipe: tee() copies them and leaves them where they are. */
static bool pipe_is_trace(void)
{
	u8 head[4];
	int copy[2];
	bool is;

	if (pipe2(copy, O_CLOEXEC))
		return false;
	is = tee(STDIN_FILENO, copy[1], sizeof(head), 0) == sizeof(head) &&
	     read(copy[0], head, sizeof(head)) == sizeof(head) && blktrace_has_magic(head);
	close(copy[0]);
	close(copy[1]);
	return is;
}

static bool stdin_is_trace(void)
{
	u8 head[4];
	off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);

	if (at < 0)
		return pipe_is_trace();
	return pread(STDIN_FILENO, head, sizeof(head), at) == sizeof(head) &&
	       blktrace_has_magic(head);
}

bool blktrace_is(const char *path)
{
	struct blktrace_paths paths;
	bool is;

	if (!strcmp(path, "-"))
		return stdin_is_trace();
	blktrace_paths_find(path, &paths);
	is = paths.nr;
	blktrace_paths_release(&paths);
	return is;
}
