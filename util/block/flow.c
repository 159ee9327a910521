// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "block/flow.h"

#include "analyze/reach.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "block/depth.h"
#include "block/layers.h"

#define OPEN_MAX 1000000U /* more I/O than that on its way is damage */
#define PARTS_MAX 1024U   /* so many partitions are known by their devices */

struct block_flow {
	struct block_watch watch;
	struct inflight t;
	struct map64 disks; /* by number of a part: that of its device */
	u32 *got;           /* owned; by CPU: the request that was got last, + 1 */
	u32 nr_got;
	size_t cap_got;
	struct depths depths;
	struct layers layers;
	struct block_misfits misfits;
};

struct block_flow *block_flow_new(const struct block_watch *watch)
{
	struct block_flow *f = xzalloc(sizeof(*f));

	f->watch = *watch;
	return f;
}

void block_flow_free(struct block_flow *f)
{
	if (!f)
		return;
	inflight_release(&f->t);
	map64_release(&f->disks);
	depths_release(&f->depths);
	layers_release(&f->layers);
	free(f->got);
	free(f);
}

static struct block_io *io_of(const struct block_flow *f, u32 slot)
{
	return &f->t.slots[slot].io;
}

static void set_moment(struct block_io *io, enum block_moment moment, u64 time)
{
	io->at[moment] = time;
	io->seen |= 1U << moment;
}

/* Set a moment and tell the watcher of it. */
static void reach_moment(struct block_flow *f, struct block_io *io, enum block_moment moment,
			 const struct block_event *ev)
{
	set_moment(io, moment, ev->time);
	if (f->watch.moment)
		f->watch.moment(f->watch.ctx, io, moment, ev);
}

/* ---- devices ---- */

/* Bios of a partition have its number, their requests that of the whole device. */
u32 block_flow_disk(const struct block_flow *f, u32 dev)
{
	u32 disk = map64_get(&f->disks, dev);

	return disk == MAP64_NONE ? dev : disk;
}

/* All that is on its way to a part of a device goes to the device. */
static void learn_disk(struct block_flow *f, u32 part, u32 disk)
{
	map64_set(&f->disks, part, disk);
	for (u32 i = 0; i < f->t.nr_slots; i++) {
		if (!f->t.slots[i].linked || io_of(f, i)->dev != part)
			continue;
		inflight_unlink(&f->t, i);
		io_of(f, i)->dev = disk;
		inflight_link(&f->t, i);
	}
}

const struct block_layer *block_flow_layers(const struct block_flow *f, u32 *nr)
{
	*nr = f->layers.nr;
	return f->layers.v;
}

const struct block_depth *block_flow_depth(const struct block_flow *f, u32 dev)
{
	return depths_find(&f->depths, dev);
}

static void depth_up(struct block_flow *f, u32 dev, u64 time)
{
	depths_change(&f->depths, dev, time, true);
}

static void depth_down(struct block_flow *f, u32 dev, u64 time)
{
	depths_change(&f->depths, dev, time, false);
}

/* ---- the ways of I/O ---- */

/* I/O without sectors has places of its own in the index: completions of flushes name no
 * sector, and those of empty writes the first one of the device. */
#define FLUSHES UINT64_MAX
#define EMPTY (UINT64_MAX - 1)

static u64 sector_of(const struct block_event *ev)
{
	if (ev->rw.kind == BLOCK_FLUSH)
		return FLUSHES;
	return ev->sectors ? ev->sector : EMPTY;
}

/* Make I/O of an event, which can be found from now on. */
static u32 begin(struct block_flow *f, const struct block_event *ev, enum io_state state)
{
	u32 slot = inflight_take(&f->t, state);
	struct block_io *io = io_of(f, slot);

	io->dev = block_flow_disk(f, ev->dev);
	io->sector = sector_of(ev);
	io->sectors = ev->sectors;
	io->rw = ev->rw;
	memcpy(io->rwbs, ev->rwbs, sizeof(io->rwbs));
	io->pid = ev->pid;
	io->tid = ev->tid;
	io->has_request = state != IO_QUEUED;
	io->who = f->watch.who(f->watch.ctx, ev);
	inflight_link(&f->t, slot);
	layers_enter(&f->layers, &f->t, slot, ev);
	return slot;
}

/* Forget I/O that cannot be found any more, and all that has joined it. */
static void drop(struct block_flow *f, u32 slot, u64 time)
{
	layers_leave(&f->t, slot, time);
	for (u32 m = f->t.slots[slot].member; m != IO_NONE; m = f->t.slots[m].next[0])
		layers_leave(&f->t, m, time);
	inflight_give(&f->t, slot);
}

static u32 find(const struct block_flow *f, const struct block_event *ev, u32 states)
{
	return inflight_find(&f->t, IO_START, block_flow_disk(f, ev->dev), sector_of(ev), states,
			     states & IO_BIT(IO_QUEUED));
}

static void resize(struct block_flow *f, u32 slot, u64 sector, u32 sectors)
{
	struct block_io *io = io_of(f, slot);

	if (io->sector == sector && io->sectors == sectors)
		return;
	inflight_unlink(&f->t, slot);
	io->sector = sector;
	io->sectors = sectors;
	inflight_link(&f->t, slot);
}

/* Put I/O that can be found, and all that has joined it, before the members of a request. */
static void join(struct block_flow *f, u32 slot, u32 host)
{
	struct io_slot *s = &f->t.slots[slot], *h = &f->t.slots[host];
	u32 last = s->member == IO_NONE ? slot : s->last;

	inflight_unlink(&f->t, slot);
	s->state = IO_MEMBER;
	s->next[0] = s->member;
	s->member = IO_NONE;
	f->t.slots[last].next[0] = h->member;
	if (h->member == IO_NONE)
		h->last = last;
	h->member = slot;
	h->io.bios += s->io.bios + 1;
}

/* A request has more sectors than the bios that are known to have joined it: those that wait right
 * behind it have joined it as well, but the recording lacks these events. */
static void absorb(struct block_flow *f, u32 slot, const struct block_event *ev)
{
	struct block_io *io = io_of(f, slot);

	while (io->sectors < ev->sectors) {
		u64 end = io->sector + io->sectors;
		u32 bio = inflight_find(&f->t, IO_START, io->dev, end, IO_BIT(IO_QUEUED), true);
		u32 more = bio == IO_NONE ? 0 : io_of(f, bio)->sectors;

		if (!more || more > ev->sectors - io->sectors)
			break;
		set_moment(io_of(f, bio), BLOCK_AT_G, ev->time);
		join(f, bio, slot);
		resize(f, slot, io->sector, io->sectors + more);
	}
	resize(f, slot, io->sector, ev->sectors);
}

/* ---- before the driver ---- */

static void on_queue(struct block_flow *f, const struct block_event *ev)
{
	set_moment(io_of(f, begin(f, ev, IO_QUEUED)), BLOCK_AT_Q, ev->time);
}

static void on_split(struct block_flow *f, const struct block_event *ev)
{
	u32 slot = inflight_find(&f->t, IO_START, block_flow_disk(f, ev->dev), ev->sector,
				 IO_BIT(IO_QUEUED), true);
	struct block_io copy;
	u32 rest;

	if (slot == IO_NONE)
		return;
	copy = *io_of(f, slot);
	if (ev->other <= copy.sector || ev->other - copy.sector >= copy.sectors)
		return;
	resize(f, slot, copy.sector, (u32)(ev->other - copy.sector));
	rest = inflight_take(&f->t, IO_QUEUED);
	copy.sectors -= (u32)(ev->other - copy.sector);
	copy.sector = ev->other;
	*io_of(f, rest) = copy;
	inflight_link(&f->t, rest);
	layers_split(&f->t, slot, rest, ev->time);
}

static void on_remap(struct block_flow *f, const struct block_event *ev)
{
	u32 old = block_flow_disk(f, ev->old_dev), upper;

	if (old == block_flow_disk(f, ev->dev)) /* from a partition to its device */
		return;
	upper = inflight_find(&f->t, IO_START, old, ev->other,
			      IO_BIT(IO_QUEUED) | IO_BIT(IO_ISSUED), true);
	layers_remap(&f->layers, &f->t, upper, ev);
}

static void on_get(struct block_flow *f, const struct block_event *ev)
{
	u32 slot = find(f, ev, IO_BIT(IO_QUEUED));

	if (slot == IO_NONE)
		slot = begin(f, ev, IO_REQUEST);
	f->t.slots[slot].state = IO_REQUEST;
	io_of(f, slot)->has_request = true;
	set_moment(io_of(f, slot), BLOCK_AT_G, ev->time);
	if (ev->rw.flags & BLOCK_PREFLUSH)
		layers_wait(&f->layers, &f->t, slot);
	VEC_REACH(f->got, ev->cpu, f->nr_got, f->cap_got);
	f->got[ev->cpu] = slot + 1;
}

/* The bio of the event, or the request that is swallowed, joins the one it touches. */
static void on_merge(struct block_flow *f, const struct block_event *ev)
{
	u32 dev = block_flow_disk(f, ev->dev);
	bool front = ev->action == BLOCK_FRONT_MERGE;
	u32 slot = find(f, ev, IO_BIT(IO_QUEUED)), host;
	struct block_io *io;

	/* blktrace does not tell a request that is swallowed from a bio. */
	if (slot == IO_NONE || ev->action == BLOCK_RQ_MERGE)
		slot = find(f, ev, IO_BIT(IO_REQUEST));
	if (slot == IO_NONE)
		slot = begin(f, ev, IO_QUEUED);
	host = front ? inflight_find(&f->t, IO_START, dev, ev->sector + ev->sectors,
				     IO_BIT(IO_REQUEST), false)
		     : inflight_find(&f->t, IO_END, dev, ev->sector, IO_BIT(IO_REQUEST), false);
	io = io_of(f, slot);
	if (!io->has_request)
		set_moment(io, BLOCK_AT_G, ev->time);
	if (f->watch.merge)
		f->watch.merge(f->watch.ctx, io, ev);
	if (host == IO_NONE || host == slot) {
		inflight_unlink(&f->t, slot);
		drop(f, slot, ev->time);
		return;
	}
	resize(f, host, front ? ev->sector : io_of(f, host)->sector,
	       io_of(f, host)->sectors + io->sectors);
	join(f, slot, host);
}

/* Find the request of an event that names the whole device. It may be the one that this CPU got
 * just before for a part of the device, whose number then becomes known. */
static u32 find_request(struct block_flow *f, const struct block_event *ev, u32 states)
{
	u32 slot = find(f, ev, states), got = ev->cpu < f->nr_got ? f->got[ev->cpu] : 0;
	const struct io_slot *s = got ? &f->t.slots[got - 1] : NULL;

	if (got)
		f->got[ev->cpu] = 0;
	if (slot != IO_NONE || !s || s->state != IO_REQUEST || s->io.dev == ev->dev ||
	    s->io.sector != sector_of(ev) || s->io.sectors != ev->sectors || s->io.tid != ev->tid ||
	    f->disks.nr >= PARTS_MAX)
		return slot;
	learn_disk(f, s->io.dev, ev->dev);
	return got - 1;
}

static u32 request_of(struct block_flow *f, const struct block_event *ev)
{
	u32 slot = find_request(f, ev, IO_BIT(IO_REQUEST));

	if (slot == IO_NONE && ev->rw.kind != BLOCK_FLUSH)
		slot = find(f, ev, IO_BIT(IO_QUEUED));
	if (slot == IO_NONE)
		return begin(f, ev, IO_REQUEST);
	f->t.slots[slot].state = IO_REQUEST;
	io_of(f, slot)->has_request = true;
	absorb(f, slot, ev);
	return slot;
}

/* The kernel accounts for a request right after a bio has got it, and names its device. */
static void on_start(struct block_flow *f, const struct block_event *ev)
{
	request_of(f, ev);
}

static void on_insert(struct block_flow *f, const struct block_event *ev)
{
	struct block_io *io = io_of(f, request_of(f, ev));

	if (!(io->seen >> BLOCK_AT_I & 1))
		reach_moment(f, io, BLOCK_AT_I, ev);
}

/* ---- the driver ---- */

/* Tell whether a second completion follows that of the data: the kernel flushes before or behind
 * them. A device that can write through its cache is told so, and needs no flush behind. */
static bool is_sequence(const struct block_io *io, const struct block_event *issue)
{
	return io->sectors && (io->rw.flags & BLOCK_PREFLUSH ||
			       (io->rw.flags & BLOCK_FUA && !(issue->rw.flags & BLOCK_FUA)));
}

static void on_issue(struct block_flow *f, const struct block_event *ev)
{
	u32 slot = request_of(f, ev);
	struct block_io *io = io_of(f, slot);

	f->t.slots[slot].state = IO_ISSUED;
	f->t.slots[slot].sequence = is_sequence(io, ev);
	reach_moment(f, io, BLOCK_AT_D, ev);
	layers_issue(&f->layers, &f->t, slot);
	depth_up(f, io->dev, ev->time);
}

static void on_requeue(struct block_flow *f, const struct block_event *ev)
{
	u32 slot = find(f, ev, IO_BIT(IO_ISSUED));

	if (slot == IO_NONE)
		return;
	f->t.slots[slot].state = IO_REQUEST;
	depth_down(f, io_of(f, slot)->dev, ev->time);
}

/* ---- the end ---- */

static void end(struct block_flow *f, u32 slot, const struct block_event *ev)
{
	struct io_slot *s = &f->t.slots[slot];
	const struct block_watch *w = &f->watch;

	set_moment(&s->io, BLOCK_AT_E, ev->time);
	if (!s->io.error)
		s->io.error = ev->error;
	layers_leave(&f->t, slot, ev->time);
	if (w->end)
		w->end(w->ctx, &s->io, ev);
	for (u32 m = s->member; m != IO_NONE; m = f->t.slots[m].next[0]) {
		set_moment(io_of(f, m), BLOCK_AT_E, ev->time);
		layers_leave(&f->t, m, ev->time);
		if (w->member)
			w->member(w->ctx, io_of(f, m), ev);
	}
	inflight_unlink(&f->t, slot);
	inflight_give(&f->t, slot);
}

/* Return the I/O whose sequence of flushes ends: its data are written, or there were none. The
 * kernel names its first sector, older ones the one behind its last. */
static u32 find_flushed(const struct block_flow *f, const struct block_event *ev)
{
	u32 dev = block_flow_disk(f, ev->dev), written = IO_BIT(IO_WRITTEN);
	u32 slot = inflight_find(&f->t, IO_START, dev, ev->sector, written, false);

	if (slot == IO_NONE)
		slot = inflight_find(&f->t, IO_END, dev, ev->sector, written, false);
	if (slot == IO_NONE)
		slot = find(f, ev, IO_BIT(IO_REQUEST));
	return slot == IO_NONE ? find(f, ev, IO_BIT(IO_QUEUED)) : slot;
}

/* Some of the sectors of a request are complete, its first ones, or all. */
static void on_sectors(struct block_flow *f, u32 slot, const struct block_event *ev)
{
	struct io_slot *s = &f->t.slots[slot];
	u32 done = MIN(ev->sectors, s->io.sectors);

	if (!(s->io.seen >> BLOCK_AT_C & 1))
		reach_moment(f, &s->io, BLOCK_AT_C, ev);
	s->io.done += done;
	if (done < s->io.sectors) {
		resize(f, slot, s->io.sector + done, s->io.sectors - done);
		return;
	}
	depth_down(f, s->io.dev, ev->time);
	s->io.error = ev->error;
	if (!s->sequence || ev->error) {
		end(f, slot, ev);
		return;
	}
	s->state = IO_WRITTEN;
	layers_wait(&f->layers, &f->t, slot);
}

/* Return the I/O whose end is the first thing that is known of it. */
static u32 begin_at_end(struct block_flow *f, const struct block_event *ev)
{
	u32 slot = request_of(f, ev);

	if (!(io_of(f, slot)->seen))
		f->misfits.alone++;
	f->t.slots[slot].state = IO_ISSUED;
	depth_up(f, io_of(f, slot)->dev, ev->time);
	return slot;
}

static void on_complete(struct block_flow *f, const struct block_event *ev)
{
	u32 slot = find(f, ev, IO_BIT(IO_ISSUED)), flushed;

	if (slot != IO_NONE || ev->sectors || ev->rw.kind == BLOCK_FLUSH) {
		on_sectors(f, slot == IO_NONE ? begin_at_end(f, ev) : slot, ev);
		return;
	}
	flushed = find_flushed(f, ev);
	if (flushed != IO_NONE)
		end(f, flushed, ev);
	else
		f->misfits.alone++;
}

static void on_bio_complete(struct block_flow *f, const struct block_event *ev)
{
	u32 slot = inflight_find(&f->t, IO_START, ev->dev, sector_of(ev), IO_BIT(IO_QUEUED), false);

	if (slot == IO_NONE) {
		f->misfits.alone++;
		slot = begin(f, ev, IO_QUEUED);
	}
	set_moment(io_of(f, slot), BLOCK_AT_C, ev->time);
	io_of(f, slot)->done = io_of(f, slot)->sectors;
	end(f, slot, ev);
}

/* ---- events ---- */

void block_flow_lost(struct block_flow *f)
{
	f->misfits.torn += f->t.nr;
	inflight_clear(&f->t);
	f->nr_got = 0;
	depths_clear(&f->depths);
}

void block_flow_event(struct block_flow *f, const struct block_event *ev)
{
	static void (*const on[BLOCK_ACTIONS])(struct block_flow *, const struct block_event *) = {
		[BLOCK_QUEUE] = on_queue,       [BLOCK_SPLIT] = on_split,
		[BLOCK_GET] = on_get,           [BLOCK_BACK_MERGE] = on_merge,
		[BLOCK_FRONT_MERGE] = on_merge, [BLOCK_RQ_MERGE] = on_merge,
		[BLOCK_INSERT] = on_insert,     [BLOCK_ISSUE] = on_issue,
		[BLOCK_REQUEUE] = on_requeue,   [BLOCK_COMPLETE] = on_complete,
		[BLOCK_START] = on_start,       [BLOCK_BIO_COMPLETE] = on_bio_complete,
		[BLOCK_REMAP] = on_remap,
	};

	if (f->t.nr > OPEN_MAX)
		block_flow_lost(f);
	if (ev->action < BLOCK_ACTIONS && on[ev->action])
		on[ev->action](f, ev);
}

struct block_misfits block_flow_misfits(const struct block_flow *f)
{
	struct block_misfits m = f->misfits;

	m.open = f->t.nr;
	return m;
}
