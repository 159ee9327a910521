/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command to be recorded. It is forked early, so that events can be opened on it, and is held
 * back until workload_start(). Its signal mask and its standard streams are not changed, except for
 * @quiet_out below.
 */
#ifndef PERF_KERNEL_WORKLOAD_H
#define PERF_KERNEL_WORKLOAD_H

#include "base/err.h"

#include <signal.h>

struct workload {
	pid_t pid;    /* 0 when there is none */
	int gate;     /* a byte that is written here releases the exec */
	int exec_err; /* yields an errno, or end of file when the exec worked */
	bool ended;
	int status; /* as from waitpid(), once it has ended */
};

/* The places that a command's output can go to. */
enum workload_output {
	WORKLOAD_OUTPUT_OURS,      /* where ours goes */
	WORKLOAD_OUTPUT_TO_STDERR, /* to standard error: the recording goes to standard output */
	WORKLOAD_OUTPUT_HIDDEN,    /* nowhere, and errors neither */
};

/**
 * workload_prepare - fork a child, which has the name "perf-exec" and waits.
 * @argv: borrowed until workload_start(), NULL-terminated
 * @mask: the signal mask of the command
 */
int workload_prepare(struct workload *w, char *const argv[], const sigset_t *mask,
		     enum workload_output output, struct err *err);
/**
 * workload_start - release the child and wait for its exec. Return: 0, or the exec's errno, and
 * then the child was reaped.
 */
int workload_start(struct workload *w, struct err *err);
/**
 * workload_start_held - do what workload_start() does, but stop the command before its first
 * instruction, as a debugger does, until workload_let_go(). Where tracing is forbidden, it fails
 * like an exec.
 */
int workload_start_held(struct workload *w, struct err *err);
/**
 * workload_step - let a stopped command run until its next system call begins or ends. Only the
 * thread that started the command may call it. Return: 0; -ECHILD when the command has ended;
 * another negative errno.
 */
int workload_step(struct workload *w);
/**
 * workload_let_go - let a stopped command run and stop tracing it. Only the thread that started the
 * command may call it.
 */
void workload_let_go(struct workload *w);
/** workload_poll - tell whether the command has ended, without waiting. */
bool workload_poll(struct workload *w);
/** workload_term - send SIGTERM to the command, unless it has ended. */
void workload_term(struct workload *w);
/**
 * workload_wait - wait for the end of the command. A child that was never started counts as ended.
 */
void workload_wait(struct workload *w);
/**
 * workload_block_signals - block the signals that end a run, so that they wait until what it counts
 * has been read.
 * @set: receives these signals, those of the end of a command among them
 * @before: receives the signal mask that the command gets and that is to be restored
 */
void workload_block_signals(sigset_t *set, sigset_t *before);
/**
 * workload_wait_signal - wait until the command has ended, or without one for a signal. A signal
 * ends the command, too.
 * @set: of workload_block_signals()
 * Return: the signal, or 0.
 */
int workload_wait_signal(struct workload *w, const sigset_t *set);
/**
 * workload_run - start the command, if there is one, and wait for its end or for a signal.
 * @name: of the command, for the sentence
 * @set: of workload_block_signals()
 * @signal: receives the signal; 0: the command has ended
 * Return: 0, or a negative errno and a sentence.
 */
int workload_run(struct workload *w, const char *name, const sigset_t *set, int *signal,
		 struct err *err);

/* The work around the run of a command, which it starts, is done here. Return: 0, or a negative
 * errno and a sentence. */
typedef int (*workload_work)(void *ctx, struct workload *w, const sigset_t *set, struct err *err);
/**
 * workload_around - prepare a command, and do the work with signals blocked.
 * @argv: NULL-terminated; empty: there is no command
 * Return: as @work.
 */
int workload_around(char *const argv[], enum workload_output output, workload_work work, void *ctx,
		    struct err *err);
/** workload_cancel - end and reap a child that was never started. */
void workload_cancel(struct workload *w);

#endif
