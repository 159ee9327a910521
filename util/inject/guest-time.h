/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time stamps of a virtual machine, converted to those of its host. */
#ifndef PERF_INJECT_GUEST_TIME_H
#define PERF_INJECT_GUEST_TIME_H

#include "wire/event.h"

/* The clock of a guest beside that of its host. Where all members are 0, times are the same. */
struct guest_clock {
	/* Times follow from the counter of the processor as TIME_CONV records of the guest and of
	 * the host tell. mult 0: times are counts of it, or as good as. */
	struct rec_time_conv guest, host;
	/* The guest's counter is that of the host, times @scale, plus @offset. */
	u64 offset;
	double scale; /* 0: 1 */
};

/** guest_clock_note - take over a TIME_CONV record into one of the two; others are ignored. */
void guest_clock_note(struct rec_time_conv *conv, const wire_header *rec);
/** guest_clock_time - return the host's time, in ns, of a time of the guest. 0, no time, stays. */
u64 guest_clock_time(const struct guest_clock *c, u64 time);

#endif
