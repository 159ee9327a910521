/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for locks of the running kernel, counted by BPF programs (bpf/lock-watch.h) while a command
 * runs or until a signal comes. Nothing is recorded.
 */
#ifndef PERF_LOCKRUN_LOCKRUN_H
#define PERF_LOCKRUN_LOCKRUN_H

#include "kernel/target.h"
#include "locktext/locktext.h"

#define LOCK_RUN_ENTRIES 10240      /* different sums that are kept unless users choose */
#define LOCK_RUN_DELAY_MAX 10000000 /* ns; a longer one is only for those who insist */
#define LOCK_RUN_DELAYS 8

struct lock_run {
	const struct sysroot *sysroot;     /* borrowed, as all are */
	const struct lock_show *show;      /* settled */
	const struct recording_options *o; /* where symbols come from */
	struct target target;
	char *const *command; /* NULL-terminated; empty: none */
	u32 entries;
	const char *delays[LOCK_RUN_DELAYS]; /* "TIME@LOCK" as users give them; NULL: no more */
	bool force;                          /* any delay will do */
};

/**
 * lock_run - count, and append the table.
 * @notes: receives lines on what could not be counted
 * @signal: receives the signal that ended the run; 0: the command has ended
 * Return: 0, or a negative errno and a sentence.
 */
int lock_run(const struct lock_run *r, struct strbuf *out, struct strbuf *notes, int *signal,
	     struct err *err);

#endif
