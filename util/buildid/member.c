// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "buildid/member.h"

#include "base/alloc.h"
#include "buildid/buildid-internal.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A relative path that goes nowhere but down. */
static bool goes_down(const char *name)
{
	const char *p = name;

	if (!*name)
		return false;
	for (;;) {
		size_t len = strcspn(p, "/");

		if (!len || (p[0] == '.' && (len == 1 || (len == 2 && p[1] == '.'))))
			return false;
		if (!p[len])
			return true;
		p += len + 1;
	}
}

static bool is_hex_part(const char *p, size_t len)
{
	return len && strspn(p, "0123456789abcdef") >= len;
}

/* Return the folder that names the build-id. It is the last one but those of a time (kcore). */
static const char *hex_part(const char *name, size_t *len)
{
	const char *p = name, *found = NULL;

	for (; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL) {
		size_t n = strcspn(p, "/");

		if (p != name && p[n] && n >= 8 && n <= 40 && is_hex_part(p, n)) {
			found = p;
			*len = n;
		}
	}
	return found;
}

static bool is_link_name(const char *name)
{
	size_t len = strlen(name);

	return len > 13 && len <= 51 && is_hex_part(name + 10, 2) && name[12] == '/' &&
	       is_hex_part(name + 13, len - 13);
}

enum cache_member cache_member(const char *name)
{
	size_t len;

	if (!goes_down(name))
		return CACHE_MEMBER_BAD;
	if (!strchr(name, '/'))
		return CACHE_MEMBER_TOP;
	if (!strncmp(name, ".build-id/", 10))
		return is_link_name(name) ? CACHE_MEMBER_LINK : CACHE_MEMBER_BAD;
	return hex_part(name, &len) ? CACHE_MEMBER_FILE : CACHE_MEMBER_BAD;
}

bool cache_member_target(const char *name, const char *target)
{
	const char *last = strrchr(target, '/');

	if (cache_member(name) != CACHE_MEMBER_LINK || strncmp(target, "../../", 6) ||
	    !goes_down(target + 6) || last <= target + 5)
		return false;
	return !strncmp(last + 1, name + 10, 2) && !strcmp(last + 3, name + 13);
}

static int fd_or_errno(int fd)
{
	return fd < 0 ? -errno : fd;
}

/* The folder of a member, made when @make. *@leaf: what is left of the name. Return: fd, -errno. */
static int member_dir(const char *dir, const char *name, bool make, const char **leaf)
{
	const char *slash;
	int at, next;

	if (make)
		make_dirs(dir);
	at = fd_or_errno(open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	for (; at >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
		char *part = xstrndup(name, (size_t)(slash - name));

		if (make)
			mkdirat(at, part, 0755);
		next = fd_or_errno(
			openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
		free(part);
		close(at);
		at = next;
	}
	*leaf = name;
	return at;
}

static char *unfinished(const char *leaf)
{
	return xasprintf(".%s.unpacking", leaf);
}

int cache_member_create(const char *dir, const char *name)
{
	const char *leaf;
	int at = member_dir(dir, name, true, &leaf), fd;
	char *tmp;

	if (at < 0)
		return at;
	if (!faccessat(at, leaf, F_OK, AT_SYMLINK_NOFOLLOW)) {
		close(at);
		return -EEXIST;
	}
	tmp = unfinished(leaf);
	unlinkat(at, tmp, 0);
	fd = fd_or_errno(
		openat(at, tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
	free(tmp);
	close(at);
	return fd;
}

int cache_member_finish(const char *dir, const char *name, int fd, bool keep)
{
	const char *leaf;
	int ret = close(fd) ? -errno : 0, at = member_dir(dir, name, false, &leaf);
	char *tmp;

	if (at < 0)
		return at;
	tmp = unfinished(leaf);
	if (keep && !ret && renameat(at, tmp, at, leaf))
		ret = -errno;
	if (!keep || ret)
		unlinkat(at, tmp, 0);
	free(tmp);
	close(at);
	return ret;
}

int cache_member_open(const char *dir, const char *name)
{
	const char *leaf;
	int at = member_dir(dir, name, false, &leaf), fd;

	if (at < 0)
		return at;
	fd = fd_or_errno(openat(at, leaf, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
	close(at);
	return fd;
}

void cache_member_remove(const char *dir, const char *name)
{
	const char *leaf;
	int at = member_dir(dir, name, false, &leaf);

	if (at < 0)
		return;
	unlinkat(at, leaf, 0);
	close(at);
}

int cache_member_link(const char *dir, const char *name, const char *target)
{
	const char *leaf;
	int at = member_dir(dir, name, true, &leaf), ret = 0;

	if (at < 0)
		return at;
	if (symlinkat(target, at, leaf) && errno != EEXIST)
		ret = -errno;
	/* An old link that leads nowhere is replaced. */
	if (!ret && faccessat(at, leaf, F_OK, 0) && !unlinkat(at, leaf, 0) &&
	    symlinkat(target, at, leaf))
		ret = -errno;
	close(at);
	return ret;
}

bool cache_member_right(const char *dir, const char *name)
{
	char self[32], hex[41] = "";
	size_t len = 0;
	const char *part = hex_part(name, &len);
	int fd = cache_member_open(dir, name), n;
	u8 id[20];

	if (fd < 0)
		return false;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	n = elf_build_id(self, id);
	close(fd);
	if (n > 0)
		build_id_hex(id, (u8)n, hex);
	return n > 0 && part && strlen(hex) == len && !strncmp(hex, part, len);
}
