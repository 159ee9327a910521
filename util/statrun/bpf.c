// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: counting by BPF programs: what is looked at, and where counters are shared. */
#include "base/compat.h"
#include "statrun/run-internal.h"

#include "base/alloc.h"
#include "kernel/synth.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#define BPF_FS "/sys/fs/bpf"
#define BPF_FS_TYPE 0xcafe4a11

bool stat_bpf_used(const struct stat_run *r)
{
	return r->o->bpf.progs || r->o->bpf.counters;
}

/* Threads have other numbers for BPF than for us in a container. */
static int check_namespace(const struct stat_run *r, struct err *err)
{
	enum { INITIAL = 0xeffffffc }; /* the inode of the first one, fixed in the kernel */
	char *path = sysroot_path(r->o->sysroot, "/proc/self/ns/pid");
	bool other;
	struct stat st;

	other = !stat(path, &st) && st.st_ino != (ino_t)INITIAL;
	free(path);
	return other ? err_set(err, -EOPNOTSUPP,
			       "--bpf-counters cannot tell processes in a container: count with "
			       "-a, or from outside of it.")
		     : 0;
}

/* Sharing is for nothing where nobody can be found. */
static const char *attr_map(const struct stat_run *r)
{
	struct statfs fs;

	if (r->o->bpf.attr_map || r->o->bpf.progs)
		return r->o->bpf.attr_map;
	if (!statfs(BPF_FS, &fs) && fs.f_type == BPF_FS_TYPE)
		return BPF_COUNTS_MAP;
	if (r->o->verbose)
		notice(&r->to.notes,
		       "No BPF file system in " BPF_FS ": counters are not shared with others.\n");
	return NULL;
}

static int refuse(const struct stat_run *r, struct err *err)
{
	if (r->o->file.path)
		return err_set(err, -EINVAL, "perf stat record does not count by BPF");
	if (r->o->mode == AGGR_THREAD)
		return err_set(err, -EINVAL, "BPF counts all threads together: no --per-thread");
	for (size_t i = 0; i < r->evlist->nr; i++)
		if (r->evlist->evsels[i]->filter)
			return err_set(err, -EINVAL, "BPF counts without --filter");
	return 0;
}

int stat_bpf_open(struct stat_run *r, struct err *err)
{
	struct stat_bpf *b = &r->bpf;
	struct int_list child = { 0 };
	struct bpf_counts_opts o = {
		.sysroot = r->o->sysroot,
		.cpus = &b->cpus,
		.tids = &r->table.tids,
		.progs = &b->progs,
		.inherit = !r->o->count.no_inherit,
		.attr_map = attr_map(r),
	};
	int rc = refuse(r, err);

	if (!rc && r->o->bpf.progs && !b->progs.nr)
		rc = id_list_parse(r->o->bpf.progs, "BPF program id", &b->progs, err);
	if (!rc && !b->cpus.nr)
		rc = cpu_list_online(r->o->sysroot, &b->cpus, err);
	if (r->workload.pid && !r->o->bpf.progs && !r->table.cpus.nr && !r->table.tids.nr) {
		int_list_add(&child, r->workload.pid);
		o.tids = &child;
	}
	if (!rc && o.tids->nr && !r->o->bpf.progs)
		rc = check_namespace(r, err);
	if (!rc) {
		b->open = true;
		rc = bpf_counts_open(&b->counts, r->evlist, &o, err);
	}
	int_list_release(&child);
	for (size_t i = 0; !rc && i < r->evlist->nr; i++)
		r->table.unsupported[i] = b->counts.unsupported[i];
	if (!rc && r->o->verbose && b->counts.nr_shared)
		notice(&r->to.notes, "%u of %u counters are shared with others.\n",
		       b->counts.nr_shared, b->counts.nr_arrays);
	return rc;
}

void stat_bpf_close(struct stat_run *r)
{
	u64 lost;

	if (!r->bpf.open)
		return;
	lost = bpf_counts_lost(&r->bpf.counts);
	if (lost)
		notice(&r->to.notes,
		       "%" PRIu64 " threads were too many at a time for BPF: not counted.\n", lost);
	bpf_counts_close(&r->bpf.counts);
	r->bpf.open = false;
}
