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

/* The files that servers have of a build-id. */
enum debuginfod_file { DEBUGINFOD_OBJECT, DEBUGINFOD_DEBUG };

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
/**
 * debuginfod_watch - have @going called several times a second while a server is waited for.
 * @bytes: how much has come of the file so far. Once @going returns false, the file is given up.
 * Return: false when the library is too old for that.
 */
bool debuginfod_watch(struct debuginfod *d, bool (*going)(void *ctx, u64 bytes), void *ctx);
/**
 * debuginfod_get - have a file in the cache of debuginfod itself, where symbols are looked for as
 * well. Waits for the servers.
 * Return: 0; -ENOENT when no server has it, -EINTR when it was given up, or another negative errno
 * when no server answered.
 */
int debuginfod_get(struct debuginfod *d, enum debuginfod_file what, const u8 *id, u8 id_size);

#endif
