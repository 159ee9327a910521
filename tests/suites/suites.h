/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The suites that ship in the binary and that `perf test` runs: checks of the machine perf runs on
 * (what its kernel lets perf do) and of perf itself, on that machine.
 *
 * A case runs in a process of its own, with its standard output and error discarded unless -v was
 * given. It says what went wrong through test_say() and the TEST_ macros, which return TEST_FAIL.
 */
#ifndef PERF_TESTS_SUITES_H
#define PERF_TESTS_SUITES_H

#include "base/compat.h"
#include "base/strbuf.h"
#include "selftest/suite.h"

extern const struct test_suite *const test_suites[];
extern const size_t nr_test_suites;

/* Define a suite; @rooms are the folders of util/ (and arch, ui) that it checks, a blank between
 * two of them. `make lint` makes sure that each room is checked by a suite. */
#define TEST_SUITE(ident, title, table, rooms)                                                     \
	const struct test_suite ident = { title, table, ARRAY_SIZE(table), rooms }

extern const struct test_suite suite_wire;
extern const struct test_suite suite_datafile;
extern const struct test_suite suite_kernel;
extern const struct test_suite suite_parse;
extern const struct test_suite suite_symbols;
extern const struct test_suite suite_endtoend;
extern const struct test_suite suite_tracepoints;
extern const struct test_suite suite_workloads;
extern const struct test_suite suite_instances;
extern const struct test_suite suite_bpf;
extern const struct test_suite suite_facts;
extern const struct test_suite suite_exports;
extern const struct test_suite suite_counts;
extern const struct test_suite suite_counting;
extern const struct test_suite suite_benches;
extern const struct test_suite suite_lists;
extern const struct test_suite suite_scripts;
extern const struct test_suite suite_screens;
extern const struct test_suite suite_live;
extern const struct test_suite suite_sched;
extern const struct test_suite suite_kwork;
extern const struct test_suite suite_lock;
extern const struct test_suite suite_kmem;
extern const struct test_suite suite_kvm;
extern const struct test_suite suite_block;
extern const struct test_suite suite_calls;
extern const struct test_suite suite_accesses;
extern const struct test_suite suite_triage;
extern const struct test_suite suite_timelines;
extern const struct test_suite suite_schedstat;
extern const struct test_suite suite_annotate;
extern const struct test_suite suite_texts;
extern const struct test_suite suite_cli;
extern const struct test_suite suite_http;
extern const struct test_suite suite_machines;
extern const struct test_suite suite_traces;
extern const struct test_suite suite_sysargs;
extern const struct test_suite suite_kernels;
extern const struct test_suite suite_instructions;
extern const struct test_suite suite_debug;
extern const struct test_suite suite_probes;
extern const struct test_suite suite_state;
extern const struct test_suite suite_stacks;
extern const struct test_suite suite_ftrace;
extern const struct test_suite suite_told;
extern const struct test_suite suite_compared;
extern const struct test_suite suite_written;
extern const struct test_suite suite_builds;
extern const struct test_suite suite_control;
extern const struct test_suite suite_auxsamples;
extern const struct test_suite suite_daemon;
extern const struct test_suite suite_live_analysis;

/** test_say - one line for the reader of `perf test -v`. */
void test_say(const char *fmt, ...) __printf(1, 2);

/** test_is_stripped - this program has no names for its own functions. */
bool test_is_stripped(void);

/** test_skip - note why. Return: TEST_SKIP. */
int test_skip(struct test_ctx *ctx, const char *fmt, ...) __printf(2, 3);

/* Fail the case unless @cond holds; the sentence is printf-like. */
#define TEST_CHECK(cond, ...)                                                                      \
	do {                                                                                       \
		if (!(cond)) {                                                                     \
			test_say("%s:%d: not so: %s", __FILE__, __LINE__, #cond);                  \
			test_say(__VA_ARGS__);                                                     \
			return TEST_FAIL;                                                          \
		}                                                                                  \
	} while (0)

/* Fail the case unless two whole numbers are the same; both are shown. */
#define TEST_EQ(got, want)                                                                         \
	do {                                                                                       \
		unsigned long long got_ = (unsigned long long)(got);                               \
		unsigned long long want_ = (unsigned long long)(want);                             \
		if (got_ != want_) {                                                               \
			test_say("%s:%d: %s is %llu (0x%llx), should be %llu (0x%llx)", __FILE__,  \
				 __LINE__, #got, got_, got_, want_, want_);                        \
			return TEST_FAIL;                                                          \
		}                                                                                  \
	} while (0)

/* Fail the case unless two texts are the same; both are shown. */
#define TEST_TEXT(got, want)                                                                       \
	do {                                                                                       \
		const char *got_ = (got), *want_ = (want);                                         \
		if (!got_ || strcmp(got_, want_)) {                                                \
			test_say("%s:%d: %s is '%s', should be '%s'", __FILE__, __LINE__, #got,    \
				 got_ ? got_ : "(nothing)", want_);                                \
			return TEST_FAIL;                                                          \
		}                                                                                  \
	} while (0)

/* What a run of this program gave. */
struct test_run {
	int status;        /* exit status; minus the signal that ended it */
	struct strbuf out; /* stdout; stderr goes where the case's own goes */
};

/**
 * test_perf - run this very program with the given arguments and wait for it.
 * @stdin_data: what it reads on standard input (@in_len bytes); NULL: /dev/null
 * @argv: arguments behind "perf", NULL-terminated
 * The caller frees run->out. Return: 0, or TEST_FAIL when it could not be run at all.
 */
int test_perf(struct test_run *run, const void *stdin_data, size_t in_len, const char *const *argv);
#define TEST_PERF(run, ...) test_perf(run, NULL, 0, (const char *const[]){ __VA_ARGS__, NULL })

/**
 * test_start - run this program beside the case; test_wait() has to follow. It ends with the case
 * at the latest.
 * @in, @out: its standard input and output; @in -1: /dev/null
 * Return: its process, or -1 after a message.
 */
pid_t test_start(int in, int out, const char *const *argv);
/** test_wait - wait for its end. Return: as run->status. */
int test_wait(pid_t pid);

/** test_put_file - make a file of a text. Return: TEST_OK, or TEST_FAIL after a message. */
int test_put_file(const char *path, const char *text);
/** test_put_below - do so below a folder that is there; those in between are made. */
int test_put_below(const char *dir, const char *path, const char *text);
/** test_tmpdir - a new directory below $TMPDIR or /tmp; give it to test_rmdir(), which also frees
 * it. */
char *test_tmpdir(void);
/** test_rmdir - remove a directory with all that is in it. */
void test_rmdir(char *dir);

#endif
