/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open what readers of recordings read: the recording, and the objects that it is about. */
#ifndef PERF_CMD_COMMON_SOURCE_H
#define PERF_CMD_COMMON_SOURCE_H

#include "analysis/analysis.h"

/** open_recording - open the recording that @o names, or print why that fails. Return: as
 * recording_open(). */
int open_recording(struct recording *r, const struct recording_options *o);

/* Work on a recording with engines while it is open. Return: 0, or negative and a sentence. */
typedef int (*analysis_work)(void *ctx, struct analysis *a, struct err *err);

/**
 * analyse_recording - open the recording, do the work, and print what the recording lacks.
 * Return: the exit status, with a message printed.
 */
int analyse_recording(const struct recording_options *o, analysis_work work, void *ctx);

/**
 * fetch_missing - fetch what a recording lacks from debuginfod servers, if its options ask for
 * that. Ctrl-C ends the fetching, and the command goes on with what there is. What came of it is
 * printed on stderr; a terminal shows how far it is.
 * @r: opened, and none of its symbols were asked for; of a stream nothing is fetched
 * @quiet: print nothing
 */
void fetch_missing(const struct recording *r, bool quiet);

#endif
