/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that only matter where functions are looked into, for commands that may show them. */
#ifndef PERF_CMD_COMMON_LOOK_OPTIONS_H
#define PERF_CMD_COMMON_LOOK_OPTIONS_H

#include "cli/options.h"

struct look_options {
	bool prefix, prefix_strip; /* given */
	char given[160];           /* names of those that were given */
};

/** look_option - take one of the options; opt->value: a struct look_options. */
int look_option(const struct option *opt, const char *arg, int unset);
/** look_options_tell - say that those which were given have no effect on text. */
void look_options_tell(const struct look_options *o);

#endif
