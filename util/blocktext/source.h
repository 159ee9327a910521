/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of block devices come from a recording, or from files of blktrace. */
#ifndef PERF_BLOCKTEXT_SOURCE_H
#define PERF_BLOCKTEXT_SOURCE_H

#include "analysis/analysis.h"
#include "block/event.h"

struct block_source {
	struct analysis *a; /* of a recording; NULL: @path names files of blktrace */
	const char *path;
	/* The sentence tells which parts of these files could not be read; the rest was read. */
	void (*damage)(void *ctx, const char *sentence);
	void *ctx;
};

/**
 * block_blktrace_path - return the files of blktrace that -i names: a path, or "-" for a stream.
 * NULL: it names a recording. @input: NULL: not given, which is a stream if standard input is one
 */
const char *block_blktrace_path(const char *input);

/* A taker takes what comes from there. */
struct block_taker {
	void (*event)(void *ctx, const struct block_event *ev);
	/* It gets the number of the event in its file, too; then event() is not called. */
	void (*numbered)(void *ctx, const struct block_event *ev, u32 sequence);
	void (*message)(void *ctx, const struct block_event *ev, const char *text, size_t len);
	void (*device)(void *ctx, u32 dev, const char *name);
	void (*lost)(void *ctx);
	void *ctx; /* all but event() may be NULL */
};

/**
 * block_source_run - hand out all events in the order of time.
 * @name: of what is done with them, in messages: "block report"
 * Return: 0, or a negative errno and a sentence; -ENOENT: there are no such events.
 */
int block_source_run(const struct block_source *s, const char *name, const struct block_taker *t,
		     struct err *err);

#endif
