// SPDX-License-Identifier: GPL-2.0-or-later
/* Find tracepoints by name: by globs over the directories of tracefs/events, with ids from their id
 * files. */
#include "base/compat.h"
#include "events/parse-internal.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <unistd.h>

struct names {
	char **v; /* owned, sorted */
	size_t nr, cap;
};

static void names_release(struct names *n)
{
	for (size_t i = 0; i < n->nr; i++)
		free(n->v[i]);
	free(n->v);
	memset(n, 0, sizeof(*n));
}

const char *tracefs_path(const struct sysroot *sr)
{
	static const char *const where[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

	for (size_t i = 0; i < ARRAY_SIZE(where); i++) {
		char *path = sysroot_path(sr, "%s/events", where[i]);
		/* A directory that may not be read counts as existing. */
		bool there = !access(path, F_OK) || errno == EACCES;

		free(path);
		if (there)
			return where[i];
	}
	return where[0];
}

/* The order of directories is that of registration, in which events are opened. */
static int list_dirs(const struct sysroot *sr, struct names *out, const char *pattern,
		     const char *fmt, const char *a, const char *b)
{
	char *path = sysroot_path(sr, fmt, a, b);
	DIR *dir = opendir(path);
	struct dirent *d;
	int rc = dir ? 0 : -errno;

	free(path);
	if (!dir)
		return rc;
	while ((d = readdir(dir))) {
		if (d->d_name[0] == '.' || fnmatch(pattern, d->d_name, 0))
			continue;
		VEC_GROW(out->v, out->nr + 1, out->cap);
		out->v[out->nr++] = xstrdup(d->d_name);
	}
	closedir(dir);
	return 0;
}

static bool is_glob(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

static bool is_sdt(const char *sys)
{
	return !strncmp(sys, "sdt_", 4);
}

/* Offer names similar to the requested one: systems, or events of the system. */
static void help_near(struct evparse *ep, const char *sys, const char *name)
{
	const char *tracefs = tracefs_path(ep->sr);
	struct near near = { .word = name };
	struct names all = { 0 };
	struct near full = { .word = sys };
	bool known = !list_dirs(ep->sr, &all, "*", "%s/events/%s", tracefs, sys);

	if (!known) {
		near.word = sys;
		list_dirs(ep->sr, &all, "*", "%s/%s", tracefs, "events");
	}
	for (size_t i = 0; i < all.nr; i++)
		near_add(&near, all.v[i]);
	for (size_t i = 0; i < near.nr; i++) {
		full.best[full.nr++] = known ? xasprintf("%s:%s", sys, near.best[i])
					     : xasprintf("%s:%s", near.best[i], name);
	}
	parse_help_near(ep, &full);
	near_release(&near);
	names_release(&all);
}

static int not_found(struct evparse *ep, const char *at, const char *sys, const char *name)
{
	const char *tracefs = tracefs_path(ep->sr);
	char *path = sysroot_path(ep->sr, "%s", tracefs);
	bool there = !access(path, F_OK);

	free(path);
	parse_fail(ep, at, -ENOENT, "unknown tracepoint");
	if (!there) {
		parse_help(ep, "Error:\tUnable to find tracefs.\n"
			       "Hint:\tTry 'sudo mount -t tracefs nodev /sys/kernel/tracing'\n");
		return -ENOENT;
	}
	parse_help(ep, "Error:\tFile %s/events/%s/%s not found.\n", tracefs, sys, name);
	if (is_sdt(sys))
		parse_help(ep, "Hint:\tNo object in the build-id cache has such a marker.\n"
			       "\tPut it there: perf buildid-cache --add <program or library>\n");
	else
		parse_help(
			ep,
			"Hint:\tPerhaps this kernel misses some CONFIG_ setting to enable this feature?.\n");
	help_near(ep, sys, name);
	return -ENOENT;
}

static int tracepoint_error(struct evparse *ep, const char *at, int code, const char *sys,
			    const char *name)
{
	const char *tracefs = tracefs_path(ep->sr);

	if (code != -EACCES && code != -EPERM)
		return not_found(ep, at, sys, name);
	parse_fail(ep, at, code, "can't access trace events");
	if (code == -EPERM && sysroot_lockdown(ep->sr) == LOCKDOWN_CONFIDENTIALITY)
		parse_help(
			ep,
			"Error:\tNo permissions to read %s/events/%s/%s\n"
			"Hint:\tThe kernel is locked down: /sys/kernel/security/lockdown is confidentiality; "
			"only the boot command line can make it less\n",
			tracefs, sys, name);
	else
		parse_help(ep,
			   "Error:\tNo permissions to read %s/events/%s/%s\n"
			   "Hint:\tTry 'sudo mount -o remount,mode=755 %s/'\n",
			   tracefs, sys, name, tracefs);
	return code;
}

/* A directory without an id (ftrace's own events) is not an event that perf can open. */
static int add_one(struct evparse *ep, const char *sys, const char *name, bool glob)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
					.size = sizeof(attr),
					.sample_period = 1 };
	struct evsel *e;
	char *full;
	u64 id;
	int rc = sysroot_read_u64(ep->sr, &id, "%s/events/%s/%s/id", tracefs_path(ep->sr), sys,
				  name);

	if (rc)
		return rc;
	attr.config = id;
	attr.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			   PERF_SAMPLE_PERIOD;
	full = xasprintf("%s:%s", sys, name);
	e = evlist_add(ep->l, &attr, full);
	e->tp_name = full;
	e->terms.may_fail = glob;
	return 0;
}

/* A result that is not perf's does not end the search. */
static int worse(int rc, int one)
{
	return one && one != -ENOENT && one != -ENOTDIR ? one : rc;
}

static int add_matching(struct evparse *ep, const char *sys, const char *name, bool glob)
{
	struct names evs = { 0 };
	int rc;

	if (!is_glob(name))
		return add_one(ep, sys, name, glob);
	rc = list_dirs(ep->sr, &evs, name, "%s/events/%s", tracefs_path(ep->sr), sys);
	for (size_t i = 0; i < evs.nr; i++)
		rc = worse(rc, add_one(ep, sys, evs.v[i], true));
	names_release(&evs);
	return rc;
}

/* Return: 0 when there is at least one. */
static int add_all(struct evparse *ep, const char *sys, const char *name)
{
	struct names systems = { 0 };
	size_t before = ep->l->nr;
	int rc;

	if (!is_glob(sys)) {
		rc = add_matching(ep, sys, name, false);
	} else {
		rc = list_dirs(ep->sr, &systems, sys, "%s/%s", tracefs_path(ep->sr), "events");
		for (size_t i = 0; i < systems.nr; i++)
			rc = worse(rc, add_matching(ep, systems.v[i], name, true));
		names_release(&systems);
	}
	if (rc)
		return rc;
	return ep->l->nr > before ? 0 : -ENOENT;
}

/*
 * A marker may have several places. Those with different arguments become separate events: NAME_1
 * and so on.
 */
static void add_variants(struct evparse *ep, const char *sys, const char *name)
{
	int rc = 0;

	for (int i = 1; !rc; i++) {
		char *variant = xasprintf("%s_%d", name, i);

		rc = add_all(ep, sys, variant);
		free(variant);
	}
}

int parse_tracepoint(struct evparse *ep, const char *at, const char *sys, const char *name,
		     const char *object)
{
	char full[300]; /* long enough for what take_name() returns */
	const char *bare = sys;
	int rc;

	/* "%provider:name" is "sdt_provider:name" */
	if (*sys == '%') {
		snprintf(full, sizeof(full), "%s%s", strncmp(sys + 1, "sdt_", 4) ? "sdt_" : "",
			 sys + 1);
		bare = full;
	}
	rc = add_all(ep, bare, name);
	if (rc == -ENOENT && is_sdt(bare) && ep->env->probe) {
		struct err err = { 0 };

		rc = ep->env->probe(ep->env->probe_ctx, bare, name, object, &err);
		if (rc && rc != -ENOENT)
			return parse_fail(ep, at, rc, "%s", err.msg);
		rc = rc ? rc : add_all(ep, bare, name);
		if (!rc && !is_glob(name))
			add_variants(ep, bare, name);
	}
	return rc ? tracepoint_error(ep, at, rc, bare, name) : 0;
}

bool parse_help_tracepoint(struct evparse *ep, const char *name)
{
	const char *tracefs = tracefs_path(ep->sr);
	struct names systems = { 0 };
	struct near near = { .word = name };

	if (is_glob(name) || list_dirs(ep->sr, &systems, "*", "%s/%s", tracefs, "events"))
		return false;
	for (size_t i = 0; i < systems.nr && near.nr < NEAR_MAX; i++) {
		char *path =
			sysroot_path(ep->sr, "%s/events/%s/%s/id", tracefs, systems.v[i], name);

		if (!strcmp(systems.v[i], name))
			near.best[near.nr++] = xasprintf("%s:*", name);
		else if (!access(path, F_OK))
			near.best[near.nr++] = xasprintf("%s:%s", systems.v[i], name);
		free(path);
	}
	names_release(&systems);
	if (!near.nr)
		return false;
	parse_help_near(ep, &near);
	return true;
}
