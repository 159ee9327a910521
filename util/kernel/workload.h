/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that is recorded: forked early, so that events can be opened on it, and held at a
 * gate until workload_start(). Its signal mask and, but for the choice below, its standard streams
 * are untouched.
 */
#ifndef PERF_KERNEL_WORKLOAD_H
#define PERF_KERNEL_WORKLOAD_H

#include "base/err.h"

#include <signal.h>

struct workload {
	pid_t pid;    /* 0 when there is none */
	int gate;     /* one byte written lets it exec */
	int exec_err; /* readable: an errno, or end of file when the exec worked */
	bool ended;
	int status; /* of waitpid(), once ended */
};

/**
 * workload_prepare - fork; the child is named "perf-exec" and waits.
 * @argv: borrowed until workload_start(), NULL-terminated
 * @mask: signal mask the command gets
 * @quiet_out: what it prints goes to standard error, since the recording goes to standard output
 */
int workload_prepare(struct workload *w, char *const argv[], const sigset_t *mask, bool quiet_out,
		     struct err *err);
/** workload_start - let it go and wait for the exec. Return: 0, or the exec's errno, with the child
 * reaped. */
int workload_start(struct workload *w, struct err *err);
/** workload_start_held - the same, and keep it before its first instruction: it is stopped as by a
 * debugger until workload_let_go(). Where tracing is forbidden: as an exec that fails. */
int workload_start_held(struct workload *w, struct err *err);
/**
 * workload_step - a command that is kept goes on until its next system call begins or ends. By the
 * thread that has started it. Return: 0, -ECHILD: it has ended, or another negative errno.
 */
int workload_step(struct workload *w);
/** workload_let_go - it goes on, and is nobody's to trace. By the thread that has started it. */
void workload_let_go(struct workload *w);
/** workload_poll - has it ended? Does not wait. */
bool workload_poll(struct workload *w);
/** workload_term - SIGTERM, unless it has ended. */
void workload_term(struct workload *w);
/** workload_wait - wait for its end; that of a child never started is now. */
void workload_wait(struct workload *w);
/** workload_cancel - get rid of a child that was never started. */
void workload_cancel(struct workload *w);

#endif
