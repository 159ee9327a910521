// SPDX-License-Identifier: GPL-2.0-or-later
/* Tracepoints by name: globs over the directories of tracefs/events, ids from their id files. */
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
		/* Without the right to look inside it is still the one to name. */
		bool there = !access(path, F_OK) || errno == EACCES;

		free(path);
		if (there)
			return where[i];
	}
	return where[0];
}

/* Directory order is that of registration, which is the order events are opened in. */
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

static int tracepoint_error(struct evparse *ep, const char *at, int code, const char *sys,
			    const char *name)
{
	const char *tracefs = tracefs_path(ep->sr);
	char *path = sysroot_path(ep->sr, "%s", tracefs);
	bool there = !access(path, F_OK);

	free(path);
	if (code == -EACCES || code == -EPERM) {
		parse_fail(ep, at, code, "can't access trace events");
		snprintf(ep->pe->help, sizeof(ep->pe->help),
			 "Error:\tNo permissions to read %s/events/%s/%s\n"
			 "Hint:\tTry 'sudo mount -o remount,mode=755 %s/'\n",
			 tracefs, sys, name, tracefs);
		return code;
	}
	parse_fail(ep, at, -ENOENT, "unknown tracepoint");
	if (there)
		snprintf(
			ep->pe->help, sizeof(ep->pe->help),
			"Error:\tFile %s/events/%s/%s not found.\n"
			"Hint:\tPerhaps this kernel misses some CONFIG_ setting to enable this feature?.\n",
			tracefs, sys, name);
	else
		snprintf(ep->pe->help, sizeof(ep->pe->help),
			 "Error:\tUnable to find tracefs.\n"
			 "Hint:\tTry 'sudo mount -t tracefs nodev /sys/kernel/tracing'\n");
	return -ENOENT;
}

/* An event directory without an id (ftrace's own) is none that perf can open. */
static int add_one(struct evparse *ep, const char *sys, const char *name)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
					.size = sizeof(attr),
					.sample_period = 1 };
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
	evlist_add(ep->l, &attr, full)->tp_name = full;
	return 0;
}

static int add_matching(struct evparse *ep, const char *sys, const char *name)
{
	struct names evs = { 0 };
	int rc;

	if (!is_glob(name))
		return add_one(ep, sys, name);
	rc = list_dirs(ep->sr, &evs, name, "%s/events/%s", tracefs_path(ep->sr), sys);
	for (size_t i = 0; i < evs.nr; i++) {
		int one = add_one(ep, sys, evs.v[i]);

		if (one && one != -ENOENT && one != -ENOTDIR)
			rc = one;
	}
	names_release(&evs);
	return rc;
}

int parse_tracepoint(struct evparse *ep, const char *at, const char *sys, const char *name)
{
	struct names systems = { 0 };
	size_t before = ep->l->nr;
	int rc;

	if (!is_glob(sys)) {
		rc = add_matching(ep, sys, name);
		return rc || ep->l->nr == before ? tracepoint_error(ep, at, rc, sys, name) : 0;
	}
	rc = list_dirs(ep->sr, &systems, sys, "%s/%s", tracefs_path(ep->sr), "events");
	for (size_t i = 0; i < systems.nr; i++) {
		int one = add_matching(ep, systems.v[i], name);

		if (one && one != -ENOENT && one != -ENOTDIR)
			rc = one;
	}
	names_release(&systems);
	return rc || ep->l->nr == before ? tracepoint_error(ep, at, rc, sys, name) : 0;
}
