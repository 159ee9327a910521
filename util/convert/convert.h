/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole recordings in other formats: JSON and CTF. */
#ifndef PERF_CONVERT_CONVERT_H
#define PERF_CONVERT_CONVERT_H

#include "base/err.h"

struct recording;

struct convert_options {
	const char *path; /* of the output: a file (JSON) or a folder (CTF) */
	bool overwrite;   /* a file that is there is replaced; JSON only */
	bool all;         /* not only samples */
	bool wall_clock;  /* times are those of the wall clock */
	int workers;      /* threads */
};

/* What was written. */
struct convert_counts {
	u64 bytes, samples, others;
	u64 late; /* events that came after later ones of their CPU and got the time of those */
};

/**
 * convert_json, convert_ctf - write a recording, which is opened and prepared, as JSON or CTF.
 * Return: 0, or negative errno and a sentence; then nothing is left of a file half written.
 */
int convert_json(struct recording *r, const struct convert_options *o, struct convert_counts *n,
		 struct err *err);
int convert_ctf(struct recording *r, const struct convert_options *o, struct convert_counts *n,
		struct err *err);

/**
 * convert_wall_offset - what makes a time of the recording one of the wall clock.
 * @offset: set; 0 when @o does not ask for it
 * Return: 0, or -EINVAL and a sentence when the recording does not say.
 */
int convert_wall_offset(const struct recording *r, const struct convert_options *o, u64 *offset,
			struct err *err);

#endif
