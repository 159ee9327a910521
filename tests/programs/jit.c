// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A small run-time compiler: jit [DIR [SECONDS]] "compiles" functions one after the other, runs
 * each for its part of the time, and writes DIR/jit-PID.dump as it goes. Pages are writable
 * or executable, never both, so every function means another mapping of the memory.
 *
 *	alpha	at 0, lines of alpha.js
 *	beta	at 4096, one after alpha
 *	gamma	at 0, in the place of alpha
 *	beta	moved to 8192
 */
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

#define PAGE 65536 /* as large as pages get */

extern const char __start_jit_code[], __stop_jit_code[];
uint64_t jit_code_loop(uint64_t n);

__attribute__((section("jit_code"), noinline, used, aligned(16))) uint64_t jit_code_loop(uint64_t n)
{
	volatile uint64_t left = n;

	while (left)
		left--;
	return n;
}

static FILE *dump;
static char *memory;
static size_t code_size;

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void put32(uint32_t v)
{
	fwrite(&v, sizeof(v), 1, dump);
}

static void put64(uint64_t v)
{
	fwrite(&v, sizeof(v), 1, dump);
}

static void put_head(uint32_t id, size_t body)
{
	put32(id);
	put32((uint32_t)(16 + body));
	put64(now());
}

static void put_header(void)
{
	uint16_t machine = 0;
	int fd = open("/proc/self/exe", O_RDONLY);

	if (pread(fd, &machine, 2, offsetof(Elf64_Ehdr, e_machine)) != 2)
		exit(1);
	close(fd);
	put32(0x4A695444);
	put32(1);
	put32(40);
	put32(machine);
	put32(0);
	put32((uint32_t)getpid());
	put64(now());
	put64(0);
}

static void put_lines(const char *at, const char *file)
{
	put_head(2, 16 + 2 * (16 + strlen(file) + 1));
	put64((uintptr_t)at);
	put64(2);
	for (uint32_t i = 0; i < 2; i++) {
		put64((uintptr_t)at + 4 * i);
		put32(100 + i);
		put32(0);
		fwrite(file, strlen(file) + 1, 1, dump);
	}
}

static void put_load(const char *at, const char *name, uint64_t index)
{
	put_head(0, 40 + strlen(name) + 1 + code_size);
	put32((uint32_t)getpid());
	put32((uint32_t)syscall(SYS_gettid));
	put64((uintptr_t)at);
	put64((uintptr_t)at);
	put64(code_size);
	put64(index);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite(at, code_size, 1, dump);
}

static void put_move(const char *from, const char *to, uint64_t index)
{
	put_head(1, 48);
	put32((uint32_t)getpid());
	put32((uint32_t)syscall(SYS_gettid));
	put64((uintptr_t)to);
	put64((uintptr_t)from);
	put64((uintptr_t)to);
	put64(code_size);
	put64(index);
}

static void compile(char *at)
{
	if (mprotect(memory, PAGE, PROT_READ | PROT_WRITE))
		exit(1);
	memcpy(at, __start_jit_code, code_size);
	if (mprotect(memory, PAGE, PROT_READ | PROT_EXEC))
		exit(1);
	__builtin___clear_cache(at, at + code_size);
}

static void run(const char *at, double seconds)
{
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	fflush(dump);
	while (clock() < end)
		((uint64_t(*)(uint64_t))(uintptr_t)at)(100000);
}

static void open_dump(const char *dir)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", dir, getpid());
	dump = fopen(path, "w+");
	if (!dump ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED) {
		perror(path);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	double part = (argc > 2 ? strtod(argv[2], NULL) : 0.4) / 4;

	code_size = (size_t)(__stop_jit_code - __start_jit_code);
	open_dump(argc > 1 ? argv[1] : ".");
	put_header();
	memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	compile(memory);
	put_lines(memory, "/src/alpha.js");
	put_load(memory, "alpha", 0);
	run(memory, part);
	compile(memory + 4096);
	put_load(memory + 4096, "beta", 1);
	run(memory + 4096, part);
	compile(memory);
	put_load(memory, "Lpkg/Gamma;run(IJ)V", 2);
	run(memory, part);
	compile(memory + 8192);
	put_move(memory + 4096, memory + 8192, 1);
	run(memory + 8192, part);
	put_head(3, 0);
	fclose(dump);
	return 0;
}
