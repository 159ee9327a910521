/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_PROBERUN_LIVE_INTERNAL_H
#define PERF_PROBERUN_LIVE_INTERNAL_H

#include "probe/event-list.h"
#include "proberun/live.h"

/** probe_live_read - append the events of both tracing files. Return: whether one of them could be
 * read. */
bool probe_live_read(const struct sysroot *sr, struct probe_lines *out);

#endif
