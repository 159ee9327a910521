/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Benchmarks of `perf bench`: what a benchmark is, how it is called, and how it tells what it
 * measured. A benchmark is a function. It declares its options, has them parsed, measures, says a
 * text in the layout of perf 6.1, and hands each figure to bench_result(), from which means over
 * several runs, JSON and comparisons are made (bench/results.h).
 */
#ifndef PERF_BENCH_BENCH_H
#define PERF_BENCH_BENCH_H

#include "base/err.h"
#include "bench/results.h"
#include "cli/options.h"

enum bench_format { BENCH_DEFAULT, BENCH_SIMPLE };

/* A benchmark is called with this. */
struct bench {
	int argc;
	const char **argv;        /* argv[0] is the name of the benchmark; borrowed */
	const char *const *given; /* the same, and stays so when options are parsed */
	enum bench_format format;
	unsigned int repeat; /* the runs of those that repeat themselves */
	/* Parses the options of the benchmark. When they cannot be parsed, it does not return. */
	void (*parse)(struct bench *b, const struct option *options, const char *const usage[]);
	/* Takes the text. NULL: it is not wanted. */
	void (*write)(void *ctx, const char *text, size_t len);
	void *write_ctx;
	struct bench_results *results; /* borrowed */
	const char *of;                /* "sched/pipe": the benchmark that has the results */
};

/**
 * bench_fn - run a benchmark.
 * Return: 0; a negative errno and a sentence when something failed; a positive exit status and a
 * sentence when the command line is wrong.
 */
typedef int bench_fn(struct bench *b, struct err *err);

struct benchmark {
	const char *name, *summary;
	bench_fn *run;
	bool repeats; /* it makes several runs itself, as --repeat says */
};

struct bench_collection {
	const char *name, *summary;
	const struct benchmark *list; /* ends with a row without name */
	const char *all;              /* the summary of "all"; NULL: it has none */
};

/* The collections whose benchmarks are in this room. */
extern const struct bench_collection bench_sched, bench_syscall, bench_mem, bench_numa, bench_futex,
	bench_epoll, bench_breakpoint, bench_uprobe;

/** bench_say - write text to standard output, unless it is not wanted. */
void bench_say(const struct bench *b, const char *fmt, ...) __printf(2, 3);
/** bench_result - keep the figure @value of a run; see struct bench_figure for the others. */
void bench_result(struct bench *b, const char *name, const char *unit, bool more_is_better,
		  double value);
/** bench_spread - keep the figures of several runs that a benchmark has made of its own. */
void bench_spread(struct bench *b, const char *name, const char *unit, bool more_is_better,
		  const struct spread *s);
/**
 * bench_total - tell how long all of a run took, "Total time: 0.123 [sec]", or in the simple format
 * the number alone, and keep it.
 */
void bench_total(struct bench *b, u64 ns);
/** bench_per_op - tell the time of one of @ops operations that took @ns together, and how many a
 * second has; below bench_total(), in the default format only. */
void bench_per_op(struct bench *b, u64 ns, u64 ops);
/** bench_invalid - fail because the value of an option makes no sense. Return: 1. */
int bench_invalid(struct err *err, const char *fmt, ...) __printf(2, 3);

/**
 * bench_find - return the benchmark @name of a collection, or NULL and a sentence with the names
 * that are near.
 */
const struct benchmark *bench_find(const struct bench_collection *c, const char *name,
				   struct err *err);

#endif
