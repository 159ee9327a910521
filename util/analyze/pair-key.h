/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions read the fields by which two events are matched. */
#ifndef PERF_ANALYZE_PAIR_KEY_H
#define PERF_ANALYZE_PAIR_KEY_H

#include "analyze/pair.h"
#include "base/err.h"
#include "base/intern.h"
#include "events/evlist.h"
#include "tracefmt/tracefmt.h"

enum pair_role { PAIR_START, PAIR_END };

/* One field of the key, in start and in end events. */
struct pair_field {
	char *name[2]; /* owned, by role; the same name unless "a=b" was given */
};

/* The places of the words of a key in the samples of an event. */
struct pair_source {
	bool role[2];
	const struct tf_event *tf; /* borrowed */
	/* by role: the field of the tracepoint, or NULL: */
	const struct tf_field *field[2][PAIR_MAX_KEYS];
	u8 of_sample[2][PAIR_MAX_KEYS]; /* then it is one of pid, tid, cpu, comm */
};

/* The key of pairs. It starts zeroed. */
struct pair_keys {
	struct pair_field fields[PAIR_MAX_KEYS];
	u32 nr;
	struct pair_source *sources; /* owned, by evsel idx */
	size_t nr_sources;
	struct intern texts; /* values of fields that are not numbers */
};

/**
 * pair_keys_parse - parse a key such as "dev,sector", or "pid=next_pid" where the field has another
 * name in the end events. A name means a field of the tracepoint, or pid, tid, cpu or comm of the
 * sample if the tracepoint has no such field; with the prefix "sample." it always means the latter.
 * Return: 0, or a negative errno and a sentence.
 */
int pair_keys_parse(struct pair_keys *k, const char *text, struct err *err);
void pair_keys_release(struct pair_keys *k);

/**
 * pair_keys_bind - find the fields of the events @start and @end. It may be called again when there
 * are more events.
 * @tf: formats of tracepoints, borrowed; NULL: none
 * Return: 0, or -ENOENT and a sentence when an event or a field does not exist.
 */
int pair_keys_bind(struct pair_keys *k, const struct evlist *l, const struct tracefmt *tf,
		   const char *start, const char *end, struct err *err);

/** pair_keys_role - tell whether the event has that role. It may have both. */
bool pair_keys_role(const struct pair_keys *k, const struct evsel *e, enum pair_role role);

/**
 * pair_keys_get - make the key of a sample.
 * @comm: id of the name of its thread
 * Return: false when a field lies outside the recorded data.
 */
bool pair_keys_get(struct pair_keys *k, const struct evsel *e, enum pair_role role,
		   const struct sample *s, u32 comm, u64 *key);

#endif
