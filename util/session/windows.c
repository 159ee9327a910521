// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/alloc.h"
#include "base/compat.h"
#include "session/windows.h"

bool windows_needed(const struct session *s)
{
	return s->index->expanded;
}

/* Expand the window of chunk @c again; damage was reported when pass 1 expanded it. */
static void expand_window(struct windows *w, const struct chunk *c, struct window *out)
{
	bool swap = w->s->file->swap;
	u32 type = frame_type(c->p, swap), size = frame_size(c->p, swap);
	ssize_t len;

	if (!out->bytes)
		out->bytes = xmalloc(EXPAND_WINDOW);
	if (c->new_stream) {
		expander_free(w->expander);
		w->expander = NULL;
	}
	if (!w->expander)
		w->expander = expander_new();
	if (!c->window && expand_begin(w->expander, c->p, type, size, swap))
		return;
	len = expand_more(w->expander, out->bytes);
	if (len < 0)
		return;
	out->len = (size_t)len;
	if (c->kept <= out->len)
		expand_keep(w->expander, out->bytes + out->len - c->kept, c->kept);
}

bool windows_next(struct windows *w, struct window *out)
{
	const struct tally *t = &w->s->index->t;
	const struct chunk *c;

	if (w->next >= t->nr_chunks)
		return false;
	c = &t->chunks[w->next];
	out->first = w->next++;
	out->nr = 1;
	out->len = 0;
	if (!c->expanded)
		return true;
	while (w->next < t->nr_chunks && c[out->nr].p == c->p && c[out->nr].expanded &&
	       c[out->nr].window == c->window) {
		out->nr++;
		w->next++;
	}
	expand_window(w, c, out);
	return true;
}

void windows_release(struct windows *w)
{
	expander_free(w->expander);
	w->expander = NULL;
}

static void swap_all(struct session *s, u8 *p, size_t len, struct id_cache *cache)
{
	for (size_t at = 0; len - at >= FRAME_HEADER;) {
		u32 type = frame_type(p + at, true), size = frame_size(p + at, true);

		if (size < FRAME_HEADER || size > len - at)
			break;
		swap_record(s, p + at, type, size, cache);
		at += size;
	}
}

const u8 *chunk_bytes(struct session *s, const struct chunk *c, const struct window *w,
		      struct swap_buffer *t, struct id_cache *cache)
{
	const u8 *p = c->p;

	if (c->expanded) {
		if ((size_t)c->from + c->len > w->len)
			return NULL;
		p = w->bytes + c->from;
	} else if (s->index->read) {
		pass1_populate(p, p + c->len);
	}
	if (!s->file->swap || !c->len)
		return p;
	/* Always convert in a copy: after damage, the next chunk may begin inside this one. */
	VEC_GROW(t->buf, c->len, t->cap);
	memcpy(t->buf, p, c->len);
	swap_all(s, t->buf, c->len, cache);
	return t->buf;
}
