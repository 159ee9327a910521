/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write the memory accesses of a recording as lines, one for each sample, in the order of time:
 * `perf mem report -D`. */
#ifndef PERF_MEM_MEM_DUMP_H
#define PERF_MEM_MEM_DUMP_H

#include "recording/recording.h"

struct mem_dump {
	bool phys, page_size;  /* with these fields */
	bool hide_unresolved;  /* only samples whose code has a symbol */
	const char *separator; /* between fields; NULL: a blank; borrowed */
	/* Takes finished lines. Return: 0, or a negative errno, which ends the run. */
	int (*write)(void *ctx, const char *text, size_t len);
	void *ctx;
};

/**
 * mem_dump_run - write a line with the names of the fields, and the samples. The function that made
 * the access is "object:function", and "???" stands for what is not known.
 * @r: opened
 * @workers: threads that make lines
 * Return: 0, or a negative errno and a sentence.
 */
int mem_dump_run(const struct mem_dump *d, struct recording *r, int workers, struct err *err);

#endif
