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

/** xmalloc - @size bytes, uninitialised; the caller frees. */
void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
/** xcalloc - @nr zeroed elements of @size bytes; the caller frees. */
void *xcalloc(size_t nr, size_t size) __attribute__((malloc, returns_nonnull));
/** xzalloc - @size zeroed bytes; the caller frees. */
void *xzalloc(size_t size) __attribute__((malloc, returns_nonnull));
/** xrealloc - @ptr (or NULL) grown to @nr elements of @size bytes, overflow checked. */
void *xrealloc(void *ptr, size_t nr, size_t size) __attribute__((returns_nonnull));
/** xstrdup - a copy of @s; the caller frees. */
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull));
/** xstrndup - a zero-terminated copy of at most @n bytes of @s; the caller frees. */
char *xstrndup(const char *s, size_t n) __attribute__((malloc, returns_nonnull));
/** xasprintf - a formatted string; the caller frees. */
char *xasprintf(const char *fmt, ...) __printf(1, 2) __attribute__((malloc, returns_nonnull));

/**
 * heap_populate - have the kernel bring all whole pages of [@p, @p + @size) at once, where they are
 * new, many, and will all be written: one by one each costs a fault, and one that is read before it
 * is written two, the second of which stops the other threads.
 */
void heap_populate(void *p, size_t size);
/** heap_discard - what is in the whole pages of [@p, @p + @size), but for the first one, is not
 * read any more: the kernel takes them back. They stay allocated. */
void heap_discard(void *p, size_t size);
/** heap_ready - large allocations are mappings of their own from now on. And have the kernel map
 * the first pages of the heap at once: they are used in any case, and one after the other each
 * costs a fault. */
void heap_ready(void);

/**
 * heap_is_checked - does something look for memory that nobody frees? Where nothing does, a process
 * that is about to end leaves its memory to the kernel, which takes it back at once and not piece
 * by piece.
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
 * VEC_GROW - make room in a plain growing array.
 * @ptr: the array (an lvalue), @nr: elements wanted, @cap: allocated elements (an lvalue).
 */
#define VEC_GROW(ptr, nr, cap) VEC_GROW_FROM(ptr, nr, cap, 16)
/** VEC_GROW_FROM - the same, beginning with @least: of many arrays most of which stay small. */
#define VEC_GROW_FROM(ptr, nr, cap, least)                                                         \
	do {                                                                                       \
		if ((nr) > (cap)) {                                                                \
			(cap) = MAX((size_t)(nr), MAX((size_t)(cap)*2, (size_t)(least)));          \
			(ptr) = xrealloc((ptr), (cap), sizeof(*(ptr)));                            \
		}                                                                                  \
	} while (0)

#endif
