/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes of the mapped file that are read with read() where they are needed, instead of being looked
 * at in the mapping: each page of a mapping costs a page fault, or a fault of a hypervisor that
 * nobody counts, which takes longer than to copy the page.
 *
 * A walk over records has a piece: a buffer with the bytes around the record that is looked
 * at. Records keep their addresses in the mapping, from which a piece tells where it has them.
 */
#ifndef PERF_SESSION_PIECES_H
#define PERF_SESSION_PIECES_H

#include "session/session-internal.h"

#define PIECE_BYTES ((size_t)1 << 16) /* that are read at once; no record is larger */

struct piece {
	const u8 *at;    /* the address in the mapping of the first byte */
	const u8 *until; /* set by whoever has the piece: the bytes from here on are not needed;
			  * NULL: unknown */
	size_t len;      /* bytes that are there */
	const u8 *bytes; /* them: in buf, or in a buffer that is held */
	u8 buf[];
};

/* A part of the file that was read before. */
struct held {
	const u8 *at; /* the address in the mapping of the first byte */
	size_t len;
	struct buffer *buffer; /* with the bytes; borrowed */
};

struct pieces {
	const struct perf_file *file; /* borrowed */
	const struct held *held;      /* borrowed; where records are looked for before they are read
				       */
	size_t nr_held;
	struct piece **spare; /* owned, with the pieces in it; those that nobody uses */
	size_t nr_spare, cap_spare;
};

/** pieces_apply - tell whether the file is to be read in pieces, after pass 1: that has not touched
 * the mapping, and has noted most samples, so that little is read once more. */
bool pieces_apply(const struct session *s);
/** pieces_take - return a piece without bytes; pieces_give() takes it back. */
struct piece *pieces_take(struct pieces *p);
void pieces_give(struct pieces *p, struct piece *piece);
/** pieces_end_runs - take back the pieces of runs that are not needed any more. */
void pieces_end_runs(struct pieces *p, const struct runs *runs);
/** pieces_release - free all that were given back. */
void pieces_release(struct pieces *p);

/**
 * piece_load - read the record at @rec and what follows it.
 * Return: the record in the piece; if it cannot be read, in the mapping. A record that is not whole
 * is replaced by an empty one of no type.
 */
const u8 *piece_load(const struct pieces *p, struct piece *piece, const u8 *rec);

/** piece_record - return the bytes of the whole record that is at @rec in the mapping. They are
 * valid until the next call for this piece. */
static inline const u8 *piece_record(const struct pieces *p, struct piece *piece, const u8 *rec)
{
	size_t from = (size_t)(rec - piece->at), left = from < piece->len ? piece->len - from : 0;

	if (likely(left >= FRAME_HEADER && left >= rec_size(piece->bytes + from)))
		return piece->bytes + from;
	return piece_load(p, piece, rec);
}

/* The bytes of records that are no samples: read, if pass 1 has not touched the mapping and they
 * are few; otherwise they are in the mapping. */
struct side_reader {
	struct pieces pieces;
	struct piece *piece; /* NULL: the mapping is used */
};

/** side_reader_init - prepare, after pass 1. side_reader_release() frees the reader. */
void side_reader_init(struct side_reader *r, const struct session *s);
void side_reader_release(struct side_reader *r);
/** side_record - return the bytes of such a record, valid until the next call. */
const u8 *side_record(struct side_reader *r, const u8 *rec);

/* ---- parts of a file ---- */

#define PART_BYTES ((size_t)1 << 17) /* that are read at once, more than the largest record */
#define PARTS_KEPT 128               /* buffers that whoever takes parts may keep */

/* The bytes of a part of the file. */
struct buffer {
	u8 *bytes; /* PART_BYTES */
	struct marks marks;
};

/* A part of the file. */
struct part {
	const u8 *at; /* the address in the mapping of the first byte */
	size_t len;
	struct buffer *buffer; /* with them, and with marks; it is given back with ahead_give() */
	bool read;             /* they could be read */
	bool whole;     /* records were taken up to the end of the part, or the last one is cut */
	const u8 *to;   /* the first record, in the mapping, that was not taken */
	const u8 *last; /* the last one that was; NULL: none */
	struct tally t; /* what there is to join, with addresses in the mapping */
};

struct ahead;

/**
 * ahead_new - begin with the record at @at, up to @end.
 * @sc: pass 1 after pass1_begin() and pass1_span_begin(); borrowed
 * @wants: by number of the event; samples of others get no marks. NULL: all are wanted
 * @thread: a thread may be started. If that is not possible, ahead_next() does the work
 * Return: owned, ahead_free() frees it with all its buffers.
 */
struct ahead *ahead_new(const struct scan *sc, const u8 *at, const u8 *end, const bool *wants,
			bool thread);
/**
 * ahead_next - return the part that begins at @at, where the last one has ended (.to), or where
 * whoever takes parts has come if it was not whole. It is valid until the next call, and its buffer
 * until it is given back. No more than PARTS_KEPT may be out.
 */
struct part *ahead_next(struct ahead *a, const u8 *at);
/** ahead_give - give a buffer back. */
void ahead_give(struct ahead *a, struct buffer *b);
void ahead_free(struct ahead *a);

#endif
