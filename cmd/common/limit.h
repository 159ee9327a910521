/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that are a share: --fail-if of diff and stat (a change that is worth an exit status),
 * --percent-limit, --percentage.
 */
#ifndef PERF_CMD_COMMON_LIMIT_H
#define PERF_CMD_COMMON_LIMIT_H

#include "base/compat.h"

struct limit {
	bool set;
	char way; /* '>' grew, '<' shrank, 0 either */
	double percent;
};

/** limit_parse - "[<>]percent", with or without a % sign. Return: false with a message on stderr.
 */
bool limit_parse(struct limit *l, const char *text);

/** limit_passed - is that a change by more, the right way? */
bool limit_passed(const struct limit *l, double percent);

/** percent_parse - "5" or "5%". Return: false with a message on stderr. */
bool percent_parse(double *percent, const char *text);

/** percentage_parse - "relative" or "absolute". Return: false with a message on stderr. */
bool percentage_parse(bool *relative, const char *word);

#endif
