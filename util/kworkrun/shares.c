// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "kworkrun/shares.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "bpf/btf.h"
#include "bpf/sys.h"

#include <errno.h>
#include <unistd.h>

#define MAX_TASKS 16384

static const struct share_event events[] = {
	{ "sched_switch", 0, 0 },
	{ "irq_handler_entry", SHARE_IRQ, 0 },
	{ "irq_handler_exit", 0, SHARE_IRQ },
	{ "softirq_entry", SHARE_SOFTIRQ, 0 },
	{ "softirq_exit", 0, SHARE_SOFTIRQ },
};

static int make_maps(struct shares *s, const struct shares_opts *o, struct err *err)
{
	const struct bpf_map_spec maps[] = {
		{ &s->ctl, "share_ctl", BPF_MAP_TYPE_ARRAY, 4, sizeof(struct shares_ctl), 1 },
		{ &s->doing, "share_doing", BPF_MAP_TYPE_PERCPU_ARRAY, 4,
		  sizeof(struct share_doing), 1 },
		{ &s->sums, "share_sums", BPF_MAP_TYPE_HASH, sizeof(struct share_key),
		  sizeof(struct share_sum), MAX_TASKS },
	};
	int rc = bpf_maps_new(maps, ARRAY_SIZE(maps), err);

	if (rc >= 0 && o->cpus)
		rc = s->cpus = chosen_cpus_map(o->cpus, err);
	return MIN(rc, 0);
}

static int find_pid(const struct sysroot *sr, struct err *err)
{
	struct btf b;
	int offset, rc = btf_open_kernel(&b, sr, err);

	if (rc)
		return rc;
	offset = btf_member(&b, "task_struct", "pid");
	btf_close(&b);
	return offset < 0 ? err_set(err, -EOPNOTSUPP,
				    "the kernel's struct task_struct does not tell the number of a "
				    "task where it is looked for")
			  : offset;
}

static int attach(struct shares *s, const struct share_event *event, int pid, struct err *err)
{
	struct bpf_code code = { 0 };

	share_prog(&code, s, event, pid);
	return programs_attach(&s->progs, event->tracepoint, &code, err);
}

static bool is_wanted(const struct shares_opts *o, const struct share_event *event)
{
	u32 bits = event->set | event->clear;

	return !bits || (bits == SHARE_IRQ ? o->irqs : o->softirqs);
}

int shares_open(struct shares *s, const struct shares_opts *opts, struct err *err)
{
	int pid = find_pid(opts->sysroot, err),
	    cpus = pid < 0 ? pid : bpf_possible_cpus(opts->sysroot, err), rc;

	*s = (struct shares){ -1, -1, -1, -1 };
	if (cpus < 0)
		return cpus;
	s->nr_cpus = (u32)cpus;
	rc = make_maps(s, opts, err);
	for (size_t i = 0; i < ARRAY_SIZE(events) && !rc; i++)
		if (is_wanted(opts, &events[i]))
			rc = attach(s, &events[i], pid, err);
	if (rc)
		shares_close(s);
	return rc;
}

void shares_close(struct shares *s)
{
	const int maps[] = { s->ctl, s->doing, s->sums, s->cpus };

	programs_close(&s->progs);
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		if (maps[i] >= 0)
			close(maps[i]);
}

void shares_enable(struct shares *s, bool on)
{
	struct shares_ctl ctl;
	u64 now = clock_ns(CLOCK_MONOTONIC);

	bpf_value_get(s->ctl, &ctl, sizeof(ctl));
	if (on)
		s->start = now;
	ctl.start = on ? now : 0;
	bpf_value_set(s->ctl, &ctl);
	if (!on)
		s->end = clock_ns(CLOCK_MONOTONIC);
}

/* ---- the result ---- */

/* Return the task with a tid, which is made unless it is there. There are few of these look-ups. */
static struct share *task_of(struct shares_result *r, u32 tid)
{
	for (size_t i = 0; i < r->nr_tasks; i++)
		if (r->tasks[i].tid == tid)
			return &r->tasks[i];
	VEC_GROW(r->tasks, r->nr_tasks + 1, r->cap_tasks);
	r->tasks[r->nr_tasks] = (struct share){ .tid = tid };
	return &r->tasks[r->nr_tasks++];
}

static void add_time(struct shares_result *r, const struct share_key *key, u64 ns)
{
	struct kwork_cpu *c = key->cpu < r->nr_cpus ? &r->cpus[key->cpu] : NULL;

	if (key->who == SHARE_OF_IRQS && c)
		c->irq += ns;
	else if (key->who == SHARE_OF_SOFTIRQS && c)
		c->softirq += ns;
	else if (!key->who && c)
		c->idle += ns;
}

static void add_sum(struct shares_result *r, const struct share_key *key,
		    const struct share_sum *sum)
{
	struct share *t;

	if (!key->who || key->who >= SHARE_OF_SOFTIRQS) {
		add_time(r, key, sum->ns);
		return;
	}
	VEC_GROW(r->tasks, r->nr_tasks + 1, r->cap_tasks);
	t = &r->tasks[r->nr_tasks++];
	*t = (struct share){ .tid = key->who, .ns = sum->ns };
	memcpy(t->comm, sum->comm, sizeof(t->comm) - 1);
}

/* A CPU goes on with what it does until the end of the counting. */
static void add_rest(const struct shares *s, struct shares_result *r, u32 cpu,
		     const struct share_doing *d)
{
	struct share_key key = { d->tid, cpu };
	u64 ns = s->end > d->since ? s->end - d->since : 0;

	if (!(d->what & SHARE_KNOWN))
		return;
	r->cpus[cpu].total = s->end - s->start;
	if (d->what & (SHARE_IRQ | SHARE_SOFTIRQ))
		key.who = d->what & SHARE_IRQ ? SHARE_OF_IRQS : SHARE_OF_SOFTIRQS;
	if (key.who && key.who < SHARE_OF_SOFTIRQS)
		task_of(r, key.who)->ns += ns;
	else
		add_time(r, &key, ns);
}

void shares_read(const struct shares *s, struct shares_result *out)
{
	struct share_doing *doing = xcalloc(s->nr_cpus, sizeof(*doing));
	struct share_key key;
	struct share_sum sum;
	u32 zero = 0;
	struct shares_ctl ctl;

	out->nr_cpus = s->nr_cpus;
	out->cpus = xcalloc((size_t)s->nr_cpus + 1, sizeof(*out->cpus));
	for (int rc = bpf_map_next(s->sums, NULL, &key); !rc;
	     rc = bpf_map_next(s->sums, &key, &key))
		if (!bpf_map_get(s->sums, &key, &sum))
			add_sum(out, &key, &sum);
	if (!bpf_map_get(s->doing, &zero, doing))
		for (u32 cpu = 0; cpu < s->nr_cpus; cpu++)
			add_rest(s, out, cpu, &doing[cpu]);
	bpf_value_get(s->ctl, &ctl, sizeof(ctl));
	out->lost = ctl.lost;
	free(doing);
}

void shares_result_release(struct shares_result *r)
{
	free(r->cpus);
	free(r->tasks);
}
