/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of `perf inject --aslr` share this. */
#ifndef PERF_INJECT_ASLR_INTERNAL_H
#define PERF_INJECT_ASLR_INTERNAL_H

#include "inject/aslr-space.h"
#include "inject/aslr.h"

/* The two address spaces that a sample can have addresses of. They are borrowed. */
struct shifted_pair {
	struct shifted_space *user, *kernel;
};

/** shifted_any - return the new address of one whose space is not known. Numbers that are none
 * (below the first page, or error codes) stay. */
u64 shifted_any(const struct shifted_pair *p, u64 addr);

/** aslr_attr - take out of an attr what is not in the output, and addresses. */
bool aslr_attr(struct perf_event_attr *a);
/* The spaces that addresses in a payload refer to. */
struct aslr_payload {
	struct shifted_pair p;
	bool swap; /* it is in the other byte order */
};

/**
 * aslr_raw - replace the addresses in the payload of a tracepoint.
 * @tp: its format; NULL: unknown, and all is replaced by zeros
 */
void aslr_raw(const struct aslr_payload *pl, const struct tf_event *tp, u8 *raw, size_t size);

#endif
