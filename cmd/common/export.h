/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These are the options of exports, which report and data convert share. */
#ifndef PERF_CMD_COMMON_EXPORT_H
#define PERF_CMD_COMMON_EXPORT_H

#include "cli/options.h"
#include "profileexport/exports.h"

/**
 * exports_options - initialize @x, and make one option for each format, named @prefix and its name,
 * and those that all formats have in common.
 * Return: a table to go on with (struct option.parent); owned by the caller.
 */
const struct option *exports_options(struct exports *x, const char *prefix);
/** exports_options_free - free that table. */
void exports_options_free(const struct option *options);

#endif
