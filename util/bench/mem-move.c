// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mem memcpy and memset: the routines of the C library, and on x86-64 those that processors were
 * made to run fast at one time or another. Assembler and calls through pointers, which the compiler
 * cannot look through, keep all of them in the program as they are written.
 */
#include "base/compat.h"
#include "bench/mem-internal.h"

static void libc_copy(u8 *to, const u8 *from, size_t size, u8 value)
{
	memcpy(to, from, size);
}

static void libc_set(u8 *to, const u8 *from, size_t size, u8 value)
{
	memset(to, value, size);
}

#ifdef __x86_64__
/* Copy byte by byte: all of a buffer, or what is behind the last block of an unrolled loop. */
static void movsb_copy(u8 *to, const u8 *from, size_t size, u8 value)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

static void unrolled_copy(u8 *to, const u8 *from, size_t size, u8 value)
{
	for (; size >= 64; size -= 64, to += 64, from += 64)
		__asm__ volatile("movq (%1), %%r8\n\tmovq 8(%1), %%r9\n\t"
				 "movq 16(%1), %%r10\n\tmovq 24(%1), %%r11\n\t"
				 "movq %%r8, (%0)\n\tmovq %%r9, 8(%0)\n\t"
				 "movq %%r10, 16(%0)\n\tmovq %%r11, 24(%0)\n\t"
				 "movq 32(%1), %%r8\n\tmovq 40(%1), %%r9\n\t"
				 "movq 48(%1), %%r10\n\tmovq 56(%1), %%r11\n\t"
				 "movq %%r8, 32(%0)\n\tmovq %%r9, 40(%0)\n\t"
				 "movq %%r10, 48(%0)\n\tmovq %%r11, 56(%0)"
				 :
				 : "r"(to), "r"(from)
				 : "memory", "r8", "r9", "r10", "r11");
	movsb_copy(to, from, size, value);
}

static void movsq_copy(u8 *to, const u8 *from, size_t size, u8 value)
{
	size_t words = size / 8;

	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
	movsb_copy(to, from, size % 8, value);
}

static void stosb_set(u8 *to, const u8 *from, size_t size, u8 value)
{
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
}

/* A word of eight bytes that are all @value. */
static u64 word_of(u8 value)
{
	return value * 0x0101010101010101ULL;
}

static void unrolled_set(u8 *to, const u8 *from, size_t size, u8 value)
{
	u64 word = word_of(value);

	for (; size >= 64; size -= 64, to += 64)
		__asm__ volatile("movq %1, (%0)\n\tmovq %1, 8(%0)\n\t"
				 "movq %1, 16(%0)\n\tmovq %1, 24(%0)\n\t"
				 "movq %1, 32(%0)\n\tmovq %1, 40(%0)\n\t"
				 "movq %1, 48(%0)\n\tmovq %1, 56(%0)"
				 :
				 : "r"(to), "r"(word)
				 : "memory");
	stosb_set(to, from, size, value);
}

static void stosq_set(u8 *to, const u8 *from, size_t size, u8 value)
{
	size_t words = size / 8;

	__asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(word_of(value)) : "memory");
	stosb_set(to, from, size % 8, value);
}
#endif

static const struct mem_routine copies[] = {
	{ "default", "Default memcpy() provided by glibc", libc_copy },
#ifdef __x86_64__
	{ "x86-64-unrolled", "unrolled memcpy(), 64 bytes a turn", unrolled_copy },
	{ "x86-64-movsq", "movsq-based memcpy()", movsq_copy },
	{ "x86-64-movsb", "movsb-based memcpy()", movsb_copy },
#endif
	{ NULL },
};

static const struct mem_routine sets[] = {
	{ "default", "Default memset() provided by glibc", libc_set },
#ifdef __x86_64__
	{ "x86-64-unrolled", "unrolled memset(), 64 bytes a turn", unrolled_set },
	{ "x86-64-stosq", "stosq-based memset()", stosq_set },
	{ "x86-64-stosb", "stosb-based memset()", stosb_set },
#endif
	{ NULL },
};

/* Each run of memset writes another byte, as in perf 6.1: processors may write zeros much faster
 * than other bytes. */
static int move_loop(const struct mem_routine *r, struct mem_work *w)
{
	u64 at;

	for (at = 0; at < w->size; at += w->chunk)
		r->move(w->to + at, w->from ? w->from + at : NULL, MIN(w->chunk, w->size - at),
			(u8)w->nr);
	return 0;
}

int mem_memcpy(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench mem memcpy <options>", NULL };
	static const struct mem_kind k = { .usage = usage,
					   .routines = copies,
					   .reads = true,
					   .loop = move_loop,
					   .verb = "Copying",
					   .pages = "4KB" };

	return mem_measure(b, &k, err);
}

int mem_memset(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench mem memset <options>", NULL };
	static const struct mem_kind k = { .usage = usage,
					   .routines = sets,
					   .loop = move_loop,
					   .verb = "Copying",
					   .pages = "4KB" };

	return mem_measure(b, &k, err);
}
