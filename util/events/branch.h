/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which branches a branch stack is to hold, by name: "any_call,u". */
#ifndef PERF_EVENTS_BRANCH_H
#define PERF_EVENTS_BRANCH_H

#include "base/compat.h"

/**
 * branch_mask_parse - names separated by commas to PERF_SAMPLE_BRANCH_* bits, any branch where only
 * a space is named. @mask: 0 for "no" and on error
 * Return: 0, or -EINVAL with @bad pointing to the name that is none, of @bad_len bytes.
 */
int branch_mask_parse(const char *text, u64 *mask, const char **bad, size_t *bad_len);

#endif
