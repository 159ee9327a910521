/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The benchmarks of the collection epoll have this in common. */
#ifndef PERF_BENCH_EPOLL_INTERNAL_H
#define PERF_BENCH_EPOLL_INTERNAL_H

#include "bench/bench.h"
#include "bench/team.h"

struct epoll_options {
	unsigned int threads; /* 0: one for each CPU but those that are spared */
	unsigned int runtime; /* seconds */
	unsigned int nfds;    /* of each thread */
	unsigned int nested;  /* instances of epoll below the one that is used */
	bool no_affinity, randomize;
	int verbose;
};

#define EPOLL_COMMON_OPTIONS(o)                                                                    \
	OPT_UINTEGER('t', "threads", &(o)->threads, "Specify amount of threads"),                  \
		OPT_UINTEGER('r', "runtime", &(o)->runtime, "Specify runtime (in seconds)"),       \
		OPT_UINTEGER('f', "nfds", &(o)->nfds,                                              \
			     "Specify amount of file descriptors to monitor for each thread"),     \
		OPT_BOOLEAN('n', "noaffinity", &(o)->no_affinity, "Disables CPU affinity"),        \
		OPT_UINTEGER('N', "nested", &(o)->nested,                                          \
			     "Nesting level epoll hierarchy (default is 0, no nesting)"),          \
		OPT_INCR('v', "verbose", &(o)->verbose, "Verbose mode")

/**
 * epoll_settle - check the options, set the number of threads, raise the limit of open files.
 * @spare: CPUs that are left to other threads
 * Return: as a bench_fn.
 */
int epoll_settle(struct bench *b, struct epoll_options *o, unsigned int spare, struct err *err);
/**
 * epoll_instance - create an instance of epoll, below which is a chain of others.
 * @chain: receives their descriptors, o->nested of them
 * Return: its descriptor, or a negative errno and a sentence.
 */
int epoll_instance(const struct epoll_options *o, int *chain, struct err *err);
/** epoll_eventfds - create @nr descriptors to wait for. Return: 0, or a negative errno and a
 * sentence. */
int epoll_eventfds(int *fds, size_t nr, struct err *err);
/** epoll_close - close @nr descriptors, of which some may be -1. */
void epoll_close(const int *fds, size_t nr);
/** epoll_random - return the next number of a sequence that looks random. @state is not 0. */
u64 epoll_random(u64 *state);

int epoll_bench_wait(struct bench *b, struct err *err);
int epoll_bench_ctl(struct bench *b, struct err *err);

#endif
