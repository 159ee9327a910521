// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is what is kept on disk of the lines of an object: all its places are looked up, and
 * written again as they are when new ones come. */
#include "base/compat.h"
#include "base/alloc.h"
#include "resolve/line-cache-internal.h"

#define FRAMES 100 /* of a place, that are looked at */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void check_same(const struct line_cache *c, const struct lc_place *p,
		       const struct line_cache *d, const struct lc_place *q)
{
	if (!q || q->nr != p->nr)
		abort();
	for (u32 i = 0; i <= p->nr; i++) {
		struct inline_frame f = line_cache_frame(c, p, i), g = line_cache_frame(d, q, i);

		if (f.line != g.line || !same_text(f.raw, g.raw) || !same_text(f.file, g.file))
			abort();
	}
}

/* Return the place @i if it is one that others may find, too. */
static const struct lc_place *place_at(const struct line_cache *c, size_t i)
{
	const struct lc_place *p = line_cache_find(c, c->places[i].addr);

	return p == &c->places[i] && p->nr < FRAMES && (!i || p[-1].addr < p->addr) ? p : NULL;
}

static void write_again(const struct line_cache *c)
{
	struct inline_frame frames[FRAMES];
	struct line_cache_maker m = { 0 };
	struct strbuf out = STRBUF_INIT;
	const struct lc_place *p;
	struct line_cache d;
	u64 last = 0;

	for (size_t i = 0; i < c->nr_places; i++) {
		p = place_at(c, i);
		if (!p || (last && p->addr <= last))
			continue;
		last = p->addr;
		for (u32 k = 0; k <= p->nr; k++)
			frames[k] = line_cache_frame(c, p, k);
		line_cache_add(&m, p->addr, p->whole, frames, p->nr);
	}
	line_cache_finish(&m, &out);
	if (!line_cache_read(&d, out.buf, out.len))
		abort();
	for (size_t i = 0; i < d.nr_places; i++)
		check_same(&d, &d.places[i], c, line_cache_find(c, d.places[i].addr));
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u8 *copy = memcpy(xmalloc(size + 1), data, size); /* aligned */
	struct line_cache c;

	if (line_cache_read(&c, copy, size))
		write_again(&c);
	free(copy);
	return 0;
}
