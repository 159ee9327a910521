/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the virtual machines in which events counted, from ID_INDEX records. `perf inject
 * --guest-data` puts such events into the recording of a host. */
#ifndef PERF_SESSION_GUEST_IDS_H
#define PERF_SESSION_GUEST_IDS_H

#include "base/hash.h"
#include "wire/event.h"

struct guest_id {
	u32 pid; /* the process that runs the virtual machine */
	s32 vcpu;
};

/* All members 0: none is known. */
struct guest_ids {
	struct map64 by_id;    /* id in a sample -> index */
	struct guest_id *list; /* owned */
	size_t nr, cap;
};

/** guest_ids_note - add the contents of a record, if it is an ID_INDEX record. */
void guest_ids_note(struct guest_ids *g, const wire_header *rec);
/**
 * guest_ids_find - return the virtual machine of the event with @id, or NULL. The pointer is valid
 * until the next guest_ids_note().
 */
const struct guest_id *guest_ids_find(const struct guest_ids *g, u64 id);
void guest_ids_release(struct guest_ids *g);

#endif
