// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This makes the calls that ftrace.py records, and does the least that a recorder can do.
 *
 *	ring calls N		make N system calls, and print how many ns of CPU they took
 *	ring raw DIR N		let a child make them while both events of system calls are on in a
 *				new tracing instance DIR, whose rings are spliced to files without
 *				names
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CPUS 64
#define PIPE (1 << 20)

static void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static void make_calls(const char *count)
{
	struct timespec a, b;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	for (long n = atol(count); n; n--)
		syscall(SYS_getppid);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	fprintf(stderr, "ns %lld\n", (b.tv_sec - a.tv_sec) * 1000000000LL + b.tv_nsec - a.tv_nsec);
}

static void put(const char *dir, const char *file, const char *text)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail(path);
	close(fd);
}

struct ring {
	int raw, pipe[2], file;
};

static int open_rings(const char *dir, struct ring *rings)
{
	char path[512];
	int nr = 0;

	for (int cpu = 0; cpu < CPUS; cpu++) {
		struct ring *r = &rings[nr];

		snprintf(path, sizeof(path), "%s/per_cpu/cpu%d/trace_pipe_raw", dir, cpu);
		r->raw = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (r->raw < 0)
			continue;
		r->file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		if (pipe2(r->pipe, O_CLOEXEC | O_NONBLOCK) || r->file < 0)
			fail("a pipe or a file");
		fcntl(r->pipe[1], F_SETPIPE_SZ, PIPE);
		nr++;
	}
	return nr;
}

static long take(const struct ring *r)
{
	long sum = 0;
	ssize_t n;

	while ((n = splice(r->raw, NULL, r->pipe[1], NULL, PIPE, SPLICE_F_NONBLOCK)) > 0) {
		sum += n;
		while (n > 0) {
			const ssize_t out = splice(r->pipe[0], NULL, r->file, NULL, n, 0);

			if (out <= 0)
				fail("splice");
			n -= out;
		}
	}
	return sum;
}

static void record(const char *dir, const char *count)
{
	struct ring rings[CPUS];
	struct pollfd fds[CPUS];
	struct rusage use;
	long bytes = 0;
	char text[32];
	int nr, go[2];
	pid_t child;

	if (mkdir(dir, 0700) || pipe(go))
		fail(dir);
	child = fork();
	if (!child) {
		close(go[1]);
		if (read(go[0], text, 1) < 0)
			fail("read");
		make_calls(count);
		_exit(0);
	}
	nr = open_rings(dir, rings);
	snprintf(text, sizeof(text), "%d", child);
	put(dir, "set_event_pid", text);
	put(dir, "events/raw_syscalls/enable", "1");
	close(go[1]);
	for (int i = 0; i < nr; i++)
		fds[i] = (struct pollfd){ rings[i].raw, POLLIN, 0 };
	while (!waitpid(child, NULL, WNOHANG)) {
		poll(fds, nr, 100);
		for (int i = 0; i < nr; i++)
			bytes += take(&rings[i]);
	}
	put(dir, "tracing_on", "0");
	for (int i = 0; i < nr; i++) {
		bytes += take(&rings[i]);
		close(rings[i].raw);
	}
	getrusage(RUSAGE_SELF, &use);
	fprintf(stderr, "bytes %ld\nus %ld\n", bytes,
		(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000000L + use.ru_utime.tv_usec +
			use.ru_stime.tv_usec);
	if (rmdir(dir))
		fail(dir);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "calls"))
		make_calls(argv[2]);
	else if (argc == 4 && !strcmp(argv[1], "raw"))
		record(argv[2], argv[3]);
	else
		return 1;
	return 0;
}
