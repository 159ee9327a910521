/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Convert whole recordings to JSON and CTF. */
#ifndef PERF_CONVERT_CONVERT_H
#define PERF_CONVERT_CONVERT_H

#include "base/err.h"
#include "base/strbuf.h"

struct recording;

struct convert_options {
	const char *path; /* the output: a file (JSON) or a directory (CTF) */
	bool overwrite;   /* replace an existing file; JSON only */
	bool all;         /* convert all records, not only samples */
	bool wall_clock;  /* write times of the wall clock */
	int workers;      /* threads */
};

/* Statistics of the output. */
struct convert_counts {
	u64 bytes, samples, others;
	u64 late; /* events after a later event of their CPU, which got the time of that one */
};

enum convert_format { CONVERT_JSON, CONVERT_CTF };

/**
 * convert_recording - prepare a recording that was opened, and write it in another format.
 * @n: receives the statistics
 * Return: 0, or a negative errno and a sentence.
 */
int convert_recording(struct recording *r, enum convert_format format,
		      const struct convert_options *o, struct convert_counts *n, struct err *err);
/** convert_text - append the lines that tell about a conversion. @from, @to: names of files */
void convert_text(const char *from, const char *format, const char *to,
		  const struct convert_counts *n, struct strbuf *out);

/**
 * convert_json - write a recording, which is opened and prepared, as JSON.
 * Return: 0, or a negative errno and a sentence, and then no incomplete file is left.
 */
int convert_json(struct recording *r, const struct convert_options *o, struct convert_counts *n,
		 struct err *err);
/** convert_ctf - convert as convert_json() does, but to a CTF trace. */
int convert_ctf(struct recording *r, const struct convert_options *o, struct convert_counts *n,
		struct err *err);

/**
 * convert_wall_offset - compute the offset from times of the recording to the wall clock.
 * @offset: receives it; 0 unless @o demands the wall clock
 * Return: 0, or -EINVAL and a sentence when the recording does not contain the relation.
 */
int convert_wall_offset(const struct recording *r, const struct convert_options *o, u64 *offset,
			struct err *err);

#endif
