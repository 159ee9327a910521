// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat: counting by BPF programs: what is looked at, and where counters are shared. */
#include "base/compat.h"
#include "statrun/statrun.h"

#include "base/alloc.h"
#include "kernel/synth.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#define BPF_FS "/sys/fs/bpf"
#define BPF_FS_TYPE 0xcafe4a11

bool stat_bpf_used(const struct stat_cmd *s)
{
	return s->bpf.progs || s->bpf.counters;
}

/* Threads have other numbers for BPF than for us in a container. */
static int check_namespace(const struct stat_cmd *s, struct err *err)
{
	enum { INITIAL = 0xeffffffc }; /* the inode of the first one, fixed in the kernel */
	char *path = sysroot_path(&s->sysroot, "/proc/self/ns/pid");
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
static const char *attr_map(const struct stat_cmd *s)
{
	struct statfs fs;

	if (s->bpf.attr_map || s->bpf.progs)
		return s->bpf.attr_map;
	if (!statfs(BPF_FS, &fs) && fs.f_type == BPF_FS_TYPE)
		return BPF_COUNTS_MAP;
	if (s->verbose)
		fputs("No BPF file system in " BPF_FS ": counters are not shared with others.\n",
		      stderr);
	return NULL;
}

static int refuse(const struct stat_cmd *s, struct err *err)
{
	if (s->file.path)
		return err_set(err, -EINVAL, "perf stat record does not count by BPF");
	if (s->mode == AGGR_THREAD)
		return err_set(err, -EINVAL, "BPF counts all threads together: no --per-thread");
	for (size_t i = 0; i < s->evlist.nr; i++)
		if (s->evlist.evsels[i]->filter)
			return err_set(err, -EINVAL, "BPF counts without --filter");
	return 0;
}

int stat_bpf_open(struct stat_cmd *s, struct err *err)
{
	struct stat_bpf *b = &s->bpf;
	struct int_list child = { 0 };
	struct bpf_counts_opts o = {
		.sysroot = &s->sysroot,
		.cpus = &b->cpus,
		.tids = &s->tids,
		.progs = &b->ids,
		.inherit = !s->count.no_inherit,
		.attr_map = attr_map(s),
	};
	int rc = refuse(s, err);

	if (!rc && b->progs && !b->ids.nr)
		rc = id_list_parse(b->progs, "BPF program id", &b->ids, err);
	if (!rc && !b->cpus.nr)
		rc = cpu_list_online(&s->sysroot, &b->cpus, err);
	if (s->workload.pid && !b->progs && !s->cpus.nr && !s->tids.nr) {
		int_list_add(&child, s->workload.pid);
		o.tids = &child;
	}
	if (!rc && o.tids->nr && !b->progs)
		rc = check_namespace(s, err);
	if (!rc) {
		b->open = true;
		rc = bpf_counts_open(&b->counts, &s->evlist, &o, err);
	}
	int_list_release(&child);
	for (size_t i = 0; !rc && i < s->evlist.nr; i++)
		s->unsupported[i] = b->counts.unsupported[i];
	if (!rc && s->verbose && b->counts.nr_shared)
		fprintf(stderr, "%u of %u counters are shared with others.\n", b->counts.nr_shared,
			b->counts.nr_arrays);
	return rc;
}

void stat_bpf_close(struct stat_cmd *s)
{
	u64 lost;

	if (!s->bpf.open)
		return;
	lost = bpf_counts_lost(&s->bpf.counts);
	if (lost)
		fprintf(stderr,
			"%" PRIu64 " threads were too many at a time for BPF: not counted.\n",
			lost);
	bpf_counts_close(&s->bpf.counts);
	s->bpf.open = false;
}
