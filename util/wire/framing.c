// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "wire/framing.h"

#define NEW_TYPES_END 256 /* no recorder uses such high type numbers */
/* The number of consecutive records that prove the start of one. */
#define LINKS_ALIGNED 3
#define LINKS_ODD 8
#define LINKS_SURE 24

/*
 * Tell whether a recorder could have written this header: the type is known, and the body may have
 * that size before @end.
 */
static bool frame_plausible(const u8 *p, const u8 *end, bool swap)
{
	u32 type, size;

	if (end - p < (ptrdiff_t)FRAME_HEADER)
		return false;
	type = frame_type(p, swap);
	size = frame_size(p, swap);
	return record_name(type) && size >= FRAME_HEADER && size <= end - p &&
	       (!(size & 7) || type == PERF_RECORD_COMPRESSED);
}

bool frame_believable(const u8 *p, u32 type, u32 size, const u8 *end, bool swap)
{
	const u8 *next = p + size;
	bool odd = (size & 7) && type < PERF_RECORD_USER_TYPE_START;

	if (!type || type >= NEW_TYPES_END)
		return false;
	if ((record_name(type) && !odd) || next == end || frame_plausible(next, end, swap))
		return true;
	if (end - next < (ptrdiff_t)FRAME_HEADER || frame_size(next, swap) < FRAME_HEADER)
		return false;
	type = frame_type(next, swap);
	size = frame_size(next, swap);
	/* User records may have any size; build-id records in a stream have 100 bytes. */
	if (type >= PERF_RECORD_USER_TYPE_START && record_name(type))
		return size <= end - next;
	return type && type < NEW_TYPES_END && !(size & 7);
}

/* Tell whether the header would be plausible if there were more bytes after @end. */
static bool goes_beyond(const u8 *p, const u8 *end, bool swap)
{
	u32 type, size;

	if (end - p < (ptrdiff_t)FRAME_HEADER)
		return true;
	type = frame_type(p, swap);
	size = frame_size(p, swap);
	return record_name(type) && size > end - p &&
	       (!(size & 7) || type == PERF_RECORD_COMPRESSED);
}

/*
 * At places where records rarely begin, more proof is needed, because small integers look like
 * headers.
 */
const u8 *frame_resync(const u8 *p, const u8 *end, u64 phase, bool swap, bool more)
{
	const u8 *origin = p - (phase & 7);

	for (p += FRAME_HEADER; p < end; p++) {
		int links = 0, want = (p - origin) & 7 ? LINKS_ODD : LINKS_ALIGNED;
		const u8 *q = p;

		while (links < want && q < end && frame_plausible(q, end, swap)) {
			q += frame_size(q, swap);
			links++;
		}
		if (links == want)
			return p;
		if (more ? q == end || goes_beyond(q, end, swap)
			 : links && q == end && want == LINKS_ALIGNED)
			return p;
	}
	return NULL;
}

const u8 *frame_start(const u8 *p, const u8 *end)
{
	for (; p < end; p += 8) {
		const u8 *q = p;
		int links = 0;

		while (links < LINKS_SURE && frame_plausible(q, end, false)) {
			q += frame_size(q, false);
			links++;
		}
		if (links == LINKS_SURE || (links && q == end))
			return p;
	}
	return NULL;
}
