/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetch what readers of a recording lack from debuginfod servers: objects and their debug
 * information. The object with most samples comes first, and all of it takes a limited time.
 *
 * Files come into the cache of debuginfod itself. What no server has is remembered for a day, and
 * that no server answered for some minutes, so that the next reader does not wait again.
 */
#ifndef PERF_OBJECTS_FETCH_H
#define PERF_OBJECTS_FETCH_H

#include "recording/recording.h"

#define FETCH_SECONDS 60 /* the usual limit */

/* The state of what is being fetched. */
struct fetch_state {
	const char *object; /* path, borrowed */
	u32 file, nr_files; /* the @file-th of them, counted from 1 */
	u64 bytes;          /* of it so far */
};

struct fetch_conf {
	const char *servers; /* as in DEBUGINFOD_URLS */
	const char *dir;     /* of the build-id cache, where failures are remembered */
	u64 seconds;         /* the limit for all files together */
	/* It is called several times a second while a server is waited for; it returns false to
	 * end the work. */
	bool (*going)(void *ctx, const struct fetch_state *state);
	void *ctx; /* borrowed */
};

enum fetch_end {
	FETCH_DONE,      /* all files were asked for */
	FETCH_TIME,      /* the time was up */
	FETCH_STOPPED,   /* going() said so */
	FETCH_NO_ANSWER, /* no server answered */
	FETCH_NOT_ASKED, /* none did a short time ago */
};

struct fetch_result {
	u32 wanted, fetched, missing; /* files; @missing: no server has them */
	u32 known;                    /* of those, how many were not asked for, as this was known */
	enum fetch_end end;
};

/**
 * fetch_gaps - find what a recording lacks, and fetch it. It reads all samples.
 * @o: of the recording, which must not be a stream
 * Return: 0, or negative errno and a sentence: no library, or the recording cannot be read.
 */
int fetch_gaps(const struct recording_options *o, const struct fetch_conf *conf,
	       struct fetch_result *out, struct err *err);
/** fetch_text - append what came of it, as a line. Nothing when nothing was wanted. */
void fetch_text(const struct fetch_result *r, u64 seconds, struct strbuf *out);

#endif
