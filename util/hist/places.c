// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places and frames are made of locations here. What the columns or call chains do not tell apart
 * becomes one.
 */
#include "base/compat.h"

#include "hist/places-internal.h"
#include "resolve/srcline.h"

/* ---- places and frames ---- */

/* Note that a sample or a frame was in an object. */
static void hit_dso(struct hist *h, u32 id)
{
	size_t old = h->nr_dso_hit;

	if (id >= old) {
		h->nr_dso_hit = MAX((size_t)id + 1, old * 2);
		h->dso_hit = xrealloc(h->dso_hit, h->nr_dso_hit, sizeof(*h->dso_hit));
		memset(h->dso_hit + old, 0, (h->nr_dso_hit - old) * sizeof(*h->dso_hit));
	}
	h->dso_hit[id] = true;
}

static u32 dso_name_id(struct hist *h, struct place_table *t, const struct location *l)
{
	u32 id, old = t->nr_dsos;

	if (!l->dso)
		return 0;
	id = l->dso->id;
	if (id >= t->nr_dsos) {
		t->nr_dsos = MAX((size_t)id + 1, t->nr_dsos * 2);
		t->dso_name = xrealloc(t->dso_name, t->nr_dsos, sizeof(u32));
		memset(t->dso_name + old, 0, (t->nr_dsos - old) * sizeof(u32));
	}
	if (!t->dso_name[id]) {
		t->dso_name[id] = hist_dso_id(h, l->dso);
		hit_dso(h, id);
	}
	return t->dso_name[id];
}

void place_table_expect(struct place_table *t, size_t nr)
{
	index_expect(&t->by_place, nr);
	VEC_GROW(t->places, t->nr_places + nr, t->cap_places);
}

void place_table_name_object(struct hist *h, struct place_table *t, const struct location *l)
{
	dso_name_id(h, t, l);
}

static char location_level(const struct location *l)
{
	return l->map ? (l->cpumode == PERF_RECORD_MISC_KERNEL ? 'k' : '.') : 0;
}

static char location_origin(const struct location *l)
{
	return l->symtab ? symtab_origin(l->symtab) : '!';
}

static u32 add_place(const struct hist *h, struct place_table *t, struct hist_place p, u64 ip)
{
	VEC_GROW(t->places, t->nr_places + 1, t->cap_places);
	t->places[t->nr_places] = p;
	if (h->conf.branches) {
		VEC_GROW(t->place_ips, t->nr_places + 1, t->cap_place_ips);
		t->place_ips[t->nr_places] = ip;
	}
	return t->nr_places++;
}

static bool same_symbol(const struct hist_place *p, const struct hist_place *q)
{
	return (p->symtab == q->symtab && p->sym == q->sym) ||
	       hist_place_end(p) == hist_place_end(q);
}

static u64 place_hash(const struct hist_place *p, u64 ip)
{
	return hash_u64(p->start ^ ip << 7 ^ (u64)p->inlined << 17 ^
			hash_u64((u64)p->dso << 1 ^ (p->sym == UINT32_MAX)));
}

/*
 * Return the number of a place, made when it is new. @ip: as in hist.place_ips. The end of a
 * symbol is far away in memory, so it is read only where two symbols begin at one place.
 */
static u32 find_place(const struct hist *h, struct place_table *t, struct hist_place p, u64 ip)
{
	u64 hash = place_hash(&p, ip);
	size_t pos;

	index_reserve(&t->by_place);
	index_for_each(&t->by_place, hash, pos)
	{
		u32 i = index_at(&t->by_place, pos);
		const struct hist_place *q = &t->places[i];

		if (q->start == p.start && q->dso == p.dso &&
		    (!t->place_ips || t->place_ips[i] == ip) && q->inlined == p.inlined &&
		    (q->sym == UINT32_MAX) == (p.sym == UINT32_MAX) && same_symbol(&p, q))
			return i;
	}
	index_put(&t->by_place, pos, hash, t->nr_places);
	return add_place(h, t, p, ip);
}

/* Return the place of an inlined function: there is one in each object. */
static u32 inlined_place(struct hist *h, struct place_table *t, const struct location *l,
			 u32 inlined)
{
	return find_place(h, t,
			  (struct hist_place){ .dso = dso_name_id(h, t, l),
					       .level = location_level(l),
					       .origin = location_origin(l),
					       .inlined = inlined },
			  0);
}

/* Make a place of a location. @start: where its symbol begins, or without one its address. */
static struct hist_place place_of(struct hist *h, struct place_table *t, const struct location *l,
				  u64 start)
{
	bool named = l->symtab && l->sym != UINT32_MAX && hist_needs_symbol(h);

	return (struct hist_place){ .dso = dso_name_id(h, t, l),
				    .start = hist_needs_symbol(h) ? start : 0,
				    .sym = named ? l->sym : UINT32_MAX,
				    .symtab = named ? l->symtab : NULL,
				    .level = location_level(l),
				    .origin = location_origin(l) };
}

u32 place_id(struct hist *h, struct place_table *t, const struct location *l, u64 addr, u64 ip)
{
	struct hist_place p;

	if (l->symtab && l->sym != UINT32_MAX && hist_needs_symbol(h))
		addr = symtab_range(l->symtab, l->sym).start;
	p = place_of(h, t, l, addr);
	return find_place(h, t, p, h->conf.branches && hist_needs_symbol(h) && !p.symtab ? ip : 0);
}

void place_tallies(struct hist *h, struct place_table *t, const struct hist_worker *w,
		   struct tally *r, size_t nr)
{
	struct hist_place p[PLACE_TALLIES];
	const struct index *ix = &t->by_place;

	for (size_t i = 0; i < nr; i++) {
		struct location l = object_location(w, r[i].object, r[i].sym);

		p[i] = place_of(h, t, &l, r[i].start);
		__builtin_prefetch(&ix->slots[place_hash(&p[i], 0) & ix->mask]);
	}
	for (size_t i = 0; i < nr; i++)
		r[i].place = find_place(h, t, p[i], 0);
}

/*
 * Return the number of a frame's line. Where the line is not known, that is the offset in the
 * function, or nothing where frames are lines.
 */
static u32 frame_line(struct hist *h, struct place_table *t, const struct location *l)
{
	const char *file, *text;

	strbuf_reset(&t->line);
	srcline_text(hist_lines(h), l, &t->line);
	text = strbuf_str(&t->line);
	srcline_find(hist_lines(h), l, &file);
	if (!file && l->dso && l->symtab && l->sym != UINT32_MAX && strrchr(text, '+'))
		text = h->conf.chain.line ? "" : strrchr(text, '+');
	if (!file && h->conf.stacks)
		text = ""; /* trees show source files and nothing else */
	return intern_str_id(&h->frame_lines, text);
}

/*
 * Do lines tell frames apart? They do for addresses, too, where these may be behind a call or not.
 */
static bool lines_differ(const struct hist *h)
{
	return h->conf.chain.line || (h->conf.chain.address && h->conf.inlines);
}

static bool same_frame(const struct hist *h, const struct place_table *t,
		       const struct hist_frame *q, const struct hist_frame *f, bool sym,
		       u32 inlined)
{
	const struct hist_place *p = &t->places[q->place];

	return q->addr == f->addr && q->dso == f->dso && (!lines_differ(h) || q->line == f->line) &&
	       (p->sym != UINT32_MAX) == sym && p->inlined == inlined;
}

/* Return the number of a frame, made when it is new. @f has its line if lines tell frames apart. */
static u32 find_frame(struct hist *h, struct place_table *t, const struct location *l,
		      struct hist_frame f, u32 inlined)
{
	bool sym = l->symtab && l->sym != UINT32_MAX;
	u64 hash = hash_u64(f.addr ^ hash_u64((u64)f.dso << 1 | sym) ^
			    (lines_differ(h) ? f.line : 0) ^ (u64)inlined << 32);
	size_t pos;

	index_reserve(&t->by_frame);
	index_for_each(&t->by_frame, hash, pos)
	{
		struct hist_frame *q = &h->frames[index_at(&t->by_frame, pos)];

		if (same_frame(h, t, q, &f, sym, inlined)) {
			q->at = h->conf.chain.line || inlined ? MIN(q->at, f.at) : q->at;
			return index_at(&t->by_frame, pos);
		}
	}
	f.place = inlined ? inlined_place(h, t, l, inlined)
			  : place_id(h, t, l, !sym && hist_whole_objects(h) ? 0 : f.ip, f.ip);
	if (h->conf.chain.address && !lines_differ(h))
		f.line = frame_line(h, t, l);
	VEC_GROW(h->frames, h->nr_frames + 1, h->cap_frames);
	h->frames[h->nr_frames] = f;
	index_put(&t->by_frame, pos, hash, h->nr_frames);
	return h->nr_frames++;
}

static struct hist_frame new_frame(const struct location *l, u64 ip, u64 addr, u32 line)
{
	return (struct hist_frame){
		.ip = ip,
		.addr = addr,
		.at = l->addr,
		.dso = l->dso ? l->dso->id + 1 : 0,
		.level = location_level(l),
		.line = line,
	};
}

/* Return what tells frames apart where lines do not: the start of a function, or an address. */
static u64 frame_addr(const struct hist *h, const struct location *l, u64 ip)
{
	bool sym = l->symtab && l->sym != UINT32_MAX;

	if (sym && !h->conf.chain.address)
		return symtab_range(l->symtab, l->sym).start;
	return !sym && hist_whole_objects(h) ? 0 : ip;
}

u32 frame_id(struct hist *h, struct place_table *t, const struct location *l, u64 ip)
{
	u32 line = lines_differ(h) ? frame_line(h, t, l) : 0;

	return find_frame(h, t, l, new_frame(l, ip, frame_addr(h, l, ip), line), 0);
}

u32 frame_at_line(struct hist *h, struct place_table *t, const struct location *l, u64 ip,
		  u32 inlined, u32 line)
{
	u64 addr = inlined && !h->conf.chain.address ? 0 : frame_addr(h, l, ip);

	return find_frame(h, t, l, new_frame(l, ip, addr, line), inlined);
}

void place_table_init(const struct hist *h, struct place_table *t)
{
	*t = (struct place_table){ 0 };
	add_place(h, t, (struct hist_place){ .sym = UINT32_MAX }, 0);
}

void place_table_done(struct hist *h, struct place_table *t)
{
	h->places = t->places;
	h->place_ips = t->place_ips;
	h->nr_places = t->nr_places;
	index_release(&t->by_place);
	index_release(&t->by_frame);
	free(t->dso_name);
	strbuf_release(&t->line);
}
