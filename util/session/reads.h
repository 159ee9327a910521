/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples that read their group (PERF_SAMPLE_READ, "{a,b}:S"). One recorded sample stands for one
 * sample of each event of the group, whose period is the increase of that event's count since the
 * last sample. The last counts are stored by id, so samples have to be passed in time order.
 */
#ifndef PERF_SESSION_READS_H
#define PERF_SESSION_READS_H

#include "session/session-internal.h"

/* The last counts. */
struct reads {
	struct map64 place; /* id -> index in last */
	u64 *last;          /* owned */
	size_t nr, cap;
};

/* The increases of the counts of some samples, in the order of samples and values. */
struct deltas {
	u64 *v; /* owned */
	size_t nr, cap;
};

/**
 * reads_split - tell whether a sample of that event is to be split into samples of its group. This
 * requires ids.
 */
static inline bool reads_split(const struct evsel *e)
{
	return (e->layout.sample_type & PERF_SAMPLE_READ) &&
	       (e->layout.read_format & PERF_FORMAT_ID);
}

/** reads_any - tell whether any event is of that kind. */
bool reads_any(const struct session *s);
/** reads_take - append the increases of a sample's counts to @out. */
void reads_take(struct reads *r, const struct wire_layout *l, const struct sample *s,
		struct deltas *out);
/** reads_release - free the counts. */
void reads_release(struct reads *r);

/**
 * reads_deliver - call @put with the sample once for each event whose count increased (PART_VALUE).
 * With @all, it is first called with the record as it is (PART_RECORD). ev->sample is restored at
 * the end.
 * @deltas: the reads_nr() increases of this sample
 * Return: what @put returned.
 */
int reads_deliver(struct session *s, struct session_event *ev, const u64 *deltas, bool all,
		  int (*put)(void *arg, const struct session_event *ev), void *arg,
		  struct diag *diag);

/** reads_nr - return the number of counts in a sample. */
size_t reads_nr(const struct wire_layout *l, const struct sample *s);

#endif
