// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched messaging: groups of 20 senders and 20 receivers. Each sender of a group sends each of its
 * receivers 100 bytes, as often as there are loops. It is the load of hackbench.
 */
#include "base/compat.h"
#include "bench/sched-internal.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "bench/team.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define SIDE 20       /* senders, and receivers, of a group */
#define DATA_SIZE 100 /* bytes of a message */
#define GROUPS_MAX 10000

struct options {
	unsigned int groups, loops;
	bool pipe, threads;
};

struct messaging;

/* A task: it sends to all receivers of its group, or receives from all senders. */
struct task {
	const struct messaging *m;
	const int *out; /* of a sender: the descriptors of its group */
	int in;         /* of a receiver */
	bool failed;
};

struct messaging {
	struct options o;
	int ready[2]; /* each task that is there writes a byte */
	int wake[2];  /* becomes readable when all may begin */
	struct task *tasks;
	int (*links)[2]; /* a pipe or pair of sockets for each receiver: end to read, to write */
	size_t nr_links, nr_out;
	int *outs;   /* the ends to write, those of a group together */
	pid_t *pids; /* of processes */
	size_t nr;   /* tasks */
};

static bool be_ready(const struct messaging *m)
{
	struct pollfd p = { .fd = m->wake[0], .events = POLLIN };
	char c = 'r';

	return write(m->ready[1], &c, 1) == 1 && poll(&p, 1, -1) == 1;
}

static bool send_all(const struct task *t)
{
	char data[DATA_SIZE] = { 0 };
	unsigned int i, to;
	size_t done;
	ssize_t n;

	for (i = 0; i < t->m->o.loops; i++)
		for (to = 0; to < SIDE; to++)
			for (done = 0; done < DATA_SIZE; done += (size_t)n) {
				n = write(t->out[to], data + done, DATA_SIZE - done);
				if (n < 0)
					return false;
			}
	return true;
}

static bool receive_all(const struct task *t)
{
	u64 left = (u64)t->m->o.loops * SIDE * DATA_SIZE;
	char data[DATA_SIZE];
	ssize_t n;

	/* Each read takes one message, as long as senders write them whole. */
	for (; left; left -= (u64)n) {
		n = read(t->in, data, MIN(left, (u64)DATA_SIZE));
		if (n <= 0)
			return false;
	}
	return true;
}

static int task_run(void *arg)
{
	struct task *t = arg;

	t->failed = !be_ready(t->m) || !(t->out ? send_all(t) : receive_all(t));
	return t->failed;
}

static void task_thread(struct bench_worker *w)
{
	struct messaging *m = w->team->ctx;

	task_run(&m->tasks[w->idx]);
}

/* Make the descriptors and tasks of all groups. */
static int make_tasks(struct messaging *m, struct err *err)
{
	size_t i, nr_links = (size_t)m->o.groups * SIDE;

	m->nr = nr_links * 2;
	m->tasks = xcalloc(m->nr, sizeof(*m->tasks));
	m->links = xcalloc(nr_links, sizeof(*m->links));
	m->outs = xcalloc(nr_links, sizeof(*m->outs));
	m->pids = xcalloc(m->nr, sizeof(*m->pids));
	for (i = 0; i < nr_links; i++, m->nr_links++) {
		int *l = m->links[i];

		if (m->o.pipe ? pipe(l) : socketpair(AF_UNIX, SOCK_STREAM, 0, l))
			return err_set(err, -errno,
				       "could not create %s %zu of %zu: %s; choose fewer groups "
				       "(-g), or raise 'ulimit -n'",
				       m->o.pipe ? "pipe" : "pair of sockets", i + 1, nr_links,
				       err_str(-errno));
		m->outs[i] = l[1];
		m->tasks[2 * i] = (struct task){ .m = m, .in = l[0] };
		m->tasks[2 * i + 1] = (struct task){ .m = m, .out = &m->outs[i / SIDE * SIDE] };
	}
	return 0;
}

/* Wait until all tasks are there, let them begin. Return: when they did. */
static u64 begin(const struct messaging *m)
{
	size_t left = m->nr;
	char bytes[256];
	ssize_t n;
	u64 now;

	for (; left; left -= (size_t)n) {
		n = read(m->ready[0], bytes, MIN(left, sizeof(bytes)));
		if (n <= 0)
			return 0;
	}
	now = clock_ns(CLOCK_MONOTONIC);
	return write(m->wake[1], "w", 1) == 1 ? now : 0;
}

static int run_processes(struct messaging *m, u64 *ns, struct err *err)
{
	size_t i, failed = 0;
	u64 from = 0;
	int ret = 0;

	for (i = 0; i < m->nr && !ret; i++) {
		m->pids[i] = bench_fork(task_run, &m->tasks[i], err);
		ret = m->pids[i] < 0 ? m->pids[i] : 0;
	}
	if (!ret)
		from = begin(m);
	for (i = 0; i < m->nr && m->pids[i] > 0; i++)
		if (ret)
			bench_kill(m->pids[i]);
		else
			failed += bench_reap(m->pids[i]) != 0;
	*ns = clock_ns(CLOCK_MONOTONIC) - from;
	return !failed ? ret
		       : err_set(err, -EIO, "%zu of %zu processes could not send or receive",
				 failed, m->nr);
}

static int run_threads(struct messaging *m, u64 *ns, struct err *err)
{
	struct bench_team team;
	int ret = bench_team_start(&team, (unsigned int)m->nr, false, task_thread, m, err);
	size_t i;
	u64 from;

	if (ret)
		return ret;
	bench_team_go(&team);
	from = begin(m);
	bench_team_join(&team);
	*ns = clock_ns(CLOCK_MONOTONIC) - from;
	bench_team_release(&team);
	for (i = 0; i < m->nr; i++)
		if (m->tasks[i].failed)
			return err_set(err, -EIO, "thread %zu of %zu could not send or receive", i,
				       m->nr);
	return 0;
}

static void close_pair(int *fds)
{
	if (fds[0] >= 0)
		close(fds[0]);
	if (fds[1] >= 0)
		close(fds[1]);
}

static int run(struct messaging *m, u64 *ns, struct err *err)
{
	size_t i;
	int ret;

	if (pipe(m->ready) || pipe(m->wake))
		ret = err_set(err, -errno, "could not create a pipe: %s", err_str(-errno));
	else
		ret = make_tasks(m, err);
	if (!ret)
		ret = m->o.threads ? run_threads(m, ns, err) : run_processes(m, ns, err);
	for (i = 0; i < m->nr_links; i++)
		close_pair(m->links[i]);
	close_pair(m->ready);
	close_pair(m->wake);
	free(m->tasks);
	free(m->links);
	free(m->outs);
	free(m->pids);
	return ret;
}

int sched_messaging(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench sched messaging <options>", NULL };
	struct messaging m = { .o = { .groups = 10, .loops = 100 },
			       .ready = { -1, -1 },
			       .wake = { -1, -1 } };
	const struct option options[] = {
		OPT_BOOLEAN('p', "pipe", &m.o.pipe, "Use pipe() instead of socketpair()"),
		OPT_BOOLEAN('t', "thread", &m.o.threads,
			    "Be multi thread instead of multi process"),
		OPT_UINTEGER('g', "group", &m.o.groups, "Specify number of groups"),
		OPT_UINTEGER('l', "nr_loops", &m.o.loops,
			     "Specify the number of loops to run (default: 100)"),
		OPT_END(),
	};
	u64 ns = 0;
	int ret;

	b->parse(b, options, usage);
	if (!m.o.groups || m.o.groups > GROUPS_MAX)
		return bench_invalid(err, "--group is %u; it must be 1 to %d", m.o.groups,
				     GROUPS_MAX);
	ret = run(&m, &ns, err);
	if (ret)
		return ret;
	if (b->format == BENCH_DEFAULT) {
		const char *what = m.o.threads ? "threads" : "processes";

		bench_say(b, "# %d sender and receiver %s per group\n", SIDE, what);
		bench_say(b, "# %u groups == %u %s run\n\n", m.o.groups, m.o.groups * 2 * SIDE,
			  what);
	}
	bench_total(b, ns);
	return 0;
}
