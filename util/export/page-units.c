// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "export/page-units.h"

#include "base/alloc.h"

/*
 * The level of deflate: it takes a fifth of the time of the default 6, for a page that is a tenth
 * larger.
 */
#define LEVEL 1
#define UNIT ((size_t)256 << 10) /* bytes that are compressed at a time */

void page_units_add(struct page_units *u, const void *data, size_t len)
{
	const char *at = data;

	while (len) {
		size_t n = MIN(len, UNIT - u->filled);

		if (!u->filled) {
			VEC_GROW(u->units, u->nr_units + 1, u->cap_units);
			u->units[u->nr_units++] =
				(struct page_unit){ .from = u->nr, .packed = STRBUF_INIT };
		}
		VEC_GROW(u->v, u->nr + 1, u->cap);
		u->v[u->nr++] = (struct deflate_piece){ at, n };
		u->units[u->nr_units - 1].to = u->nr;
		u->filled = (u->filled + n) % UNIT;
		at += n;
		len -= n;
	}
}

void page_units_pack(struct page_units *u, size_t unit, bool last)
{
	struct page_unit *p = &u->units[unit];

	deflate_pieces(&p->packed, u->v + p->from, p->to - p->from, LEVEL, last);
}

void page_units_release(struct page_units *u)
{
	for (size_t i = 0; i < u->nr_units; i++)
		strbuf_release(&u->units[i].packed);
	free(u->units);
	free(u->v);
}
