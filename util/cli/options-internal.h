/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between options.c and options-help.c. */
#ifndef PERF_CLI_OPTIONS_INTERNAL_H
#define PERF_CLI_OPTIONS_INTERNAL_H

#include "cli/options.h"

/** options_first - the first row of a table, the parent's when it has none of its own; NULL: no
 * rows. */
const struct option *options_first(const struct option *o);
/** options_next - the row after @o, going on with the parent's table; NULL at the end. */
const struct option *options_next(const struct option *o);

#endif
