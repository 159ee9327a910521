// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lineup tty|futex N: N threads want one thing, and get it one after the other, so that the number
 * of those that wait for a lock is known: N - 1.
 *
 * tty: they read from one terminal. The kernel lets one thread at a time wait for a line, with a
 * mutex (n_tty_read()).
 * futex: they wait for a number in memory, until main has set it and wakes them up: all N wait.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_THREADS 64
#define PAUSE_US 2000

static int terminal[2];
static unsigned int gate;
static pid_t tids[MAX_THREADS];

static void *read_line(void *arg)
{
	pid_t *tid = arg;
	char line[64];

	__atomic_store_n(tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	return read(terminal[1], line, sizeof(line)) > 0 ? NULL : arg;
}

static void *pass_gate(void *arg)
{
	pid_t *tid = arg;

	__atomic_store_n(tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	while (!__atomic_load_n(&gate, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &gate, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	return NULL;
}

/* Wait until a thread sleeps. */
static void wait_asleep(pid_t *tid)
{
	char path[64], line[256], *state;
	FILE *f;

	for (;;) {
		usleep(PAUSE_US);
		snprintf(path, sizeof(path), "/proc/self/task/%d/stat",
			 __atomic_load_n(tid, __ATOMIC_ACQUIRE));
		f = fopen(path, "r");
		state = f && fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
		if (f)
			fclose(f);
		if (state && state[2] == 'S')
			return;
	}
}

static int open_terminal(void)
{
	terminal[0] = posix_openpt(O_RDWR | O_NOCTTY);
	if (terminal[0] < 0 || grantpt(terminal[0]) || unlockpt(terminal[0]))
		return -1;
	terminal[1] = open(ptsname(terminal[0]), O_RDWR | O_NOCTTY);
	return terminal[1];
}

int main(int argc, char **argv)
{
	int nr = argc > 2 ? atoi(argv[2]) : 0, bad = 0;
	int tty = argc > 1 && !strcmp(argv[1], "tty");
	pthread_t threads[MAX_THREADS];

	if (nr < 1 || nr > MAX_THREADS || (tty && open_terminal() < 0)) {
		fprintf(stderr, "lineup: %s\n", strerror(errno));
		return 1;
	}
	for (int i = 0; i < nr; i++) {
		if (pthread_create(&threads[i], NULL, tty ? read_line : pass_gate, &tids[i]))
			return 1;
		wait_asleep(&tids[i]);
	}
	for (int i = 0; tty && i < nr; i++) {
		usleep(PAUSE_US);
		bad |= write(terminal[0], "x\n", 2) != 2;
	}
	__atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &gate, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	for (int i = 0; i < nr; i++) {
		void *failed;

		pthread_join(threads[i], &failed);
		bad |= !!failed;
	}
	return bad;
}
