/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse the kinds of branches that a branch stack records, by name: "any_call,u". */
#ifndef PERF_EVENTS_BRANCH_H
#define PERF_EVENTS_BRANCH_H

#include "base/compat.h"
#include "base/strbuf.h"

/**
 * branch_mask_parse - convert names separated by commas to PERF_SAMPLE_BRANCH_* bits. When only a
 * privilege level is named, any branch is recorded.
 * @mask: 0 for "no" and on error
 * Return: 0, or -EINVAL, and then @bad points to the unknown name of @bad_len bytes.
 */
int branch_mask_parse(const char *text, u64 *mask, const char **bad, size_t *bad_len);

/** branch_mask_names - append all names to @out, each with a blank behind it. */
void branch_mask_names(struct strbuf *out);

#endif
