/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event as perf evlist and the control channel of perf record tell of it. */
#ifndef PERF_CMD_COMMON_EVLIST_LINE_H
#define PERF_CMD_COMMON_EVLIST_LINE_H

#include "events/evlist.h"

/** evsel_line - its name, without newline; @verbose: and its attr; @freq: and its period. */
void evsel_line(const struct evsel *e, bool verbose, bool freq, struct strbuf *out);
/** evlist_group_line - "name{leader,member}", without newline. */
void evlist_group_line(const struct evlist *l, const struct evsel *leader, struct strbuf *out);

#endif
