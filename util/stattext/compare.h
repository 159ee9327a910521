/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counts of several commands side by side, for perf stat --compare. */
#ifndef PERF_STATTEXT_COMPARE_H
#define PERF_STATTEXT_COMPARE_H

#include "stattext/stattext.h"
#include "stat/compare.h"

#define COMPARE_MOST 26 /* the most commands; they have the letters A to Z */

/* An event or a time. */
struct compare_row {
	const char *name, *unit; /* borrowed; unit may be NULL */
	bool real;               /* the values are not integers */
	bool unsupported;
	struct spread of[COMPARE_MOST]; /* the counts of each command, in that unit */
};

struct compare_table {
	char *const *commands; /* borrowed; as on the command line */
	u64 runs[COMPARE_MOST];
	size_t nr_commands;
	struct compare_row *rows; /* borrowed */
	size_t nr_rows;
	double confidence;
	const char *thousands; /* see struct stat_view */
};

/** compare_ratio - return the ratio of the @k-th command to the first one in a row. */
struct ratio compare_ratio(const struct compare_table *t, const struct compare_row *row, size_t k);

/** compare_text - append tables for people, one for each command except the first. */
void compare_text(const struct compare_table *t, struct strbuf *out);
/** compare_csv - append a line for each event and command. */
void compare_csv(const struct compare_table *t, const char *sep, struct strbuf *out);
/** compare_json - append a JSON object, on a line, for each event and command. */
void compare_json(const struct compare_table *t, struct strbuf *out);

#endif
