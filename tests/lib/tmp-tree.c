// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmp-tree.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

void file_write(const char *path, const void *data, size_t size)
{
	char *copy = xstrdup(path), *p;
	int fd;

	for (p = copy + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		if (mkdir(copy, 0755) && errno != EEXIST)
			abort();
	}
	free(copy);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

void tree_put(const char *root, const char *path, const char *text)
{
	char *full = xasprintf("%s/%s", root, path);

	file_write(full, text, strlen(text));
	free(full);
}

char *tmp_dir(void)
{
	const char *base = getenv("TMPDIR");
	char *dir = xasprintf("%s/perf-unit-XXXXXX", base ? base : "/tmp");

	if (!mkdtemp(dir))
		abort();
	return dir;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void tmp_remove(char *dir)
{
	nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(dir);
}
