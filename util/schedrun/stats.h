/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Count what the scheduler does while a command runs, or until a signal comes: /proc/schedstat is
 * read before and after, and can be written as a recording.
 */
#ifndef PERF_SCHEDRUN_STATS_H
#define PERF_SCHEDRUN_STATS_H

#include "base/sysroot.h"
#include "kernel/workload.h"
#include "schedstat/schedstat.h"

struct stats_run {
	const struct sysroot *sysroot; /* borrowed */
	char *const *command;        /* borrowed, NULL-terminated; empty: none, wait for a signal */
	const struct int_list *cpus; /* borrowed, sorted; only these; empty: all */
	enum workload_output output; /* of the command */
};

/* These are the counters of a run. The struct starts zeroed. */
struct stats_counted {
	struct schedstat before, after;
	int signal; /* it ended the run; 0: the command has ended */
};

/**
 * stats_count - count. Where the kernel is set not to count (sched_schedstats), it is told to for
 * the time of the run, which also ends well by SIGINT, SIGTERM, SIGHUP and SIGQUIT. Return: 0, or a
 * negative errno and a sentence.
 */
int stats_count(const struct stats_run *r, struct stats_counted *out, struct err *err);
void stats_counted_release(struct stats_counted *c);

/**
 * stats_write - write a recording with the records of both moments.
 * @path: as for file_writer_open()
 * @argc, @argv: the command line behind "perf sched", which the recording tells of
 * Return: 0, or a negative errno and a sentence; then there is no such file.
 */
int stats_write(const char *path, const struct sysroot *sysroot, const struct stats_counted *c,
		int argc, const char *const *argv, struct err *err);

#endif
