/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects and debug information by build-id from debuginfod servers. The library that talks to
 * them (libdebuginfod of elfutils) is loaded when it is needed: it brings a whole HTTP client.
 * Servers are those of the environment variable DEBUGINFOD_URLS.
 */
#ifndef PERF_BUILDID_DEBUGINFOD_H
#define PERF_BUILDID_DEBUGINFOD_H

#include "base/err.h"

struct debuginfod;

/** debuginfod_open - Return: 0, -ENOTSUP and a sentence without the library, -ENOENT without
 * servers. */
int debuginfod_open(struct debuginfod **out, struct err *err);
/** debuginfod_close - end the connection; NULL is fine. */
void debuginfod_close(struct debuginfod *d);
/**
 * debuginfod_fill - have the object of a build-id, and its debug information, in the build-id cache
 * @dir, as far as they are not there. Waits for the servers.
 * @name: of the object, as recorded. Return: how many files were fetched
 */
int debuginfod_fill(struct debuginfod *d, const char *dir, const char *name, const u8 *id,
		    u8 id_size);

#endif
