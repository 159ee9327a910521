/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions keep what the counters of each thread had counted when it ended: perf record
 * -s. */
#ifndef PERF_PROFILE_THREAD_COUNTS_H
#define PERF_PROFILE_THREAD_COUNTS_H

#include "session/session.h"

struct thread_counts;

/** thread_counts_new - free with thread_counts_free(). @l: the events, borrowed */
struct thread_counts *thread_counts_new(const struct evlist *l);
void thread_counts_free(struct thread_counts *c);
/** thread_counts_add - add a READ record; others count nothing. Return: 0, or -EINVAL. */
int thread_counts_add(struct thread_counts *c, const struct session_event *ev);
/** thread_counts_text - append a line for each thread, or (@raw) for each thread and event. */
void thread_counts_text(const struct thread_counts *c, bool raw, struct strbuf *out);

#endif
