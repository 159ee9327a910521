// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files as another process has them, while it lives. Its root directory is somebody else's, so that
 * links are followed below it only, and nothing is opened that is not a plain file.
 */
#include "base/compat.h"
#include "symbol/process-files.h"

#include "base/alloc.h"
#include "symbol/object-id.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Open a path below @root one component at a time, where openat2() is missing. It follows no
 * links. */
static int open_below(int root, const char *path)
{
	int dir = dup(root), next = dir < 0 ? -errno : dir;

	while (next >= 0 && *path) {
		size_t len = strcspn(path, "/");
		char *name = xstrndup(path, len);
		bool up = !strcmp(name, "..");

		path += len + strspn(path + len, "/");
		next = up ? -ELOOP : openat(dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (next == -1)
			next = -errno;
		free(name);
		close(dir);
		dir = next;
	}
	return next;
}

static int open_in_root(int root, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));

	if (fd >= 0)
		return fd;
	if (errno != ENOSYS && errno != EPERM)
		return -errno;
	return open_below(root, path + strspn(path, "/"));
}

/* Open a file for reading that was only looked up. Files that may block or act when they are opened
 * are refused. */
static int reopen(int fd)
{
	char self[32];
	struct stat st;
	int ret;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : S_ISLNK(st.st_mode) ? -ELOOP : -EINVAL;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	ret = open(self, O_RDONLY | O_CLOEXEC);
	return ret < 0 ? -errno : ret;
}

int process_file_open(const struct sysroot *sr, u32 pid, const char *path)
{
	char *root = sysroot_path(sr, "/proc/%u/root", pid);
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd, ret;

	ret = dir < 0 ? -errno : 0;
	free(root);
	if (ret)
		return ret;
	fd = open_in_root(dir, path);
	close(dir);
	if (fd < 0)
		return fd;
	ret = reopen(fd);
	close(fd);
	return ret;
}

char *process_file_path(const struct sysroot *sr, u32 pid, const char *path)
{
	return sysroot_path(sr, "/proc/%u/root%s", pid, path);
}

char *process_mapped_path(const struct sysroot *sr, u32 pid, u64 start, u64 end)
{
	return sysroot_path(sr, "/proc/%u/map_files/%" PRIx64 "-%" PRIx64, pid, start, end);
}

bool process_elsewhere(const struct sysroot *sr, u32 pid)
{
	struct root_view theirs, own;

	/* Most processes of a recording have ended, which is known at the first look. */
	return pid && pid != UINT32_MAX && root_view_read(sr, pid, &theirs) &&
	       root_view_read(sr, 0, &own) && memcmp(&theirs, &own, sizeof(own));
}

bool process_maps_file(const struct sysroot *sr, u32 pid, const char *path, u32 maj, u32 min,
		       u64 ino)
{
	char *want = xasprintf(" %02x:%02x %llu ", maj, min, (unsigned long long)ino);
	struct strbuf text = STRBUF_INIT;
	size_t len = strlen(path);
	bool found = false;

	if (!sysroot_read(sr, &text, "/proc/%u/maps", pid)) {
		for (const char *p = strbuf_str(&text); !found && (p = strstr(p, want)); p++) {
			const char *end = p + strcspn(p, "\n");

			found = (size_t)(end - p) > len && !strncmp(end - len, path, len) &&
				end[-(ptrdiff_t)len - 1] == ' ';
		}
	}
	strbuf_release(&text);
	free(want);
	return found;
}

u32 process_inner_pid(const struct sysroot *sr, u32 pid)
{
	struct strbuf text = STRBUF_INIT;
	const char *line, *last;
	u32 inner = pid;

	if (!sysroot_read(sr, &text, "/proc/%u/status", pid) &&
	    (line = strstr(strbuf_str(&text), "\nNSpid:"))) {
		line += strlen("\nNSpid:");
		last = line + strcspn(line, "\n");
		while (last > line && last[-1] >= '0' && last[-1] <= '9')
			last--;
		inner = (u32)strtoul(last, NULL, 10);
	}
	strbuf_release(&text);
	return inner ? inner : pid;
}

bool process_owner(const struct sysroot *sr, u32 pid, u32 *uid)
{
	char *path = sysroot_path(sr, "/proc/%u", pid);
	struct stat st;
	bool ok = !stat(path, &st);

	if (ok)
		*uid = st.st_uid;
	free(path);
	return ok;
}
