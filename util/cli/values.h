/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse values that several options take, from text to a value or a sentence. Each function returns
 * 0, or -EINVAL and a sentence. */
#ifndef PERF_CLI_VALUES_H
#define PERF_CLI_VALUES_H

#include "base/err.h"

/* --fail-if: by how many percent something may change. */
struct limit {
	bool set;
	char way; /* '>' growth counts, '<' shrinking, 0 both */
	double percent;
};

/** limit_parse - read "[<>]percent", with or without a % sign. */
int limit_parse(struct limit *l, const char *text, struct err *err);
/** limit_passed - tell whether a change by @percent is beyond the limit. */
bool limit_passed(const struct limit *l, double percent);

/** percent_parse - read "5" or "5%". */
int percent_parse(double *percent, const char *text, struct err *err);
/** percentage_parse - read "relative" or "absolute". */
int percentage_parse(bool *relative, const char *word, struct err *err);
/** quantum_parse - read a time that is not 0, "10ms", as ns. */
int quantum_parse(u64 *ns, const char *text, struct err *err);
/** widths_parse - read numbers of columns up to 4096 with commas between; those beyond @max are
 * ignored. */
int widths_parse(u16 *widths, size_t max, const char *text, struct err *err);

#endif
