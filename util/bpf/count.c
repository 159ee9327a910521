// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "bpf/count.h"

#include "base/alloc.h"
#include "bpf/count-prog.h"
#include "bpf/prog.h"
#include "bpf/sys.h"
#include "bpf/btf.h"
#include "kernel/cgroup.h"

#include <errno.h>
#include <unistd.h>

#define ENOTSUPP 524 /* an errno of the kernel without a name in user space */
#define NONE UINT32_MAX
#define MAX_VALUE 32768 /* the most bytes of a value that each CPU has for itself */
#define MAX_TASKS 65536
#define MAX_SHARED                                                                                 \
	1024 /* the most different events that are open at a time, of all processes that share */
#define ARRAY_NAME "perf_counters"

/* Data that the programs and this process share. */
struct ctl {
	u64 enabled;
	u64 lost_tasks;
};

static int keep(struct bpf_counts *b, int fd)
{
	if (fd >= 0)
		int_list_add(&b->fds, fd);
	return fd;
}

static int new_map(struct bpf_counts *b, const char *name, u32 type, u32 value, u32 max,
		   struct err *err)
{
	return keep(b, bpf_map_new(name, type, 4, value, max, err));
}

/* --- open events, and those that others have opened ----------------------------------------- */

/*
 * Make an attr that only counts, everything that runs on a CPU, from now on, so that it is the same
 * for all who need it.
 */
static struct perf_event_attr bare_attr(const struct evsel *e)
{
	struct perf_event_attr a = e->attr;

	a.size = sizeof(a);
	a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	a.sample_type = 0;
	a.disabled = a.inherit = a.enable_on_exec = a.sample_id_all = 0;
	return a;
}

static bool is_counter_map(int fd)
{
	struct bpf_map_info info;

	memset(&info, 0, sizeof(info));
	return !bpf_info(fd, &info, sizeof(info)) && info.type == BPF_MAP_TYPE_PERF_EVENT_ARRAY &&
	       !strcmp(info.name, ARRAY_NAME);
}

/* Return a map of open events that another process uses, or -1. */
static int find_shared(int shared, const struct perf_event_attr *a)
{
	u32 id;
	int fd;

	if (shared < 0 || bpf_map_get(shared, a, &id))
		return -1;
	fd = bpf_fd_by_id(BPF_MAP_GET_FD_BY_ID, id);
	if (fd >= 0 && !is_counter_map(fd)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void share(int shared, const struct perf_event_attr *a, int array)
{
	struct bpf_map_info info;

	memset(&info, 0, sizeof(info));
	if (shared >= 0 && !bpf_info(array, &info, sizeof(info)))
		(void)bpf_map_set(shared, a, &info.id);
}

/* The events live as long as the map, that is, until the last process that uses them ends. */
static int preserved_array(u32 max, struct err *err)
{
	union bpf_attr a;
	int fd;

	memset(&a, 0, sizeof(a));
	a.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY;
	a.key_size = a.value_size = 4;
	a.max_entries = max;
	a.map_flags = BPF_F_PRESERVE_ELEMS;
	memcpy(a.map_name, ARRAY_NAME, sizeof(ARRAY_NAME));
	fd = bpf_call(BPF_MAP_CREATE, &a);
	if (fd >= 0)
		return fd;
	/*
	 * before Linux 5.10; the other call also makes the message about the limit of locked memory
	 */
	return bpf_map_new(ARRAY_NAME, BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, max, err);
}

/* Open the event on all CPUs. Return: its map; -ENOENT when no PMU counts it. */
static int open_array(const struct bpf_counts_opts *o, const struct perf_event_attr *a,
		      const char *name, struct err *err)
{
	struct open_opts opts = { .sysroot = o->sysroot, .cpus = o->cpus, .counting = true };
	struct int_list all = { 0 };
	struct kevents k = { 0 };
	struct evlist l = { 0 };
	int last = o->cpus->v[o->cpus->nr - 1], fd = 0, rc;

	opts.tids = &all;
	evlist_add(&l, a, name);
	rc = kevents_open(&k, &l, &opts, err);
	if (!rc && k.unsupported[0])
		rc = -ENOENT;
	if (!rc)
		rc = fd = preserved_array((u32)last + 1, err);
	for (size_t i = 0; rc >= 0 && i < k.nr; i++) {
		u32 cpu = (u32)k.fds[i].cpu, event = (u32)k.fds[i].fd;

		rc = bpf_map_set(fd, &cpu, &event);
		if (rc)
			err_set(err, rc, "%s cannot be counted by BPF: %s", name, err_str(rc));
	}
	if (rc < 0 && fd > 0)
		close(fd);
	kevents_release(&k);
	evlist_release(&l);
	return rc < 0 ? rc : fd;
}

static int new_attr_map(struct bpf_counts *b, const char *path, struct err *err)
{
	int fd = keep(b, bpf_map_new("perf_attr_map", BPF_MAP_TYPE_HASH,
				     sizeof(struct perf_event_attr), sizeof(u32), MAX_SHARED, err));
	int rc = fd < 0 ? fd : bpf_pin(fd, path);

	if (fd < 0)
		return fd;
	/* another process was faster */
	if (rc == -EEXIST)
		return keep(b, bpf_open_pinned(path));
	return rc ? err_set(err, rc,
			    "failed to make the BPF map %s: %s\n"
			    "The BPF file system has to be mounted there: mount -t bpf bpf /sys/fs/bpf",
			    path, err_str(rc))
		  : fd;
}

/* Open the map for sharing. Return: a descriptor, or a negative errno and a sentence. */
static int open_attr_map(struct bpf_counts *b, const char *path, struct err *err)
{
	struct bpf_map_info info;
	int fd = bpf_open_pinned(path);

	memset(&info, 0, sizeof(info));
	if (fd == -ENOENT)
		return new_attr_map(b, path, err);
	if (fd < 0)
		return err_set(err, fd, "failed to open the BPF map %s: %s", path, err_str(fd));
	keep(b, fd);
	if (bpf_info(fd, &info, sizeof(info)) || info.type != BPF_MAP_TYPE_HASH ||
	    info.key_size != sizeof(struct perf_event_attr) || info.value_size != sizeof(u32))
		return err_set(
			err, -EINVAL,
			"%s is not a map of open events of this version of perf: name another "
			"one with --bpf-attr-map.",
			path);
	return fd;
}

/* Find the array of each event; equal events have the same one. */
static int find_arrays(struct bpf_counts *b, const struct evlist *l,
		       const struct bpf_counts_opts *o, int shared, struct err *err)
{
	struct perf_event_attr *attrs = xcalloc(l->nr + 1, sizeof(*attrs));
	int rc = 0;

	for (u32 e = 0; rc >= 0 && e < l->nr; e++) {
		u32 i = 0;

		if (l->evsels[e]->tool)
			continue;
		attrs[e] = bare_attr(l->evsels[e]);
		while (i < e && (b->array_of[i] == NONE ||
				 memcmp(&attrs[i], &attrs[e], sizeof(*attrs)) != 0))
			i++;
		if (i < e) {
			b->array_of[e] = b->array_of[i];
			continue;
		}
		rc = find_shared(shared, &attrs[e]);
		b->nr_shared += rc >= 0;
		if (rc < 0) {
			rc = open_array(o, &attrs[e], l->evsels[e]->name, err);
			if (rc >= 0)
				share(shared, &attrs[e], rc);
		}
		b->unsupported[e] = rc == -ENOENT;
		if (rc >= 0) {
			b->array_of[e] = b->nr_arrays;
			b->arrays[b->nr_arrays++] = rc;
		} else if (rc == -ENOENT) {
			rc = 0;
		}
	}
	free(attrs);
	return rc < 0 ? rc : 0;
}

/* --- control groups, tasks -------------------------------------------------------------------- */

static int find_cgroups(struct bpf_counts *b, const struct evlist *l, const struct sysroot *sr,
			struct err *err)
{
	for (u32 e = 0; e < l->nr; e++) {
		const char *name = l->evsels[e]->cgroup;
		u32 i = 0;
		int fd, rc;

		if (!name)
			continue;
		while (i < e && (!l->evsels[i]->cgroup || strcmp(l->evsels[i]->cgroup, name) != 0))
			i++;
		b->cgroup_of[e] = i < e ? b->cgroup_of[i] : b->nr_cgroups;
		if (i < e)
			continue;
		if (b->cgroups < 0)
			b->cgroups = new_map(b, "perf_cgroups", BPF_MAP_TYPE_CGROUP_ARRAY, 4,
					     (u32)l->nr, err);
		fd = b->cgroups < 0 ? b->cgroups : cgroup_open(sr, name, err);
		if (fd < 0)
			return fd;
		rc = bpf_map_set(b->cgroups, &b->nr_cgroups, &fd);
		close(fd);
		if (rc)
			return err_set(
				err, rc,
				"BPF cannot tell which tasks are in the control group %s: %s", name,
				rc == -EBADF ? "it is of version 1" : err_str(rc));
		b->nr_cgroups++;
	}
	return 0;
}

static int attach_raw(struct bpf_counts *b, const char *tracepoint, struct bpf_code *code,
		      struct err *err)
{
	int prog = keep(b, bpf_prog_new("perf_count", BPF_PROG_TYPE_RAW_TRACEPOINT, code, err));
	int rc = prog < 0 ? prog : keep(b, bpf_attach_raw_tp(tracepoint, prog));

	bpf_code_release(code);
	if (prog >= 0 && rc < 0)
		err_set(err, rc, "failed to attach a BPF program to %s: %s", tracepoint,
			err_str(rc));
	return rc < 0 ? rc : prog;
}

static int follow_tasks(struct bpf_counts *b, const struct bpf_counts_opts *o, struct err *err)
{
	struct bpf_code code = { 0 };
	u32 one = 1;
	struct btf btf;
	int rc, pid;

	if (!o->tids->nr)
		return 0;
	b->tasks = new_map(b, "perf_tasks", BPF_MAP_TYPE_HASH, 4,
			   MAX((u32)MAX_TASKS, (u32)o->tids->nr * 2), err);
	if (b->tasks < 0)
		return b->tasks;
	for (size_t i = 0; i < o->tids->nr; i++)
		(void)bpf_map_set(b->tasks, &o->tids->v[i], &one);
	if (!o->inherit)
		return 0;
	rc = btf_open_kernel(&btf, o->sysroot, err);
	if (rc)
		return rc;
	pid = btf_member(&btf, "task_struct", "pid");
	btf_close(&btf);
	if (pid < 0)
		return err_set(err, -EOPNOTSUPP, "The kernel's struct task_struct has no pid.");
	bpf_count_newtask(&code, b, pid);
	rc = attach_raw(b, "task_newtask", &code, err);
	if (rc >= 0) {
		bpf_count_freetask(&code, b, pid);
		rc = attach_raw(b, "sched_process_free", &code, err);
	}
	return rc < 0 ? rc : 0;
}

static int watch_switches(struct bpf_counts *b, const struct bpf_counts_opts *o, struct err *err)
{
	struct bpf_code code = { 0 };
	int rc;

	b->last = new_map(b, "perf_last", BPF_MAP_TYPE_PERCPU_ARRAY, last_size(b), 1, err);
	rc = b->last < 0 ? b->last : follow_tasks(b, o, err);
	if (rc)
		return rc;
	bpf_count_switch(&code, b);
	b->on_switch = attach_raw(b, "sched_switch", &code, err);
	return b->on_switch < 0 ? b->on_switch : 0;
}

/* --- programs ------------------------------------------------------------ */

/* Find the BTF type id of the program's main function. */
static int main_function(int fd, int id, u32 *func, struct err *err)
{
	struct bpf_prog_info info;
	u32 first[16] = { 0 }; /* type_id is the second word of an element of any size */
	u32 rec;
	int rc;

	memset(&info, 0, sizeof(info));
	rc = bpf_info(fd, &info, sizeof(info));
	if (rc || !info.btf_id || !info.nr_func_info || info.func_info_rec_size > sizeof(first))
		return err_set(err, rc ? rc : -EOPNOTSUPP,
			       "The BPF program %d has no type information (BTF), which is needed "
			       "to count what it does: compile it with -g.",
			       id);
	rec = info.func_info_rec_size;
	memset(&info, 0, sizeof(info));
	info.nr_func_info = 1;
	info.func_info_rec_size = rec;
	info.func_info = (u64)(uintptr_t)first;
	rc = bpf_info(fd, &info, sizeof(info));
	if (rc)
		return err_set(err, rc, "failed to query BPF program %d: %s", id, err_str(rc));
	*func = first[1];
	return 0;
}

static int hook(struct bpf_counts *b, int prog, int id, u32 func, bool leave, int last,
		struct err *err)
{
	struct bpf_hook h = { prog, func, leave ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY };
	struct bpf_code code = { 0 };
	int fd, rc;

	(leave ? bpf_count_leave : bpf_count_enter)(&code, b, last);
	fd = keep(b, bpf_prog_hook(leave ? "perf_leave" : "perf_enter", &h, &code, err));
	bpf_code_release(&code);
	if (fd == -EPERM || fd == -ENOTSUPP)
		return err_set(
			err, fd,
			"failed to hook into BPF program %d (%s): %s\n"
			"That takes Linux 5.5 or later (arm64: 6.0) with CONFIG_BPF_JIT and "
			"CONFIG_DYNAMIC_FTRACE, CAP_BPF and CAP_PERFMON, and a host that does not "
			"forbid it, as some virtual machines and containers do.\n"
			"Hint: 'sysctl kernel.bpf_stats_enabled=1' has 'bpftool prog show id %d' tell "
			"how often it runs, and for how long, without hooks.",
			id, leave ? "fexit" : "fentry", err_str(fd), id);
	if (fd < 0)
		return fd;
	rc = keep(b, bpf_attach(fd));
	return rc < 0 ? err_set(err, rc, "failed to attach to a BPF program: %s", err_str(rc)) : 0;
}

static int watch_prog(struct bpf_counts *b, int id, struct err *err)
{
	int fd = bpf_fd_by_id(BPF_PROG_GET_FD_BY_ID, (u32)id), last, rc;
	u32 func;

	if (fd < 0)
		return err_set(err, fd, "There is no BPF program %d: %s", id, err_str(fd));
	keep(b, fd);
	rc = main_function(fd, id, &func, err);
	if (rc)
		return rc;
	last = new_map(b, "perf_last", BPF_MAP_TYPE_PERCPU_ARRAY, last_size(b), 1, err);
	if (last < 0)
		return last;
	rc = hook(b, fd, id, func, true, last, err);
	return rc ? rc : hook(b, fd, id, func, false, last, err);
}

/* --- all of it ------------------------------------------------------------ */

static int open_all(struct bpf_counts *b, const struct evlist *l, const struct bpf_counts_opts *o,
		    struct err *err)
{
	int possible = bpf_possible_cpus(o->sysroot, err), shared = -1, rc;

	if (possible < 0)
		return possible;
	if (o->attr_map) {
		shared = open_attr_map(b, o->attr_map, err);
		if (shared < 0)
			return shared;
	}
	rc = find_arrays(b, l, o, shared, err);
	if (!rc)
		rc = find_cgroups(b, l, o->sysroot, err);
	if (!rc && (l->nr * VALUE_SIZE > MAX_VALUE || last_size(b) > MAX_VALUE))
		rc = err_set(err, -E2BIG, "BPF counts up to %d events at a time.",
			     MAX_VALUE / VALUE_SIZE - 16);
	if (rc)
		return rc;
	b->nr_values = (u32)possible;
	b->values = xcalloc((size_t)possible * (l->nr + 1), sizeof(*b->values));
	b->ctl = new_map(b, "perf_ctl", BPF_MAP_TYPE_ARRAY, sizeof(struct ctl), 1, err);
	b->sum = b->ctl < 0 ? -1
			    : new_map(b, "perf_sum", BPF_MAP_TYPE_PERCPU_ARRAY,
				      MAX(b->nr_events, (u32)1) * VALUE_SIZE, 1, err);
	if (b->sum < 0)
		return err->code;
	if (!o->progs->nr)
		return watch_switches(b, o, err);
	for (size_t i = 0; !rc && i < o->progs->nr; i++)
		rc = watch_prog(b, o->progs->v[i], err);
	return rc;
}

int bpf_counts_open(struct bpf_counts *b, const struct evlist *l, const struct bpf_counts_opts *o,
		    struct err *err)
{
	memset(b, 0, sizeof(*b));
	b->ctl = b->last = b->sum = b->tasks = b->cgroups = b->on_switch = -1;
	b->nr_events = (u32)l->nr;
	b->cpus = o->cpus;
	b->array_of = xcalloc(l->nr + 1, sizeof(*b->array_of));
	b->cgroup_of = xcalloc(l->nr + 1, sizeof(*b->cgroup_of));
	b->unsupported = xcalloc(l->nr + 1, sizeof(*b->unsupported));
	b->arrays = xcalloc(l->nr + 1, sizeof(*b->arrays));
	for (size_t i = 0; i < l->nr; i++)
		b->array_of[i] = b->cgroup_of[i] = NONE;
	return open_all(b, l, o, err);
}

/* Take over the tasks that run now and have not been switched away yet. */
static void take_running(const struct bpf_counts *b)
{
	for (size_t i = 0; b->on_switch >= 0 && i < b->cpus->nr; i++)
		(void)bpf_run_on(b->on_switch, b->cpus->v[i]);
}

void bpf_counts_enable(struct bpf_counts *b, bool on)
{
	struct ctl ctl = { 0 };
	u32 zero = 0;

	take_running(b);
	if (bpf_map_get(b->ctl, &zero, &ctl))
		return;
	ctl.enabled = on;
	(void)bpf_map_set(b->ctl, &zero, &ctl);
}

void bpf_counts_read(struct bpf_counts *b, kcount_fn *fn, void *ctx)
{
	u32 zero = 0;

	take_running(b);
	if (b->sum < 0 || bpf_map_get(b->sum, &zero, b->values))
		return;
	for (size_t i = 0; i < b->cpus->nr; i++) {
		u32 cpu = (u32)b->cpus->v[i];

		for (u32 e = 0; cpu < b->nr_values && e < b->nr_events; e++) {
			struct kfd k = { .fd = -1, .evsel = e, .cpu = (int)cpu, .tid = -1 };

			if (b->array_of[e] != NONE)
				fn(ctx, &k, &b->values[(size_t)cpu * b->nr_events + e]);
		}
	}
}

u64 bpf_counts_lost(const struct bpf_counts *b)
{
	struct ctl ctl = { 0 };
	u32 zero = 0;

	return b->ctl >= 0 && !bpf_map_get(b->ctl, &zero, &ctl) ? ctl.lost_tasks : 0;
}

void bpf_counts_close(struct bpf_counts *b)
{
	/* what was attached last is closed first */
	for (size_t i = b->fds.nr; i-- > 0;)
		close(b->fds.v[i]);
	for (u32 i = 0; i < b->nr_arrays; i++)
		close(b->arrays[i]);
	int_list_release(&b->fds);
	free(b->arrays);
	free(b->array_of);
	free(b->cgroup_of);
	free(b->unsupported);
	free(b->values);
	memset(b, 0, sizeof(*b));
}
