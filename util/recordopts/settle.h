/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions settle the options of a recording together: some exclude each other, and one may
 * follow from others. */
#ifndef PERF_RECORDOPTS_SETTLE_H
#define PERF_RECORDOPTS_SETTLE_H

#include "base/sysroot.h"
#include "recordopts/options.h"

/* The options as they were read. All pointers are borrowed. */
struct record_settling {
	struct record_opts *opts;   /* what is settled */
	struct record_given *given; /* an argument that does not count is forgotten */
	const struct sysroot *sysroot;
	struct evlist *evlist;   /* the events that were named; the default one is added */
	struct evlist *triggers; /* those that switch the output */
	const struct evlist *begins, *ends; /* those that open and close windows; NULL: none */
	u8 machines;                        /* on which the default event counts; 0: as usual */
	bool controlled;                    /* there is a control channel */
	bool advise;                        /* say what would find callers better */

	const struct notices *always; /* told of what is not done as it was asked for */
	const struct notices *info;   /* told of what a quiet run does not tell; may be NULL */
	const struct notices *detail; /* told of what only a verbose run tells; may be NULL */

	const char *option; /* set with a refusal: the option that it is about, or NULL */
};

/**
 * record_settle_target - keep one of several kinds of target, the one that counts.
 * Return: 0, or -EINVAL without a sentence when events are of control groups, and it is not the
 * whole system that is recorded.
 */
int record_settle_target(const struct record_settling *s);
/**
 * record_settle - combine what the options say, and complete the list of events.
 * Return: 0, or -EINVAL with a sentence when the options do not go together.
 */
int record_settle(struct record_settling *s, struct err *err);
/** record_settle_stacks - choose how callers are found if that is left to us, and say so. It is a
 * part of record_settle(). */
void record_settle_stacks(const struct record_settling *s);
/**
 * record_settle_events - settle the events, after record_settle() and when all have their filters:
 * let samples have what the filters look at, and settle how often they are taken.
 * Return: 0, or -EINVAL with a sentence.
 */
int record_settle_events(const struct record_settling *s, struct err *err);
/** record_any_sampled - tell whether there are samples of any event of a list. */
bool record_any_sampled(const struct evlist *l);

#endif
