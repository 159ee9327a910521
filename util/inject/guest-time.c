// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A guest's time is made a count of its time stamp counter, that one a count of the host's, and
 * that one a time of the host. Recordings without TIME_CONV records have times instead of counts:
 * the offset and the scale then apply to the times themselves.
 *
 * Source of the conversions: the comments on struct perf_event_mmap_page in linux/perf_event.h.
 */
#include "base/compat.h"
#include "inject/guest-time.h"

void guest_clock_note(struct rec_time_conv *conv, const wire_header *rec)
{
	struct rec_time_conv t;

	if (rec->type != PERF_RECORD_TIME_CONV || rec_time_conv_decode(rec, rec->size, &t))
		return;
	/* Without the longer form, or with a clock that does not start with the counter's zero,
	 * nothing follows from it. */
	if (t.mult && t.shift < 64 && (!t.has_cycles || t.cap_zero))
		*conv = t;
}

static u64 to_count(const struct rec_time_conv *c, u64 time)
{
	u64 ns = time - c->zero;
	u64 quot = ns / c->mult, rem = ns % c->mult;

	return (quot << c->shift) + (u64)(((unsigned __int128)rem << c->shift) / c->mult);
}

static u64 to_time(const struct rec_time_conv *c, u64 count)
{
	u64 quot, rem;

	if (c->has_cycles && c->cap_short)
		count = c->cycles + ((count - c->cycles) & c->mask);
	quot = count >> c->shift;
	rem = count & ((1ULL << c->shift) - 1);
	return c->zero + quot * c->mult + (u64)(((unsigned __int128)rem * c->mult) >> c->shift);
}

u64 guest_clock_time(const struct guest_clock *c, u64 time)
{
	if (!time || time == UINT64_MAX)
		return 0;
	if (c->guest.mult)
		time = to_count(&c->guest, time);
	time -= c->offset;
	if (c->scale != 0 && c->scale != 1)
		time = (u64)((long double)time / (long double)c->scale);
	if (c->host.mult)
		time = to_time(&c->host, time);
	return time ? time : 1; /* 0 would mean that it has none */
}
