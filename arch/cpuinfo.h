/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading values from the text of /proc/cpuinfo. */
#ifndef PERF_ARCH_CPUINFO_H
#define PERF_ARCH_CPUINFO_H

#include "base/compat.h"

/**
 * cpuinfo_value - find the first line "key<blanks>: value" of @text.
 * Return: the value, which the caller frees, or NULL if there is no such line.
 */
char *cpuinfo_value(const char *text, const char *key);

/**
 * cpuinfo_joined - find the values of all @keys (a list that NULL ends) and join them by @sep.
 * Return: the joined text, which the caller frees, or NULL if one of the keys is missing.
 */
char *cpuinfo_joined(const char *text, const char *const *keys, const char *sep);

#endif
