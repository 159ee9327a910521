/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs built into perf that do something known, for tests: `perf test -w NAME [ARGS]`.
 * What they spend their time in are functions with their own visible symbols, compiled with frame
 * pointers and without inlining, cloning or tail calls, so that a profile names each of them.
 * Every workload ends by itself; those that loop for a time also end on SIGINT and SIGTERM.
 */
#ifndef PERF_TESTS_WORKLOADS_H
#define PERF_TESTS_WORKLOADS_H

#include "base/compat.h"

#include <signal.h>

/* A function that keeps its own frame and symbol. */
#ifdef __clang__
#define WORKLOAD_FN __attribute__((noinline, visibility("default")))
#else
#define WORKLOAD_FN __attribute__((noipa, visibility("default")))
#endif

/*
 * At the start of such a function that calls nothing: GCC gives it no frame of its own, whatever
 * the flags say, unless something in it asks for the frame's address.
 */
#define WORKLOAD_FRAME() __asm__ volatile("" ::"r"(__builtin_frame_address(0)))

struct workload {
	const char *name;
	const char *args;    /* what it takes, for the list */
	const char *summary; /* one line */
	/* argv[0] is the first argument. Return: the exit status. */
	int (*run)(int argc, const char **argv);
};

extern const struct workload workloads[];
extern const size_t nr_workloads;

/** workload_find - by name; NULL when there is none. */
const struct workload *workload_find(const char *name);

/** workload_stop - set once the time is up or a signal asked for the end. */
extern volatile sig_atomic_t workload_stop;

/**
 * workload_timer - have workload_stop set after a time, and after half as much CPU time unless that
 * takes ten times as long.
 * @arg: seconds as typed ("2", "0.25"), NULL for @def
 * Return: 0, or -1 after saying on stderr what is wrong with @arg.
 */
int workload_timer(const char *arg, double def);

/**
 * workload_count - a positive whole number.
 * @arg: as typed, NULL for @def; at most @max
 * Return: the number, or 0 after saying on stderr what is wrong with @arg.
 */
unsigned long workload_count(const char *arg, unsigned long def, unsigned long max);

/**
 * workload_threads - @body in several threads until the time is up, as [THREADS] [SECONDS] say.
 * @body: its argument is the number of the thread, from 1
 * @here: this thread is the last of them
 * Return: the exit status.
 */
int workload_threads(int argc, const char **argv, bool here, void *(*body)(void *));

/** workload_arg - argument @i, or NULL when there are fewer. */
static inline const char *workload_arg(int argc, const char **argv, int i)
{
	return i < argc ? argv[i] : NULL;
}

/* One instruction that does nothing and that no compiler removes. */
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || defined(__arm__) ||        \
	defined(__riscv) || defined(__powerpc__) || defined(__loongarch__)
#define workload_nop() __asm__ volatile("nop")
#elif defined(__s390__)
#define workload_nop() __asm__ volatile("nopr %r0")
#else
#define workload_nop() __asm__ volatile("" ::: "memory")
#endif

int wl_noploop(int argc, const char **argv);
int wl_thloop(int argc, const char **argv);
int wl_leafloop(int argc, const char **argv);
int wl_sqrtloop(int argc, const char **argv);
int wl_brstack(int argc, const char **argv);
int wl_datasym(int argc, const char **argv);
int wl_landlock(int argc, const char **argv);
int wl_inlineloop(int argc, const char **argv);
int wl_traploop(int argc, const char **argv);
int wl_context_switch_loop(int argc, const char **argv);
int wl_deterministic(int argc, const char **argv);
int wl_named_threads(int argc, const char **argv);
int wl_callchain(int argc, const char **argv);
int wl_jitdump(int argc, const char **argv);

#endif
