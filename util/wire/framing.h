/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where records begin and end, judged by their headers alone, in either byte order. Readers need it
 * that meet damaged bytes or begin in the middle of a file.
 */
#ifndef PERF_WIRE_FRAMING_H
#define PERF_WIRE_FRAMING_H

#include "wire/event.h"

#define FRAME_HEADER (sizeof(struct perf_event_header))
/* So many bytes always suffice to tell whether a sequence of records begins at a place. */
#define FRAME_LOOK ((size_t)8 << 16)

/** frame_type - return the type in a record header. */
static inline u32 frame_type(const u8 *p, bool swap)
{
	u32 v = *(const u32_una *)p;

	return swap ? __builtin_bswap32(v) : v;
}

/** frame_size - return the size in a record header. */
static inline u32 frame_size(const u8 *p, bool swap)
{
	u16 v = *(const u16_una *)(p + 6);

	return swap ? __builtin_bswap16(v) : v;
}

/**
 * frame_whole - return the record at offset @at of native records, @len bytes at @p, or NULL when
 * no whole record begins there.
 */
static inline const wire_header *frame_whole(const u8 *p, size_t len, size_t at)
{
	const wire_header *h = (const void *)(p + at);

	if (len - at < FRAME_HEADER || h->size < FRAME_HEADER || h->size > len - at)
		return NULL;
	return h;
}

/**
 * frame_believable - decide whether the bytes at @p are a record even though their type is unknown
 * or their size unusual. The kernel's records have sizes that are multiples of 8 and types with a
 * name. Other records, of a recorder newer than this reader, are believed when the bytes after them
 * could again be a record.
 * @type, @size: those of the record at @p, which ends before @end
 */
bool frame_believable(const u8 *p, u32 type, u32 size, const u8 *end, bool swap);

/**
 * frame_resync - find the next place after the header at @p where a sequence of records begins.
 * @phase: distance of @p from the first record; all records except compressed ones are
 *	multiples of 8
 * @more: there are more bytes after @end
 * Return: the place, or NULL when there is none. With @more, a place that is less than FRAME_LOOK
 * bytes before @end only looks right so far and has to be checked again.
 */
const u8 *frame_resync(const u8 *p, const u8 *end, u64 phase, bool swap, bool more);

/**
 * frame_start - return the first place in [@p, @end), in steps of 8, where a record surely begins:
 * many records follow one another from there, or they reach @end. Native order only. NULL when
 * there is none.
 */
const u8 *frame_start(const u8 *p, const u8 *end);

#endif
