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

void names_table(const struct names *n, const char *title, unsigned int width, struct strbuf *out)
{
	size_t longest = 0, per_line, col = 0;

	if (!n->nr)
		return;
	strbuf_addf(out, "%s\n", title);
	for (size_t i = 0; title[i]; i++)
		strbuf_addch(out, '-');
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < n->nr; i++)
		longest = MAX(longest, strlen(n->v[i]));
	per_line = MAX((size_t)1, width / (longest + 3));
	for (size_t i = 0; i < n->nr; i++) {
		bool last = ++col == per_line || i + 1 == n->nr;

		strbuf_addf(out, "  %-*s", last ? 0 : (int)longest, n->v[i]);
		if (last) {
			strbuf_addch(out, '\n');
			col = 0;
		}
	}
	strbuf_addch(out, '\n');
}

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

bool exec_is_command(const char *word)
{
	const char *env = getenv("PATH");
	char *copy = xstrdup(env ? env : ""), *dir, *save = NULL;
	bool found = strchr(word, '/') && is_program(word);

	for (dir = strtok_r(copy, ":", &save); dir && !found && !strchr(word, '/');
	     dir = strtok_r(NULL, ":", &save)) {
		char *path = xasprintf("%s/%s", dir, word);

		found = is_program(path);
		free(path);
	}
	free(copy);
	return found;
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
