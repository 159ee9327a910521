// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "bpf/offcpu.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "bpf/sys.h"
#include "bpf/btf.h"

#include <errno.h>
#include <unistd.h>

#define MAX_TASKS 65536
#define MAX_TOTALS 65536
#define MAX_STACKS 16384 /* in each of two maps; when an entry is in use, the other map is tried */
#define LEAST 1024       /* the smallest useful number of entries in a map */
#define STACK_SECOND ((u32)1 << 20)
#define RING_PAGES 16

#define PF_KTHREAD 0x00200000
#define TASK_SLEEPS 3 /* bits of the states interruptible and uninterruptible */
#define TASK_DEAD 0x80

/* Data that the programs and this process share. */
struct ctl {
	u64 enabled;
	u64 epoch;      /* CLOCK_MONOTONIC when counting was enabled */
	u64 calibrated; /* an event has told the offset of the clock of events */
	u64 lost_stacks, lost_sleeps;
};

struct key {
	u64 cgroup;
	u32 tgid, tid;
	s32 stack; /* -1: none */
	u32 state;
};

struct sleeping {
	u64 since;
	struct key key;
};

struct told {
	u64 now, period; /* period 0: the event exists only for its time */
	struct key key;
};

/* --- the programs ---------------------------------------------------------------- */

/* Offsets on the stack of the programs. */
enum {
	S_PEEK = -8,
	S_TID = -16,
	S_SLEEP = S_TID - (int)sizeof(struct sleeping),
	S_TOLD = S_SLEEP - (int)sizeof(struct told),
	S_KEY = S_TOLD + (int)offsetof(struct told, key)
};

enum { R_CTX = BPF_REG_6, R_PREV = BPF_REG_7, R_NEXT = BPF_REG_8, R_NOW = BPF_REG_9 };

/* Offsets of members in struct task_struct. */
struct task_at {
	int flags, state;
	struct bpf_task_at numbers;
};

/* Emit: r0 = helper(map, key at @key, value at @value, flags) */
static void map_call(struct bpf_code *c, int func, int map, int key, int value, int flags)
{
	bpf_movmap(c, BPF_REG_1, map);
	bpf_frame(c, BPF_REG_2, key);
	bpf_frame(c, BPF_REG_3, value);
	bpf_movi(c, BPF_REG_4, flags);
	bpf_helper(c, func);
}

static void tell(struct bpf_code *c, const struct offcpu *o)
{
	bpf_mov(c, BPF_REG_1, R_CTX);
	bpf_movmap(c, BPF_REG_2, o->events);
	bpf_mov64(c, BPF_REG_3, BPF_F_CURRENT_CPU);
	bpf_frame(c, BPF_REG_4, S_TOLD);
	bpf_movi(c, BPF_REG_5, sizeof(struct told));
	bpf_helper(c, BPF_FUNC_perf_event_output);
}

/* The first switch provides the time of both clocks. */
static void calibrate(struct bpf_code *c, const struct offcpu *o)
{
	int done = bpf_label(c);

	bpf_movval(c, BPF_REG_1, o->ctl, offsetof(struct ctl, calibrated));
	bpf_load(c, BPF_DW, BPF_REG_2, BPF_REG_1, 0);
	bpf_jumpi(c, BPF_JNE, BPF_REG_2, 0, done);
	bpf_storei(c, BPF_DW, BPF_REG_1, 0, 1);
	for (size_t i = 0; i < sizeof(struct told); i += 8)
		bpf_storei(c, BPF_DW, BPF_REG_10, S_TOLD + (int)i, 0);
	bpf_store(c, BPF_DW, BPF_REG_10, S_TOLD, R_NOW);
	tell(c, o);
	bpf_bind(c, done);
}

/* Emit: r0 = the id of the user stack, or -1; it may be in the second map. */
static void take_stack(struct bpf_code *c, const struct offcpu *o)
{
	int have = bpf_label(c), none = bpf_label(c);

	for (int i = 0; i < 2; i++) {
		bpf_mov(c, BPF_REG_1, R_CTX);
		bpf_movmap(c, BPF_REG_2, o->stacks[i]);
		bpf_movi(c, BPF_REG_3, BPF_F_USER_STACK | BPF_F_FAST_STACK_CMP);
		bpf_helper(c, BPF_FUNC_get_stackid);
		if (i) {
			int full = bpf_label(c);

			bpf_jumpi(c, BPF_JSLT, BPF_REG_0, 0, full);
			bpf_alui(c, BPF_OR, BPF_REG_0, STACK_SECOND);
			bpf_goto(c, have);
			bpf_bind(c, full);
		} else {
			bpf_jumpi(c, BPF_JSGE, BPF_REG_0, 0, have);
			bpf_jumpi(c, BPF_JNE, BPF_REG_0, -EEXIST, none);
		}
	}
	bpf_count_up(c, o->ctl, offsetof(struct ctl, lost_stacks));
	bpf_bind(c, none);
	bpf_movi(c, BPF_REG_0, -1);
	bpf_bind(c, have);
}

#define SLEEP_AT(member) (S_SLEEP + (int)offsetof(struct sleeping, member))

/*
 * S_TID = the thread that leaves; key.tid and key.tgid of S_SLEEP = its ids in the recorder's
 * namespace; goto @leave when it has none.
 */
static void take_ids(struct bpf_code *c, const struct offcpu_opts *opts, int leave)
{
	bpf_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_store(c, BPF_W, BPF_REG_10, S_TID, BPF_REG_0);
	bpf_ids(c, opts->ns, S_PEEK, leave);
	bpf_store(c, BPF_W, BPF_REG_10, SLEEP_AT(key.tid), BPF_REG_0);
	bpf_mov(c, BPF_REG_1, BPF_REG_0);
	bpf_alui(c, BPF_RSH, BPF_REG_1, 32);
	bpf_store(c, BPF_W, BPF_REG_10, SLEEP_AT(key.tgid), BPF_REG_1);
}

/* goto @leave unless the current task was requested; its ids are in S_SLEEP and S_TID. */
static void only_wanted(struct bpf_code *c, const struct offcpu *o, const struct offcpu_opts *opts,
			int leave)
{
	if (opts->not_pid) {
		bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, SLEEP_AT(key.tgid));
		bpf_jumpi(c, BPF_JEQ, BPF_REG_1, (s32)opts->not_pid, leave);
	}
	if (o->tasks >= 0) {
		map_call(c, BPF_FUNC_map_lookup_elem, o->tasks, SLEEP_AT(key.tid), S_PEEK, 0);
		bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, leave);
	}
	if (o->cpus >= 0) {
		bpf_helper(c, BPF_FUNC_get_smp_processor_id);
		bpf_store(c, BPF_DW, BPF_REG_10, S_PEEK, BPF_REG_0);
		map_call(c, BPF_FUNC_map_lookup_elem, o->cpus, S_PEEK, S_TID, 0);
		bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, leave);
		bpf_load(c, BPF_W, BPF_REG_0, BPF_REG_0, 0);
		bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, leave);
	}
	if (o->cgroups >= 0) {
		int in = bpf_label(c);

		for (size_t i = 0; i < opts->cgroups->nr; i++) {
			bpf_movmap(c, BPF_REG_1, o->cgroups);
			bpf_movi(c, BPF_REG_2, (s32)i);
			bpf_helper(c, BPF_FUNC_current_task_under_cgroup);
			bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 1, in);
		}
		bpf_goto(c, leave);
		bpf_bind(c, in);
	}
}

/* Process the task that leaves the CPU. @next: label to continue at */
static void switch_out(struct bpf_code *c, const struct offcpu *o, const struct offcpu_opts *opts,
		       const struct task_at *at, int next)
{
	int dead = bpf_label(c), stored = bpf_label(c);

	/* it was preempted and still wants to run */
	bpf_load(c, BPF_DW, BPF_REG_0, R_CTX, 0);
	bpf_alui(c, BPF_AND, BPF_REG_0, 0xff);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, next);
	bpf_peek(c, S_PEEK, 4, R_PREV, at->flags);
	bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, S_PEEK);
	bpf_jumpi(c, BPF_JSET, BPF_REG_1, PF_KTHREAD, next);
	bpf_peek(c, S_PEEK, 4, R_PREV, at->state);
	bpf_load(c, BPF_W, R_PREV, BPF_REG_10, S_PEEK);
	take_ids(c, opts, next);
	bpf_jumpi(c, BPF_JSET, R_PREV, TASK_DEAD, dead);
	bpf_alui(c, BPF_AND, R_PREV, TASK_SLEEPS);
	bpf_jumpi(c, BPF_JEQ, R_PREV, 0, next);
	bpf_store(c, BPF_W, BPF_REG_10, SLEEP_AT(key.state), R_PREV);
	only_wanted(c, o, opts, next);
	bpf_helper(c, BPF_FUNC_get_current_cgroup_id);
	bpf_store(c, BPF_DW, BPF_REG_10, SLEEP_AT(key.cgroup), BPF_REG_0);
	take_stack(c, o);
	bpf_store(c, BPF_W, BPF_REG_10, SLEEP_AT(key.stack), BPF_REG_0);
	bpf_store(c, BPF_DW, BPF_REG_10, SLEEP_AT(since), R_NOW);
	map_call(c, BPF_FUNC_map_update_elem, o->sleeping, S_TID, S_SLEEP, BPF_ANY);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, stored);
	bpf_count_up(c, o->ctl, offsetof(struct ctl, lost_sleeps));
	bpf_bind(c, stored);
	bpf_goto(c, next);
	/* its tid may be given to another task */
	bpf_bind(c, dead);
	if (o->tasks >= 0)
		map_call(c, BPF_FUNC_map_delete_elem, o->tasks, SLEEP_AT(key.tid), S_PEEK, 0);
	bpf_goto(c, next);
}

/* Process the task that gets the CPU. */
static void switch_in(struct bpf_code *c, const struct offcpu *o, const struct offcpu_opts *opts,
		      const struct task_at *at, int out)
{
	enum { R_SLEEP = R_PREV, R_PERIOD = R_NEXT };
	int sum = bpf_label(c), fresh = bpf_label(c);

	bpf_peek(c, S_TID, 4, R_NEXT, at->numbers.pid);
	map_call(c, BPF_FUNC_map_lookup_elem, o->sleeping, S_TID, S_PEEK, 0);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_mov(c, R_SLEEP, BPF_REG_0);
	for (size_t i = 0; i < sizeof(struct key); i += 8) {
		bpf_load(c, BPF_DW, BPF_REG_1, R_SLEEP, (int)(offsetof(struct sleeping, key) + i));
		bpf_store(c, BPF_DW, BPF_REG_10, S_KEY + (int)i, BPF_REG_1);
	}
	bpf_load(c, BPF_DW, R_SLEEP, R_SLEEP, offsetof(struct sleeping, since));
	map_call(c, BPF_FUNC_map_delete_elem, o->sleeping, S_TID, S_PEEK, 0);
	/* it went to sleep before counting was enabled again */
	bpf_movval(c, BPF_REG_1, o->ctl, offsetof(struct ctl, epoch));
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_1, 0);
	bpf_jump(c, BPF_JLT, R_SLEEP, BPF_REG_1, out);
	bpf_mov(c, R_PERIOD, R_NOW);
	bpf_alu(c, BPF_SUB, R_PERIOD, R_SLEEP);
	bpf_store(c, BPF_DW, BPF_REG_10, S_TOLD + (int)offsetof(struct told, period), R_PERIOD);
	bpf_store(c, BPF_DW, BPF_REG_10, S_TOLD, R_NOW);
	bpf_mov64(c, BPF_REG_1, opts->thresh_ns);
	bpf_jump(c, BPF_JLT, R_PERIOD, BPF_REG_1, sum);
	tell(c, o);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_bind(c, sum);
	map_call(c, BPF_FUNC_map_lookup_elem, o->total, S_KEY, S_PEEK, 0);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, fresh);
	bpf_add_atomic(c, BPF_REG_0, 0, R_PERIOD);
	bpf_goto(c, out);
	bpf_bind(c, fresh);
	map_call(c, BPF_FUNC_map_update_elem, o->total, S_KEY,
		 S_TOLD + (int)offsetof(struct told, period), BPF_NOEXIST);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_count_up(c, o->ctl, offsetof(struct ctl, lost_sleeps));
}

/* Emit the program for sched_switch(bool preempt, struct task_struct *prev, struct task_struct
 * *next, ...). */
static void on_switch(struct bpf_code *c, const struct offcpu *o, const struct offcpu_opts *opts,
		      const struct task_at *at)
{
	int next = bpf_label(c), out = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	bpf_movval(c, BPF_REG_1, o->ctl, offsetof(struct ctl, enabled));
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_1, 0);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, out);
	bpf_load(c, BPF_DW, R_PREV, R_CTX, 8);
	bpf_load(c, BPF_DW, R_NEXT, R_CTX, 16);
	bpf_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_mov(c, R_NOW, BPF_REG_0);
	calibrate(c, o);
	switch_out(c, o, opts, at, next);
	bpf_bind(c, next);
	switch_in(c, o, opts, at, out);
	bpf_bind(c, out);
	bpf_return(c, 0);
}

/* Emit the program for task_newtask(struct task_struct *task, ...), which counts the children of
 * counted tasks, too. */
static void on_newtask(struct bpf_code *c, const struct offcpu *o, const struct offcpu_opts *opts,
		       const struct task_at *at)
{
	int out = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	take_ids(c, opts, out);
	map_call(c, BPF_FUNC_map_lookup_elem, o->tasks, SLEEP_AT(key.tid), S_PEEK, 0);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_load(c, BPF_DW, R_NEXT, R_CTX, 0);
	bpf_task_number(c, opts->ns, &at->numbers, R_NEXT, S_TID, S_PEEK);
	bpf_storei(c, BPF_DW, BPF_REG_10, S_PEEK, 1);
	map_call(c, BPF_FUNC_map_update_elem, o->tasks, S_TID, S_PEEK, BPF_ANY);
	bpf_bind(c, out);
	bpf_return(c, 0);
}

static int find_task(struct task_at *at, const struct sysroot *sr, struct err *err)
{
	struct btf b;
	int rc = btf_open_kernel(&b, sr, err);

	if (rc)
		return rc;
	at->flags = btf_member(&b, "task_struct", "flags");
	at->state = btf_member(&b, "task_struct", "__state");
	if (at->state < 0) /* before Linux 5.14 */
		at->state = btf_member(&b, "task_struct", "state");
	rc = bpf_task_find(&at->numbers, &b, err);
	btf_close(&b);
	if (!rc && (at->flags < 0 || at->state < 0))
		return err_set(
			err, -EOPNOTSUPP,
			"The kernel's struct task_struct is not one that off-cpu profiling knows.");
	return rc;
}

/* --- maps, rings ------------------------------------------------------------------- */

static int make_maps(struct offcpu *o, const struct offcpu_opts *opts, struct err *err)
{
	u32 cpus = 1, cgroups = opts->cgroups ? (u32)opts->cgroups->nr : 0;
	int fd;
	const struct bpf_map_spec maps[] = {
		{ &o->ctl, "offcpu_ctl", BPF_MAP_TYPE_ARRAY, 4, sizeof(struct ctl), 1 },
		{ &o->sleeping, "offcpu_sleep", BPF_MAP_TYPE_HASH, 4, sizeof(struct sleeping),
		  MAX_TASKS },
		{ &o->total, "offcpu_total", BPF_MAP_TYPE_HASH, sizeof(struct key), 8, MAX_TOTALS },
		{ &o->stacks[0], "offcpu_stacks", BPF_MAP_TYPE_STACK_TRACE, 4, 8 * OFFCPU_STACK_MAX,
		  MAX_STACKS },
		{ &o->stacks[1], "offcpu_stacks", BPF_MAP_TYPE_STACK_TRACE, 4, 8 * OFFCPU_STACK_MAX,
		  MAX_STACKS },
		{ &o->events, "offcpu_events", BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, 0 },
		{ &o->tasks, "offcpu_tasks", BPF_MAP_TYPE_HASH, 4, 4,
		  opts->tids->nr ? MAX_TASKS : 0 },
		{ &o->cpus, "offcpu_cpus", BPF_MAP_TYPE_ARRAY, 4, 4, opts->cpus ? 1 : 0 },
		{ &o->cgroups, "offcpu_cgroups", BPF_MAP_TYPE_CGROUP_ARRAY, 4, 4, cgroups },
	};

	for (size_t i = 0; i < opts->online->nr; i++)
		cpus = MAX(cpus, (u32)opts->online->v[i] + 1);
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++) {
		bool per_cpu = maps[i].map == &o->events || maps[i].map == &o->cpus;
		u32 max = maps[i].map == &o->events || (per_cpu && maps[i].max) ? cpus
										: maps[i].max;

		if (!max)
			continue;
		/* when memory is limited, fewer entries are used */
		do {
			fd = bpf_map_new(maps[i].name, maps[i].type, maps[i].key, maps[i].value,
					 max, err);
		} while (fd == -ENOMEM && (max /= 2) >= LEAST);
		if (fd < 0)
			return fd;
		*maps[i].map = fd;
	}
	return 0;
}

static int fill_map(int map, const char *what, u32 key, u32 value, struct err *err)
{
	int rc = bpf_map_set(map, &key, &value);

	return rc ? err_set(err, rc, "failed to choose a %s for off-cpu profiling: %s", what,
			    err_str(rc))
		  : 0;
}

static int fill_maps(struct offcpu *o, const struct offcpu_opts *opts, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; o->tasks >= 0 && i < opts->tids->nr && !rc; i++)
		rc = fill_map(o->tasks, "thread", (u32)opts->tids->v[i], 1, err);
	for (size_t i = 0; o->cpus >= 0 && i < opts->cpus->nr && !rc; i++)
		rc = fill_map(o->cpus, "CPU", (u32)opts->cpus->v[i], 1, err);
	for (size_t i = 0; o->cgroups >= 0 && i < opts->cgroups->nr && !rc; i++)
		rc = fill_map(o->cgroups, "cgroup", (u32)i, (u32)opts->cgroups->v[i], err);
	for (size_t i = 0; i < o->kevents.nr && !rc; i++)
		rc = fill_map(o->events, "ring", (u32)o->kevents.fds[i].cpu,
			      (u32)o->kevents.fds[i].fd, err);
	return rc;
}

static int open_rings(struct offcpu *o, const struct offcpu_opts *opts, struct err *err)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_BPF_OUTPUT,
				     .size = sizeof(a),
				     .sample_period = 1,
				     .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
						    PERF_SAMPLE_RAW,
				     .use_clockid = opts->clockid_set,
				     .clockid = opts->clockid,
				     .watermark = 1,
				     .wakeup_watermark = 4096 };
	struct int_list all = { 0 };
	struct open_opts oo = { .sysroot = opts->sysroot, .cpus = opts->online, .tids = &all };
	int rc;

	evlist_add(&o->evlist, &a, "offcpu-output");
	rc = kevents_open(&o->kevents, &o->evlist, &oo, err);
	return rc ? rc : rings_map(&o->rings, opts->sysroot, &o->kevents, RING_PAGES, true, err);
}

/* --- open, close -------------------------------------------------------------------- */

static int attach(struct offcpu *o, int i, const char *tracepoint, struct bpf_code *code,
		  struct err *err)
{
	return bpf_tracepoint_open(&o->progs[i], i ? "offcpu_newtask" : "offcpu_switch", tracepoint,
				   NULL, code, err);
}

static int load(struct offcpu *o, const struct offcpu_opts *opts, struct err *err)
{
	struct bpf_code code = { 0 };
	struct task_at at;
	int rc = find_task(&at, opts->sysroot, err);

	if (!rc)
		rc = make_maps(o, opts, err);
	if (!rc)
		rc = open_rings(o, opts, err);
	/* first the program that adds children, so that none is missed */
	if (!rc && o->tasks >= 0 && opts->inherit) {
		on_newtask(&code, o, opts, &at);
		rc = attach(o, 1, "task_newtask", &code, err);
	}
	if (!rc)
		rc = fill_maps(o, opts, err);
	if (!rc) {
		on_switch(&code, o, opts, &at);
		rc = attach(o, 0, "sched_switch", &code, err);
	}
	return rc;
}

int offcpu_open(struct offcpu *o, const struct offcpu_opts *opts, struct err *err)
{
	int rc;

	memset(o, 0, sizeof(*o));
	o->ctl = o->sleeping = o->total = o->tasks = o->cpus = o->cgroups = o->events = -1;
	o->stacks[0] = o->stacks[1] = -1;
	o->progs[0] = o->progs[1] = BPF_AT_NOTHING;
	rc = load(o, opts, err);
	if (rc)
		offcpu_close(o);
	return rc;
}

void offcpu_close(struct offcpu *o)
{
	int fds[] = { o->ctl,     o->sleeping, o->total,     o->tasks,    o->cpus,
		      o->cgroups, o->events,   o->stacks[0], o->stacks[1] };

	bpf_tracepoint_close(&o->progs[0]);
	bpf_tracepoint_close(&o->progs[1]);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	rings_release(&o->rings);
	kevents_release(&o->kevents);
	evlist_release(&o->evlist);
}

/* --- samples ------------------------------------------------------------------------- */

void offcpu_enable(struct offcpu *o, bool on)
{
	struct ctl ctl;

	bpf_value_get(o->ctl, &ctl, sizeof(ctl));
	if (on)
		ctl.epoch = clock_ns(CLOCK_MONOTONIC);
	else if (ctl.enabled)
		o->stopped = clock_ns(CLOCK_MONOTONIC);
	ctl.enabled = on;
	bpf_value_set(o->ctl, &ctl);
}

static void emit(const struct offcpu *o, const struct key *k, struct offcpu_sample *s, offcpu_fn fn,
		 void *ctx)
{
	u32 id = (u32)k->stack & ~STACK_SECOND;

	s->pid = k->tgid;
	s->tid = k->tid;
	s->cgroup = k->cgroup;
	s->state = k->state;
	s->nr_ips = 0;
	memset(s->ips, 0, sizeof(s->ips));
	if (k->stack >= 0 && !bpf_map_get(o->stacks[!!((u32)k->stack & STACK_SECOND)], &id, s->ips))
		while (s->nr_ips < OFFCPU_STACK_MAX && s->ips[s->nr_ips])
			s->nr_ips++;
	fn(ctx, s);
}

/* Process one record of our rings. */
static void take_record(struct offcpu *o, const void *rec, size_t size, offcpu_fn fn, void *ctx)
{
	const wire_header *h = rec;
	struct offcpu_sample out = { .unfinished = false };
	struct rec_lost lost;
	struct sample s;
	struct told t;

	if (h->type == PERF_RECORD_LOST && !rec_lost_decode(rec, size, &lost))
		o->lost += lost.lost;
	if (h->type != PERF_RECORD_SAMPLE ||
	    sample_decode(&o->evlist.evsels[0]->layout, rec, size, &s) || s.raw_size < sizeof(t))
		return;
	memcpy(&t, s.raw, sizeof(t));
	o->clock_shift = (s64)(s.time - t.now);
	o->clock_known = true;
	if (!t.period)
		return;
	out.time = s.time;
	out.cpu = s.cpu;
	out.period = t.period;
	emit(o, &t.key, &out, fn, ctx);
}

void offcpu_read(struct offcpu *o, offcpu_fn fn, void *ctx)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < o->rings.nr; i++) {
		struct iovec iov[2];
		size_t at = 0;
		u64 head;
		int nr = ring_spans(&o->rings.v[i], iov, &head);

		strbuf_reset(&sb);
		for (int k = 0; k < nr; k++)
			strbuf_add(&sb, iov[k].iov_base, iov[k].iov_len);
		ring_consume(&o->rings.v[i], head);
		while (sb.len - at >= sizeof(struct perf_event_header)) {
			const wire_header *h = (const void *)(sb.buf + at);

			if (h->size < sizeof(*h) || h->size > sb.len - at)
				break;
			take_record(o, h, h->size, fn, ctx);
			at += h->size;
		}
	}
	strbuf_release(&sb);
}

void offcpu_finish(struct offcpu *o, offcpu_fn fn, void *ctx, struct offcpu_lost *lost)
{
	struct offcpu_sample s = { .cpu = ~0U };
	struct sleeping sl;
	struct ctl ctl;
	struct key k;
	u64 now;
	u32 tid;

	offcpu_enable(o, false);
	/* it woke up after that, which was not seen */
	now = o->stopped;
	offcpu_read(o, fn, ctx);
	/* without any switch the offset of the clock is unknown */
	s.time = now + (u64)o->clock_shift;
	for (int rc = bpf_map_next(o->total, NULL, &k); !rc; rc = bpf_map_next(o->total, &k, &k))
		if (!bpf_map_get(o->total, &k, &s.period))
			emit(o, &k, &s, fn, ctx);
	bpf_value_get(o->ctl, &ctl, sizeof(ctl));
	s.unfinished = true;
	for (int rc = bpf_map_next(o->sleeping, NULL, &tid); !rc;
	     rc = bpf_map_next(o->sleeping, &tid, &tid)) {
		if (bpf_map_get(o->sleeping, &tid, &sl) || sl.since < ctl.epoch || sl.since >= now)
			continue;
		s.period = now - sl.since;
		emit(o, &sl.key, &s, fn, ctx);
	}
	lost->stacks = ctl.lost_stacks;
	lost->sleeps = ctl.lost_sleeps + o->lost;
}
