// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeps the file or folder at the path of a new recording as "<path>.old". A folder with that name
 * is removed only if it is a recording.
 */
#include "base/compat.h"
#include "file/keep-old.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_numbered(const char *name, const char *base, char mark)
{
	size_t len = strlen(base);

	if (strncmp(name, base, len))
		return false;
	name += len;
	return !*name || (*name == mark && name[1] && !name[1 + strspn(name + 1, "0123456789")]);
}

/* Tell whether a name belongs to the folder of a recording, or to the folder of kcore in it. */
static bool is_ours(const char *name, bool in_kcore)
{
	static const char *const kcore[] = { "kcore", "kallsyms", "modules" };

	for (size_t i = 0; in_kcore && i < ARRAY_SIZE(kcore); i++)
		if (!strcmp(name, kcore[i]))
			return true;
	return !in_kcore && (!strcmp(name, "header") || is_numbered(name, "data", '.'));
}

static bool is_kcore_folder(const char *name)
{
	return !strcmp(name, "kcore_dir") ||
	       (!strncmp(name, "kcore_dir__", 11) && isdigit((unsigned char)name[11]));
}

static int open_folder(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/*
 * Return: 0, or -EEXIST when the folder contains something that recordings do not have. @remove:
 * also remove everything
 */
static int walk_folder(int fd, bool in_kcore, bool remove)
{
	DIR *d = fdopendir(fd);
	struct dirent *de;
	int rc = 0;

	if (!d) {
		close(fd);
		return -ENOMEM;
	}
	while (!rc && (de = readdir(d))) {
		const char *name = de->d_name;
		int sub;

		if (!strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		if (!in_kcore && is_kcore_folder(name)) {
			sub = open_folder(dirfd(d), name);
			rc = sub < 0 ? sub : walk_folder(sub, true, remove);
			if (!rc && remove && unlinkat(dirfd(d), name, AT_REMOVEDIR))
				rc = -errno;
		} else if (!is_ours(name, in_kcore)) {
			rc = -EEXIST;
		} else if (remove && unlinkat(dirfd(d), name, 0)) {
			rc = -errno;
		}
	}
	closedir(d);
	return rc;
}

int recording_remove(const char *path)
{
	int fd = open_folder(AT_FDCWD, path), rc;

	if (fd == -ENOTDIR || fd == -ELOOP)
		return unlink(path) ? -errno : 0;
	if (fd < 0)
		return fd;
	rc = walk_folder(fd, false, false);
	if (rc)
		return rc;
	fd = open_folder(AT_FDCWD, path);
	rc = fd < 0 ? fd : walk_folder(fd, false, true);
	return rc ? rc : rmdir(path) ? -errno : 0;
}

/* Tell whether there is something at @path that has to be kept. */
static bool is_kept(const char *path)
{
	struct stat st;

	return !stat(path, &st) && (S_ISDIR(st.st_mode) || (S_ISREG(st.st_mode) && st.st_size));
}

static int unknown_file(const char *old, struct err *err)
{
	return err_set(err, -EEXIST, "Can't remove old data: Unknown file found (%s)", old);
}

int keep_old_probe(const char *path, struct err *err)
{
	char *old = xasprintf("%s.old", path);
	int fd = is_kept(path) ? open_folder(AT_FDCWD, old) : -ENOENT, rc = 0;

	if (fd >= 0 && walk_folder(fd, false, false) == -EEXIST)
		rc = unknown_file(old, err);
	free(old);
	return rc;
}

int keep_old(const char *path, struct err *err)
{
	struct stat st;
	char *old;
	int rc = 0;

	if (!is_kept(path))
		return 0;
	old = xasprintf("%s.old", path);
	if (!lstat(old, &st) && S_ISDIR(st.st_mode) && recording_remove(old) == -EEXIST) {
		rc = unknown_file(old, err);
	} else if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		/* rename() does not replace a file by a folder */
		unlink(old);
		if (rename(path, old))
			rc = err_set(err, -errno, "failed to rename %s to %s: %s", path, old,
				     err_str(-errno));
	} else if (rename(path, old)) {
		/* If the file cannot be kept, the new recording is more important. */
		unlink(path);
	}
	free(old);
	return rc;
}

int recording_mkdir(const char *path, struct err *err)
{
	struct stat st;
	int rc = keep_old(path, err);

	if (rc)
		return rc;
	/* an empty file is not kept */
	if (!lstat(path, &st) && S_ISREG(st.st_mode))
		unlink(path);
	if (mkdir(path, S_IRWXU) < 0)
		return err_set(err, -errno, "failed to create the folder %s: %s", path,
			       err_str(-errno));
	return 0;
}
