/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions tell what a recording holds without a profile: numbers of its records, its
 * tasks. */
#ifndef PERF_DUMP_FACTS_H
#define PERF_DUMP_FACTS_H

#include "base/strbuf.h"
#include "session/session.h"

/**
 * facts_counts - append the counts of a session that was read with by_event.
 * @losses: those of each event too; @all: types that there were none of, too
 */
void facts_counts(const struct session *s, bool losses, bool all, struct strbuf *out);
/** facts_read_counts - read a session for facts_counts(). Return: 0, or negative and a sentence. */
int facts_read_counts(struct session *s, int workers, struct err *err);
/**
 * facts_tasks - read a session and write its tasks as a tree.
 * @mmaps: with their mappings
 * Return: 0, what @write returned, or negative errno and a sentence.
 */
int facts_tasks(struct session *s, bool mmaps, int workers,
		int (*write)(void *ctx, const char *text, size_t len), void *ctx, struct err *err);

#endif
