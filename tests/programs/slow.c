// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slow WHY MS [FILE]: a program that is slow for one known reason, for about so long. `perf triage`
 * has to find the reason.
 *
 * cpu: one function computes.              queue: as cpu; the test adds a rival on the same CPU.
 * lock: threads want one lock of the kernel, and who has it waits for a line of a terminal.
 * futex: threads want one mutex, and who has it computes.
 * flush: it writes to FILE and has each write put on the disk.
 * fault: it touches pages of memory that it has just got.
 * call: it makes system calls that do little.
 * child: a child sleeps, and the parent waits for it.
 * net: it asks a server on this machine, who answers after a while.
 * mixed: it computes a little in each of many functions.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4
#define PAGES 4096

static double until;
static volatile unsigned int sink;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int terminal[2];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int goes_on(void)
{
	return now() < until;
}

static __attribute__((noinline)) void hot_loop(unsigned int rounds)
{
	for (unsigned int i = 0; i < rounds; i++)
		sink = sink * 1664525 + 1013904223;
}

static int cpu(void)
{
	while (goes_on())
		hot_loop(1000000);
	return 0;
}

/* ---- many functions ---- */

#define PART(n)                                                                                    \
	static __attribute__((noinline)) void part##n(void)                                        \
	{                                                                                          \
		for (unsigned int i = 0; i < 20000; i++)                                           \
			sink = sink * 1664525 + n;                                                 \
	}                                                                                          \
	static __attribute__((noinline)) void part##n(void)
PART(1);
PART(2);
PART(3);
PART(4);
PART(5);
PART(6);
PART(7);
PART(8);
PART(9);
PART(10);

static int mixed(void)
{
	static void (*const parts[])(void) = { part1, part2, part3, part4, part5,
					       part6, part7, part8, part9, part10 };

	for (unsigned int i = 0; goes_on(); i++)
		parts[i % 10]();
	return 0;
}

/* ---- threads ---- */

static void *want_mutex(void *arg)
{
	while (goes_on()) {
		pthread_mutex_lock(&mutex);
		hot_loop(300000);
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

static void *read_lines(void *arg)
{
	char line[64];

	while (goes_on() && read(terminal[1], line, sizeof(line)) > 0)
		;
	return arg;
}

static int with_threads(void *(*fn)(void *), int feed)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, fn, NULL))
			return 1;
	while (feed && goes_on()) {
		usleep(20000);
		if (write(terminal[0], "x\n", 2) != 2)
			return 1;
	}
	if (feed) /* they would wait for ever for more lines */
		_exit(0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}

static int lock(void)
{
	terminal[0] = posix_openpt(O_RDWR | O_NOCTTY);
	if (terminal[0] < 0 || grantpt(terminal[0]) || unlockpt(terminal[0]))
		return 1;
	terminal[1] = open(ptsname(terminal[0]), O_RDWR | O_NOCTTY);
	return terminal[1] < 0 || with_threads(read_lines, 1);
}

/* ---- the kernel ---- */

static int flush(const char *path)
{
	static char block[65536];
	int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
	int bad = fd < 0;

	while (!bad && goes_on())
		bad = pwrite(fd, block, sizeof(block), 0) < 0 || fsync(fd);
	return bad || unlink(path);
}

static int fault(void)
{
	while (goes_on()) {
		char *p = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			return 1;
		madvise(p, PAGES * 4096, MADV_HUGEPAGE);
		for (int i = 0; i < PAGES; i++)
			p[(size_t)i * 4096] = 1;
		munmap(p, PAGES * 4096);
	}
	return 0;
}

static int call(void)
{
	int fd = open("/dev/zero", O_RDONLY);
	char byte[4096];

	while (goes_on())
		for (int i = 0; i < 1000; i++)
			if (read(fd, byte, sizeof(byte)) < 0)
				return 1;
	return 0;
}

static int child(unsigned int ms)
{
	pid_t pid = fork();

	if (!pid) {
		usleep(ms * 1000);
		_exit(0);
	}
	return waitpid(pid, NULL, 0) != pid;
}

static void serve(int fd)
{
	int peer = accept(fd, NULL, NULL);
	char byte;

	while (read(peer, &byte, 1) == 1) {
		usleep(20000);
		if (write(peer, &byte, 1) != 1)
			break;
	}
	_exit(0);
}

static int net(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM, 0), bad;
	char byte = 0;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bad = bind(fd, (void *)&at, len) || listen(fd, 1) || getsockname(fd, (void *)&at, &len);
	if (!bad && !fork())
		serve(fd);
	close(fd);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	bad |= connect(fd, (void *)&at, len);
	while (!bad && goes_on())
		bad = write(fd, &byte, 1) != 1 || read(fd, &byte, 1) != 1;
	return bad;
}

int main(int argc, char **argv)
{
	const char *why = argc > 2 ? argv[1] : "";
	unsigned int ms = argc > 2 ? (unsigned int)atoi(argv[2]) : 0;

	until = now() + ms / 1e3;
	if (!strcmp(why, "cpu") || !strcmp(why, "queue"))
		return cpu();
	if (!strcmp(why, "mixed"))
		return mixed();
	if (!strcmp(why, "futex"))
		return with_threads(want_mutex, 0);
	if (!strcmp(why, "lock"))
		return lock();
	if (!strcmp(why, "flush") && argc > 3)
		return flush(argv[3]);
	if (!strcmp(why, "fault"))
		return fault();
	if (!strcmp(why, "call"))
		return call();
	if (!strcmp(why, "child"))
		return child(ms);
	if (!strcmp(why, "net"))
		return net();
	fprintf(stderr, "slow: unknown reason '%s'\n", why);
	return 2;
}
