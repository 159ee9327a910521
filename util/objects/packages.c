// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "objects/packages.h"

#include "base/alloc.h"
#include "base/intern.h"

#include <dirent.h>

#define LISTS "/var/lib/dpkg/info"
#define MAX_LIST (64 << 20) /* bytes; the longest ones have a few */

/* The files whose owners are looked for. */
struct wanted {
	struct intern paths;
	u32 *file; /* owned; by id of the path: index of the file */
	size_t cap;
	char **owners; /* borrowed */
};

static void want(struct wanted *w, const char *path, size_t file)
{
	u32 id = intern_str_id(&w->paths, path);

	VEC_GROW(w->file, id + 1, w->cap);
	w->file[id] = (u32)file;
}

/* /lib is /usr/lib since some years, and packages list their files in either way. */
static void want_both(struct wanted *w, const char *path, size_t file)
{
	static const char usr[] = "/usr";
	char *other;

	want(w, path, file);
	if (!strncmp(path, usr, strlen(usr)) && path[strlen(usr)] == '/') {
		want(w, path + strlen(usr), file);
		return;
	}
	other = xasprintf("%s%s", usr, path);
	want(w, other, file);
	free(other);
}

/* Look through the list of a package, which has one path on each line. */
static void search_list(struct wanted *w, const char *package, size_t len, const char *text,
			const char *end)
{
	while (text < end) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		u32 id = intern_find(&w->paths, text, (size_t)((eol ? eol : end) - text));

		if (id && id != UINT32_MAX && !w->owners[w->file[id]])
			w->owners[w->file[id]] = xasprintf("%.*s", (int)len, package);
		text = eol ? eol + 1 : end;
	}
}

/* Length of the package's name in that of its list, "NAME.list" or "NAME:ARCHITECTURE.list"; 0: it
 * is another file. */
static size_t name_length(const char *file)
{
	const char *dot = strrchr(file, '.');

	return dot && !strcmp(dot, ".list") ? MIN(strcspn(file, ":"), (size_t)(dot - file)) : 0;
}

static void search_lists(struct wanted *w, const struct sysroot *sr)
{
	char *path = sysroot_path(sr, "%s", LISTS);
	DIR *d = opendir(path);
	struct strbuf text = STRBUF_INIT;
	const struct dirent *e;

	free(path);
	while (d && (e = readdir(d))) {
		size_t len = name_length(e->d_name);

		strbuf_reset(&text);
		if (len && !sysroot_read_max(sr, MAX_LIST, &text, "%s/%s", LISTS, e->d_name))
			search_list(w, e->d_name, len, strbuf_str(&text),
				    strbuf_str(&text) + text.len);
	}
	if (d)
		closedir(d);
	strbuf_release(&text);
}

void packages_find(const struct sysroot *sr, const char *const *paths, size_t nr, char **owners)
{
	struct wanted w = { .owners = owners };

	for (size_t i = 0; i < nr; i++) {
		owners[i] = NULL;
		if (paths[i] && paths[i][0] == '/')
			want_both(&w, paths[i], i);
	}
	if (w.paths.nr)
		search_lists(&w, sr);
	intern_release(&w.paths);
	free(w.file);
}

char *package_debug(const char *owner)
{
	/* These are packages by hand, older than those that are made for each one. */
	bool by_hand = !strcmp(owner, "libc6") || !strncmp(owner, "linux-image-", 12);

	return xasprintf("%s%s", owner, by_hand ? "-dbg" : "-dbgsym");
}
