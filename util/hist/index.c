// SPDX-License-Identifier: GPL-2.0-or-later
/* Create, grow and free an index; these parts of it are rarely needed. */
#include "hist/index.h"

#include "base/alloc.h"

void index_grow(struct index *ix)
{
	struct index_slot *old = ix->slots;
	size_t old_nr = old ? ix->mask + 1 : 0, i, pos;

	ix->mask = ix->mask ? ix->mask * 2 + 1 : 255;
	ix->slots = xcalloc(ix->mask + 1, sizeof(*ix->slots));
	heap_populate(ix->slots, (ix->mask + 1) * sizeof(*ix->slots));
	for (i = 0; i < old_nr; i++) {
		if (!old[i].idx)
			continue;
		pos = old[i].hash & ix->mask;
		while (ix->slots[pos].idx)
			pos = (pos + 1) & ix->mask;
		ix->slots[pos] = old[i];
	}
	free(old);
}

void index_expect(struct index *ix, size_t nr)
{
	size_t slots = 256;

	while (slots * 3 < nr * 4)
		slots *= 2;
	ix->mask = slots / 2 - 1;
	index_grow(ix);
}

void index_release(struct index *ix)
{
	free(ix->slots);
	*ix = (struct index){ 0 };
}
