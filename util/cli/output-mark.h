/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A place in an output, to which what was written behind it can be taken back. */
#ifndef PERF_CLI_OUTPUT_MARK_H
#define PERF_CLI_OUTPUT_MARK_H

#include "base/compat.h"

struct output_mark {
	int fd;
	bool nowhere; /* the output is /dev/null, which keeps nothing */
	off_t at;     /* the end of the file when it was marked */
};

/**
 * output_mark_set - note the end of an output.
 * @fd: nothing that was written to it may wait in a buffer
 * Return: whether what follows can be taken back. It can from a file that ends at this place, that
 * is not appended to and into which the messages on stderr do not go, and from /dev/null.
 */
bool output_mark_set(struct output_mark *m, int fd);
/**
 * output_mark_return - take back what was written since the place was marked.
 * Return: false: it cannot be done, because others have written to the file meanwhile.
 */
bool output_mark_return(const struct output_mark *m);

#endif
