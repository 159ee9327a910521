// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

void sqrtloop_compute(void);

WORKLOAD_FN void sqrtloop_compute(void)
{
	volatile double x = 2;

	while (!workload_stop)
		x = sqrt(x) + 1;
}

/* The work is done in a child, which only a recording that follows forks sees. */
int wl_sqrtloop(int argc, const char **argv)
{
	pid_t pid = fork();
	int status;

	if (pid < 0) {
		perror("fork");
		return 1;
	}
	if (pid == 0) {
		if (workload_timer(workload_arg(argc, argv, 0), 1))
			_exit(1);
		sqrtloop_compute();
		_exit(0);
	}
	if (waitpid(pid, &status, 0) < 0)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
