/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records about what was there before the recording, or before a further output file of it: the
 * kernel and the events, the processes of the system or of the target, BPF programs.
 */
#ifndef PERF_RECORDER_EXISTING_H
#define PERF_RECORDER_EXISTING_H

#include "base/hash.h"
#include "kernel/synth.h"
#include "recorder/opened.h"

struct existing {
	const struct record_opts *opts; /* borrowed, as the rest */
	const struct opened *ev;
	const struct bpf_progs *progs;
	const struct notices *notes;
	pid_t command;
	struct map64 tasks; /* owned; processes seen in records: 1: alive, 0: gone */
};

/** existing_tables - append records about the recording and the kernel. */
void existing_tables(const struct existing *x, struct strbuf *out);
/** existing_events - append records about what there is. @again: for a further output file, or the
 * end of one; processes that were seen and live are described, too. */
void existing_events(struct existing *x, struct strbuf *out, bool again);

/** tasks_note - note a FORK or EXIT record in a map of processes. */
void tasks_note(struct map64 *tasks, const void *rec, size_t size);
/** tasks_join - add to @tasks what was noted elsewhere; @from is emptied. */
void tasks_join(struct map64 *tasks, struct map64 *from);

#endif
