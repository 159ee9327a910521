// SPDX-License-Identifier: GPL-2.0-or-later
/* sched pipe: two tasks hand a number to and fro through two pipes, so that each round needs two
 * switches of tasks. */
#include "base/compat.h"
#include "bench/sched-internal.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "bench/team.h"
#include "kernel/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

struct pipes;

/* Each of the two tasks reads from and writes to these. */
struct end {
	struct pipes *p;
	int in, out, epoll;
	bool first;         /* it writes before it reads */
	char *cgroup_procs; /* owned: the file of the cgroup that it moves to; NULL: it stays */
	int code;           /* a negative errno */
};

struct pipes {
	unsigned int loops;
	bool threaded, nonblocking;
	const char *cgroups;
	struct end ends[2];
};

static int wait_readable(struct end *e)
{
	struct epoll_event ev;

	while (epoll_wait(e->epoll, &ev, 1, -1) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

static int receive(struct end *e)
{
	ssize_t n;
	int v, ret;

	for (;;) {
		if (e->epoll >= 0 && (ret = wait_readable(e)))
			return ret;
		n = read(e->in, &v, sizeof(v));
		if (n == sizeof(v))
			return 0;
		if (n >= 0)
			return -EPIPE;
		if (errno != EAGAIN)
			return -errno;
	}
}

static int send_one(struct end *e)
{
	int v = 0;

	return write(e->out, &v, sizeof(v)) == sizeof(v) ? 0 : -errno;
}

/* Move the calling task to its cgroup. A process moves whole, which is one task. */
static int enter(const struct end *e)
{
	int fd, ret = 0;

	if (!e->cgroup_procs)
		return 0;
	fd = open(e->cgroup_procs, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "0", 1) != 1)
		ret = -errno;
	if (fd >= 0)
		close(fd);
	return ret;
}

static int play(void *arg)
{
	struct end *e = arg;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < e->p->loops && !ret; i++) {
		ret = e->first ? send_one(e) : receive(e);
		if (!ret)
			ret = e->first ? receive(e) : send_one(e);
	}
	e->code = ret;
	return ret != 0;
}

static void play_thread(struct bench_worker *w)
{
	struct pipes *p = w->team->ctx;

	play(&p->ends[w->idx]);
}

static int play_process(void *arg)
{
	struct end *e = arg;
	char c;
	int ret = enter(e);

	/* The first byte says that this one is there, and how that went. */
	c = ret ? 'x' : 'r';
	if (write(e->out, &c, 1) != 1 || ret)
		return 1;
	return play(e);
}

static int run_threads(struct pipes *p, u64 *ns, struct err *err)
{
	struct bench_team team;
	int ret = bench_team_start(&team, 2, false, play_thread, p, err);
	u64 from;

	if (ret)
		return ret;
	from = clock_ns(CLOCK_MONOTONIC);
	bench_team_go(&team);
	bench_team_join(&team);
	*ns = clock_ns(CLOCK_MONOTONIC) - from;
	bench_team_release(&team);
	return p->ends[0].code ? p->ends[0].code : p->ends[1].code;
}

static int run_processes(struct pipes *p, u64 *ns, struct err *err)
{
	struct end *mine = &p->ends[1];
	pid_t pid = bench_fork(play_process, &p->ends[0], err);
	char c = 0;
	int ret;
	u64 from;

	if (pid < 0)
		return pid;
	ret = enter(mine);
	if (!ret && mine->epoll >= 0)
		ret = wait_readable(mine);
	if (!ret && read(mine->in, &c, 1) != 1)
		ret = -errno;
	if (!ret && c != 'r')
		ret = -EACCES;
	from = clock_ns(CLOCK_MONOTONIC);
	if (!ret)
		play(mine);
	if (ret || mine->code)
		bench_kill(pid);
	else if (bench_reap(pid))
		ret = -EPIPE;
	*ns = clock_ns(CLOCK_MONOTONIC) - from;
	return ret ? ret : mine->code;
}

static int make_epoll(struct end *e)
{
	struct epoll_event ev = { .events = EPOLLIN };

	e->epoll = epoll_create1(EPOLL_CLOEXEC);
	return e->epoll < 0 || epoll_ctl(e->epoll, EPOLL_CTL_ADD, e->in, &ev) ? -errno : 0;
}

/* Find the files of two control groups, "AAA,BBB". */
static int find_cgroups(struct pipes *p, struct err *err)
{
	const struct sysroot here = { 0 };
	const char *comma = strchr(p->cgroups, ',');
	struct strbuf mount = STRBUF_INIT;
	int i;

	if (!comma || comma == p->cgroups || !comma[1] || strchr(comma + 1, ','))
		return bench_invalid(err,
				     "'%s' does not name two control groups: write --cgroups "
				     "SENDER,RECEIVER",
				     p->cgroups);
	if (cgroup_mount(&here, false, &mount))
		return err_set(err, -ENOENT,
			       "no control groups are mounted: sudo mount -t cgroup2 none "
			       "/sys/fs/cgroup");
	for (i = 0; i < 2; i++) {
		const char *name = i ? comma + 1 : p->cgroups;
		int len = i ? (int)strlen(name) : (int)(comma - name);

		p->ends[i].cgroup_procs =
			xasprintf("%s/%.*s/cgroup.procs", strbuf_str(&mount), len, name);
	}
	strbuf_release(&mount);
	for (i = 0; i < 2; i++)
		if (access(p->ends[i].cgroup_procs, W_OK))
			return err_set(err, -errno,
				       "could not open %s: %s; create the control group first, and "
				       "run as a user who may write there",
				       p->ends[i].cgroup_procs, err_str(-errno));
	return 0;
}

static int run(struct pipes *p, u64 *ns, struct err *err)
{
	int to[2] = { -1, -1 }, back[2] = { -1, -1 }, flags = p->nonblocking ? O_NONBLOCK : 0;
	int i, ret = 0;

	if (pipe2(to, flags | O_CLOEXEC) || pipe2(back, flags | O_CLOEXEC))
		ret = -errno;
	p->ends[0].in = back[0];
	p->ends[0].out = to[1];
	p->ends[1].in = to[0];
	p->ends[1].out = back[1];
	p->ends[0].first = true;
	for (i = 0; i < 2; i++) {
		p->ends[i].p = p;
		p->ends[i].epoll = -1;
		if (!ret && p->nonblocking)
			ret = make_epoll(&p->ends[i]);
	}
	if (!ret)
		ret = p->threaded ? run_threads(p, ns, err) : run_processes(p, ns, err);
	if (ret && !err->code)
		err_set(err, ret, "could not use a pipe%s: %s", p->cgroups ? " in that group" : "",
			err_str(ret));
	for (i = 0; i < 2; i++) {
		if (p->ends[i].epoll >= 0)
			close(p->ends[i].epoll);
		if (to[i] >= 0)
			close(to[i]);
		if (back[i] >= 0)
			close(back[i]);
	}
	return ret;
}

int sched_pipe(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench sched pipe <options>", NULL };
	struct pipes p = { .loops = 1000000 };
	const struct option options[] = {
		OPT_BOOLEAN('n', "nonblocking", &p.nonblocking, "Use non-blocking operations"),
		OPT_UINTEGER('l', "loop", &p.loops, "Specify number of loops"),
		OPT_BOOLEAN('T', "threaded", &p.threaded,
			    "Specify threads/process based task setup"),
		OPT_STRING('G', "cgroups", &p.cgroups, "SEND,RECV",
			   "Put sender and receivers in given cgroups"),
		OPT_END(),
	};
	u64 ns = 0;
	int ret = 0;

	b->parse(b, options, usage);
	if (p.cgroups && p.threaded)
		return bench_invalid(err, "--cgroups moves processes: it does not go with "
					  "--threaded");
	if (p.cgroups)
		ret = find_cgroups(&p, err);
	if (!ret)
		ret = run(&p, &ns, err);
	free(p.ends[0].cgroup_procs);
	free(p.ends[1].cgroup_procs);
	if (ret)
		return ret;
	if (b->format == BENCH_DEFAULT)
		bench_say(b, "# Executed %u pipe operations between two %s\n\n", p.loops,
			  p.threaded ? "threads" : "processes");
	bench_total(b, ns);
	bench_per_op(b, ns, p.loops);
	return 0;
}
