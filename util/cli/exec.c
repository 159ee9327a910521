// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cli/exec.h"

#include "base/alloc.h"
#include "base/sysroot.h"

#include <dirent.h>
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
		if (program_exists(NULL, NULL, path))
			names_add(n, de->d_name + 5);
		free(path);
	}
	closedir(d);
}

void exec_list_path(struct names *n, const char *except)
{
	const char *at = getenv("PATH"), *folder;
	size_t len;

	while ((folder = next_folder(&at, &len))) {
		char *dir = xstrndup(len ? folder : ".", len ? len : 1);

		if (strcmp(dir, except))
			exec_list_dir(n, dir);
		free(dir);
	}
}

void exec_external(const char *exec_dir, const char **argv)
{
	const char *env = getenv("PATH"), *name = argv[0];
	char *path, *program, *file;

	if (!*name || strchr(name, '/'))
		return;
	path = xasprintf("%s:%s", exec_dir, env ? env : "/usr/local/bin:/usr/bin:/bin");
	program = xasprintf("perf-%s", name);
	file = program_find(NULL, path, program);
	if (file) {
		setenv("PATH", path, 1);
		execv(file, (char *const *)argv);
	}
	free(file);
	free(program);
	free(path);
}
