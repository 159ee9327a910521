// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "block/places.h"

#include "base/alloc.h"

static struct block_place *place_at(struct block_places *p, u32 dev)
{
	u32 *at = map64_slot(&p->of, dev);

	if (*at == MAP64_NONE) {
		*at = (u32)p->nr;
		VEC_GROW(p->v, p->nr + 1, p->cap);
		p->v[p->nr++] = (struct block_place){ .dev = dev, .seek.min = UINT64_MAX };
	}
	return &p->v[*at];
}

void block_places_issue(struct block_places *p, const struct block_io *io)
{
	struct block_place *place;

	if (!io->sectors)
		return;
	place = place_at(p, io->dev);
	if (place->begun && io->sector == place->end)
		place->sequential++;
	else if (place->begun)
		block_times_add(&place->seek, io->sector > place->end ? io->sector - place->end
								      : place->end - io->sector);
	place->begun = true;
	place->end = io->sector + io->sectors;
}

void block_places_end(struct block_places *p, const struct block_io *io)
{
	u32 size;

	if (!io->done)
		return;
	size = 31 - (u32)__builtin_clz(io->done);
	place_at(p, io->dev)->sizes[io->rw.kind][MIN(size, BLOCK_SIZES - 1)]++;
}

const struct block_place *block_place_of(const struct block_places *p, u32 dev)
{
	u32 at = map64_get(&p->of, dev);

	return at == MAP64_NONE ? NULL : &p->v[at];
}

void block_places_release(struct block_places *p)
{
	map64_release(&p->of);
	free(p->v);
}
