/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print a profile: all its events with their rows, and what stands above and below them. */
#ifndef PERF_PROFILETEXT_PROFILE_TEXT_H
#define PERF_PROFILETEXT_PROFILE_TEXT_H

#include "profile/profile.h"
#include "report/report.h"

/* Strings are borrowed. */
struct profile_text_conf {
	struct report_conf report; /* of each event; its groups are set by profile_text() */
	const char *slices;        /* the spans of time that were asked for; NULL: all */
	int socket;                /* that was asked for, -1: all */
	bool skip_empty;           /* events without samples are not shown */
	bool blocks;               /* the blocks of branch stacks instead of rows */
	bool raw_threads;          /* counts of threads: a line for each event of each thread */
};

/**
 * profile_text - write a profile that was run and has samples.
 * @s: the session of its recording
 * Return: 0, or what @write returned.
 */
int profile_text(const struct profile *p, const struct session *s,
		 const struct profile_text_conf *conf, output_write *write, void *ctx);

/** profile_event_name - append the name of an event, or of the group that it leads: "anon group {
 * a, b }". */
void profile_event_name(const struct hist *h, const struct session *s, u32 evsel,
			struct strbuf *out);

#endif
