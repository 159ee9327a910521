// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Early resolution of stacks: where frames are functions, stacks are kept as early frames (a
 * symbol, or an address without one) instead of addresses, of which there are three times as many.
 * Each worker looks addresses up before it counts them, and an address cache saves most of that.
 */
#include "base/compat.h"

#include "hist/counting-internal.h"

/* ---- objects ---- */

void object_note(struct hist_worker *w, const struct location *l)
{
	size_t old = w->early.nr_objects;

	if (!l->dso)
		return;
	if (l->dso->id >= old) {
		w->early.nr_objects = MAX((size_t)l->dso->id + 1, old * 2);
		w->early.objects =
			xrealloc(w->early.objects, w->early.nr_objects, sizeof(*w->early.objects));
		memset(w->early.objects + old, 0,
		       (w->early.nr_objects - old) * sizeof(*w->early.objects));
	}
	w->early.objects[l->dso->id] = (struct object){ l->dso, l->symtab, l->map, l->cpumode };
}

/* ---- early frames ---- */

u32 early_frame_id(struct hist_worker *w, const struct early_frame *s)
{
	u64 hash = hash_u64(s->addr ^ hash_u64((u64)s->dso << 32 | s->sym));
	size_t pos;

	index_reserve(&w->early.by_frame);
	index_for_each(&w->early.by_frame, hash, pos)
	{
		const struct early_frame *o = &w->early.frames[index_at(&w->early.by_frame, pos)];

		if (o->addr == s->addr && o->dso == s->dso && o->sym == s->sym)
			return index_at(&w->early.by_frame, pos);
	}
	VEC_GROW(w->early.frames, w->early.nr_frames + 1, w->early.cap_frames);
	w->early.frames[w->early.nr_frames] = *s;
	index_put(&w->early.by_frame, pos, hash, w->early.nr_frames);
	return w->early.nr_frames++;
}

static u32 early_frame_new(struct hist_worker *w, u64 ip, u32 epoch, u8 mode, u64 *addr)
{
	struct location l;
	struct early_frame s;

	resolver_find(w->h->resolver, early_near(w, ip, epoch), epoch, mode & (u8)~ADDR_CALL, ip,
		      &l);
	*addr = l.addr;
	s = (struct early_frame){ .dso = l.dso ? l.dso->id + 1 : 0, .sym = l.sym };
	if (l.sym == UINT32_MAX && !hist_whole_objects(w->h))
		s.addr = l.addr;
	else if (w->h->conf.inlines && l.sym != UINT32_MAX && may_inline(&l))
		s.addr = l.addr - (mode & ADDR_CALL ? 1 : 0);
	object_note(w, &l);
	return early_frame_id(w, &s);
}

#define KEY_CALL 8 /* in the mode of a key: the address is behind a call */

u32 early_frame_number(struct hist_worker *w, u64 ip, u32 epoch, u8 mode, u64 *addr)
{
	u8 how = mode & ADDR_CALL ? (mode & (u8)~ADDR_CALL) | KEY_CALL : mode;
	struct address_key k = address_cache_key(ip, epoch, how, 0);
	u32 frame = address_cache_find(&w->early.cache, &k, addr);

	if (frame == UINT32_MAX) {
		frame = early_frame_new(w, ip, epoch, mode, addr);
		address_cache_put(&w->early.cache, &k, frame, *addr);
	}
	return frame;
}

/* Tell whether functions may have been inlined at an early frame. */
static bool is_address_of_symbol(const struct early_frame *s)
{
	return s->addr && s->sym != UINT32_MAX;
}

/* Look up what was inlined at the early frames of all workers, many at a time. */
static void inlines_ahead(struct hist *h, size_t nr_frames)
{
	struct location *v = xcalloc(nr_frames + 1, sizeof(*v));
	size_t nr = 0;

	for (int i = 0; i < h->nr_workers; i++) {
		const struct hist_worker *w = h->workers[i];

		for (size_t k = 0; k < w->early.nr_frames; k++) {
			const struct early_frame *s = &w->early.frames[k];

			if (!is_address_of_symbol(s))
				continue;
			v[nr] = object_location(w, s->dso, s->sym);
			v[nr++].addr = s->addr;
		}
	}
	h->conf.inlines = nr;
	if (nr) {
		inline_runs_init(h, nr_frames);
		lines_ahead(h, v, nr);
	}
	free(v);
}

/* Make frames of the early frames of one worker, which are numbers from @first on. Return: the
 * number behind the last. */
static u32 worker_frames(struct hist *h, struct place_table *t, struct hist_worker *w, u32 first)
{
	u32 number = first;

	w->addr_ids = xcalloc(w->early.nr_frames + 1, sizeof(*w->addr_ids));
	for (size_t i = 0; i < w->early.nr_frames; i++, number++) {
		const struct early_frame *s = &w->early.frames[i];
		struct location l = object_location(w, s->dso, s->sym);
		bool inlines = is_address_of_symbol(s);
		u32 frame = frame_id(h, t, &l, inlines ? 0 : s->addr);

		w->addr_ids[i] = number;
		h->addrs[number] = (struct addr_info){ h->frames[frame].place, frame };
		l.addr = s->addr;
		if (h->runs && inlines)
			inline_run_make(h, t, &l, number, 0);
	}
	return number;
}

void early_frames_resolve(struct hist *h)
{
	struct place_table t;
	size_t nr = 0;
	u32 first = 0;

	early_end(h);
	for (int i = 0; i < h->nr_workers; i++)
		nr += h->workers[i]->early.nr_frames;
	if (h->conf.inlines)
		inlines_ahead(h, nr);
	h->addrs = xcalloc(nr + 1, sizeof(*h->addrs));
	place_table_init(h, &t);
	for (int i = 0; i < h->nr_workers; i++) {
		first = worker_frames(h, &t, h->workers[i], first);
		early_release(h->workers[i]); /* the next worker needs more memory */
	}
	place_table_done(h, &t);
}

void early_prepare(struct hist_worker *w)
{
	const struct hist_conf *conf = &w->h->conf;

	address_cache_init(&w->early.cache, conf->nr_addresses,
			   conf->stacks && conf->stacks->sites);
}

void early_end(struct hist *h)
{
	for (int i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		index_release(&w->by_tally);
		index_release(&w->early.by_frame);
		address_cache_release(&w->early.cache);
	}
}

void early_release(struct hist_worker *w)
{
	struct early *e = &w->early;

	address_cache_release(&e->cache);
	free(e->frames);
	index_release(&e->by_frame);
	free(e->objects);
	e->frames = NULL;
	e->objects = NULL;
	e->nr_frames = e->cap_frames = e->nr_objects = 0;
}
