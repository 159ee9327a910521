/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs the objects of a recording, as the build-id cache has them, for a report on another
 * machine. buildid/unpack.h unpacks them there.
 */
#ifndef PERF_OBJECTS_ARCHIVE_H
#define PERF_OBJECTS_ARCHIVE_H

#include "base/err.h"
#include "base/notice.h"
#include "base/strbuf.h"

struct archive {
	/* what is asked for; borrowed */
	const char *dir;  /* of the build-id cache */
	const char *data; /* the recording */
	bool all;         /* pack the recording too, and all objects it names */
	const struct notices *notices;
	/* what was found; starts zeroed */
	struct strbuf members; /* names in the cache, each ends with a zero byte */
	size_t nr;             /* objects that the recording is about */
	size_t missing;        /* those that the cache does not have, and this machine neither */
};

/**
 * archive_find - read the recording, see to it that the cache has its objects, and note their
 * names. Tells which are missing.
 * Return: 0, or negative errno and a sentence.
 */
int archive_find(struct archive *a, struct err *err);
/**
 * archive_write - let tar write what was found to the file @out. Tells when tar fails; then there
 * is no such file.
 * Return: 0; 1 when tar failed; negative errno and a sentence.
 */
int archive_write(const struct archive *a, const char *out, struct err *err);
/** archive_release - free what was found. */
void archive_release(struct archive *a);

#endif
