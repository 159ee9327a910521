/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths of the descriptors of traced processes, as far as they are known: from the calls that made
 * them, or from /proc. What /proc says is of now, when the descriptor may be another one, so such a
 * path begins with '~'.
 */
#ifndef PERF_TRACERUN_PATHS_H
#define PERF_TRACERUN_PATHS_H

#include "base/hash.h"

struct trace_paths {
	bool live;        /* /proc is asked about descriptors that are not known */
	struct map64 map; /* places in @v by process and descriptor */
	char **v;         /* owned; NULL: forgotten; "": /proc does not know it either */
	size_t nr, cap;
};

/** trace_paths_release - free all. */
void trace_paths_release(struct trace_paths *p);
/** trace_paths_get - return the path of a descriptor, borrowed until the next call; NULL: it is
 * unknown. */
const char *trace_paths_get(struct trace_paths *p, u32 pid, s32 fd);
/** trace_paths_set - note the path of a new descriptor. */
void trace_paths_set(struct trace_paths *p, u32 pid, s32 fd, const char *path);
/** trace_paths_forget - note that the descriptor has been closed, or is another one now. */
void trace_paths_forget(struct trace_paths *p, u32 pid, s32 fd);

#endif
