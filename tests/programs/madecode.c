// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * madecode KIND [fork] [SECONDS]: code that is made at run time, in memory of KIND: anon, memfd, or
 * a file (KIND is its path) that is no ELF file. It is named in /tmp/perf-PID.map, whose path is
 * printed. With fork, a child makes more in the memory that it inherited.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __aarch64__
static const unsigned int countdown[] = { 0x71000400, 0x54ffffe1, 0xd65f03c0 };
#else
static const unsigned char countdown[] = { 0x89, 0xf9, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
#endif

#define SIZE 4096

static char *region(const char *kind)
{
	int fd = -1, flags = MAP_PRIVATE | MAP_ANONYMOUS;

	if (strcmp(kind, "anon")) {
		fd = strcmp(kind, "memfd") ? open(kind, O_RDWR | O_CREAT, 0600)
					   : memfd_create("made", 0);
		flags = MAP_SHARED;
		if (fd < 0 || ftruncate(fd, SIZE))
			exit(2);
	}
	return mmap(NULL, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, flags, fd, 0);
}

static void make(char *at, const char *name)
{
	char path[64];
	FILE *map;

	memcpy(at, countdown, sizeof(countdown));
	__builtin___clear_cache(at, at + sizeof(countdown));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "a");
	if (!map)
		exit(2);
	fprintf(map, "%lx 40 %s\n", (unsigned long)at, name);
	fclose(map);
	puts(path);
	fflush(stdout);
}

static void run(char *at, double seconds)
{
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	do {
		((void (*)(int))at)(300000);
		clock_gettime(CLOCK_MONOTONIC, &b);
	} while ((double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9 < seconds);
}

int main(int argc, char **argv)
{
	char *code = region(argc > 1 ? argv[1] : "anon");
	int forks = argc > 2 && !strcmp(argv[2], "fork");
	double seconds = argc > 2 + forks ? atof(argv[2 + forks]) : 0.2;

	if (code == MAP_FAILED)
		return 2;
	make(code, "made_by_parent");
	run(code, seconds);
	if (!forks || fork())
		return wait(NULL) < 0 && forks;
	make(code + 512, "made_by_child");
	run(code + 512, seconds);
	run(code, seconds);
	return 0;
}
