/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the raw dump of all records of a session, which `script -D` and `report -D` share. */
#ifndef PERF_DUMP_SESSION_DUMP_H
#define PERF_DUMP_SESSION_DUMP_H

#include "dump/dump-text.h"
#include "session/session.h"

/**
 * dump_keeps_file_order - do the records of a session not tell their time? Then the dump shows them
 * as they stand in the file: the caller sets file_order.
 */
bool dump_keeps_file_order(const struct session *s);

/** dump_init - begin a dump of the records of @s. Everything is borrowed; free with
 * dump_text_release(). */
void dump_init(struct dump_text *d, const struct session *s, const struct machine *machine,
	       struct symbols *symbols);

/**
 * dump_event - append one record as session_ordered() with .all brings it.
 * @at: the thread of a decoded sample, else NULL
 */
void dump_event(const struct session *s, struct dump_text *d, const struct session_event *ev,
		const struct thread_at *at, struct strbuf *out);

/** dump_arrived - keep the trace behind a record of a pipe until that is dumped: it is called as
 * session_ordered_ops.arrived. Before, keep_aux of the file has to be set. */
void dump_arrived(struct dump_text *d, const struct pipe_record *raw);

/**
 * dump_records - dump all records of a session as `report -D` has them; reads it to its end, and
 * counts records of each event (of_event).
 * @buildid_dir: the build-id cache
 * @write: takes the text in order; nonzero ends the dump with that code
 * Return: 0, what @write returned, or negative errno and a sentence.
 */
int dump_records(struct session *s, const char *buildid_dir, int workers,
		 int (*write)(void *ctx, const char *text, size_t len), void *ctx, struct err *err);

#endif
