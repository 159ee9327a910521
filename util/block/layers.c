// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "block/layers.h"

#include "base/alloc.h"

#define LOOP_MAJOR 7U
#define DEPTH_MAX 16U      /* more layers than that are damage, and become one */
#define WORKER "kworker/u" /* workers that are bound to no CPU, as those of loop devices */

/* ---- the kinds of layers ---- */

/* Layers differ in this. It has no padding. */
struct layer_key {
	u32 upper, dev, kind;
};

static u32 layer_of(struct layers *l, u32 upper, u32 dev, u32 kind)
{
	const struct layer_key key = { upper, dev, kind };
	u32 depth = upper ? l->v[upper].depth + 1 : 0, id;

	if (depth > DEPTH_MAX)
		return upper;
	id = intern_id(&l->keys, (const char *)&key, sizeof(key));
	if (id >= l->nr) {
		VEC_GROW(l->v, (size_t)id + 1, l->cap);
		memset(l->v + l->nr, 0, (id + 1 - l->nr) * sizeof(*l->v));
		l->nr = id + 1;
		l->v[id] = (struct block_layer){ upper, dev, kind, depth };
	}
	return id;
}

void layers_release(struct layers *l)
{
	intern_release(&l->keys);
	map64_release(&l->remap_of);
	map64_release(&l->wait_of);
	free(l->v);
	free(l->remaps);
	free(l->waits);
}

/* ---- who causes it ---- */

void layers_remap(struct layers *l, const struct inflight *t, u32 upper,
		  const struct block_event *ev)
{
	u32 *place = map64_slot(&l->remap_of, ev->tid);

	if (*place == MAP64_NONE) {
		*place = (u32)l->nr_remaps;
		VEC_GROW(l->remaps, l->nr_remaps + 1, l->cap_remaps);
		l->nr_remaps++;
	}
	l->remaps[*place] = (struct layer_remap){ ev->dev, ev->sector, inflight_ref(t, upper) };
}

void layers_wait(struct layers *l, const struct inflight *t, u32 slot)
{
	u32 *place = map64_slot(&l->wait_of, t->slots[slot].io.dev);

	if (*place == MAP64_NONE) {
		*place = (u32)l->nr_waits;
		VEC_GROW(l->waits, l->nr_waits + 1, l->cap_waits);
		l->nr_waits++;
	}
	l->waits[*place] = inflight_ref(t, slot);
}

void layers_issue(struct layers *l, const struct inflight *t, u32 slot)
{
	if (block_major(t->slots[slot].io.dev) == LOOP_MAJOR)
		l->loops[l->next_loop++ % LAYERS_LOOPS] = inflight_ref(t, slot);
}

static u32 by_remap(const struct layers *l, const struct inflight *t, const struct block_event *ev)
{
	u32 place = map64_get(&l->remap_of, ev->tid);
	const struct layer_remap *r = place == MAP64_NONE ? NULL : &l->remaps[place];

	if (!r || r->dev != ev->dev || r->sector != ev->sector)
		return IO_NONE;
	return inflight_alive(t, r->upper);
}

/* Tell whether a loop device would do this to its file for a request. */
static bool fits(const struct block_io *request, const struct block_event *ev)
{
	if (ev->rw.kind == BLOCK_READ)
		return request->rw.kind == BLOCK_READ;
	return request->rw.kind != BLOCK_READ && ev->rw.flags & BLOCK_SYNC;
}

/* Nothing says for which request a worker does something. A flush of a loop device is what makes
 * its worker write at once, so that is preferred; what is not synchronous is left to others. */
static u32 by_loop(const struct layers *l, const struct inflight *t, const struct block_event *ev)
{
	u32 found = IO_NONE;

	if (ev->comm_len < strlen(WORKER) || memcmp(ev->comm, WORKER, strlen(WORKER)))
		return IO_NONE;
	for (u32 i = 0; i < LAYERS_LOOPS; i++) {
		u32 slot = inflight_alive(t, l->loops[i]);
		const struct io_slot *s = slot == IO_NONE ? NULL : &t->slots[slot];

		if (!s || s->state != IO_ISSUED || s->io.dev == ev->dev || !fits(&s->io, ev))
			continue;
		if (found == IO_NONE || s->io.rw.kind == BLOCK_FLUSH)
			found = slot;
	}
	return found;
}

static u32 by_wait(const struct layers *l, const struct inflight *t, u32 dev)
{
	u32 place = map64_get(&l->wait_of, dev);

	return place == MAP64_NONE ? IO_NONE : inflight_alive(t, l->waits[place]);
}

static u32 upper_of(const struct layers *l, const struct inflight *t, u32 dev,
		    const struct block_event *ev)
{
	u32 upper;

	if (ev->rw.kind == BLOCK_FLUSH)
		return by_wait(l, t, dev);
	if (ev->action != BLOCK_QUEUE)
		return IO_NONE;
	upper = by_remap(l, t, ev);
	return upper == IO_NONE ? by_loop(l, t, ev) : upper;
}

/* ---- time below ---- */

static void attach(struct inflight *t, u32 slot, u32 upper, u64 time)
{
	struct io_slot *u = &t->slots[upper];

	t->slots[slot].upper = inflight_ref(t, upper);
	if (!u->lower++)
		u->below_since = time;
}

static void add_below(struct io_slot *s, u64 time)
{
	if (time > s->below_since)
		s->io.below += time - s->below_since;
}

void layers_enter(struct layers *l, struct inflight *t, u32 slot, const struct block_event *ev)
{
	struct block_io *io = &t->slots[slot].io;
	u32 upper = upper_of(l, t, io->dev, ev);

	if (upper != IO_NONE && upper != slot)
		attach(t, slot, upper, ev->time);
	else
		upper = IO_NONE;
	io->layer =
		layer_of(l, upper == IO_NONE ? 0 : t->slots[upper].io.layer, io->dev, io->rw.kind);
}

void layers_split(struct inflight *t, u32 slot, u32 rest, u64 time)
{
	u32 upper = inflight_alive(t, t->slots[slot].upper);

	if (upper != IO_NONE)
		attach(t, rest, upper, time);
}

void layers_leave(struct inflight *t, u32 slot, u64 time)
{
	u32 upper = inflight_alive(t, t->slots[slot].upper);
	struct io_slot *u = upper == IO_NONE ? NULL : &t->slots[upper];

	if (t->slots[slot].lower)
		add_below(&t->slots[slot], time);
	if (u && u->lower && !--u->lower)
		add_below(u, time);
}
