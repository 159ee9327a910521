// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/sysroot.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char *vpath(const struct sysroot *sr, const char *fmt, va_list ap)
{
	struct strbuf sb = STRBUF_INIT;

	if (sr && sr->prefix)
		strbuf_addstr(&sb, sr->prefix);
	strbuf_vaddf(&sb, fmt, ap);
	return strbuf_detach(&sb);
}

static int open_path(char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fd = -errno;
	free(path);
	return fd;
}

static int read_path(char *path, size_t max, struct strbuf *out)
{
	size_t start = out->len;
	int fd = open_path(path);
	ssize_t n;

	if (fd < 0)
		return fd;
	do {
		strbuf_grow(out, 4096);
		n = read(fd, out->buf + out->len, out->alloc - out->len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		out->len += (size_t)n;
		out->buf[out->len] = '\0';
	} while (n && out->len - start <= max);
	n = n < 0 ? -errno : n ? -EFBIG : 0;
	close(fd);
	return (int)n;
}

int sysroot_open(const struct sysroot *sr, const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = vpath(sr, fmt, ap);
	va_end(ap);
	return open_path(path);
}

char *sysroot_path(const struct sysroot *sr, const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = vpath(sr, fmt, ap);
	va_end(ap);
	return path;
}

int sysroot_read(const struct sysroot *sr, struct strbuf *out, const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = vpath(sr, fmt, ap);
	va_end(ap);
	return read_path(path, SIZE_MAX, out);
}

int sysroot_read_max(const struct sysroot *sr, size_t max, struct strbuf *out, const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = vpath(sr, fmt, ap);
	va_end(ap);
	return read_path(path, max, out);
}

int sysroot_read_u64(const struct sysroot *sr, u64 *out, const char *fmt, ...)
{
	struct strbuf sb = STRBUF_INIT;
	va_list ap;
	char *path, *end;
	int ret;

	va_start(ap, fmt);
	path = vpath(sr, fmt, ap);
	va_end(ap);
	ret = read_path(path, SIZE_MAX, &sb);
	if (!ret) {
		errno = 0;
		*out = strtoull(strbuf_str(&sb), &end, 10);
		if (end == strbuf_str(&sb) || errno)
			ret = -EINVAL;
	}
	strbuf_release(&sb);
	return ret;
}

enum lockdown sysroot_lockdown(const struct sysroot *sr)
{
	struct strbuf sb = STRBUF_INIT;
	enum lockdown l = LOCKDOWN_NONE;

	/* the current state is in brackets */
	if (!sysroot_read(sr, &sb, "/sys/kernel/security/lockdown")) {
		if (strstr(strbuf_str(&sb), "[integrity]"))
			l = LOCKDOWN_INTEGRITY;
		else if (strstr(strbuf_str(&sb), "[confidentiality]"))
			l = LOCKDOWN_CONFIDENTIALITY;
	}
	strbuf_release(&sb);
	return l;
}

const char *next_folder(const char **at, size_t *len)
{
	const char *folder = *at;

	if (!folder || !*folder)
		return NULL;
	*len = strcspn(folder, ":");
	*at = folder + *len + (folder[*len] == ':');
	return folder;
}

static bool is_program(const struct sysroot *sr, const char *path)
{
	char *full = sysroot_path(sr, "%s", path);
	struct stat st;
	bool is = !stat(full, &st) && S_ISREG(st.st_mode) && !access(full, X_OK);

	free(full);
	return is;
}

char *program_find(const struct sysroot *sr, const char *folders, const char *name)
{
	const char *set = getenv("PATH"), *folder;
	size_t len;

	if (strchr(name, '/'))
		return is_program(sr, name) ? xstrdup(name) : NULL;
	folders = folders ? folders : set ? set : "/bin:/usr/bin";
	while (*name && (folder = next_folder(&folders, &len))) {
		char *path = xasprintf("%.*s/%s", len ? (int)len : 1, len ? folder : ".", name);

		if (is_program(sr, path))
			return path;
		free(path);
	}
	return NULL;
}

bool program_exists(const struct sysroot *sr, const char *folders, const char *name)
{
	char *path = program_find(sr, folders, name);

	free(path);
	return path != NULL;
}
