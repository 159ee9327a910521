// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * worked PID MS: wait until the process has spent MS of CPU time from now on, however long that
 * takes on a busy machine: of a recording it makes one with enough in it. Status 1 when the process
 * ends before or does nothing for a minute; 2 for wrong arguments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double spent(clockid_t clock)
{
	struct timespec ts;

	return clock_gettime(clock, &ts) ? -1 : ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	clockid_t clock;
	double from, now;
	int idle = 0;

	if (argc != 3)
		return 2;
	if (clock_getcpuclockid(atoi(argv[1]), &clock))
		return 1;
	from = now = spent(clock);
	while (now >= 0 && now < from + atoi(argv[2]) && idle < 12000) {
		double before = now;

		usleep(5000);
		now = spent(clock);
		idle = now == before ? idle + 1 : 0;
	}
	return now < from + atoi(argv[2]);
}
