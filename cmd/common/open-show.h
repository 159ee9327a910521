/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions print what -vv shows of events that are opened: the attrs given to the kernel,
 * and its answers. */
#ifndef PERF_CMD_COMMON_OPEN_SHOW_H
#define PERF_CMD_COMMON_OPEN_SHOW_H

#include "kernel/open.h"

/* The attr that was shown last; it starts zeroed. */
struct open_shown {
	struct perf_event_attr attr;
	const struct evsel *of;
};

/** open_show_attr - print all of an attr that is not 0 on stderr. */
void open_show_attr(const struct perf_event_attr *attr, const struct evsel *e);
/** open_show_try - print one attempt; the attr only when it is not that of the one before. */
void open_show_try(struct open_shown *shown, const struct open_try *t);

#endif
