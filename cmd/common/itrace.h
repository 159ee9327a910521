/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse --itrace for every command that reads recordings: it says what to make of instruction
 * traces. */
#ifndef PERF_CMD_COMMON_ITRACE_H
#define PERF_CMD_COMMON_ITRACE_H

#include "cli/options.h"

/** opt_itrace - check --itrace; an option callback, opt->value: bool, whether it was given. Wrong
 * letters are told. */
int opt_itrace(const struct option *opt, const char *arg, int unset);

#endif
