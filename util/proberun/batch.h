/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All probes of a run as one set: everything that can fail is tried before the first line is
 * written, and what was written is taken back when the kernel refuses a later line, so that nothing
 * is half added.
 *
 *	b = probe_batch_new(run, wants, &err);
 *	if (b && !probe_batch_add(b, &err))
 *		probe_batch_text(b, &text);
 *	probe_batch_free(b);
 */
#ifndef PERF_PROBERUN_BATCH_H
#define PERF_PROBERUN_BATCH_H

#include "proberun/proberun.h"
#include "proberun/wants.h"

struct probe_batch;

/**
 * probe_batch_new - find the addresses and arguments of all definitions. Nothing is written.
 * @r, @w: borrowed, and outlive the batch
 * Return: for probe_batch_free(), or NULL and a sentence.
 */
struct probe_batch *probe_batch_new(const struct probe_run *r, const struct probe_wants *w,
				    struct err *err);
/** probe_batch_free - free a batch, which may be NULL. What it added stays. */
void probe_batch_free(struct probe_batch *b);

/**
 * probe_batch_add - name the events and make the kernel add all of them, or none.
 * Return: 0, or a negative errno and a sentence.
 */
int probe_batch_add(struct probe_batch *b, struct err *err);
/** probe_batch_text - append what users are told of the events that were added. */
void probe_batch_text(const struct probe_batch *b, struct strbuf *out);
/**
 * probe_batch_lines - append the lines that probe_batch_add() would write, or (@bootconfig) those
 * of a boot configuration. The names are those in a kernel without probes.
 * Return: 0, or a negative errno and a sentence; then nothing is appended.
 */
int probe_batch_lines(struct probe_batch *b, bool bootconfig, struct strbuf *out, struct err *err);

#endif
