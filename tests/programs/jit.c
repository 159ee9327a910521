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
#include "jitdump.h"

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

static char *memory;
static size_t code_size;

static void put_lines(const char *at, const char *file)
{
	dump_head(2, 16 + 2 * (16 + strlen(file) + 1));
	dump64((uintptr_t)at);
	dump64(2);
	for (uint32_t i = 0; i < 2; i++) {
		dump64((uintptr_t)at + 4 * i);
		dump32(100 + i);
		dump32(0);
		fwrite(file, strlen(file) + 1, 1, dump);
	}
}

static void put_move(const char *from, const char *to, uint64_t index)
{
	dump_head(1, 48);
	dump32((uint32_t)getpid());
	dump32((uint32_t)syscall(SYS_gettid));
	dump64((uintptr_t)to);
	dump64((uintptr_t)from);
	dump64((uintptr_t)to);
	dump64(code_size);
	dump64(index);
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

int main(int argc, char **argv)
{
	double part = (argc > 2 ? strtod(argv[2], NULL) : 0.4) / 4;

	code_size = (size_t)(__stop_jit_code - __start_jit_code);
	dump_open(argc > 1 ? argv[1] : ".");
	memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	compile(memory);
	put_lines(memory, "/src/alpha.js");
	dump_load("alpha", memory, code_size, 0);
	run(memory, part);
	compile(memory + 4096);
	dump_load("beta", memory + 4096, code_size, 1);
	run(memory + 4096, part);
	compile(memory);
	dump_load("Lpkg/Gamma;run(IJ)V", memory, code_size, 2);
	run(memory, part);
	compile(memory + 8192);
	put_move(memory + 4096, memory + 8192, 1);
	run(memory + 8192, part);
	dump_close();
	return 0;
}
