/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state records of a live recording (maps, names, forks and so on) in the order of time. A
 * model of them (machine/machine.h) only grows, while processes come and go. So from time to time
 * the records of processes that have ended are dropped here, and the model is made anew of the
 * rest.
 */
#ifndef PERF_RECORDING_STATE_LOG_H
#define PERF_RECORDING_STATE_LOG_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "machine/machine.h"
#include "wire/event.h"

#define STATE_LOG_SILENT 5000000000ULL /* ns; samples that are not counted yet are younger */

struct logged {
	u64 time;
	size_t at; /* the record, in the bytes of all */
};

struct state_log {
	struct logged *v; /* owned */
	size_t nr, cap;
	struct strbuf bytes;
	size_t limit; /* bytes of records that were needed last time, and half as much again */
};

/** state_log_add - append a copy of a record, which is complete and in native order. */
void state_log_add(struct state_log *l, const wire_header *rec, u64 time);
/** state_log_grown - return by how many bytes there are more records than were needed. */
size_t state_log_grown(const struct state_log *l);
/** state_log_is_long - tell whether there are so many new records that it is worth while to drop
 * those of what has ended. */
bool state_log_is_long(const struct state_log *l);
/** state_log_apply - apply all records to a model; recording_renew() calls it with the log. */
void state_log_apply(void *log, struct machine *m);
/** state_log_record - return record @i < l->nr. */
static inline const wire_header *state_log_record(const struct state_log *l, size_t i)
{
	return (const wire_header *)(l->bytes.buf + l->v[i].at);
}
/**
 * state_log_drop_ended - drop the records of processes and threads that have ended. What tells
 * about maps and names of others stays: a process that has not run exec() shows those of the
 * process it was forked from.
 * @needed: ids of processes and threads whose records stay in any case, because samples are theirs
 * @runs: tells whether a thread still runs; it is asked of those that no record was about for
 * STATE_LOG_SILENT. NULL: no record of an exit can have been lost.
 */
void state_log_drop_ended(struct state_log *l, const struct map64 *needed, bool (*runs)(u32 tid));
/**
 * state_log_drop_superseded - drop what later records say anew of threads, mappings and the kernel.
 * @oldest: nobody will ask how things were before that time
 */
void state_log_drop_superseded(struct state_log *l, u64 oldest);
/** state_log_gone_fn - tell whether record @i is of no use any more. */
typedef bool state_log_gone_fn(void *ctx, const struct state_log *l, size_t i);
/** state_log_drop - drop such records. */
void state_log_drop(struct state_log *l, state_log_gone_fn *gone, void *ctx);
void state_log_release(struct state_log *l);

#endif
