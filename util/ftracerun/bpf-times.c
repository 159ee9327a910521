// SPDX-License-Identifier: GPL-2.0-or-later
/* The times of functions where no tracer takes them: BPF programs count while the command runs. */
#include "base/compat.h"
#include "ftracerun/run-internal.h"

#include "base/alloc.h"

struct timing {
	const struct ftrace_conf *c;
	struct durations *d;
	struct kfunc_sum *sums; /* may be NULL */
	struct ftrace_end *end;
	bool began;
};

static void add_sums(struct timing *t, const struct kfunc_times *times)
{
	const u64 lost = kfunc_times_lost(times);

	for (u32 i = 0; i < t->c->funcs.nr; i++) {
		struct kfunc_sum s;

		kfunc_times_read(times, i, &s);
		durations_take(t->d, s.counts, s.nr, s.total, s.least, s.most);
		if (t->sums)
			t->sums[i] = s;
	}
	if (lost)
		notice(t->c->notes,
		       "%" PRIu64 " calls were not counted, as too many ran at a time.\n", lost);
}

static int find_target(const struct ftrace_conf *c, s32 pid, struct int_list *tids,
		       struct int_list *cpus, struct err *err)
{
	const struct target *t = &c->target;
	int rc = t->cpus ? cpu_list_target(c->sysroot, t->cpus, cpus, err) : 0;

	int_list_sort(cpus);
	if (!rc && target_tasks(t))
		rc = target_threads(t, c->sysroot, tids, err);
	else if (pid && !t->all_cpus && !t->cpus)
		int_list_add(tids, pid);
	return rc;
}

static int count(struct timing *t, struct kfunc_times *times, struct workload *command,
		 const sigset_t *set, struct err *err)
{
	int rc;

	t->began = true;
	kfunc_times_enable(times, true);
	rc = workload_run(command, t->c->command[0], set, &t->end->signal, err);
	kfunc_times_enable(times, false);
	if (!rc)
		add_sums(t, times);
	return rc;
}

static int around(void *ctx, struct workload *command, const sigset_t *set, struct err *err)
{
	struct timing *t = ctx;
	struct int_list tids = { 0 }, cpus = { 0 };
	u64 ends[DURATION_STEPS];
	struct kfunc_times_opts opts = {
		.sysroot = t->c->sysroot,
		.funcs = t->c->funcs.v,
		.nr_funcs = t->c->funcs.nr,
		.tids = &tids,
		.cpus = &cpus,
		.ends = ends,
		.nr_steps = durations_ends(t->d, ends),
	};
	struct kfunc_times times;
	int rc = find_target(t->c, command->pid, &tids, &cpus, err);

	rc = rc ?: kfunc_times_open(&times, &opts, err);
	if (!rc) {
		rc = count(t, &times, command, set, err);
		kfunc_times_close(&times);
	}
	int_list_release(&tids);
	int_list_release(&cpus);
	return rc;
}

int frun_bpf_times(const struct ftrace_conf *c, struct durations *d, struct kfunc_sum *sums,
		   bool *began, struct ftrace_end *end, struct err *err)
{
	struct timing t = { .c = c, .d = d, .sums = sums, .end = end };
	const int rc = workload_around(c->command, WORKLOAD_OUTPUT_OURS, around, &t, err);

	*began = t.began;
	return rc;
}
