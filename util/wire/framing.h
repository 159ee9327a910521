/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where records begin and end, judged by their headers alone: for readers that meet damaged bytes,
 * and for those that begin in the middle. Either byte order.
 */
#ifndef PERF_WIRE_FRAMING_H
#define PERF_WIRE_FRAMING_H

#include "wire/event.h"

#define FRAME_HEADER (sizeof(struct perf_event_header))
/* Bytes behind a place that always suffice to tell whether records follow one another there. */
#define FRAME_LOOK ((size_t)8 << 16)

static inline u32 frame_type(const u8 *p, bool swap)
{
	u32 v = *(const u32_una *)p;

	return swap ? __builtin_bswap32(v) : v;
}

static inline u32 frame_size(const u8 *p, bool swap)
{
	u16 v = *(const u16_una *)(p + 6);

	return swap ? __builtin_bswap16(v) : v;
}

/**
 * frame_believable - whether to take a record of an unknown type or an odd size for one.
 * The kernel's records are multiples of 8, and of types that have a name. Others are believed (a
 * recorder newer than this reader) when what follows could be a record again.
 * @type, @size: of the record at @p, which ends before @end
 */
bool frame_believable(const u8 *p, u32 type, u32 size, const u8 *end, bool swap);

/**
 * frame_resync - the next place behind the header at @p from which records follow one another.
 * @phase: how far @p is from the first record; all but compressed records are multiples of 8
 * @more: the bytes go on behind @end
 * Return: the place, NULL when there is none. With @more it may be a place that only looks right as
 * far as the bytes reach: one with fewer than FRAME_LOOK of them is to be asked about again.
 */
const u8 *frame_resync(const u8 *p, const u8 *end, u64 phase, bool swap, bool more);

/**
 * frame_start - the first place in [@p, @end), in steps of 8, where a record surely begins (many
 * follow one another from there, or reach @end); for native order. NULL when none is found.
 */
const u8 *frame_start(const u8 *p, const u8 *end);

#endif
