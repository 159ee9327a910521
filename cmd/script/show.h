/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf script --show-*-events: lines of records that are no samples. */
#ifndef PERF_CMD_SCRIPT_SHOW_H
#define PERF_CMD_SCRIPT_SHOW_H

#include "base/hash.h"
#include "recording/sample-filter.h"
#include "sampletext/sample-text.h"
#include "session/session.h"

struct script_show {
	bool task, mmap, switches, namespaces, lost, round, bpf, cgroup, text_poke; /* options */
	const struct machine *machine;                                              /* borrowed */
	struct symbols *symbols;                                                    /* borrowed */
	const struct sample_filter *filter;                                         /* borrowed */
	struct map64 early; /* names at records without a time, by offset: script_show_note() */
};

/** script_show_any - is some of it asked for? */
bool script_show_any(const struct script_show *show);

/**
 * script_show_note - to be called in order with each record that was just applied to the machine.
 * Where many have the time 0, that does not tell what a thread was called at each of them.
 */
void script_show_note(struct script_show *show, const struct session_event *ev);
void script_show_release(struct script_show *show);

/** script_show_wants - is the record one of those, and its CPU one of the asked-for? */
bool script_show_wants(const struct script_show *show, const struct session_event *ev);

/** script_show_put - append the line of a record that is no sample, when its type is shown. */
void script_show_put(const struct script_show *show, struct sample_writer *w,
		     const struct session_event *ev, struct strbuf *out);

#endif
