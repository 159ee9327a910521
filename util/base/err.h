/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The error value. Rooms neither print nor exit: a function that can fail takes a
 * struct err, returns a negative errno, and leaves one complete sentence in it:
 * what failed, on which file at which offset or on which event, and what to do.
 * Only perf.c, builtins and ui/ print it.
 */
#ifndef PERF_BASE_ERR_H
#define PERF_BASE_ERR_H

#include "base/compat.h"

struct err {
	int code;       /* negative errno, 0 when nothing failed */
	char msg[2048]; /* zero-terminated, no newline at the end, control bytes already escaped */
};

/**
 * err_set - record a failure.
 * @e: where to, may be NULL (then only the code travels)
 * @code: negative errno; 0 is taken as -EINVAL
 * Return: @code, so that `return err_set(...)` reads well.
 */
int err_set(struct err *e, int code, const char *fmt, ...) __printf(3, 4);

/** err_prefix - put "<text>: " in front of the sentence already there. */
void err_prefix(struct err *e, const char *fmt, ...) __printf(2, 3);

/** err_str - strerror text of a negative errno, thread-safe, static storage. */
const char *err_str(int code);

#endif
