/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocation that does not fail: when memory is exhausted the process ends with
 * one sentence on stderr and status 128. Sizes that come from input are checked
 * against the size of that input before they get here, so only real exhaustion
 * ends up in the handler.
 */
#ifndef PERF_BASE_ALLOC_H
#define PERF_BASE_ALLOC_H

#include "base/compat.h"

/** xmalloc - allocate @size uninitialised bytes. The caller frees them. */
void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
/** xcalloc - allocate @nr zeroed elements of @size bytes each. The caller frees them. */
void *xcalloc(size_t nr, size_t size) __attribute__((malloc, returns_nonnull));
/** xzalloc - allocate @size zeroed bytes. The caller frees them. */
void *xzalloc(size_t size) __attribute__((malloc, returns_nonnull));
/**
 * xrealloc - resize @ptr, which may be NULL, to @nr elements of @size bytes; overflow is checked.
 */
void *xrealloc(void *ptr, size_t nr, size_t size) __attribute__((returns_nonnull));
/** xstrdup - return a copy of @s. The caller frees it. */
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull));
/** xstrndup - return a zero-terminated copy of at most @n bytes of @s. The caller frees it. */
char *xstrndup(const char *s, size_t n) __attribute__((malloc, returns_nonnull));
/** xasprintf - return a formatted string. The caller frees it. */
char *xasprintf(const char *fmt, ...) __printf(1, 2) __attribute__((malloc, returns_nonnull));

/**
 * heap_populate - ask the kernel to map all whole pages of [@p, @p + @size) in one step. It pays
 * for new memory of many pages all of which will be written: otherwise each page costs a page
 * fault, and a page that is read before it is written costs two, the second of which stops the
 * other threads.
 */
void heap_populate(void *p, size_t size);
/**
 * heap_discard - give the whole pages of [@p, @p + @size), except the first one, back to the
 * kernel. The memory stays allocated, but its contents are lost.
 */
void heap_discard(void *p, size_t size);
/**
 * heap_ready - prepare the heap of the process, before anything is allocated: from now on large
 * allocations are mappings of their own, and the others lie on large pages where there are some,
 * because each small page would cost a page fault.
 */
void heap_ready(void);

/**
 * heap_is_checked - tell whether a tool looks for memory that nobody frees. Where none does, a
 * process that is about to end leaves its memory to the kernel, which takes it back at once instead
 * of piece by piece.
 */
static inline bool heap_is_checked(void)
{
#if defined(__SANITIZE_ADDRESS__)
	return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
	return true;
#else
	return false;
#endif
#else
	return false;
#endif
}

/**
 * VEC_GROW - make room for @nr elements in a plain growing array.
 * @ptr: the array (an lvalue), @nr: elements wanted, @cap: elements allocated (an lvalue)
 */
#define VEC_GROW(ptr, nr, cap) VEC_GROW_FROM(ptr, nr, cap, 16)
/**
 * VEC_GROW_FROM - as VEC_GROW(), but start with @least elements. It suits arrays of which there are
 * many and most of which stay small.
 */
#define VEC_GROW_FROM(ptr, nr, cap, least)                                                         \
	do {                                                                                       \
		if ((nr) > (cap)) {                                                                \
			(cap) = MAX((size_t)(nr), MAX((size_t)(cap)*2, (size_t)(least)));          \
			(ptr) = xrealloc((ptr), (cap), sizeof(*(ptr)));                            \
		}                                                                                  \
	} while (0)

#endif
