/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts as a screen that is drawn anew at each interval: what they are, were, and how they have
 * gone up and down meanwhile. */
#ifndef PERF_STATTEXT_LIVE_H
#define PERF_STATTEXT_LIVE_H

#include "stattext/stattext.h"

#define LIVE_HISTORY 512 /* intervals that are kept: no screen is wider */

#define LIVE_ROWS 1000 /* ... nor higher: there is no history of others */

/* Of an event at an aggregation id. */
struct live_series {
	double value[LIVE_HISTORY]; /* NaN: not counted in that interval */
	double min, max;            /* since the start; NaN before the first */
};

struct live {
	struct live_series *series; /* owned; of each row; NULL before the first interval */
	size_t nr;                  /* intervals so far */
	u64 length;                 /* of the last one, ns */
};

struct live_screen {
	u32 width, height;
	bool utf8;
};

/** live_take - one more interval, so many ns long. @r: of the same events and ids each time */
void live_take(struct live *l, const struct stat_result *r, u64 length);
/** live_release - free the contents. */
void live_release(struct live *l);

/**
 * live_spark - append a character for each value: the higher the larger it is beside @max. A blank
 * is for NaN.
 */
void live_spark(const double *v, size_t nr, double max, bool utf8, struct strbuf *out);

/** live_number - append a number of at most six characters: "0.25", "1234", "12.3M". */
void live_number(double v, struct strbuf *out);

/**
 * live_draw - append the whole screen, with the sequences that take it there.
 * @r: the interval that came last
 * @title: the first line
 */
void live_draw(const struct live *l, const struct stat_view *v, const struct stat_result *r,
	       const struct live_screen *screen, const char *title, struct strbuf *out);

#endif
