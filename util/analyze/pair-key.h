/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which fields of two events tell that they belong together. */
#ifndef PERF_ANALYZE_PAIR_KEY_H
#define PERF_ANALYZE_PAIR_KEY_H

#include "analyze/pair.h"
#include "base/err.h"
#include "base/intern.h"
#include "events/evlist.h"
#include "tracefmt/tracefmt.h"

enum pair_role { PAIR_START, PAIR_END };

/* One field, of the starts and of the ends. */
struct pair_field {
	char *name[2]; /* owned, by role; the same text unless "a=b" was given */
};

/* Where the words of a key are in the samples of an event. */
struct pair_source {
	bool role[2];
	const struct tf_event *tf; /* borrowed */
	/* by role: field of the payload, or NULL: */
	const struct tf_field *field[2][PAIR_MAX_KEYS];
	u8 of_sample[2][PAIR_MAX_KEYS]; /* then one of pid, tid, cpu, comm */
};

/* Starts zeroed. */
struct pair_keys {
	struct pair_field fields[PAIR_MAX_KEYS];
	u32 nr;
	struct pair_source *sources; /* owned, by evsel idx */
	size_t nr_sources;
	struct intern texts; /* words of fields that are no numbers */
};

/**
 * pair_keys_parse - "dev,sector", "pid=next_pid" where a field is called otherwise in the ends. A
 * field of the payload, or pid, tid, cpu or comm of the sample when the payload has none of that
 * name; with "sample." in front the latter in any case.
 */
int pair_keys_parse(struct pair_keys *k, const char *text, struct err *err);
void pair_keys_release(struct pair_keys *k);

/**
 * pair_keys_bind - find the fields of the events called @start and @end; may be called again when
 * there are more events.
 * @tf: formats of tracepoints, borrowed; NULL: none
 * Return: 0, or -ENOENT and a sentence: an event or a field is not there.
 */
int pair_keys_bind(struct pair_keys *k, const struct evlist *l, const struct tracefmt *tf,
		   const char *start, const char *end, struct err *err);

/** pair_keys_role - is the event one of them? It may be both. */
bool pair_keys_role(const struct pair_keys *k, const struct evsel *e, enum pair_role role);

/**
 * pair_keys_get - the key of a sample.
 * @comm: id of the name of its thread
 * Return: false: a field is outside of what was recorded.
 */
bool pair_keys_get(struct pair_keys *k, const struct evsel *e, enum pair_role role,
		   const struct sample *s, u32 comm, u64 *key);

#endif
