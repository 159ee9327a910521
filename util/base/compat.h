/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every .c file includes this header first. It has the fixed-width types, the few macros that the
 * whole tree uses, and the list of functions that nobody may call.
 */
#ifndef PERF_BASE_COMPAT_H
#define PERF_BASE_COMPAT_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

/* Integers in data from outside: they may stand at any alignment and alias anything. */
typedef u16 u16_una __attribute__((aligned(1), may_alias));
typedef u32 u32_una __attribute__((aligned(1), may_alias));
typedef u64 u64_una __attribute__((aligned(1), may_alias));

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define SWAP(a, b)                                                                                 \
	do {                                                                                       \
		__typeof__(a) swap_tmp = (a);                                                      \
		(a) = (b);                                                                         \
		(b) = swap_tmp;                                                                    \
	} while (0)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ALIGN_UP(x, a) (((x) + ((a)-1)) & ~((__typeof__(x))(a)-1))

#define __printf(fmt, args) __attribute__((format(printf, fmt, args)))
#define __unused __attribute__((unused))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#pragma GCC poison strcpy strcat sprintf vsprintf strtok gets atoi atol atoll rand srand

#endif
