/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time from one event to another one with the same key, read from bytes of the ring. */
#ifndef PERF_FTRACERUN_PAIRING_H
#define PERF_FTRACERUN_PAIRING_H

#include "analyze/pair.h"
#include "base/err.h"
#include "tracefmt/tracefmt.h"

struct pairing;

/**
 * pairing_new - prepare to match two events. pairing_free() frees the result.
 * @key: fields such as "dev,sector", or "pid=next_pid" where the field has another name in the
 *	second event; pid and cpu mean who caused the event, and where, unless it has such fields.
 *	NULL: by thread
 * Return: NULL and a sentence when there is no such field.
 */
struct pairing *pairing_new(const struct tf_event *first, const struct tf_event *second,
			    const char *key, struct err *err);
void pairing_free(struct pairing *p);

/**
 * pairing_add - add an event of either kind. Return: whether it has ended a pair, whose time is
 * stored in @ns.
 */
bool pairing_add(struct pairing *p, const void *raw, size_t size, u32 cpu, u64 time, u64 *ns);
/** pairing_open - return the number of first events without a second one. */
u64 pairing_open(struct pairing *p);

#endif
