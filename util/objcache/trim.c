// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "objcache/trim-internal.h"

#include "base/alloc.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LEFTOVER 3600 /* seconds; no file is being written for so long */

struct entry {
	char *path; /* owned */
	u64 size;
	struct timespec used;
};

struct entries {
	struct entry *v; /* owned */
	size_t nr, cap;
	u64 size; /* of all */
};

const char *const objcache_endings[OBJCACHE_KINDS] = { ".lines", ".symbols", ".source", ".kernel" };

/* Tell whether a file is one of this cache. */
static bool is_result(const char *name)
{
	const char *dot = strchr(name, '.');

	for (size_t i = 0; dot && i < OBJCACHE_KINDS; i++)
		if (!strncmp(dot, objcache_endings[i], strlen(objcache_endings[i])))
			return true;
	return false;
}

static void add_file(struct entries *e, int dir, const char *folder, const char *name)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
		return;
	if (strstr(name, OBJCACHE_TEMP)) {
		if (st.st_mtime + LEFTOVER < time(NULL))
			unlinkat(dir, name, 0);
		return;
	}
	VEC_GROW(e->v, e->nr + 1, e->cap);
	e->v[e->nr++] =
		(struct entry){ xasprintf("%s/%s", folder, name), (u64)st.st_size, st.st_mtim };
	e->size += (u64)st.st_size;
}

/* Tell whether a name is that of a folder of this cache: two digits in hex. */
static bool is_folder(const char *name)
{
	return strspn(name, "0123456789abcdef") == 2 && !name[2];
}

static void add_folder(struct entries *e, const char *path)
{
	DIR *d = opendir(path);
	struct dirent *entry;

	if (!d)
		return;
	while ((entry = readdir(d)))
		if (is_result(entry->d_name))
			add_file(e, dirfd(d), path, entry->d_name);
	closedir(d);
}

static int by_use(const void *a, const void *b)
{
	const struct timespec *x = &((const struct entry *)a)->used;
	const struct timespec *y = &((const struct entry *)b)->used;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

/* Find all files of the cache. Free with release(). */
static void find_files(struct entries *e, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		char *path = is_folder(entry->d_name) ? xasprintf("%s/%s", dir, entry->d_name)
						      : NULL;

		if (path)
			add_folder(e, path);
		free(path);
	}
	if (d)
		closedir(d);
}

static void release(struct entries *e)
{
	for (size_t i = 0; i < e->nr; i++)
		free(e->v[i].path);
	free(e->v);
}

void objcache_trim(const char *dir, u64 size)
{
	struct entries e = { 0 };

	find_files(&e, dir);
	/* A quarter is made free, so that not every process has to do this. */
	if (e.size > size) {
		qsort(e.v, e.nr, sizeof(*e.v), by_use);
		for (size_t i = 0; i < e.nr && e.size > size - size / 4; i++) {
			unlink(e.v[i].path);
			e.size -= e.v[i].size;
		}
	}
	release(&e);
}

void objcache_purge(const char *dir)
{
	struct entries e = { 0 };

	find_files(&e, dir);
	for (size_t i = 0; i < e.nr; i++)
		unlink(e.v[i].path);
	release(&e);
}
