// SPDX-License-Identifier: GPL-2.0-or-later
/* List the workloads, and hold what they share: the end of their time, and their arguments. */
#include "base/compat.h"

#include "base/alloc.h"
#include "workloads.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>

const struct workload workloads[] = {
	{ "noploop", "[SECONDS]", "one function of no-operation instructions", wl_noploop },
	{ "thloop", "[THREADS] [SECONDS]", "threads that spin in test_loop", wl_thloop },
	{ "leafloop", "[SECONDS]", "parent calls leaf, which calls nothing and spins",
	  wl_leafloop },
	{ "sqrtloop", "[SECONDS]", "a forked child computes square roots", wl_sqrtloop },
	{ "brstack", "[LOOPS]", "direct, indirect and conditional branches", wl_brstack },
	{ "datasym", "[SECONDS]", "reads and writes of the named variable buf1", wl_datasym },
	{ "landlock", "", "system calls that take pointers to structures", wl_landlock },
	{ "inlineloop", "[SECONDS]", "two functions inlined into a third", wl_inlineloop },
	{ "traploop", "[LOOPS]", "traps taken by a signal handler", wl_traploop },
	{ "context_switch_loop", "[LOOPS]", "two threads that wake each other through pipes",
	  wl_context_switch_loop },
	{ "deterministic", "[LOOPS]", "the same number of instructions every time",
	  wl_deterministic },
	{ "named_threads", "[THREADS] [SECONDS]", "threads named thread1, thread2, ...",
	  wl_named_threads },
	{ "callchain", "[SECONDS]", "five functions deep, with time spent on each level",
	  wl_callchain },
	{ "jitdump", "[SECONDS] [DIRECTORY]", "runs code it made, and writes jit-PID.dump",
	  wl_jitdump },
};
const size_t nr_workloads = ARRAY_SIZE(workloads);

volatile sig_atomic_t workload_stop;

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; i < nr_workloads; i++)
		if (!strcmp(workloads[i].name, name))
			return &workloads[i];
	return NULL;
}

/* The CPU time at which a workload has had enough, and how often that is looked at. */
static double workload_enough;
static int workload_patience;

/* In seconds. */
static double cpu_time(void)
{
	struct timespec ts = { 0, 0 };

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void on_stop(int sig __unused)
{
	workload_stop = 1;
}

/* The time is over. On a machine so busy that little was done, it goes on for a while. */
static void on_time(int sig)
{
	const struct itimerval again = { { 0, 0 }, { 0, 20000 } };

	if (workload_patience-- <= 0 || cpu_time() >= workload_enough)
		on_stop(sig);
	else
		setitimer(ITIMER_REAL, &again, NULL);
}

int workload_timer(const char *arg, double def)
{
	struct sigaction sa = { .sa_handler = on_stop, .sa_flags = SA_RESTART };
	struct itimerval it = { { 0, 0 }, { 0, 0 } };
	char *end = NULL;
	double sec = arg ? strtod(arg, &end) : def;

	if (arg && (end == arg || *end || !isfinite(sec) || sec <= 0 || sec > 1e6)) {
		fprintf(stderr, "seconds must be a positive number, not '%s'\n", arg);
		return -1;
	}
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sa.sa_handler = on_time;
	sigaction(SIGALRM, &sa, NULL);
	workload_enough = cpu_time() + sec / 2;
	workload_patience = (int)MIN(sec * 9 / 0.02, 3000.0);
	it.it_value.tv_sec = (time_t)sec;
	it.it_value.tv_usec = (suseconds_t)((sec - (double)it.it_value.tv_sec) * 1e6);
	if (!it.it_value.tv_sec && !it.it_value.tv_usec)
		it.it_value.tv_usec = 1;
	setitimer(ITIMER_REAL, &it, NULL);
	return 0;
}

unsigned long workload_count(const char *arg, unsigned long def, unsigned long max)
{
	char *end = NULL;
	unsigned long n;

	if (!arg)
		return def;
	errno = 0;
	n = strtoul(arg, &end, 10);
	if (arg[0] < '0' || arg[0] > '9' || *end || errno || !n || n > max) {
		fprintf(stderr, "the count must be a whole number from 1 to %lu, not '%s'\n", max,
			arg);
		return 0;
	}
	return n;
}

int workload_threads(int argc, const char **argv, bool here, void *(*body)(void *))
{
	unsigned long nr = workload_count(workload_arg(argc, argv, 0), 2, 4096), made = 0;
	unsigned long others = nr - here;
	pthread_t *th;

	if (!nr || workload_timer(workload_arg(argc, argv, 1), 1))
		return 1;
	th = xcalloc(nr, sizeof(*th));
	while (made < others &&
	       !pthread_create(&th[made], NULL, body, (void *)(uintptr_t)(made + 1)))
		made++;
	if (made < others) {
		fprintf(stderr, "only %lu of %lu threads could be made\n", made + here, nr);
		workload_stop = 1;
	}
	if (here)
		body((void *)(uintptr_t)nr);
	for (unsigned long i = 0; i < made; i++)
		pthread_join(th[i], NULL);
	free(th);
	return made < others;
}
