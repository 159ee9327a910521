/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make columns of sort keys that name fields of tracepoints. */
#ifndef PERF_PROFILE_FIELDS_H
#define PERF_PROFILE_FIELDS_H

#include "hist/hist.h"
#include "recording/formats.h"

struct profile_field {
	struct hist_column col; /* of the texts of its place */
	u32 place;
	const struct tf_event *event;
	const struct tf_field *field;
	bool raw; /* as it is, not as the event's text has it */
};

struct profile_event_fields {
	struct profile_field **list; /* all owned */
	u32 nr, cap;
};

struct profile_fields {
	struct formats *formats; /* borrowed, as are these: set both, and raw */
	struct evlist *evlist;
	const struct env *env;
	const struct notices *notices;       /* take what is wrong with formats; borrowed; NULL */
	bool raw;                            /* --raw-trace */
	struct profile_event_fields *events; /* by index of the event, as far as needed; owned */
	u32 nr_events, cap_events;
	u32 nr; /* places of texts that are taken */
};

/**
 * profile_fields_column - return the @nth column of a key "EVENT.FIELD", "FIELD" of all events that
 * have it, "trace_fields" for all of all; with "/raw" behind; as hist_columns.more with @ctx a
 * struct profile_fields.
 */
const struct hist_column *profile_fields_column(void *ctx, const char *key, size_t len, u32 nth);
/**
 * profile_fields_texts - make the texts of the fields of a sample.
 * @texts: by place; @buf: what they are in
 */
void profile_fields_texts(const struct profile_fields *f, u32 evsel, const struct sample *s,
			  struct tf_printer *printer, struct strbuf *buf, struct hist_text *texts);
void profile_fields_release(struct profile_fields *f);

#endif
