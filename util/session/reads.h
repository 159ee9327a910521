/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples that read their group (PERF_SAMPLE_READ, "{a,b}:S"): what the recorder wrote once is a
 * sample of each event of the group, whose period is how far that event's count went since the
 * sample before it. Counts are kept by id, so samples have to come in time order.
 */
#ifndef PERF_SESSION_READS_H
#define PERF_SESSION_READS_H

#include "session/session-internal.h"

/* The last count of each id. */
struct reads {
	struct map64 place; /* id -> index in last */
	u64 *last;          /* owned */
	size_t nr, cap;
};

/* Steps of the counts of some samples, in the order of the samples and of their values. */
struct steps {
	u64 *v; /* owned */
	size_t nr, cap;
};

/** reads_split - are samples of that event samples of a group? Without ids nobody could tell. */
static inline bool reads_split(const struct evsel *e)
{
	return (e->layout.sample_type & PERF_SAMPLE_READ) &&
	       (e->layout.read_format & PERF_FORMAT_ID);
}

/** reads_any - is there any such event? */
bool reads_any(const struct session *s);
/** reads_take - append the steps of a sample to @out. */
void reads_take(struct reads *r, const struct wire_layout *l, const struct sample *s,
		struct steps *out);
void reads_release(struct reads *r);

/**
 * reads_deliver - call @put with the sample as each of the events that went on (PART_VALUE), and,
 * with @all, before them with the record as it is (PART_RECORD). ev->sample is put back.
 * @steps: of this sample, reads_nr() of them. Return: what @put returned.
 */
int reads_deliver(struct session *s, struct session_event *ev, const u64 *steps, bool all,
		  int (*put)(void *arg, const struct session_event *ev), void *arg,
		  struct diag *diag);

/** reads_nr - how many steps a sample has. */
size_t reads_nr(const struct wire_layout *l, const struct sample *s);

#endif
