// SPDX-License-Identifier: GPL-2.0-or-later
/* Set the recorder's priority, and the CPU it runs on while it empties a ring. */
#include "base/compat.h"
#include "recorder/scheduling.h"

#include <errno.h>
#include <sys/resource.h>

int realtime_set(int priority, struct err *err)
{
	struct sched_param p = { .sched_priority = priority };
	struct rlimit lim = { 0, 0 };
	int code;

	if (!priority || !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &p))
		return 0;
	code = -errno;
	if (code != -EPERM)
		return err_set(err, code, "Could not set realtime priority %d: %s.", priority,
			       err_str(code));
	getrlimit(RLIMIT_RTPRIO, &lim);
	return err_set(err, code,
		       "Could not set realtime priority %d: %s. This user may have up to %u "
		       "(ulimit -r).\nRun as root, raise that limit, or give perf the capability "
		       "CAP_SYS_NICE.",
		       priority, err_str(code), (unsigned int)lim.rlim_cur);
}

void priority_raise(struct priority *p)
{
	/* It runs for some milliseconds a second, and only where it is allowed to. */
	if (p->raised)
		return;
	errno = 0;
	p->nice = getpriority(PRIO_PROCESS, 0);
	p->raised = !errno && !setpriority(PRIO_PROCESS, 0, -20);
}

void priority_lower(struct priority *p)
{
	if (p->raised)
		setpriority(PRIO_PROCESS, 0, p->nice);
	p->raised = false;
}

void nearness_find(struct nearness *n, enum ring_affinity affinity, const struct sysroot *sr,
		   const struct int_list *cpus)
{
	struct err err = { 0 };

	/* of CPUs whose node is not known the rings are emptied from where we are */
	if (affinity != AFFINITY_SYS)
		thread_sets_parse(&n->sets, sr, affinity == AFFINITY_CPU ? "cpu" : "numa", cpus,
				  &err);
}

void nearness_follow(struct nearness *n, int cpu)
{
	const struct thread_set *to = thread_set_of(&n->sets, cpu);

	/* a CPU that we may not run on is emptied from where we are */
	if (to && to != n->now && !sched_setaffinity(0, sizeof(to->run), &to->run))
		n->now = to;
}
