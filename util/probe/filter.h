/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters of names: patterns with * ? [...], combined by
 *
 *	!A	names that do not match A
 *	A & B	those that match both
 *	A | B	those that match one of them
 *	(A)
 */
#ifndef PERF_PROBE_FILTER_H
#define PERF_PROBE_FILTER_H

#include "base/err.h"

struct name_filter;

/** name_filter_parse - read a filter. Return: for name_filter_free(), or NULL and a sentence. */
struct name_filter *name_filter_parse(const char *text, struct err *err);
/** name_filter_free - free a filter; @f may be NULL. */
void name_filter_free(struct name_filter *f);
/** name_filter_matches - tell whether a name passes; NULL lets all pass. */
bool name_filter_matches(const struct name_filter *f, const char *name);

#endif
