/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a jitdump that every run-time compiler among the test programs writes. */
#ifndef TEST_JITDUMP_H
#define TEST_JITDUMP_H

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static FILE *dump;

static void dump32(uint32_t v)
{
	fwrite(&v, sizeof(v), 1, dump);
}

static void dump64(uint64_t v)
{
	fwrite(&v, sizeof(v), 1, dump);
}

/* Return the clock's time in nanoseconds. */
static uint64_t now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* Write the head of a record of the kind @id, behind which @body bytes follow. */
static void dump_head(uint32_t id, size_t body)
{
	dump32(id);
	dump32((uint32_t)(16 + body));
	dump64(now(CLOCK_MONOTONIC));
}

/* Return the machine's number in ELF files. */
static uint32_t elf_machine(void)
{
	uint16_t machine = 0;
	int fd = open("/proc/self/exe", O_RDONLY);

	if (pread(fd, &machine, 2, offsetof(Elf64_Ehdr, e_machine)) != 2)
		exit(1);
	close(fd);
	return machine;
}

/* Begin DIR/jit-PID.dump, and map it, by which the recording learns of it. The program ends when
 * that fails. */
static void dump_open(const char *dir)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", dir, getpid());
	dump = fopen(path, "w+");
	if (!dump ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED) {
		perror(path);
		exit(1);
	}
	dump32(0x4A695444);
	dump32(1);
	dump32(40);
	dump32(elf_machine());
	dump32(0);
	dump32((uint32_t)getpid());
	dump64(now(CLOCK_MONOTONIC));
	dump64(0);
}

/* Write that a function of @size bytes is at @at. */
static void dump_load(const char *name, const void *at, size_t size, uint64_t index)
{
	dump_head(0, 40 + strlen(name) + 1 + size);
	dump32((uint32_t)getpid());
	dump32((uint32_t)syscall(SYS_gettid));
	dump64((uintptr_t)at);
	dump64((uintptr_t)at);
	dump64(size);
	dump64(index);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite(at, size, 1, dump);
}

/* Write the last record. */
static void dump_close(void)
{
	dump_head(3, 0);
	fclose(dump);
}

#endif
