/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts as a screen that is redrawn after each interval. It shows the current values, their range,
 * and their history.
 */
#ifndef PERF_STATTEXT_LIVE_H
#define PERF_STATTEXT_LIVE_H

#include "stattext/stattext.h"

#define LIVE_HISTORY 512 /* the number of intervals that are stored; no screen is wider */

#define LIVE_ROWS 1000 /* the number of rows with a history; no screen is higher */

/* The history of an event at one aggregation id. */
struct live_series {
	double value[LIVE_HISTORY]; /* NaN: not counted in that interval */
	double min, max;            /* since the start; NaN before the first */
};

struct live {
	struct live_series *series; /* owned; one for each row; NULL before the first interval */
	size_t nr;                  /* intervals so far */
	u64 length;                 /* length of the last interval in ns */
};

struct live_screen {
	u32 width, height;
	bool utf8;
};

/** live_take - add an interval of @length ns. @r: it has the same events and ids each time */
void live_take(struct live *l, const struct stat_result *r, u64 length);
/** live_release - free the contents. */
void live_release(struct live *l);

/**
 * live_spark - append a character for each value, which is the higher the larger the value is in
 * relation to @max. NaN is a blank.
 */
void live_spark(const double *v, size_t nr, double max, bool utf8, struct strbuf *out);

/** live_number - append a number in at most six characters: "0.25", "1234", "12.3M". */
void live_number(double v, struct strbuf *out);

/** live_title - append the first line of the screen. @time: ns since the start; @interval: ms;
 * @command: NULL-terminated words; NULL without one */
void live_title(u64 time, unsigned int interval, char *const *command, struct strbuf *out);

/**
 * live_draw - append the whole screen with its terminal sequences.
 * @r: the last interval
 * @title: the first line
 */
void live_draw(const struct live *l, const struct stat_view *v, const struct stat_result *r,
	       const struct live_screen *screen, const char *title, struct strbuf *out);

#endif
