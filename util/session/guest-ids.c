// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "session/guest-ids.h"

#include "base/alloc.h"
#include "wire/records.h"

void guest_ids_note(struct guest_ids *g, const wire_header *rec)
{
	struct rec_id_index x;

	if (rec->type != PERF_RECORD_ID_INDEX || rec_id_index_decode(rec, rec->size, &x) ||
	    !x.guests)
		return;
	for (u64 i = 0; i < x.nr; i++) {
		if (!(u32)x.guests[2 * i])
			continue;
		VEC_GROW(g->list, g->nr + 1, g->cap);
		g->list[g->nr] = (struct guest_id){ .pid = (u32)x.guests[2 * i],
						    .vcpu = (s32)x.guests[2 * i + 1] };
		map64_set(&g->by_id, x.entries[4 * i], (u32)g->nr++);
	}
}

const struct guest_id *guest_ids_find(const struct guest_ids *g, u64 id)
{
	u32 at = map64_get(&g->by_id, id);

	return at == MAP64_NONE ? NULL : &g->list[at];
}

void guest_ids_release(struct guest_ids *g)
{
	map64_release(&g->by_id);
	free(g->list);
}
