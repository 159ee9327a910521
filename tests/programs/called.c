// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions that call each other in few known ways, for tests of unwinders: recursion, callbacks of
 * the C library, calls through the PLT, tail calls, handlers of signals on the same stack and on
 * another one, functions in assembly with and without unwind tables, and the vdso.
 *
 *	called SECONDS [WHAT]	(of CPU time, so that there are as many samples on a busy machine)
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline, noclone, noipa))

static volatile long sink;

NOINLINE void leaf(long n)
{
	for (long i = 0; i < n; i++)
		sink += i * i;
}

NOINLINE int recurse(int depth)
{
	int made;

	if (!depth) {
		leaf(3000);
		return 1;
	}
	made = recurse(depth - 1) + 1;
	sink += made;
	return made;
}

static NOINLINE int compare(const void *a, const void *b)
{
	leaf(20);
	return *(const int *)a - *(const int *)b;
}

NOINLINE void sort(void)
{
	int v[200];

	for (int i = 0; i < 200; i++)
		v[i] = i * 7919 % 211;
	qsort(v, 200, sizeof(v[0]), compare);
	sink += v[0];
}

NOINLINE void tail_target(long n)
{
	leaf(n);
	sink++;
}

NOINLINE void tail_caller(long n)
{
	sink++;
	tail_target(n); /* a jump, with -O2 */
}

NOINLINE void tail(void)
{
	tail_caller(5000);
	sink++;
}

static NOINLINE void on_signal(int sig)
{
	leaf(5000);
	sink += sig;
}

NOINLINE void signalled(int sig)
{
	raise(sig);
	sink++;
}

NOINLINE void clock_reader(void)
{
	struct timespec t;

	for (int i = 0; i < 200; i++) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		sink += t.tv_nsec;
	}
}

/* A frame whose size the compiler does not know. */
NOINLINE void variable(long n)
{
	char *p = __builtin_alloca((size_t)n);

	memset(p, 1, (size_t)n);
	leaf(3000);
	sink += p[n / 2];
}

#ifdef __x86_64__
__asm__(".text\n"
	".type with_cfi, @function\n"
	"with_cfi:\n"
	".cfi_startproc\n"
	"sub $0x108, %rsp\n"
	".cfi_def_cfa_offset 0x110\n"
	"mov $4000, %edi\n"
	"call leaf\n"
	"add $0x108, %rsp\n"
	".cfi_def_cfa_offset 8\n"
	"ret\n"
	".cfi_endproc\n"
	".size with_cfi, . - with_cfi\n"
	".type without_cfi, @function\n"
	"without_cfi:\n"
	"push %rbx\n"
	"sub $0x40, %rsp\n"
	"mov $4000, %edi\n"
	"call leaf\n"
	"mov $100000, %ecx\n"
	"1: dec %ecx\n"
	"jnz 1b\n"
	"add $0x40, %rsp\n"
	"pop %rbx\n"
	"ret\n"
	".size without_cfi, . - without_cfi\n");
#else
static NOINLINE void with_cfi(void)
{
	leaf(4000);
	sink++;
}
static NOINLINE void without_cfi(void)
{
	leaf(4000);
	sink++;
}
#endif
void with_cfi(void);
void without_cfi(void);

NOINLINE void assembly(int cfi)
{
	if (cfi)
		with_cfi();
	else
		without_cfi();
	sink++;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Each letter of @what is one kind of calls. */
static NOINLINE void all(const char *what)
{
	for (; *what; what++) {
		switch (*what) {
		case 'r':
			recurse(40);
			break;
		case 'q':
			sort();
			break;
		case 't':
			tail();
			break;
		case 's':
			signalled(SIGUSR1);
			break;
		case 'a':
			signalled(SIGUSR2);
			break;
		case 'c':
			assembly(1);
			break;
		case 'n':
			assembly(0);
			break;
		case 'v':
			variable(500 + sink % 7);
			break;
		case 'g':
			clock_reader();
			break;
		}
	}
}

int main(int argc, char **argv)
{
	struct sigaction same = { .sa_handler = on_signal },
			 other = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };
	double end = now() + (argc > 1 ? atof(argv[1]) : 1);

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &same, NULL);
	sigaction(SIGUSR2, &other, NULL);
	while (now() < end)
		all(argc > 2 ? argv[2] : "rqtscnvg");
	free(stack.ss_sp);
	return 0;
}
