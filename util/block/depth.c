// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "block/depth.h"

#include "base/alloc.h"

#define FIRST_STEP 1000000U /* ns of a part of the time at first */

/* ---- over time ---- */

/* Parts become twice as long, so that there is room for more time. */
static void fold(struct block_depth *d)
{
	for (u32 i = 0; i < BLOCK_DEPTH_PARTS; i++) {
		struct block_depth_part part = d->parts[i], *to = &d->parts[i / 2];

		d->parts[i] = (struct block_depth_part){ 0 };
		to->sum += part.sum;
		to->max = MAX(to->max, part.max);
	}
	d->step *= 2;
}

static struct block_depth_part *part_at(struct block_depth *d, u64 time)
{
	return &d->parts[MIN((time - d->start) / d->step, BLOCK_DEPTH_PARTS - 1ULL)];
}

/* The depth was the same from the last change until @time. */
static void add_parts(struct block_depth *d, u64 time)
{
	u64 at = d->since;

	while ((time - d->start) / d->step >= BLOCK_DEPTH_PARTS && d->step < INT64_MAX / 2)
		fold(d);
	while (d->now && at < time) {
		u64 left = d->step - (at - d->start) % d->step, ns = MIN(left, time - at);
		struct block_depth_part *part = part_at(d, at);

		part->sum += ns * d->now;
		part->max = MAX(part->max, d->now);
		at += ns;
	}
}

/* ---- devices ---- */

static struct block_depth *depth_of(struct depths *d, u32 dev, u64 time)
{
	u32 *place = map64_slot(&d->of, dev);

	if (*place == MAP64_NONE) {
		*place = (u32)d->nr;
		VEC_GROW(d->v, d->nr + 1, d->cap);
		d->v[d->nr++] = (struct block_depth){
			.dev = dev, .since = time, .start = time, .step = FIRST_STEP
		};
	}
	return &d->v[*place];
}

void depths_change(struct depths *d, u32 dev, u64 time, bool more)
{
	struct block_depth *v = depth_of(d, dev, time);

	if (time > v->since) {
		add_parts(v, time);
		v->sum += (time - v->since) * v->now;
		v->busy += v->now ? time - v->since : 0;
		v->since = time;
	}
	if (more)
		v->now++;
	else
		v->now -= v->now != 0;
	v->max = MAX(v->max, v->now);
	part_at(v, v->since)->max = MAX(part_at(v, v->since)->max, v->now);
}

const struct block_depth *depths_find(const struct depths *d, u32 dev)
{
	u32 place = map64_get(&d->of, dev);

	return place == MAP64_NONE ? NULL : &d->v[place];
}

void depths_clear(struct depths *d)
{
	for (size_t i = 0; i < d->nr; i++)
		d->v[i].now = 0;
}

void depths_release(struct depths *d)
{
	map64_release(&d->of);
	free(d->v);
}
