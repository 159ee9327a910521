// SPDX-License-Identifier: GPL-2.0-or-later
/* Find, list and remove objects of the build-id cache. add.c puts them in. */
#include "base/compat.h"

#include "buildid/buildid-internal.h"
#include "buildid/cache.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const leaves[] = { "elf", "kallsyms", "vdso" };

static bool is_hex(const char *s, size_t len)
{
	return len && strspn(s, "0123456789abcdef") == len && !s[len];
}

static char *link_path(const char *dir, const char *hex)
{
	return xasprintf("%s/.build-id/%.2s/%s", dir, hex, hex + 2);
}

bool cache_has(const char *dir, const char *hex, const char *leaf)
{
	char *link, *path;
	struct stat st;
	bool there = false;
	size_t i;

	if (strlen(hex) < 3)
		return false;
	link = link_path(dir, hex);
	for (i = 0; i < ARRAY_SIZE(leaves) && !there; i++) {
		if (leaf && strcmp(leaf, leaves[i]))
			continue;
		path = xasprintf("%s/%s", link, leaves[i]);
		there = !access(path, F_OK);
		free(path);
	}
	/* Old caches have the object itself where newer ones have a folder. */
	if (!there && (!leaf || !strcmp(leaf, "elf")))
		there = !stat(link, &st) && S_ISREG(st.st_mode);
	free(link);
	return there;
}

/* Links are ../../NAME/HEX. What leads elsewhere is not ours. */
char *cache_entry_path(const char *dir, const char *hex)
{
	char target[4096], *link;
	ssize_t n;

	if (strlen(hex) < 3)
		return NULL;
	link = link_path(dir, hex);
	n = readlink(link, target, sizeof(target) - 1);
	free(link);
	if (n <= 6)
		return NULL;
	target[n] = '\0';
	if (strncmp(target, "../../", 6) || target[6] == '/' || !strncmp(target + 6, "../", 3) ||
	    strstr(target + 6, "/../") || (n >= 3 && !strcmp(target + n - 3, "/..")))
		return NULL;
	return xstrdup(target + 6);
}

void cache_list_add(struct cache_list *l, const char *hex, char *name)
{
	struct cache_entry *e;

	VEC_GROW(l->v, l->nr + 1, l->cap);
	e = &l->v[l->nr++];
	*e = (struct cache_entry){ .name = name };
	snprintf(e->hex, sizeof(e->hex), "%s", hex);
}

static int cmp_entries(const void *a, const void *b)
{
	const struct cache_entry *x = a, *y = b;

	return strcmp(x->hex, y->hex);
}

/* Tell whether a link of the open folder leads to a folder with that file. */
static bool link_has(int fd, const char *link, const char *leaf)
{
	char path[128];

	return snprintf(path, sizeof(path), "%s/%s", link, leaf) < (int)sizeof(path) &&
	       !faccessat(fd, path, F_OK, 0);
}

/* List the entries of one DIR/.build-id/xx. */
static void list_links(const char *dir, const char *xx, const char *leaf, struct cache_list *out)
{
	char *path = xasprintf("%s/.build-id/%s", dir, xx);
	DIR *d = opendir(path);
	struct dirent *de;

	free(path);
	while (d && (de = readdir(d))) {
		char hex[41], *name, *slash;
		bool there;

		if (!is_hex(de->d_name, strlen(de->d_name)) || strlen(de->d_name) > 38)
			continue;
		snprintf(hex, sizeof(hex), "%s%s", xx, de->d_name);
		there = leaf ? link_has(dirfd(d), de->d_name, leaf) : cache_has(dir, hex, NULL);
		name = there ? cache_entry_path(dir, hex) : NULL;
		slash = name ? strrchr(name, '/') : NULL;
		if (!slash) {
			free(name);
			continue;
		}
		*slash = '\0';
		cache_list_add(out, hex, *name == '[' ? xstrdup(name) : xasprintf("/%s", name));
		free(name);
	}
	if (d)
		closedir(d);
}

void cache_list(const char *dir, const char *leaf, struct cache_list *out)
{
	char *path = xasprintf("%s/.build-id", dir);
	DIR *d = opendir(path);
	struct dirent *de;

	free(path);
	memset(out, 0, sizeof(*out));
	while (d && (de = readdir(d)))
		if (is_hex(de->d_name, 2))
			list_links(dir, de->d_name, leaf, out);
	if (d)
		closedir(d);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), cmp_entries);
}

void cache_list_release(struct cache_list *l)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		free(l->v[i].name);
	free(l->v);
	memset(l, 0, sizeof(*l));
}

int remove_entry(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dirent *de;
	DIR *d;

	if (fd < 0)
		return errno == ENOTDIR && !unlink(path) ? 0 : -errno;
	d = fdopendir(fd);
	if (!d) {
		close(fd);
		return -ENOMEM;
	}
	while ((de = readdir(d)))
		if (strcmp(de->d_name, ".") && strcmp(de->d_name, ".."))
			unlinkat(dirfd(d), de->d_name, 0);
	closedir(d);
	return rmdir(path) ? -errno : 0;
}

int cache_remove(const char *dir, const char *hex)
{
	char *link, *entry, *path;
	int ret;

	if (strlen(hex) < 3)
		return -ENOENT;
	link = link_path(dir, hex);
	entry = cache_entry_path(dir, hex);
	/* The link first: it never leads to half an entry. */
	ret = unlink(link) ? -errno : 0;
	if (!ret && entry) {
		path = xasprintf("%s/%s", dir, entry);
		ret = remove_entry(path);
		if (ret == -ENOENT)
			ret = 0;
		free(path);
	}
	free(entry);
	free(link);
	return ret;
}

void cache_drop(const char *dir, const char *name, const char *hex)
{
	char *path = xasprintf("%s%s%s/%s", dir, *name == '/' ? "" : "/", name, hex);
	char *linked = cache_entry_path(dir, hex), *full = NULL;

	if (linked)
		full = xasprintf("%s/%s", dir, linked);
	if (full && !strcmp(full, path))
		cache_remove(dir, hex);
	else
		remove_entry(path);
	free(full);
	free(linked);
	free(path);
}

int cache_ids(const char *dir, const char *name, struct cache_list *out)
{
	char *path = xasprintf("%s%s%s", dir, *name == '/' ? "" : "/", name);
	DIR *d = opendir(path);
	int ret = d ? 0 : -errno;
	struct dirent *de;

	free(path);
	memset(out, 0, sizeof(*out));
	while (d && (de = readdir(d))) {
		size_t len = strlen(de->d_name);

		/* /usr/bin/ab may be an object or a folder of others: build-ids are longer. */
		if (len >= 8 && len <= 40 && is_hex(de->d_name, len))
			cache_list_add(out, de->d_name, xstrdup(name));
	}
	if (d)
		closedir(d);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), cmp_entries);
	return ret;
}
