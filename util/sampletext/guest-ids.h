/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which events counted in which virtual machine, as ID_INDEX records tell. */
#ifndef PERF_SAMPLETEXT_GUEST_IDS_H
#define PERF_SAMPLETEXT_GUEST_IDS_H

#include "base/hash.h"
#include "wire/event.h"

struct guest_id {
	u32 pid; /* of the process it ran in */
	s32 vcpu;
};

/* All 0: none is known. */
struct guest_ids {
	struct map64 by_id;    /* of a sample -> index */
	struct guest_id *list; /* owned */
	size_t nr, cap;
};

/** guest_ids_note - take in what a record tells, when it is one of those. */
void guest_ids_note(struct guest_ids *g, const wire_header *rec);
/** guest_ids_find - the virtual machine of the event with @id, or NULL; borrowed until the next
 * guest_ids_note(). */
const struct guest_id *guest_ids_find(const struct guest_ids *g, u64 id);
void guest_ids_release(struct guest_ids *g);

#endif
