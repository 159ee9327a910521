/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of a recording, which are read as a whole when the first of them is asked for. */
#ifndef PERF_PYTHON_DATA_H
#define PERF_PYTHON_DATA_H

#include "recording/recording.h"

/* A place in the code. Strings are borrowed from the recording. */
struct data_frame {
	u64 ip, symoff;
	const char *symbol, *object; /* NULL: unknown */
};

struct data_sample {
	unsigned long long time, ip, addr, period;
	int pid, tid, cpu, event; /* event: index in the list of events */
	const char *comm;         /* borrowed from the recording */
	struct data_frame place;
	size_t first_frame, nr_frames; /* of its call chain */
	size_t raw_at, raw_size;       /* bytes of a tracepoint */
};

/* This holds all that was read of a recording, and owns it. */
struct data_samples {
	struct data_sample *v;
	size_t nr, cap;
	struct data_frame *frames;
	size_t nr_frames, cap_frames;
	struct strbuf raw;
};

/**
 * data_read - read all samples of a recording in the order of time.
 * @pause: called now and then; not 0: reading ends with that code
 * Return: 0, or negative and a sentence.
 */
int data_read(struct recording *r, struct data_samples *out, int (*pause)(void *ctx), void *ctx,
	      struct err *err);
/** data_samples_release - free what was read. */
void data_samples_release(struct data_samples *d);

#endif
