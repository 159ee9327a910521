/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts, softirqs and works of the running kernel, counted by BPF programs
 * (kworkrun/work-count.h) while a command runs or until a signal comes. Nothing is recorded.
 */
#ifndef PERF_KWORKRUN_KWORKRUN_H
#define PERF_KWORKRUN_KWORKRUN_H

#include "kworktext/kworktext.h"

struct kwork_run_conf {
	const struct sysroot *sysroot; /* borrowed, as all are */
	const struct kwork_show *show; /* its classes are without KWORK_SCHED, but for KWORK_TOP */
	enum kwork_view view;
	const struct recording_options *o; /* where symbols come from; its CPUs */
	char *const *command;              /* NULL-terminated; empty: none */
};

/**
 * kwork_run_live - count, and append the table.
 * @notes: receives a line when there was not room for all
 * @signal: receives the signal that ended the run; 0: the command has ended
 * Return: 0, or a negative errno and a sentence.
 */
int kwork_run_live(const struct kwork_run_conf *conf, struct strbuf *out, struct strbuf *notes,
		   int *signal, struct err *err);

#endif
