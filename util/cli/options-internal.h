/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by options.c and options-help.c. */
#ifndef PERF_CLI_OPTIONS_INTERNAL_H
#define PERF_CLI_OPTIONS_INTERNAL_H

#include "cli/options.h"

/**
 * options_first - return the first row of a table, or of its parent when it has no rows of its own;
 * NULL when there are none at all.
 */
const struct option *options_first(const struct option *o);
/** options_next - return the row after @o, continuing with the parent's table; NULL at the end. */
const struct option *options_next(const struct option *o);

#endif
