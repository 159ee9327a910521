/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Problems found inside a file, as counts. Nothing is dropped in silence: each kind of problem is
 * counted together with the offset of its first occurrence, and the command prints a summary at its
 * end.
 */
#ifndef PERF_BASE_DIAG_H
#define PERF_BASE_DIAG_H

#include "base/compat.h"

/*
 * Kind and text. The command prints "<count> <text> (first at offset 0x...)", after a line for each
 * of the first records when they were counted by diag_record().
 */
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

/* So many records of each kind are remembered one by one. */
#define DIAG_NOTES 3

struct diag_place {
	u64 offset;
	u32 type; /* of the record, as its header has it */
};

struct diag {
	u64 count[DIAG_MAX];
	u64 first[DIAG_MAX]; /* file offset of the first problem of each kind */
	struct diag_place notes[DIAG_MAX][DIAG_NOTES]; /* by offset; those of the lowest offsets */
	u8 nr_notes[DIAG_MAX];
};

/** diag_add - count @n problems of @kind. @at: the file offset where they were seen */
static inline void diag_add(struct diag *d, enum diag_kind kind, u64 n, u64 at)
{
	if (!d->count[kind] || at < d->first[kind])
		d->first[kind] = at;
	d->count[kind] += n;
}
/** diag_note - remember the record of that @type at file offset @at, without counting it. */
void diag_note(struct diag *d, enum diag_kind kind, u32 type, u64 at);
/** diag_record - count a problem with the record of that @type at file offset @at. */
void diag_record(struct diag *d, enum diag_kind kind, u32 type, u64 at);

/** diag_merge - add the counts of @src to @d and keep the smaller of the first offsets. */
void diag_merge(struct diag *d, const struct diag *src);
/** diag_text - return the description of @kind, a constant string. */
const char *diag_text(enum diag_kind kind);
/** diag_reason - return what is wrong with one record of @kind, to stand behind its name; a
 * constant string. */
const char *diag_reason(enum diag_kind kind);
/**
 * diag_incomplete - tell whether something is missing that the recorder had written. Records of
 * newer kinds, lost ones and those of events that are not in the file do not count, and neither
 * does a header that its recorder could not complete.
 */
bool diag_incomplete(const struct diag *d);

#endif
