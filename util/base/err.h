/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The error value. Rooms neither print nor exit: a function that can fail takes a struct err,
 * returns a negative errno, and stores one complete sentence in it: what failed, on which file at
 * which offset or on which event, and what to do about it. Only perf.c, builtins and cmd/ print it.
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
 * @e: receives code and sentence; may be NULL when the caller wants the code alone
 * @code: a negative errno; 0 is taken as -EINVAL
 */
int err_set(struct err *e, int code, const char *fmt, ...) __printf(3, 4);

/** err_prefix - put "<text>: " in front of the sentence that @e holds. */
void err_prefix(struct err *e, const char *fmt, ...) __printf(2, 3);

/** err_str - return the text of a negative errno in static storage. It is thread-safe. */
const char *err_str(int code);

#endif
