/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --itrace of every command that reads recordings: what to make of instruction traces. */
#ifndef PERF_CMD_COMMON_ITRACE_H
#define PERF_CMD_COMMON_ITRACE_H

#include "cli/options.h"

/** opt_itrace - option callback, opt->value: bool, whether it was given. Wrong letters are told. */
int opt_itrace(const struct option *opt, const char *arg, int unset);

#endif
