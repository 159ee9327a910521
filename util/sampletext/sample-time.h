/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times at the beginning of the lines of `perf script`. */
#ifndef PERF_SAMPLETEXT_SAMPLE_TIME_H
#define PERF_SAMPLETEXT_SAMPLE_TIME_H

#include "base/strbuf.h"

/* Times as recorded, as distances from the one shown before, or from the first one shown. The last
 * two are of what the same struct sample_times has shown: one for all samples, in their order. */
enum sample_time_form { TIMES_FULL, TIMES_DELTA, TIMES_RELATIVE };

struct sample_time_conf {
	enum sample_time_form form;
	bool nanosecs;   /* nine digits */
	u64 wall_offset; /* makes a time one of the wall clock (SF_TOD) */
	bool no_wall;    /* nothing tells of that clock */
};

/* Begins with all but @conf 0. */
struct sample_times {
	struct sample_time_conf conf;
	u64 base; /* what times are shown as distances from; 0: not known yet */
	u64 sec;  /* whose text is in sec_text: "  561." */
	char sec_text[24];
	u32 sec_len;
	u64 wall_sec; /* whose text is in wall_text */
	char wall_text[32];
};

/** sample_times_shown - what is shown of a time. */
u64 sample_times_shown(struct sample_times *t, u64 ns);
/** sample_times_put - "  561.201087: " */
void sample_times_put(struct sample_times *t, u64 ns, struct strbuf *out);
/** sample_times_wall - "2026-11-21 18:56:59.201087 ", or "disabled " */
void sample_times_wall(struct sample_times *t, u64 ns, struct strbuf *out);

#endif
