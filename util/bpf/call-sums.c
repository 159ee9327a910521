// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "bpf/call-sums-internal.h"

#include "base/alloc.h"
#include "bpf/btf.h"
#include "bpf/sys.h"
#include "kernel/cgroup.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_THREADS 65536
#define MAX_SUMS 65536    /* calls of all threads that live or have just ended */
#define FEW 4             /* some threads make so many times fewer than all of the system */
#define MAX_COUNTED 16384 /* calls that have errors, or distributions */
#define PROGRAM_US 2000   /* no program takes so long */
#define MAX_VALUES                                                                                 \
	((u32)1 << 20) /* calls of all control groups, times CPUs, which have values each */

/* ---- maps ---- */

static int set_cgroup(const struct call_sums *s, const struct call_sums_opts *o, struct err *err)
{
	int fd = cgroup_open(o->sysroot, o->cgroup, err);
	int rc = fd < 0 ? fd : bpf_map_set(s->cgroup, &(u32){ 0 }, &fd);

	if (fd < 0)
		return fd;
	close(fd);
	return rc ? err_set(err, rc,
			    "BPF cannot tell which threads are in the control group %s: %s",
			    o->cgroup, rc == -EBADF ? "it is of version 1" : err_str(rc))
		  : 0;
}

static void fill_choices(const struct call_sums *s, const struct call_sums_opts *o)
{
	for (u32 i = 0; o->wanted && i < MAX(o->nr_wanted, o->nr_wanted_narrow); i++) {
		u64 bits = i < o->nr_wanted && o->wanted[i] ? SUMS_WANTED_WIDE : 0;

		if (i < o->nr_wanted_narrow && o->wanted_narrow[i])
			bits |= SUMS_WANTED_NARROW;
		(void)bpf_map_set(s->wanted, &i, &bits);
	}
	for (size_t i = 0; s->cpus >= 0 && i < o->cpus->nr; i++)
		(void)bpf_map_set(s->cpus, &o->cpus->v[i], &(u64){ 1 });
}

static int make_maps(struct call_sums *s, const struct call_sums_opts *o, u32 nr_cpus,
		     struct err *err)
{
	const bool by_thread = o->by == CALL_SUMS_BY_THREAD;
	const u32 type = by_thread ? BPF_MAP_TYPE_HASH : BPF_MAP_TYPE_PERCPU_HASH;
	const u32 counters = o->errnos || o->steps ? MAX_COUNTED : 0;
	const u32 lazy = bpf_lazy_flag(), less = o->selected ? FEW : 1;
	const struct bpf_map_spec maps[] = {
		{ &s->ctl, "sums_ctl", BPF_MAP_TYPE_ARRAY, 4, 8, 1 },
		{ &s->lost, "sums_lost", BPF_MAP_TYPE_ARRAY, 4, 8, 1 },
		{ &s->now, "sums_now", BPF_MAP_TYPE_ARRAY, 4, 8, o->intervals },
		{ &s->threads, "sums_threads", BPF_MAP_TYPE_HASH, 4, sizeof(struct sums_thread),
		  MAX_THREADS / less, lazy },
		{ &s->sums, "sums_calls", type, sizeof(struct sums_key), sizeof(struct sums_value),
		  MIN(MAX_VALUES / s->nr_values, MAX_SUMS / less), lazy },
		{ &s->wanted, "sums_wanted", BPF_MAP_TYPE_ARRAY, 4, 8,
		  o->wanted ? MAX(o->nr_wanted, o->nr_wanted_narrow) : 0 },
		{ &s->cgroup, "sums_cgroup", BPF_MAP_TYPE_CGROUP_ARRAY, 4, 4, o->cgroup ? 1 : 0 },
		{ &s->cpus, "sums_cpus", BPF_MAP_TYPE_ARRAY, 4, 8,
		  o->cpus && o->cpus->nr ? nr_cpus : 0 },
		{ &s->zeros, "sums_zeros", BPF_MAP_TYPE_ARRAY, 4, 4 * CALL_SUMS_STEPS,
		  counters ? 1 : 0 },
		{ &s->errnos, "sums_errnos", BPF_MAP_TYPE_HASH, sizeof(struct sums_key),
		  4 * CALL_SUMS_ERRNOS, o->errnos ? counters : 0, BPF_F_NO_PREALLOC },
		{ &s->steps, "sums_steps", BPF_MAP_TYPE_HASH, sizeof(struct sums_key),
		  4 * CALL_SUMS_STEPS, o->steps ? counters : 0, BPF_F_NO_PREALLOC },
	};
	int rc = bpf_maps_new(maps, ARRAY_SIZE(maps), err);

	if (!rc)
		fill_choices(s, o);
	return !rc && o->cgroup ? set_cgroup(s, o, err) : rc;
}

int call_sums_select(struct call_sums *s, const struct int_list *tids, struct err *err)
{
	const struct sums_thread idle = { .nr = CALL_NONE, .first = CALL_NONE };
	int rc = 0;

	for (size_t i = 0; !rc && i < tids->nr; i++)
		rc = bpf_map_set(s->threads, &tids->v[i], &idle);
	return rc ? err_set(err, rc, "failed to tell BPF programs which threads to count: %s",
			    err_str(rc))
		  : 0;
}

/* ---- programs ---- */

/* Find out where the kernel notes that a call is of a 32-bit program: TS_COMPAT of x86, TIF_32BIT
 * of arm64. */
static void find_narrow(struct sums_offsets *at, const struct btf *btf)
{
	at->narrow = btf_member(btf, "task_struct", "thread_info.status");
	at->narrow_bit = 2;
	if (at->narrow >= 0 || btf_member(btf, "pt_regs", "syscallno") < 0)
		return;
	at->narrow = btf_member(btf, "task_struct", "thread_info.flags");
	at->narrow_bit = 1 << 22;
}

/* Find the members of structures, of which those of struct task_struct have to be there where
 * threads are followed. @btf: NULL: the kernel does not tell its types */
static int find_offsets(struct sums_offsets *at, const struct btf *btf, struct err *err)
{
	static const char *const numbers[] = { "orig_ax", "syscallno" };

	*at = (struct sums_offsets){ .number = -1, .narrow = -1 };
	if (!btf)
		return 0;
	for (size_t i = 0; at->number < 0 && i < ARRAY_SIZE(numbers); i++)
		at->number = btf_member(btf, "pt_regs", numbers[i]);
	find_narrow(at, btf);
	return bpf_task_find(&at->task, btf, err);
}

/* Programs are made of this. */
struct making {
	struct call_sums *s;
	const struct call_sums_opts *o;
	const struct btf *btf; /* NULL: the kernel does not tell its types */
	struct sums_offsets at;
};

typedef void (*sums_prog_fn)(struct bpf_code *c, const struct call_sums *s,
			     const struct call_sums_opts *opts, const struct sums_offsets *at);

/* Run a program at the begin or the return of calls. If the kernel refuses one that loads members
 * itself, it gets one that has them copied. */
static int run_at_calls(struct making *m, const char *name, const char *tracepoint,
			sums_prog_fn assemble, struct err *err)
{
	struct bpf_at_tracepoint *prog = &m->s->progs[m->s->nr_progs++];
	struct bpf_code code = { 0 };

	m->at.direct = m->btf;
	if (m->at.direct) {
		assemble(&code, m->s, m->o, &m->at);
		if (!bpf_tracepoint_open(prog, name, tracepoint, m->btf, &code, NULL))
			return 0;
		bpf_tracepoint_close(prog);
	}
	m->at.direct = false;
	assemble(&code, m->s, m->o, &m->at);
	return bpf_tracepoint_open(prog, name, tracepoint, NULL, &code, err);
}

/* Follow threads. */
static int run_at_threads(struct making *m, struct err *err)
{
	struct bpf_code fork = { 0 }, exec = { 0 }, end = { 0 };
	struct call_sums *s = m->s;
	int rc = 0;

	if (m->o->selected && m->o->inherit) {
		sums_prog_fork(&fork, s, &m->at);
		rc = bpf_tracepoint_open(&s->progs[s->nr_progs++], "sums_fork", "task_newtask",
					 NULL, &fork, err);
	}
	if (!rc) {
		sums_prog_exec(&exec, s, m->o);
		rc = bpf_tracepoint_open(&s->progs[s->nr_progs++], "sums_exec",
					 "sched_process_exec", NULL, &exec, err);
	}
	if (!rc && m->o->selected) {
		sums_prog_end(&end, s);
		rc = bpf_tracepoint_open(&s->progs[s->nr_progs++], "sums_end", "sched_process_exit",
					 NULL, &end, err);
	}
	return rc;
}

/* Threads are followed before the first call is counted. */
static int run_all(struct call_sums *s, const struct call_sums_opts *o, struct err *err)
{
	struct making m = { .s = s, .o = o };
	struct btf btf;
	int rc = btf_open_kernel(&btf, o->sysroot, err);

	if (!rc)
		m.btf = &btf;
	else if (!o->selected || !o->inherit)
		rc = 0;
	rc = rc ?: find_offsets(&m.at, m.btf, err);
	rc = rc ?: run_at_threads(&m, err);
	rc = rc ?: run_at_calls(&m, "sums_exit", "sys_exit", sums_prog_exit, err);
	rc = rc ?: run_at_calls(&m, "sums_enter", "sys_enter", sums_prog_enter, err);
	if (m.btf)
		btf_close(&btf);
	return rc;
}

int call_sums_open(struct call_sums *s, const struct call_sums_opts *opts, struct err *err)
{
	int cpus = bpf_possible_cpus(opts->sysroot, err), rc = MIN(cpus, 0);

	*s = (struct call_sums){ .by = opts->by,
				 .ns = bpf_ns_own(opts->sysroot),
				 .selected = opts->selected,
				 .ctl = -1,
				 .lost = -1,
				 .now = -1,
				 .threads = -1,
				 .sums = -1,
				 .wanted = -1,
				 .cgroup = -1,
				 .cpus = -1,
				 .zeros = -1,
				 .errnos = -1,
				 .steps = -1 };
	s->nr_values = opts->by == CALL_SUMS_BY_THREAD ? 1 : (u32)MAX(cpus, 1);
	s->values = xcalloc(s->nr_values, sizeof(*s->values));
	s->counters[0] = xcalloc(CALL_SUMS_ERRNOS, sizeof(u32));
	s->counters[1] = xcalloc(CALL_SUMS_STEPS, sizeof(u32));
	rc = rc ?: make_maps(s, opts, (u32)MAX(cpus, 1), err);
	rc = rc ?: run_all(s, opts, err);
	if (rc)
		call_sums_close(s);
	return rc;
}

void call_sums_close(struct call_sums *s)
{
	const int maps[] = { s->ctl,    s->lost, s->now,   s->threads, s->sums, s->wanted,
			     s->cgroup, s->cpus, s->zeros, s->errnos,  s->steps };

	while (s->nr_progs)
		bpf_tracepoint_close(&s->progs[--s->nr_progs]);
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		if (maps[i] >= 0)
			close(maps[i]);
	free(s->values);
	free(s->counters[0]);
	free(s->counters[1]);
	s->values = NULL;
	s->counters[0] = s->counters[1] = NULL;
}

void call_sums_enable(struct call_sums *s, bool on)
{
	(void)bpf_map_set(s->ctl, &(u32){ 0 }, &(u64){ on });
}

u64 call_sums_lost(const struct call_sums *s)
{
	u64 lost = 0;

	(void)bpf_map_get(s->lost, &(u32){ 0 }, &lost);
	return lost;
}

/* ---- the sums ---- */

void sums_add(struct call_sum *to, const struct sums_value *v)
{
	if (v->timed)
		to->min = to->timed ? MIN(to->min, ~v->not_min) : ~v->not_min;
	to->pid = v->pid ? v->pid : to->pid;
	to->returned += v->returned;
	to->timed += v->timed;
	to->errors += v->errors;
	to->total += v->total;
	to->max = MAX(to->max, v->max);
	to->squares += v->squares + ((unsigned __int128)v->squares_big << 32);
}

/* Hand over the sums of a key. Return: the number of the call of the same thread before it. */
static s64 tell_sums(struct call_sums *s, const struct sums_key *key, call_sums_fn fn, void *ctx)
{
	struct call_sum sum = { .group = key->group & ~SUMS_EPOCH, .nr = key->nr };

	if (bpf_map_get(s->sums, key, s->values))
		return CALL_NONE;
	for (u32 i = 0; i < s->nr_values; i++)
		sums_add(&sum, &s->values[i]);
	if (s->errnos >= 0 && sum.errors && !bpf_map_get(s->errnos, key, s->counters[0]))
		sum.errnos = s->counters[0];
	if (s->steps >= 0 && sum.timed && !bpf_map_get(s->steps, key, s->counters[1]))
		sum.steps = s->counters[1];
	fn(ctx, &sum);
	return s->values[0].next;
}

static void drop_sums(const struct call_sums *s, const struct sums_key *key)
{
	(void)bpf_map_del(s->sums, key);
	if (s->errnos >= 0)
		(void)bpf_map_del(s->errnos, key);
	if (s->steps >= 0)
		(void)bpf_map_del(s->steps, key);
}

/* Hand over the call that a thread is in. */
static void tell_open(const struct call_sums *s, u32 tid, const struct sums_thread *t,
		      call_sums_fn fn, void *ctx)
{
	struct call_sum sum = { .pid = t->pid, .nr = t->nr, .open = 1 };

	if (s->by == CALL_SUMS_BY_THREAD)
		sum.group = tid;
	else if (s->by == CALL_SUMS_BY_CGROUP)
		sum.group = t->cgroup;
	if (t->nr >= 0)
		fn(ctx, &sum);
}

void call_sums_ended(struct call_sums *s, u32 tid, call_sums_fn fn, void *ctx)
{
	struct sums_key key = { .group = tid | s->epoch };
	struct sums_thread t;

	if (bpf_map_get(s->threads, &tid, &t) || (s->selected && !t.ended))
		return;
	(void)bpf_map_del(s->threads, &tid);
	tell_open(s, tid, &t, fn, ctx);
	if (s->by != CALL_SUMS_BY_THREAD)
		return;
	for (key.nr = t.first; key.nr >= 0;) {
		s64 next = tell_sums(s, &key, fn, ctx);

		drop_sums(s, &key);
		key.nr = next;
	}
}

/* Wait until no program runs that has begun before. */
static void wait_for_programs(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		usleep(PROGRAM_US);
}

void call_sums_take(struct call_sums *s, call_sums_fn fn, void *ctx)
{
	const u64 taken = s->epoch;
	struct sums_key key, kept = { 0 };
	bool any_kept = false;

	s->epoch ^= SUMS_EPOCH;
	(void)bpf_map_set(s->now, &(u32){ 0 }, &s->epoch);
	wait_for_programs();
	while (!bpf_map_next(s->sums, any_kept ? &kept : NULL, &key)) {
		if ((key.group & SUMS_EPOCH) != taken) {
			kept = key;
			any_kept = true;
			continue;
		}
		(void)tell_sums(s, &key, fn, ctx);
		drop_sums(s, &key);
	}
}

u32 call_sums_error(u32 i)
{
	return i < SUMS_ERROR_GAP ? i : i - SUMS_ERROR_GAP + SUMS_ERROR_HIGH;
}

void call_sums_rest(struct call_sums *s, call_sums_fn fn, void *ctx)
{
	struct sums_thread t;
	struct sums_key key;
	u32 tid;

	for (int rc = bpf_map_next(s->sums, NULL, &key); !rc;
	     rc = bpf_map_next(s->sums, &key, &key))
		(void)tell_sums(s, &key, fn, ctx);
	for (int rc = bpf_map_next(s->threads, NULL, &tid); !rc;
	     rc = bpf_map_next(s->threads, &tid, &tid))
		if (!bpf_map_get(s->threads, &tid, &t))
			tell_open(s, tid, &t, fn, ctx);
}
