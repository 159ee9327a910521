/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording lost and what filters dropped; whether it records mostly itself; and the
 * sentences about that.
 */
#ifndef PERF_RECORDER_STATISTICS_H
#define PERF_RECORDER_STATISTICS_H

#include "recorder/opened.h"
#include "recorder/scan.h"

struct statistics {
	u64 filtered; /* samples that filters dropped */
	u64 lost;     /* samples the kernel dropped, by read_format LOST */
	u64 *lost_of; /* owned; the same for each descriptor; NULL before statistics_lost() */
};

/** statistics_lost - append LOST_SAMPLES records of what the kernel and the filters dropped since
 * the last call. */
void statistics_lost(struct statistics *s, const struct opened *ev, struct strbuf *out);
/** statistics_tell - at the end: pinned events that did not count, what was lost and would have
 * helped, samples without names, what filters dropped. @written: bytes of data */
void statistics_tell(struct statistics *s, const struct opened *ev, const struct record_scan *seen,
		     u64 written, const struct notices *notes);
/** statistics_release - free. */
void statistics_release(struct statistics *s);

/*
 * The recorder's own events (feedback.c). Starts zeroed.
 */
struct feedback {
	bool watched;          /* its share is looked at */
	bool left_out;         /* its own tracepoints are left out */
	struct own_share last; /* when that was last looked at */
};

/** feedback_start - settle whether the share of our own events is to be watched. */
void feedback_start(struct feedback *f, const struct opened *ev, bool system_wide);
/** feedback_look - @now: up to now, in the current output file. Where our own events are many they
 * are left out from then on. */
void feedback_look(struct feedback *f, const struct opened *ev, struct own_share now,
		   const struct notices *notes);
/** feedback_leave_out - have the recorder's own tracepoints dropped on a CPU, -1: on all. Return:
 * of how many descriptors. */
size_t feedback_leave_out(const struct opened *ev, int cpu);

#endif
