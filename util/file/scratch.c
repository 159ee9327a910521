// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "file/scratch.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int scratch_make(const char *name, char **path, struct err *err)
{
	const char *tmp = getenv("TMPDIR");

	*path = xasprintf("%s/%s-XXXXXX", tmp && *tmp ? tmp : "/tmp", name);
	if (mkdtemp(*path))
		return 0;
	err_set(err, -errno, "cannot make a folder for the recording: %s: %s", *path,
		err_str(-errno));
	free(*path);
	*path = NULL;
	return err->code;
}

/* Remove all files in a folder. Signal handlers call this, so it needs no memory of the heap. */
static void remove_all_in(int folder)
{
	char buf[4096] __attribute__((aligned(__alignof__(struct dirent64))));
	ssize_t len;

	while ((len = getdents64(folder, buf, sizeof(buf))) > 0)
		for (ssize_t at = 0; at < len;) {
			const struct dirent64 *d = (void *)(buf + at);
			int sub;

			at += d->d_reclen;
			if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, "..") ||
			    !unlinkat(folder, d->d_name, 0))
				continue;
			sub = openat(folder, d->d_name,
				     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			if (sub < 0)
				continue;
			remove_all_in(sub);
			close(sub);
			unlinkat(folder, d->d_name, AT_REMOVEDIR);
		}
}

void scratch_remove(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return;
	remove_all_in(fd);
	close(fd);
	rmdir(path);
}
