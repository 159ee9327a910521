/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What several commands have counted, side by side: perf stat --compare. */
#ifndef PERF_STATTEXT_COMPARE_H
#define PERF_STATTEXT_COMPARE_H

#include "stattext/stattext.h"
#include "stat/compare.h"

#define COMPARE_MOST 26 /* commands: they are called A to Z */

/* An event, or a time. */
struct compare_row {
	const char *name, *unit; /* borrowed; unit: NULL without */
	bool real;               /* more than whole numbers */
	bool unsupported;
	struct spread of[COMPARE_MOST]; /* what each command counted, in that unit */
};

struct compare_table {
	char *const *commands; /* borrowed: as they were given */
	u64 runs[COMPARE_MOST];
	size_t nr_commands;
	struct compare_row *rows; /* borrowed */
	size_t nr_rows;
	double confidence;
	const char *thousands; /* see struct stat_view */
};

/** compare_ratio - of a row: the @k-th command to the first one. */
struct ratio compare_ratio(const struct compare_table *t, const struct compare_row *row, size_t k);

/** compare_text - tables for people: one for each command but the first. */
void compare_text(const struct compare_table *t, struct strbuf *out);
/** compare_csv - a line for each event and command. */
void compare_csv(const struct compare_table *t, const char *sep, struct strbuf *out);
/** compare_json - the same as a JSON object per line. */
void compare_json(const struct compare_table *t, struct strbuf *out);

#endif
