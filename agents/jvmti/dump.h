/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jitdump file of this process, written record by record. */
#ifndef PERF_AGENTS_DUMP_H
#define PERF_AGENTS_DUMP_H

#include "base/compat.h"

#include <pthread.h>

struct dump {
	pthread_mutex_t lock; /* records come from several threads */
	int fd;               /* -1: closed */
	u64 index;            /* of the next function */
	bool failed;          /* writing did not work, and that was told */
};

#define DUMP_INIT                                                                                  \
	{                                                                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1                                        \
	}

/* The line of the code from an address on. */
struct dump_line {
	u64 addr;
	u32 line;
	char *file;
};

/**
 * dump_open - make the file jit-PID.dump. @options: "dir=FOLDER" for that folder; NULL or "": a new
 * folder below .debug/jit of the folder that JITDUMPDIR or HOME names.
 * Return: false, and standard error has the reason.
 */
bool dump_open(struct dump *d, const char *options);
/** dump_code - write a function, with the bytes of its code and its lines. Nothing is written when
 * the file is closed. */
void dump_code(struct dump *d, const char *name, const void *code, u64 size,
	       const struct dump_line *lines, size_t nr);
/** dump_close - complete the file. */
void dump_close(struct dump *d);

#endif
