/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The benchmarks of the collection mem have options in common, and the frame that measures one
 * function after the other. */
#ifndef PERF_BENCH_MEM_INTERNAL_H
#define PERF_BENCH_MEM_INTERNAL_H

#include "bench/bench.h"

/* Two buffers of @size bytes that a run works on. */
struct mem_work {
	u8 *to, *from; /* from: NULL where nothing is read */
	u64 size;
	u64 chunk;       /* bytes of each call of a function; up to size */
	unsigned int nr; /* the number of the run */
	u64 seed;        /* mmap: of the order in which pages are touched; 0: one after the other */
	u64 page;
	bool populate;
};

struct mem_routine {
	const char *name, *desc;
	/* Copies @size bytes, or sets each of them to @value. */
	void (*move)(u8 *to, const u8 *from, size_t size, u8 value);
	bool populate; /* mmap */
};

/* A benchmark has several routines that do the same. */
struct mem_kind {
	const char *of; /* "memcpy" */
	const char *const *usage;
	const struct mem_routine *routines; /* ends with a row without name */
	bool reads;                         /* it has a second buffer */
	/* Does the work of one loop with a routine. Return: 0 or a negative errno. */
	int (*loop)(const struct mem_routine *r, struct mem_work *w);
	bool maps;         /* the loop makes its buffer itself */
	const char *verb;  /* "Copying", "Memset" */
	const char *pages; /* the default of --page */
};

/** mem_measure - parse the options of a benchmark and measure its routines. */
int mem_measure(struct bench *b, const struct mem_kind *k, struct err *err);

int mem_memcpy(struct bench *b, struct err *err);
int mem_memset(struct bench *b, struct err *err);
int mem_mmap(struct bench *b, struct err *err);
int mem_find_bit(struct bench *b, struct err *err);

#endif
