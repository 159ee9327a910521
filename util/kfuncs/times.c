// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "kfuncs/times-internal.h"

#include "base/alloc.h"
#include "bpf/btf.h"
#include "bpf/sys.h"
#include "bpf/tasks.h"

#include <errno.h>
#include <unistd.h>

#define ENOTSUPP 524   /* an errno of the kernel without a name in user space */
#define MAX_OPEN 65536 /* calls under way */

/* ---- loading ---- */

int kfunc_times_maps(struct kfunc_times *t, const struct kfunc_times_opts *o, struct err *err)
{
	const u32 cpus = o->cpus->nr ? (u32)o->cpus->v[o->cpus->nr - 1] + 1 : 0;
	const struct bpf_map_spec maps[] = {
		{ &t->ctl, "times_ctl", BPF_MAP_TYPE_ARRAY, 4, sizeof(struct times_ctl), 1 },
		{ &t->open, "times_open", BPF_MAP_TYPE_LRU_HASH, sizeof(struct open_key), 8,
		  MAX_OPEN },
		{ &t->sums, "times_sums", BPF_MAP_TYPE_PERCPU_ARRAY, 4, sizeof(struct times_sum),
		  (u32)o->nr_funcs },
		{ &t->tasks, "times_tasks", BPF_MAP_TYPE_HASH, 8, 8, (u32)o->tids->nr },
		{ &t->cpus, "times_cpus", BPF_MAP_TYPE_ARRAY, 4, 4, cpus },
	};
	int rc = bpf_maps_new(maps, ARRAY_SIZE(maps), err);

	for (size_t i = 0; !rc && i < o->tids->nr; i++)
		rc = bpf_map_set(t->tasks, &(u64){ (u32)o->tids->v[i] }, &(u64){ 1 });
	for (size_t i = 0; !rc && i < o->cpus->nr; i++)
		rc = bpf_map_set(t->cpus, &o->cpus->v[i], &(u32){ 1 });
	return rc;
}

/* Keep a descriptor that is to be closed in the end. Return: it, or the negative errno that it is.
 */
static int keep(struct kfunc_times *t, int fd)
{
	if (fd < 0)
		return fd;
	VEC_GROW(t->fds, t->nr_fds + 1, t->cap_fds);
	return t->fds[t->nr_fds++] = fd;
}

static int attach(struct kfunc_times *t, const struct kfunc_times_opts *o, u32 func, u32 type,
		  bool leave, struct err *err)
{
	const struct bpf_hook hook = { 0, type, leave ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY };
	struct bpf_code code = { 0 };
	int rc;

	if (leave)
		kfunc_leave_prog(&code, t, o, func);
	else
		kfunc_enter_prog(&code, t, func);
	rc = keep(t, bpf_prog_hook(leave ? "times_leave" : "times_enter", &hook, &code, err));
	bpf_code_release(&code);
	if (rc == -EPERM || rc == -ENOTSUPP)
		return err_set(
			err, rc,
			"cannot have a BPF program run with %s (%s): %s\n"
			"That takes Linux 5.5 or later (arm64: 6.0) with CONFIG_BPF_JIT and "
			"CONFIG_DYNAMIC_FTRACE, CAP_BPF and CAP_PERFMON, and a host that does not "
			"forbid it, as some virtual machines and containers do.",
			o->funcs[func], leave ? "fexit" : "fentry", err_str(rc));
	if (rc < 0)
		return rc;
	rc = keep(t, bpf_attach(rc));
	return rc < 0 ? err_set(err, rc, "cannot attach a BPF program to %s (%s): %s",
				o->funcs[func], leave ? "fexit" : "fentry", err_str(rc))
		      : 0;
}

/* The program at the exit is attached first, so that no call that is counted stays open. */
static int attach_all(struct kfunc_times *t, const struct kfunc_times_opts *o, struct err *err)
{
	struct btf b;
	int rc = btf_open_kernel(&b, o->sysroot, err);

	if (rc)
		return rc;
	for (u32 i = 0; !rc && i < o->nr_funcs; i++) {
		const u32 type = btf_func(&b, o->funcs[i]);

		if (!type)
			rc = err_set(err, -ENOENT,
				     "the kernel's types have no function '%s', so that no BPF "
				     "program can be attached to it",
				     o->funcs[i]);
		rc = rc ?: attach(t, o, i, type, true, err);
		rc = rc ?: attach(t, o, i, type, false, err);
	}
	btf_close(&b);
	return rc;
}

int kfunc_times_open(struct kfunc_times *t, const struct kfunc_times_opts *o, struct err *err)
{
	int rc = bpf_possible_cpus(o->sysroot, err);

	*t = (struct kfunc_times){ -1, -1, -1, -1, -1, .nr_cpus = (u32)MAX(rc, 0) };
	if (rc < 0)
		return rc;
	rc = o->tids->nr ? bpf_first_namespace(o->sysroot, err) : 0;
	rc = rc ?: kfunc_times_maps(t, o, err);
	rc = rc ?: attach_all(t, o, err);
	if (rc)
		kfunc_times_close(t);
	return rc;
}

void kfunc_times_close(struct kfunc_times *t)
{
	const int maps[] = { t->ctl, t->open, t->sums, t->tasks, t->cpus };

	while (t->nr_fds)
		close(t->fds[--t->nr_fds]);
	free(t->fds);
	t->fds = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		if (maps[i] >= 0)
			close(maps[i]);
}

/* ---- sums ---- */

void kfunc_times_enable(struct kfunc_times *t, bool on)
{
	struct times_ctl ctl;

	bpf_value_get(t->ctl, &ctl, sizeof(ctl));
	ctl.enabled = on;
	bpf_value_set(t->ctl, &ctl);
}

u64 kfunc_times_lost(const struct kfunc_times *t)
{
	struct times_ctl ctl;

	bpf_value_get(t->ctl, &ctl, sizeof(ctl));
	return ctl.lost;
}

void kfunc_times_read(const struct kfunc_times *t, u32 i, struct kfunc_sum *out)
{
	struct times_sum *cpus = xcalloc(t->nr_cpus, sizeof(*cpus));
	u64 lacks = 0;

	*out = (struct kfunc_sum){ .nr = 0 };
	if (bpf_map_get(t->sums, &i, cpus)) {
		free(cpus);
		return;
	}
	for (u32 cpu = 0; cpu < t->nr_cpus; cpu++) {
		out->nr += cpus[cpu].nr;
		out->total += cpus[cpu].total;
		out->most = MAX(out->most, cpus[cpu].most);
		lacks = MAX(lacks, cpus[cpu].lacks);
		for (u32 k = 0; k < KFUNC_STEPS; k++)
			out->counts[k] += cpus[cpu].counts[k];
	}
	out->least = out->nr ? ~lacks : 0;
	free(cpus);
}
