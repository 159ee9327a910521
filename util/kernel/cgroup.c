// SPDX-License-Identifier: GPL-2.0-or-later
/* Find control groups of both versions; /proc/mounts says where they are. */
#include "base/compat.h"
#include "kernel/cgroup.h"

#include "base/alloc.h"
#include "base/lines.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <regex.h>
#include <unistd.h>

#define CGROUP_DEPTH 64

/* Read a word of a line of /proc/mounts, where blanks in paths are written as \040. */
static bool take_word(const char **p, const char *end, struct strbuf *out)
{
	const char *s = *p;

	strbuf_reset(out);
	while (s < end && *s == ' ')
		s++;
	while (s < end && *s != ' ') {
		if (*s == '\\' && end - s >= 4 && s[1] >= '0' && s[1] <= '3') {
			strbuf_addch(out,
				     (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0')));
			s += 4;
		} else {
			strbuf_addch(out, *s++);
		}
	}
	*p = s;
	return out->len != 0;
}

/* Tell whether @word is one of the comma-separated @options. */
static bool has_option(const char *options, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = options;; p++) {
		size_t n = strcspn(p, ",");

		if (n == len && !memcmp(p, word, len))
			return true;
		p += n;
		if (!*p)
			return false;
	}
}

int cgroup_mount(const struct sysroot *sr, bool v2, struct strbuf *out)
{
	struct strbuf mounts = STRBUF_INIT, dev = STRBUF_INIT, dir = STRBUF_INIT;
	struct strbuf type = STRBUF_INIT, opts = STRBUF_INIT, found = STRBUF_INIT;
	int rc = sysroot_read(sr, &mounts, "/proc/self/mounts");
	const char *p = strbuf_str(&mounts), *end = p + mounts.len;
	struct line l;

	while (!rc && next_line(&p, end, &l)) {
		const char *q = l.p;

		if (!take_word(&q, l.end, &dev) || !take_word(&q, l.end, &dir) ||
		    !take_word(&q, l.end, &type) || !take_word(&q, l.end, &opts))
			continue;
		if (!v2 && !strcmp(strbuf_str(&type), "cgroup") &&
		    has_option(strbuf_str(&opts), "perf_event")) {
			strbuf_reset(&found);
			strbuf_addstr(&found, strbuf_str(&dir));
			break;
		}
		if (!found.len && !strcmp(strbuf_str(&type), "cgroup2"))
			strbuf_addstr(&found, strbuf_str(&dir));
	}
	if (!rc && !found.len)
		rc = -ENOENT;
	if (!rc)
		strbuf_addstr(out, strbuf_str(&found));
	strbuf_release(&mounts);
	strbuf_release(&dev);
	strbuf_release(&dir);
	strbuf_release(&type);
	strbuf_release(&opts);
	strbuf_release(&found);
	return rc;
}

static int find_mount(const struct sysroot *sr, struct strbuf *out, struct err *err)
{
	int rc = cgroup_mount(sr, false, out);

	return rc ? err_set(err, rc,
			    "there are no control groups to which events can be restricted: /proc/self/mounts has neither "
			    "a cgroup2 nor a cgroup with perf_event (%s)",
			    err_str(rc))
		  : 0;
}

int cgroup_open(const struct sysroot *sr, const char *name, struct err *err)
{
	struct strbuf mount = STRBUF_INIT;
	int fd = find_mount(sr, &mount, err);

	if (!fd) {
		fd = sysroot_open(sr, "%s/%s", strbuf_str(&mount), name);
		if (fd < 0)
			err_set(err, fd, "no access to cgroup %s/%s: %s", strbuf_str(&mount), name,
				err_str(fd));
	}
	strbuf_release(&mount);
	return fd;
}

static int check_access(const struct sysroot *sr, const char *name, struct err *err)
{
	int fd = cgroup_open(sr, name, err);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static void set_cgroup(struct evsel *e, const char *name)
{
	free(e->cgroup);
	e->cgroup = *name ? xstrdup(name) : NULL;
}

int evlist_set_cgroups(struct evlist *l, const struct sysroot *sr, const char *text, size_t *given,
		       struct err *err)
{
	char *only = NULL;
	int rc = 0;

	if (!l->nr)
		return err_set(err, -EINVAL, "must define events before cgroups");
	for (const char *p = text; !rc; p++) {
		size_t len = strcspn(p, ",");
		char *name = xstrndup(p, len);

		if (*given >= l->nr)
			rc = err_set(err, -EINVAL,
				     "more cgroups than events: there are %zu events before '%s'",
				     l->nr, name);
		else if (len)
			rc = check_access(sr, name, err);
		if (!rc)
			set_cgroup(l->evsels[(*given)++], name);
		free(only);
		only = name;
		p += len;
		if (!*p)
			break;
	}
	for (size_t i = 1; !rc && *given == 1 && i < l->nr; i++)
		set_cgroup(l->evsels[i], only);
	free(only);
	return rc;
}

/* --- one set of events per group ------------------------------------------ */

struct names {
	char **v; /* owned */
	size_t nr, cap;
};

static void add_name(struct names *n, const char *name, size_t len)
{
	VEC_GROW(n->v, n->nr + 1, n->cap);
	n->v[n->nr++] = xstrndup(name, len);
}

static void names_release(struct names *n)
{
	for (size_t i = 0; i < n->nr; i++)
		free(n->v[i]);
	free(n->v);
}

static int cmp_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Collect all groups below @path, which is below @mount. Their paths are relative to @mount. */
static void walk(const struct sysroot *sr, const char *mount, const char *path, int depth,
		 struct names *out)
{
	char *full = sysroot_path(sr, "%s/%s", mount, path);
	DIR *dir = opendir(full);
	struct dirent *d;

	free(full);
	while (dir && depth < CGROUP_DEPTH && (d = readdir(dir))) {
		char *below;

		if (d->d_type != DT_DIR || d->d_name[0] == '.')
			continue;
		below = xasprintf("%s%s%s", path, *path ? "/" : "", d->d_name);
		if (strlen(below) < PATH_MAX) {
			add_name(out, below, strlen(below));
			walk(sr, mount, below, depth + 1, out);
		}
		free(below);
	}
	if (dir)
		closedir(dir);
}

static bool matches_any(const char *path, const struct names *patterns)
{
	for (size_t i = 0; i < patterns->nr; i++) {
		regex_t re;
		bool hit;

		if (!*patterns->v[i])
			continue;
		if (!fnmatch(patterns->v[i], path, FNM_PATHNAME))
			return true;
		if (regcomp(&re, patterns->v[i], REG_NOSUB))
			continue;
		hit = !regexec(&re, path, 0, NULL, 0);
		regfree(&re);
		if (hit)
			return true;
	}
	return false;
}

static int match_names(const struct sysroot *sr, const char *text, struct names *names,
		       struct err *err)
{
	struct strbuf mount = STRBUF_INIT;
	struct names all = { 0 }, hits = { 0 };
	int rc = find_mount(sr, &mount, err);

	if (!rc) {
		walk(sr, strbuf_str(&mount), "", 0, &all);
		if (all.nr)
			qsort(all.v, all.nr, sizeof(*all.v), cmp_name);
		for (size_t i = 0; i < all.nr; i++)
			if (matches_any(all.v[i], names))
				add_name(&hits, all.v[i], strlen(all.v[i]));
		if (!hits.nr)
			rc = err_set(err, -ENOENT, "no cgroup matched: %s", text);
	}
	names_release(&all);
	names_release(names);
	*names = hits;
	strbuf_release(&mount);
	return rc;
}

/* A group that is named twice is used once. */
static void drop_repeated(struct names *names)
{
	size_t nr = 0;

	for (size_t i = 0; i < names->nr; i++) {
		bool before = false;

		for (size_t k = 0; k < nr && !before; k++)
			before = !strcmp(names->v[k], names->v[i]);
		if (before)
			free(names->v[i]);
		else
			names->v[nr++] = names->v[i];
	}
	names->nr = nr;
}

static int find_names(const struct sysroot *sr, const char *text, struct names *names,
		      struct err *err)
{
	int rc = 0;

	for (const char *p = text;; p++) {
		size_t len = strcspn(p, ",");

		/* an empty path is the root group */
		if (len)
			add_name(names, p, len);
		else
			add_name(names, "/", 1);
		p += len;
		if (!*p)
			break;
	}
	drop_repeated(names);
	if (strpbrk(text, "*?[]^$\\+(){}|"))
		return match_names(sr, text, names, err);
	for (size_t i = 0; !rc && i < names->nr; i++)
		rc = check_access(sr, names->v[i], err);
	return rc;
}

int evlist_for_each_cgroup(struct evlist *l, const struct sysroot *sr, const char *text,
			   struct err *err)
{
	struct names names = { 0 };
	struct evlist out = { 0 };
	int rc;

	if (!l->nr)
		return err_set(err, -EINVAL, "must define events before cgroups");
	rc = find_names(sr, text, &names, err);
	for (size_t i = 0; !rc && i < names.nr; i++) {
		for (size_t j = 0; j < l->nr; j++) {
			struct evsel *e = evlist_add_copy(&out, l->evsels[j]);
			char *name = xasprintf("%s,%s", e->name, names.v[i]);

			e->terms.named = true;
			e->terms.unnamed = false;
			set_cgroup(e, names.v[i]);
			free(e->name);
			e->name = name;
		}
	}
	if (!rc) {
		evlist_release(l);
		*l = out;
	}
	names_release(&names);
	return rc;
}
