// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * numa mem: processes and their threads, which work on memory that all, those of a process, or none
 * of them share. What they have in common is in memory that the processes share.
 */
#include "base/compat.h"
#include "bench/numa-internal.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "bench/team.h"

#include <dirent.h>
#include <errno.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct shared {
	u32 ready;     /* tasks that have their memory */
	bool go, stop; /* they may begin; have to end */
	int code;      /* a negative errno */
	u64 began_ns, converged_ns;
	struct numa_task tasks[];
};

/* All that the tasks of a process know. */
struct process {
	const struct numa_options *o;
	struct shared *s;
	unsigned int idx;
	u64 *global, *own, *locked;
	pthread_mutex_t lock;
};

unsigned int numa_nodes(void)
{
	DIR *dir = opendir("/sys/devices/system/node");
	unsigned int nr = 0;
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		nr += !strncmp(e->d_name, "node", 4) && e->d_name[4] >= '0' && e->d_name[4] <= '9';
	if (dir)
		closedir(dir);
	return MAX(nr, 1u);
}

/* The memory of a size, prepared as asked for; NULL when there is none or nothing is wanted. */
static u64 *get_memory(const struct numa_options *o, u64 bytes, int sharing, struct shared *s)
{
	u64 *p, i, state = 88172645463325252ULL;

	if (!bytes)
		return NULL;
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		__atomic_store_n(&s->code, -errno, __ATOMIC_RELAXED);
		return NULL;
	}
	if (o->thp)
		madvise(p, bytes, o->thp > 0 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	if (o->init_zero)
		memset(p, 0, bytes);
	for (i = 0; o->init_random && i < bytes / sizeof(*p); i++) {
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		p[i] = state;
	}
	return p;
}

static void put_memory(u64 *p, u64 bytes)
{
	if (p)
		munmap(p, bytes);
}

static int bind_cpu(int cpu)
{
	size_t size = CPU_ALLOC_SIZE(cpu + 1);
	cpu_set_t *set = CPU_ALLOC(cpu + 1);
	int ret;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	ret = sched_setaffinity(0, size, set) ? -errno : 0;
	CPU_FREE(set);
	return ret;
}

static int bind_node(int node)
{
	unsigned long mask[NUMA_MOST_TASKS / 64] = { 0 };

	if (node >= NUMA_MOST_TASKS)
		return -EINVAL;
	mask[node / 64] = 1UL << (node % 64);
	/* A kernel without NUMA has no policies: all of its memory is on node 0. */
	if (syscall(SYS_set_mempolicy, MPOL_BIND, mask, NUMA_MOST_TASKS))
		return errno == ENOSYS && !node ? 0 : -errno;
	return 0;
}

static int this_node(void)
{
	unsigned int cpu = 0, node = 0;

	return syscall(SYS_getcpu, &cpu, &node, NULL) ? 0 : (int)node;
}

/* Tell whether the threads of each process are on one node. */
static bool has_converged(const struct numa_options *o, const struct shared *s)
{
	unsigned int p, t;

	for (p = 0; p < o->procs; p++)
		for (t = 1; t < o->threads; t++)
			if (s->tasks[p * o->threads + t].node != s->tasks[p * o->threads].node)
				return false;
	return true;
}

/* Beside its work the first task watches the others, and disturbs itself. */
static void look_around(const struct numa_options *o, struct shared *s, u64 now, u64 *disturbed)
{
	struct int_list cpus;

	if (o->convergence && !s->converged_ns && has_converged(o, s)) {
		s->converged_ns = now - s->began_ns;
		__atomic_store_n(&s->stop, true, __ATOMIC_RELAXED);
	}
	if (o->perturb_secs && now - *disturbed >= (u64)o->perturb_secs * 1000000000) {
		*disturbed = now;
		cpus = bench_cpus();
		bind_cpu(cpus.v[now / 1000 % cpus.nr]);
		usleep(1000);
		int_list_release(&cpus);
	}
}

static void loop_once(struct process *p, unsigned int idx, u64 *own, u64 loop, u64 *bytes)
{
	const struct numa_options *o = p->o;
	unsigned int thread = idx % o->threads;
	u64 sum;

	sum = numa_work(o, p->global, o->global, idx, o->procs * o->threads, loop);
	sum += numa_work(o, p->own, o->process, thread, o->threads, loop);
	sum += numa_work(o, own, o->thread, 0, 1, loop);
	if (p->locked) {
		pthread_mutex_lock(&p->lock);
		sum += numa_work(o, p->locked, o->locked, thread, o->threads, loop);
		pthread_mutex_unlock(&p->lock);
	}
	__asm__ volatile("" : : "r"(sum));
	*bytes += o->global + o->process + o->thread + o->locked;
}

/* Move a task to where it was asked to be. */
static int place(const struct numa_options *o, unsigned int idx)
{
	int ret = 0;

	if (idx < o->cpus.nr)
		ret = bind_cpu(o->cpus.v[idx]);
	if (!ret && idx < o->nodes.nr)
		ret = bind_node(o->nodes.v[idx]);
	return ret;
}

static void work(struct bench_worker *w)
{
	struct process *p = w->team->ctx;
	const struct numa_options *o = p->o;
	struct shared *s = p->s;
	unsigned int idx = p->idx * o->threads + w->idx;
	struct numa_task *t = &s->tasks[idx];
	int code = o->init_cpu0 ? bind_cpu(0) : place(o, idx);
	u64 *own, loop, now, disturbed, bytes = 0;

	own = get_memory(o, o->thread, MAP_PRIVATE, s);
	if (!code && o->init_cpu0)
		code = place(o, idx);
	if (code)
		__atomic_store_n(&s->code, code, __ATOMIC_RELAXED);
	__atomic_add_fetch(&s->ready, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&s->go, __ATOMIC_ACQUIRE))
		usleep(100);
	disturbed = s->began_ns;
	for (loop = 0; !__atomic_load_n(&s->stop, __ATOMIC_RELAXED); loop++) {
		if (o->loops && loop >= o->loops)
			break;
		loop_once(p, idx, own, loop, &bytes);
		t->node = this_node();
		now = clock_ns(CLOCK_MONOTONIC);
		if (o->secs && now - s->began_ns >= (u64)o->secs * 1000000000)
			break;
		if (!idx)
			look_around(o, s, now, &disturbed);
		if (o->sleep_us)
			usleep(o->sleep_us);
	}
	t->bytes = bytes;
	t->ns = clock_ns(CLOCK_MONOTONIC) - s->began_ns;
	put_memory(own, o->thread);
}

static int process_main(void *ctx)
{
	struct process *p = ctx;
	struct bench_team team;
	struct err err = { 0 };
	int ret;

	pthread_mutex_init(&p->lock, NULL);
	if (p->o->init_cpu0)
		bind_cpu(0);
	p->own = get_memory(p->o, p->o->process, MAP_PRIVATE, p->s);
	p->locked = get_memory(p->o, p->o->locked, MAP_PRIVATE, p->s);
	ret = bench_team_start(&team, p->o->threads, false, work, p, &err);
	if (ret) {
		__atomic_store_n(&p->s->code, ret, __ATOMIC_RELAXED);
		return 1;
	}
	bench_team_go(&team);
	bench_team_join(&team);
	bench_team_release(&team);
	return 0;
}

/* Wait until so many tasks are there, or one could not be. */
static void await(const struct shared *s, u32 nr)
{
	while (__atomic_load_n(&s->ready, __ATOMIC_SEQ_CST) < nr &&
	       !__atomic_load_n(&s->code, __ATOMIC_RELAXED))
		usleep(100);
}

static int run_processes(const struct numa_options *o, struct shared *s, u64 *setup_ns,
			 struct err *err)
{
	pid_t *pids = xcalloc(o->procs, sizeof(*pids));
	struct process p = { .o = o, .s = s };
	u64 from = clock_ns(CLOCK_MONOTONIC);
	unsigned int i;
	int ret = 0;

	p.global = get_memory(o, o->global, MAP_SHARED, s);
	for (i = 0; i < o->procs && !ret && !s->code; i++) {
		p.idx = i;
		pids[i] = bench_fork(process_main, &p, err);
		ret = MIN(pids[i], 0);
		if (o->serialize && !ret)
			await(s, (i + 1) * o->threads);
	}
	if (!ret)
		await(s, o->procs * o->threads);
	ret = ret ? ret : s->code;
	s->began_ns = clock_ns(CLOCK_MONOTONIC);
	*setup_ns = s->began_ns - from;
	__atomic_store_n(&s->go, true, __ATOMIC_RELEASE);
	for (i = 0; i < o->procs && pids[i] > 0; i++) {
		if (ret)
			bench_kill(pids[i]);
		else if (bench_reap(pids[i]))
			ret = -EIO;
	}
	put_memory(p.global, o->global);
	free(pids);
	if (ret && !err->code)
		err_set(err, ret,
			"a task of the benchmark could not get its memory, its CPU or its node: %s; "
			"ask for less (-G -P -T), or for CPUs and nodes that there are (-C -M)",
			err_str(ret));
	return ret;
}

int numa_run(const struct numa_options *o, struct numa_result *r, struct err *err)
{
	unsigned int nr = o->procs * o->threads;
	size_t size = sizeof(struct shared) + nr * sizeof(struct numa_task);
	struct shared *s =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int ret;

	memset(r, 0, sizeof(*r));
	if (s == MAP_FAILED)
		return err_set(err, -errno, "could not get memory to share: %s", err_str(-errno));
	ret = run_processes(o, s, &r->setup_ns, err);
	if (!ret) {
		r->nr = nr;
		r->tasks = xcalloc(nr, sizeof(*r->tasks));
		memcpy(r->tasks, s->tasks, nr * sizeof(*r->tasks));
		r->converged_ns = s->converged_ns;
	}
	munmap(s, size);
	return ret;
}

void numa_result_release(struct numa_result *r)
{
	free(r->tasks);
	memset(r, 0, sizeof(*r));
}
