/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unpacks an archive of `perf archive`, of this perf or another, into the build-id cache.
 *
 * The archive is read twice. The first pass checks every member, and nothing is written when a
 * single one does not belong into a cache.
 */
#ifndef PERF_BUILDID_UNPACK_H
#define PERF_BUILDID_UNPACK_H

#include "base/err.h"
#include "base/strbuf.h"

struct unpack_result {
	size_t taken;            /* files that were written */
	size_t there;            /* files that the cache had already */
	size_t wrong;            /* files taken out again: their build-id is not the one named */
	struct strbuf recording; /* name of the recording that was written; empty: none */
};

/**
 * unpack_archive - write the objects in @archive to the cache @dir, and the recording in it, if
 * any, to the current folder. The archive may be plain, or compressed with bzip2, gzip, xz or zstd,
 * whose programs expand it. @r: zeroed before; valid in case of failure, too; the caller releases
 * r->recording
 * Return: 0, or negative errno and a sentence.
 */
int unpack_archive(const char *dir, const char *archive, struct unpack_result *r, struct err *err);

#endif
