/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Problems found inside a file, as counts. Nothing is dropped in silence: each kind of problem is
 * counted together with the offset of its first occurrence, and the command prints a summary at its
 * end.
 */
#ifndef PERF_BASE_DIAG_H
#define PERF_BASE_DIAG_H

#include "base/compat.h"

/* Kind and text. The command prints "<count> <text> (first at offset 0x...)". */
#define DIAG_KINDS(X)                                                                              \
	X(TRUNCATED, "records cut off at the end of the file")                                     \
	X(BAD_SIZE, "records with an impossible size")                                             \
	X(BAD_RECORD, "records that could not be decoded")                                         \
	X(UNKNOWN_TYPE, "records of unknown type skipped")                                         \
	X(UNKNOWN_EVENT, "samples of unknown events skipped")                                      \
	X(LOST, "events lost by the kernel")                                                       \
	X(LOST_SAMPLES, "samples lost by the kernel")                                              \
	X(FILTERED, "samples dropped by filters when recording")                                   \
	X(OUT_OF_ORDER, "out of order events recorded")                                            \
	X(BAD_FEATURE, "header features that could not be read")                                   \
	X(UNFINISHED, "file never finished by its recorder")                                       \
	X(BAD_COMPRESSED, "compressed records that could not be expanded")

enum diag_kind {
#define X(name, text) DIAG_##name,
	DIAG_KINDS(X)
#undef X
		DIAG_MAX
};

struct diag {
	u64 count[DIAG_MAX];
	u64 first[DIAG_MAX]; /* file offset of the first problem of each kind */
};

/** diag_add - count @n problems of @kind. @at: the file offset where they were seen */
static inline void diag_add(struct diag *d, enum diag_kind kind, u64 n, u64 at)
{
	if (!d->count[kind])
		d->first[kind] = at;
	d->count[kind] += n;
}

/** diag_merge - add the counts of @src to @d and keep the smaller of the first offsets. */
void diag_merge(struct diag *d, const struct diag *src);
/** diag_text - return the description of @kind, a constant string. */
const char *diag_text(enum diag_kind kind);

#endif
