/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print records that are no samples, as `perf script --show-*-events` does. */
#ifndef PERF_SAMPLETEXT_RECORD_LINES_H
#define PERF_SAMPLETEXT_RECORD_LINES_H

#include "base/hash.h"
#include "recording/recording.h"
#include "sampletext/sample-text.h"
#include "session/session.h"

struct record_lines {
	bool task, mmap, switches, namespaces, lost, round, bpf, cgroup, text_poke; /* options */
	bool deferred;               /* parts of chains that are not merged with their samples */
	const struct recording *rec; /* borrowed */
	struct symbols *symbols;     /* borrowed */
	const struct sample_filter *filter; /* borrowed */
	struct map64 early; /* names at records without a time, by offset: record_lines_note() */
};

/** record_lines_any - tell whether some of it is asked for. */
bool record_lines_any(const struct record_lines *show);

/**
 * record_lines_note - note a record. This is called in order with each record that was just applied
 * to the machine. Where many have the time 0, that does not tell what a thread was called at each
 * of them.
 */
void record_lines_note(struct record_lines *show, const struct session_event *ev);
void record_lines_release(struct record_lines *show);

/** record_lines_wants - tell whether the record is one of those, and its CPU one of the
 * asked-for. */
bool record_lines_wants(const struct record_lines *show, const struct session_event *ev);

/** record_lines_put - append the line of a record that is no sample, when its type is shown. */
void record_lines_put(const struct record_lines *show, struct sample_writer *w,
		      const struct session_event *ev, struct strbuf *out);

#endif
