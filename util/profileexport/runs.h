/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of tasks that a recording tells of by its switches, for exports that draw slices. */
#ifndef PERF_PROFILEEXPORT_RUNS_H
#define PERF_PROFILEEXPORT_RUNS_H

#include "export/timeline.h"
#include "session/session.h"

/**
 * export_runs_read - read a recording once more, for its timeline (analyze/timeline.h).
 * @out: receives the runs; none if the recording has no tracepoint of switches or cannot be read a
 *	second time. timeline_runs_release() frees them.
 */
void export_runs_read(const struct session *s, struct timeline_runs *out);

#endif
