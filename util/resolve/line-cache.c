// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "resolve/line-cache-internal.h"

#include "base/alloc.h"
#include "base/bisect.h"

/* ---- reading ---- */

bool line_cache_read(struct line_cache *c, const void *data, size_t len)
{
	const struct lc_header *h = data;
	u64 left = len - sizeof(*h), places, frames;

	*c = (struct line_cache){ 0 };
	if (len < sizeof(*h) || h->nr_places > left / sizeof(struct lc_place))
		return false;
	places = h->nr_places * sizeof(struct lc_place);
	if (h->nr_frames > (left - places) / sizeof(struct lc_frame))
		return false;
	frames = h->nr_frames * sizeof(struct lc_frame);
	if (!h->strings || h->strings != left - places - frames)
		return false;
	c->strings = (const char *)data + sizeof(*h) + places + frames;
	if (c->strings[h->strings - 1])
		return false;
	c->places = (const struct lc_place *)(h + 1);
	c->frames = (const struct lc_frame *)(c->places + h->nr_places);
	c->nr_places = h->nr_places;
	c->nr_frames = h->nr_frames;
	c->strings_len = h->strings;
	return true;
}

const struct lc_place *line_cache_find(const struct line_cache *c, u64 addr)
{
	size_t i = FIRST_FROM(c->places, c->nr_places, addr, addr);
	const struct lc_place *p;

	if (i == c->nr_places)
		return NULL;
	p = &c->places[i];
	if (p->addr != addr)
		return NULL;
	return p->first < c->nr_frames && p->nr < c->nr_frames - p->first ? p : NULL;
}

static const char *string_at(const struct line_cache *c, u32 at)
{
	return at < c->strings_len && c->strings[at] ? c->strings + at : NULL;
}

struct inline_frame line_cache_frame(const struct line_cache *c, const struct lc_place *p, u32 i)
{
	const struct lc_frame *f = &c->frames[p->first + i];

	return (struct inline_frame){
		.raw = string_at(c, f->name),
		.file = string_at(c, f->file),
		.line = f->line,
	};
}

/* ---- writing ---- */

static u32 string_id(struct line_cache_maker *m, const char *s)
{
	return s ? intern_str_id(&m->strings, s) : 0;
}

void line_cache_add(struct line_cache_maker *m, u64 addr, bool whole,
		    const struct inline_frame *frames, u16 nr)
{
	struct lc_place p = { .addr = addr,
			      .first = (u32)(m->frames.len / sizeof(struct lc_frame)),
			      .nr = nr,
			      .whole = whole };

	for (u32 i = 0; i <= nr; i++) {
		struct lc_frame f = { string_id(m, frames[i].raw), string_id(m, frames[i].file),
				      frames[i].line };

		strbuf_add(&m->frames, &f, sizeof(f));
	}
	strbuf_add(&m->places, &p, sizeof(p));
}

void line_cache_finish(struct line_cache_maker *m, struct strbuf *out)
{
	struct lc_header h = { .nr_places = m->places.len / sizeof(struct lc_place),
			       .nr_frames = m->frames.len / sizeof(struct lc_frame) };
	struct lc_frame *frames = (struct lc_frame *)m->frames.buf;
	u32 *place = xcalloc(m->strings.nr + 1, sizeof(*place));
	struct strbuf strings = STRBUF_INIT;

	strbuf_addch(&strings, '\0');
	for (u32 i = 1; i < m->strings.nr; i++) {
		place[i] = (u32)strings.len;
		strbuf_add(&strings, intern_str(&m->strings, i), m->strings.lens[i] + 1U);
	}
	for (size_t i = 0; i < h.nr_frames; i++) {
		frames[i].name = place[frames[i].name];
		frames[i].file = place[frames[i].file];
	}
	h.strings = strings.len;
	strbuf_add(out, &h, sizeof(h));
	strbuf_add(out, m->places.buf, m->places.len);
	strbuf_add(out, m->frames.buf, m->frames.len);
	strbuf_add(out, strings.buf, strings.len);
	free(place);
	strbuf_release(&strings);
	strbuf_release(&m->places);
	strbuf_release(&m->frames);
	intern_release(&m->strings);
}
