// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asks the kernel for what is known before:
 *
 *	asks many N	getppid() N times
 *	asks known	a few calls with known arguments and results
 *	asks block	a thread waits in read() while another one writes
 *	asks exec	a thread that is not the first one calls execve() of /bin/true
 *	asks wait MS	sleep so long, in the main thread
 *	asks forks N	make N processes, one after the other, that end at once
 *	asks memory	calls whose arguments point to strings, buffers and structs
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

static void many(long n)
{
	while (n--)
		syscall(SYS_getppid);
}

static void pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static void known(void)
{
	int fd = openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC);
	char c;

	if (read(fd, &c, 0) || lseek(fd, 0, SEEK_END) || dup2(fd, 77) != 77)
		_exit(1);
	close(77);
	close(77); /* EBADF */
	access("/no/such/path", R_OK);
}

static void *writer(void *arg)
{
	pause_ms(50);
	many(3);
	if (write(ends[1], "x", 1) != 1)
		_exit(1);
	return arg;
}

static void block(void)
{
	pthread_t t;
	char c;

	if (pipe(ends) || pthread_create(&t, NULL, writer, NULL))
		_exit(1);
	if (read(ends[0], &c, 1) != 1)
		_exit(1);
	pthread_join(t, NULL);
}

static void *execs(void *arg)
{
	execl("/bin/true", "true", (char *)NULL);
	_exit(1);
}

static void exec(void)
{
	pthread_t t;

	if (!pthread_create(&t, NULL, execs, NULL))
		pthread_join(t, NULL);
}

static void forks(long n)
{
	while (n--) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
}

/* Return: a path on a page that nobody touches before the kernel does. */
static const char *far_path(void)
{
	int fd = openat(AT_FDCWD, "far.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *at;

	if (fd < 0 || write(fd, "/no/such/far", 13) != 13)
		_exit(1);
	at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		_exit(1);
	close(fd);
	return at;
}

static void memory(void)
{
	const struct sockaddr_un to = { .sun_family = AF_UNIX, .sun_path = "/no/such/socket" };
	const struct timespec t = { 0, 1234567 };
	int s = socket(AF_UNIX, SOCK_STREAM, 0), p[2];
	char buf[32];

	renameat2(AT_FDCWD, "/no/such/old", AT_FDCWD, "/no/such/new", RENAME_NOREPLACE);
	connect(s, (const struct sockaddr *)&to, sizeof(to));
	clock_nanosleep(CLOCK_REALTIME, 0, &t, NULL);
	if (pipe2(p, O_CLOEXEC) || write(p[1], "in\tthe pipe, and more", 11) != 11 ||
	    read(p[0], buf, sizeof(buf)) != 11)
		_exit(1);
	mkdir(far_path(), 0700);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 0;

	if (!strcmp(what, "many"))
		many(n);
	else if (!strcmp(what, "known"))
		known();
	else if (!strcmp(what, "block"))
		block();
	else if (!strcmp(what, "exec"))
		exec();
	else if (!strcmp(what, "memory"))
		memory();
	else if (!strcmp(what, "wait"))
		pause_ms(n);
	else if (!strcmp(what, "forks"))
		forks(n);
	else
		return 2;
	return 0;
}
