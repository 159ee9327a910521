/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of block devices are written one by one, and their counts, in the forms of blkparse. */
#ifndef PERF_BLOCKTEXT_PARSE_H
#define PERF_BLOCKTEXT_PARSE_H

#include "blocktext/blocktext.h"

struct block_parse_show {
	const char *format; /* of a line; NULL: that of blkparse, which differs by the action */
	bool elapsed;       /* lines tell the time since the step before */
	bool quiet;         /* only the counts */
	const char *dump;   /* a file for all events in the order of time; NULL: none */
	const struct block_devices *devices;
};

/** block_format_check - check a format. Return: 0, or -EINVAL and a sentence. */
int block_format_check(const char *format, struct err *err);

/**
 * block_parse_run - read events and write a line for each, and then the counts.
 * @write: takes the text in pieces, with @ctx. Return: 0, or a negative errno
 * Return: 0, or a negative errno and a sentence.
 */
int block_parse_run(const struct block_parse_show *show, const struct block_source *source,
		    int (*write)(void *ctx, const char *text, size_t len), void *ctx,
		    struct err *err);

#endif
