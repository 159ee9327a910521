// SPDX-License-Identifier: GPL-2.0-or-later
/* Attach sample filters: a program for each event with a filter, or the pinned program for all
 * users. */
#include "base/compat.h"
#include "bpf/filter-internal.h"

#include "base/alloc.h"
#include "bpf/sys.h"
#include "kernel/cgroup.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PIN_DIR "/sys/fs/bpf/perf_filter"
#define MAX_IDS 16384 /* events with pinned filters, of all users */
#define MAX_FILTERS 512
#define BPF_FS_MAGIC 0xcafe4a11

/* --- cgroups ----------------------------------------------------------------------- */

int bpf_filter_cgroup(const struct sysroot *sr, const char *path, u64 *id, struct err *err)
{
	struct strbuf mount = STRBUF_INIT;
	struct stat st;
	int rc = cgroup_mount(sr, true, &mount);

	/* the full path, or one below the mount point */
	if (!rc && strncmp(path, strbuf_str(&mount), mount.len))
		strbuf_addf(&mount, "/%s", path);
	else if (!rc)
		strbuf_addstr(&mount, path + mount.len);
	if (!rc && (stat(strbuf_str(&mount), &st) || !S_ISDIR(st.st_mode)))
		rc = -ENOENT;
	strbuf_release(&mount);
	if (rc)
		return err_set(err, rc, "there is no cgroup (of version 2) '%s'", path);
	*id = st.st_ino;
	return 0;
}

/* --- a program of our own -------------------------------------------------------------- */

static int own_filter(struct bpf_filter *bf, const struct bpf_filter_where *w,
		      const struct bpf_filter_node *nodes, size_t nr, struct err *err)
{
	struct bpf_code code = { 0 };

	bf->counts = bpf_map_new("dropped", BPF_MAP_TYPE_ARRAY, 4, 8, 1, err);
	if (bf->counts < 0)
		return bf->counts;
	bpf_filter_compile(&code, w, nodes, nr, bf->counts);
	bf->prog = bpf_prog_new("perf_filter", BPF_PROG_TYPE_PERF_EVENT, &code, err);
	bpf_code_release(&code);
	return MIN(bf->prog, 0);
}

/* --- the pinned one ------------------------------------------------------------------ */

static int open_pin(const struct sysroot *sr, const char *name)
{
	char *path = sysroot_path(sr, PIN_DIR "/%s", name);
	int fd = bpf_open_pinned(path);

	free(path);
	return fd;
}

static int use_pinned(struct bpf_filter *bf, const struct bpf_filter_node *nodes, size_t nr,
		      const struct kevents *k, const struct sysroot *sr, struct err *err)
{
	struct bpf_filter_value *v;
	int rc = 0;

	bf->prog = open_pin(sr, "prog");
	bf->counts = open_pin(sr, "filters");
	bf->ids = open_pin(sr, "ids");
	if (bf->prog < 0 || bf->counts < 0 || bf->ids < 0)
		return -ENOENT;
	v = xzalloc(sizeof(*v));
	memcpy(v->nodes, nodes, nr * sizeof(*nodes));
	for (size_t i = 0; i < k->nr && !rc; i++) {
		if (k->fds[i].evsel != bf->evsel)
			continue;
		if (!bf->key) {
			bf->key = k->fds[i].id;
			rc = bpf_map_set(bf->counts, &bf->key, v);
		}
		VEC_GROW(bf->of, bf->nr_of + 1, bf->cap_of);
		bf->of[bf->nr_of++] = k->fds[i].id;
		if (!rc)
			rc = bpf_map_set(bf->ids, &k->fds[i].id, &bf->key);
	}
	free(v);
	return rc ? err_set(err, rc, "failed to put a filter into " PIN_DIR ": %s", err_str(rc))
		  : 0;
}

/* --- attaching ----------------------------------------------------------------------- */

static int make_filter(struct bpf_filter *bf, const struct bpf_filter_where *w,
		       const struct evsel *e, const struct kevents *k, const struct sysroot *sr,
		       struct err *err)
{
	struct bpf_filter_node nodes[FILTER_NODES_MAX];
	struct filter_error fe;
	struct compiled_filter f;
	size_t nr;
	int rc = compiled_filter_parse(&f, e->sample_filter, &fe);

	if (rc)
		return err_set(err, rc, "%s", fe.text);
	nr = f.nr;
	rc = bpf_filter_lower(nodes, &f, w, e->attr.sample_type, sr, err);
	compiled_filter_release(&f);
	if (rc)
		return rc;
	rc = own_filter(bf, w, nodes, nr, err);
	if (rc == -EPERM || rc == -EACCES) {
		struct err own = *err;

		rc = use_pinned(bf, nodes, nr, k, sr, err);
		if (rc == -ENOENT)
			rc = err_set(
				err, -EPERM,
				"%s\nOr have root prepare filters for all users: perf record --setup-filter pin",
				own.msg);
	}
	return rc;
}

/* @cpu: -1: all CPUs */
static int attach(const struct bpf_filter *bf, const struct kevents *k, int cpu, struct err *err)
{
	for (size_t i = 0; i < k->nr; i++) {
		if (k->fds[i].evsel != bf->evsel || (cpu >= 0 && k->fds[i].cpu != cpu) ||
		    !ioctl(k->fds[i].fd, PERF_EVENT_IOC_SET_BPF, bf->prog))
			continue;
		return err_set(err, -errno, "%d (%s)", errno, err_str(-errno));
	}
	return 0;
}

int bpf_filters_attach(struct bpf_filters *fs, const struct kevents *k, const struct evlist *l,
		       const struct sysroot *sr, struct err *err)
{
	struct bpf_filter_where w;
	bool found = false;

	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];
		struct bpf_filter *bf;
		int rc = 0;

		if (!e->sample_filter)
			continue;
		if (!found)
			rc = bpf_filter_find(&w, sr, err);
		found = true;
		VEC_GROW(fs->v, fs->nr + 1, fs->cap);
		bf = &fs->v[fs->nr++];
		*bf = (struct bpf_filter){ .evsel = (u32)i, .prog = -1, .counts = -1, .ids = -1 };
		if (!rc)
			rc = make_filter(bf, &w, e, k, sr, err);
		if (!rc)
			rc = attach(bf, k, -1, err);
		if (rc) {
			err_prefix(err, "failed to set filter \"%s\" on event %s", e->sample_filter,
				   e->name);
			return rc;
		}
	}
	return 0;
}

int bpf_filters_attach_cpu(const struct bpf_filters *fs, const struct kevents *k, int cpu,
			   struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < fs->nr && !rc; i++)
		rc = attach(&fs->v[i], k, cpu, err);
	return rc;
}

static u64 dropped(const struct bpf_filter *bf)
{
	struct bpf_filter_value *v;
	u64 n = 0;
	u32 zero = 0;

	if (!bf->key)
		return bpf_map_get(bf->counts, &zero, &n) ? 0 : n;
	v = xzalloc(sizeof(*v));
	if (!bpf_map_get(bf->counts, &bf->key, v))
		n = v->dropped;
	free(v);
	return n;
}

u64 bpf_filters_dropped(const struct bpf_filters *fs, u32 evsel)
{
	u64 all = 0;

	for (size_t i = 0; i < fs->nr; i++)
		if (fs->v[i].evsel == evsel)
			all += dropped(&fs->v[i]);
	return all;
}

void bpf_filters_release(struct bpf_filters *fs)
{
	for (size_t i = 0; i < fs->nr; i++) {
		struct bpf_filter *bf = &fs->v[i];
		int fds[] = { bf->prog, bf->counts, bf->ids };

		for (size_t j = 0; j < bf->nr_of; j++)
			bpf_map_del(bf->ids, &bf->of[j]);
		if (bf->key)
			bpf_map_del(bf->counts, &bf->key);
		free(bf->of);
		for (size_t j = 0; j < ARRAY_SIZE(fds); j++)
			if (fds[j] >= 0)
				close(fds[j]);
	}
	free(fs->v);
	memset(fs, 0, sizeof(*fs));
}

/* --- for everybody ---------------------------------------------------------------------- */

static int pin(const struct sysroot *sr, int fd, const char *name, struct err *err)
{
	char *path = sysroot_path(sr, PIN_DIR "/%s", name);
	int rc = bpf_pin(fd, path);

	if (!rc && chmod(path, 0666))
		rc = -errno;
	free(path);
	return rc ? err_set(err, rc, "failed to pin " PIN_DIR "/%s: %s", name, err_str(rc)) : 0;
}

static int make_dir(const struct sysroot *sr, struct err *err)
{
	char *root = sysroot_path(sr, "/sys/fs/bpf"), *dir = sysroot_path(sr, PIN_DIR);
	struct statfs fs;
	int rc = 0;

	if ((statfs(root, &fs) || (u64)fs.f_type != BPF_FS_MAGIC) &&
	    mount("bpf", root, "bpf", 0, "mode=0755"))
		rc = err_set(err, -errno, "failed to mount the bpf file system on /sys/fs/bpf: %s",
			     err_str(-errno));
	else if ((mkdir(dir, 0755) && errno != EEXIST) || chmod(dir, 0755))
		rc = err_set(err, -errno, "failed to make " PIN_DIR ": %s", err_str(-errno));
	free(root);
	free(dir);
	return rc;
}

int bpf_filter_pin(const struct sysroot *sr, struct err *err)
{
	struct bpf_filter_where w;
	struct bpf_code code = { 0 };
	int ids = -1, filters = -1, prog = -1, rc;

	bpf_filter_unpin(sr, NULL);
	rc = bpf_filter_find(&w, sr, err);
	/* entries left behind by killed recorders are replaced in time */
	if (!rc)
		rc = ids =
			bpf_map_new("perf_filter_ids", BPF_MAP_TYPE_LRU_HASH, 8, 8, MAX_IDS, err);
	if (rc >= 0)
		rc = filters = bpf_map_new("perf_filters", BPF_MAP_TYPE_LRU_HASH, 8,
					   sizeof(struct bpf_filter_value), MAX_FILTERS, err);
	if (rc >= 0) {
		bpf_filter_interpreter(&code, &w, ids, filters);
		rc = prog = bpf_prog_new("perf_filter", BPF_PROG_TYPE_PERF_EVENT, &code, err);
		bpf_code_release(&code);
	}
	rc = rc < 0 ? rc : make_dir(sr, err);
	rc = rc ? rc : pin(sr, ids, "ids", err);
	rc = rc ? rc : pin(sr, filters, "filters", err);
	rc = rc ? rc : pin(sr, prog, "prog", err);
	if (ids >= 0)
		close(ids);
	if (filters >= 0)
		close(filters);
	if (prog >= 0)
		close(prog);
	return rc;
}

int bpf_filter_unpin(const struct sysroot *sr, struct err *err)
{
	static const char *const names[] = { "/prog", "/filters", "/ids", "" };
	int rc = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *path = sysroot_path(sr, PIN_DIR "%s", names[i]);
		int one = (*names[i] ? unlink(path) : rmdir(path)) ? -errno : 0;

		if (one != -ENOENT)
			rc = one;
		free(path);
	}
	if (rc == -ENOENT)
		return err_set(err, rc, "no filters are pinned");
	return rc ? err_set(err, rc, "failed to remove " PIN_DIR ": %s", err_str(rc)) : 0;
}

int bpf_filter_pinned(const struct sysroot *sr, size_t *nr, struct err *err)
{
	int filters = open_pin(sr, "filters");
	u64 key = 0;

	*nr = 0;
	if (filters == -EACCES || filters == -EPERM)
		return err_set(err, filters,
			       PIN_DIR ": %s\nLet users in with: chmod o+x /sys/fs/bpf",
			       err_str(filters));
	if (filters < 0)
		return err_set(
			err, -ENOENT,
			"no filters are pinned: root does it with perf record --setup-filter pin");
	for (int rc = bpf_map_next(filters, NULL, &key); !rc && *nr < MAX_FILTERS;
	     rc = bpf_map_next(filters, &key, &key))
		++*nr;
	close(filters);
	return 0;
}
