/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print time stamps at the beginning of the lines of `perf script`. */
#ifndef PERF_SAMPLETEXT_SAMPLE_TIME_H
#define PERF_SAMPLETEXT_SAMPLE_TIME_H

#include "base/strbuf.h"

/* Times as recorded, relative to the time shown before, or relative to the first time shown. The
 * last two refer to times that the same struct sample_times has shown, so there has to be one for
 * all samples, which come in order. */
enum sample_time_form { TIMES_FULL, TIMES_DELTA, TIMES_RELATIVE };

struct sample_time_conf {
	enum sample_time_form form;
	bool nanosecs;   /* show nine digits */
	u64 wall_offset; /* added to a time to get the wall clock (SF_TOD) */
	bool no_wall;    /* the wall clock is unknown */
};

/* The state of one writer. At first all members except @conf are 0. */
struct sample_times {
	struct sample_time_conf conf;
	u64 base; /* the time that others are relative to; 0: not known yet */
	u64 sec;  /* the second whose text is in sec_text: "  561." */
	char sec_text[24];
	u32 sec_len;
	u64 wall_sec; /* the second whose text is in wall_text */
	char wall_text[32];
};

/** sample_times_shown - return the value that is shown for a time. */
u64 sample_times_shown(struct sample_times *t, u64 ns);
/** sample_times_put - append a time as "  561.201087: ". */
void sample_times_put(struct sample_times *t, u64 ns, struct strbuf *out);
/**
 * sample_times_wall - append the wall clock time as "2026-11-21 18:56:59.201087 ", or "disabled ".
 */
void sample_times_wall(struct sample_times *t, u64 ns, struct strbuf *out);

#endif
