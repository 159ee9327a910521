// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cli/exec.h"

#include "base/alloc.h"

#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

void names_add(struct names *n, const char *s)
{
	VEC_GROW(n->v, n->nr + 1, n->cap);
	n->v[n->nr++] = xstrdup(s);
}

void names_split(struct names *n, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ",");

		if (len) {
			VEC_GROW(n->v, n->nr + 1, n->cap);
			n->v[n->nr++] = xstrndup(list, len);
		}
		list += len + (list[len] == ',');
	}
}

void names_release(struct names *n)
{
	size_t i;

	for (i = 0; i < n->nr; i++)
		free(n->v[i]);
	free(n->v);
	memset(n, 0, sizeof(*n));
}

static int cmp_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_sort(struct names *n)
{
	size_t i, kept = 0;

	if (n->nr)
		qsort(n->v, n->nr, sizeof(*n->v), cmp_names);
	for (i = 0; i < n->nr; i++) {
		if (kept && !strcmp(n->v[kept - 1], n->v[i]))
			free(n->v[i]);
		else
			n->v[kept++] = n->v[i];
	}
	n->nr = kept;
}

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

void exec_list_dir(struct names *n, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *de;

	if (!d)
		return;
	while ((de = readdir(d))) {
		char *path;

		if (strncmp(de->d_name, "perf-", 5) || !de->d_name[5])
			continue;
		path = xasprintf("%s/%s", dir, de->d_name);
		if (is_program(path))
			names_add(n, de->d_name + 5);
		free(path);
	}
	closedir(d);
}

void exec_list_path(struct names *n, const char *except)
{
	const char *path = getenv("PATH");
	char *copy = xstrdup(path ? path : ""), *dir, *save = NULL;

	for (dir = strtok_r(copy, ":", &save); dir; dir = strtok_r(NULL, ":", &save))
		if (strcmp(dir, except))
			exec_list_dir(n, dir);
	free(copy);
}

void exec_external(const char *exec_dir, const char **argv)
{
	const char *env = getenv("PATH"), *name = argv[0];
	char *path, *copy, *dir, *save = NULL, *file;

	if (!*name || strchr(name, '/'))
		return;
	path = xasprintf("%s:%s", exec_dir, env ? env : "/usr/local/bin:/usr/bin:/bin");
	copy = xstrdup(path);
	for (dir = strtok_r(copy, ":", &save); dir; dir = strtok_r(NULL, ":", &save)) {
		file = xasprintf("%s/perf-%s", dir, name);
		if (is_program(file)) {
			setenv("PATH", path, 1);
			execv(file, (char *const *)argv);
		}
		free(file);
	}
	free(copy);
	free(path);
}

/* Return @dir/@page.1, plain or compressed, if it exists. */
static char *page_in(const char *dir, const char *page)
{
	static const char *const ends[] = { "", ".gz" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		char *path = xasprintf("%s/%s.1%s", dir, page, ends[i]);

		if (!access(path, R_OK))
			return path;
		free(path);
	}
	return NULL;
}

char *man_page_path(const char *page, const char *man_dir)
{
	static const char *const below[] = { "/man", "/../share/man/man1" };
	char self[PATH_MAX], dir[PATH_MAX + 32], *found = NULL;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	if (strchr(page, '/'))
		return NULL;
	for (i = 0; n > 0 && !found && i < ARRAY_SIZE(below); i++) {
		self[n] = 0;
		snprintf(dir, sizeof(dir), "%.*s%s", (int)(strrchr(self, '/') - self), self,
			 below[i]);
		found = page_in(dir, page);
	}
	return found ? found : page_in(man_dir, page);
}
