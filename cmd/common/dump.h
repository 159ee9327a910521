/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `script -D` and `report -D` share. */
#ifndef PERF_CMD_COMMON_DUMP_H
#define PERF_CMD_COMMON_DUMP_H

#include "dump/dump-text.h"
#include "session/session.h"

/** dump_open - to be called first: decides on the order of records, and may print a line about it.
 */
void dump_open(struct session *s);

/** dump_init - for the records of @s. Everything is borrowed; free with dump_text_release(). */
void dump_init(struct dump_text *d, struct session *s, const struct machine *machine,
	       struct symbols *symbols);

/**
 * dump_event - one record as session_ordered() with .all brings it.
 * @at: the thread of a decoded sample, else NULL
 */
void dump_event(const struct session *s, struct dump_text *d, const struct session_event *ev,
		const struct thread_at *at, struct strbuf *out);

/**
 * dump_records - all records of a session, as `report -D` has them, to standard output; reads it to
 * its end.
 * Return: 0, -EPIPE when nobody reads, or negative with a message printed.
 */
int dump_records(struct session *s, int workers);

#endif
