// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/alloc.h"

#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

#define MAPPED_FROM (512 << 10) /* bytes of an allocation */
#define POPULATE_LEAST ((uintptr_t)64 << 10)
#define LARGE_PAGE ((uintptr_t)2 << 20) /* where the machine has such, and not larger ones */
#define HEAP_LARGE (4 << 20)            /* bytes of the heap for which large pages are asked */
#define THREAD_HEAP (512 << 10)         /* so much stays with a thread even if it is unused */

static void __attribute__((noreturn)) out_of_memory(void)
{
	static const char msg[] = "perf: out of memory\n";

	/* stdio may itself need memory here. */
	if (write(STDERR_FILENO, msg, sizeof(msg) - 1) < 0)
		_exit(128);
	_exit(128);
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xcalloc(size_t nr, size_t size)
{
	void *p = calloc(nr ? nr : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xzalloc(size_t size)
{
	return xcalloc(1, size);
}

void *xrealloc(void *ptr, size_t nr, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(nr, size, &bytes))
		out_of_memory();
	ptr = realloc(ptr, bytes ? bytes : 1);
	if (!ptr)
		out_of_memory();
	return ptr;
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = xmalloc(len + 1);

	memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	if (vasprintf(&p, fmt, ap) < 0)
		out_of_memory();
	va_end(ap);
	return p;
}

/*
 * Large tables grow by doubling and are freed one by one. As mappings of their own they grow
 * without being copied, and freed memory returns to the system at once. By default glibc keeps
 * everything that is smaller than the largest block that was ever freed.
 */
static void heap_map_large(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
#endif
}

void heap_populate(void *p, size_t size)
{
#ifdef MADV_POPULATE_WRITE
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = ALIGN_UP((uintptr_t)p, page),
		  to = ((uintptr_t)p + size) & ~(page - 1);

	if (to > from &&
	    to - from >= POPULATE_LEAST) /* when this fails, the pages are mapped one by one */
		madvise((void *)from, to - from, MADV_POPULATE_WRITE);
#endif
}

void heap_discard(void *p, size_t size)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE),
		  from = ALIGN_UP((uintptr_t)p, page) + page,
		  to = ((uintptr_t)p + size) & ~(page - 1);

	if (to > from)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

/*
 * Have the heap begin just before a large page, and ask for large pages behind its first one: each
 * small page costs a fault. The first page is touched by the first allocation, before anything can
 * be said about the memory that this has added. Where there are no large pages, or not so much
 * memory, the heap is as it always is.
 */
static void heap_on_large_pages(void)
{
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), end = (uintptr_t)sbrk(0), from;
	u8 *p;

	if (sbrk((intptr_t)((LARGE_PAGE - page - end) & (LARGE_PAGE - 1))) == (void *)-1)
		return;
	mallopt(M_TOP_PAD, HEAP_LARGE);
	mallopt(M_TRIM_THRESHOLD, 2 * HEAP_LARGE);
	p = xmalloc(1);
	from = ALIGN_UP((uintptr_t)p, LARGE_PAGE);
	end = (uintptr_t)sbrk(0);
	if (end > from && end - from <= 2 * HEAP_LARGE)
		(void)madvise((void *)from, end - from, MADV_HUGEPAGE);
	free(p);
#endif
}

/*
 * Give the heap of each thread so much usable memory from the start, and let it keep that when
 * everything is freed. Otherwise glibc makes memory usable page by page, and each step stops all
 * threads that want to change the address space.
 */
static void heap_widen_of_threads(void)
{
#ifdef __GLIBC__
	mallopt(M_TOP_PAD, THREAD_HEAP);
#endif
}

void heap_ready(void)
{
	heap_map_large();
	heap_on_large_pages();
	heap_widen_of_threads();
}
