/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the counts of several commands side by side, for perf stat --compare. */
#ifndef PERF_STATTEXT_COMPARE_H
#define PERF_STATTEXT_COMPARE_H

#include "stattext/stattext.h"
#include "stat/compare.h"

/** compare_text - append tables for people, one for each command except the first. @thousands: see
 * struct stat_view */
void compare_text(const struct compare_table *t, const char *thousands, struct strbuf *out);
/** compare_csv - append a line for each event and command. */
void compare_csv(const struct compare_table *t, const char *sep, struct strbuf *out);
/** compare_json - append a JSON object, on a line, for each event and command. */
void compare_json(const struct compare_table *t, struct strbuf *out);

#endif
