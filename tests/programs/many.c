// SPDX-License-Identifier: GPL-2.0-or-later
/* many forks N, many threads N: that many children (threads), many at a time. many writes N: two
 * processes that make N system calls each. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT_A_TIME 100

static void forks(long n)
{
	for (long i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		if (pid < 0 || i % AT_A_TIME == AT_A_TIME - 1)
			while (wait(NULL) > 0)
				;
	}
	while (wait(NULL) > 0)
		;
}

static void *doze(void *arg)
{
	usleep(100000);
	return arg;
}

static void threads(long n)
{
	pthread_t *t = calloc((size_t)n, sizeof(*t));
	pthread_attr_t a;

	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 65536);
	for (long i = 0; t && i < n; i++)
		if (pthread_create(&t[i], &a, doze, NULL))
			exit(3);
	for (long i = 0; t && i < n; i++)
		pthread_join(t[i], NULL);
	free(t);
}

static void writes(long n)
{
	int fd = open("/dev/null", O_WRONLY);

	fork();
	for (long i = 0; i < n; i++)
		(void)!write(fd, "", 1);
	wait(NULL);
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0;

	if (argc > 1 && !strcmp(argv[1], "forks"))
		forks(n);
	else if (argc > 1 && !strcmp(argv[1], "threads"))
		threads(n);
	else if (argc > 1 && !strcmp(argv[1], "writes"))
		writes(n);
	else
		return 2;
	return 0;
}
