// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ui/widgets/outline.h"

#include "base/alloc.h"
#include "base/bisect.h"
#include "base/clock.h"

void outline_clear(struct outline *o, u64 nr_entries)
{
	for (size_t i = 0; i < o->nr; i++)
		free(o->opened[i].lines.v);
	o->nr = 0;
	map64_release(&o->nodes);
	map64_release(&o->closed);
	o->all = false;
	o->nr_entries = o->next = nr_entries;
}

void outline_release(struct outline *o)
{
	outline_clear(o, 0);
	free(o->opened);
	o->opened = NULL;
	o->cap = 0;
}

void outline_add(struct outline_below *out, const void *node, u32 part, u32 depth)
{
	VEC_GROW(out->v, out->nr + 1, out->cap);
	out->v[out->nr++] = (struct outline_line){ node, part, depth };
}

/* ---- where things are ---- */

u64 outline_nr(const struct outline *o)
{
	return outline_row(o, o->nr_entries);
}

u64 outline_row(const struct outline *o, u64 entry)
{
	size_t k = FIRST_FROM(o->opened, o->nr, entry, entry);
	const struct outline_opened *last = k ? &o->opened[k - 1] : NULL;

	return last ? last->row + last->lines.nr + (entry - last->entry) : entry;
}

const struct outline_line *outline_at(const struct outline *o, u64 row, u64 *entry)
{
	size_t k = FIRST_BEHIND(o->opened, o->nr, row, row);
	const struct outline_opened *last = k ? &o->opened[k - 1] : NULL;
	u64 below = last ? row - last->row : 0;

	if (!last) {
		*entry = row;
		return NULL;
	}
	if (below && below <= last->lines.nr) {
		*entry = last->entry;
		return &last->lines.v[below - 1];
	}
	*entry = below ? last->entry + below - last->lines.nr : last->entry;
	return NULL;
}

const struct outline_line *outline_lines(const struct outline *o, u64 entry)
{
	return o->opened[FIRST_FROM(o->opened, o->nr, entry, entry)].lines.v;
}

/* ---- open and close ---- */

/* Number the lines of the entries from the @kth open one on. */
static void number(struct outline *o, size_t k)
{
	for (; k < o->nr; k++) {
		const struct outline_opened *p = k ? &o->opened[k - 1] : NULL;
		u64 entry = o->opened[k].entry;

		o->opened[k].row = p ? p->row + p->lines.nr + (entry - p->entry) : entry;
	}
}

bool outline_entry_is_open(const struct outline *o, u64 entry)
{
	size_t k = FIRST_FROM(o->opened, o->nr, entry, entry);

	return k < o->nr && o->opened[k].entry == entry;
}

void outline_open(struct outline *o, u64 entry)
{
	size_t k = FIRST_FROM(o->opened, o->nr, entry, entry);

	if (k == o->nr || o->opened[k].entry != entry) {
		VEC_GROW(o->opened, o->nr + 1, o->cap);
		memmove(o->opened + k + 1, o->opened + k, (o->nr - k) * sizeof(*o->opened));
		o->opened[k] = (struct outline_opened){ .entry = entry };
		o->nr++;
	}
	o->opened[k].lines.nr = 0;
	o->below(o->ctx, entry, &o->opened[k].lines);
	if (!o->opened[k].lines.nr)
		outline_close(o, entry);
	else
		number(o, k);
}

void outline_close(struct outline *o, u64 entry)
{
	size_t k = FIRST_FROM(o->opened, o->nr, entry, entry);

	if (k == o->nr || o->opened[k].entry != entry)
		return;
	if (entry >= o->next)
		map64_set(&o->closed, entry, 1);
	free(o->opened[k].lines.v);
	memmove(o->opened + k, o->opened + k + 1, (o->nr - k - 1) * sizeof(*o->opened));
	o->nr--;
	number(o, k);
}

/* Open an entry that is closed, unless it was closed since all were to be opened. */
static void open_next(struct outline *o, u64 entry)
{
	if (!outline_entry_is_open(o, entry) && map64_get(&o->closed, entry) != 1)
		outline_open(o, entry);
}

void outline_open_all(struct outline *o, u64 first, u64 height)
{
	map64_release(&o->nodes);
	map64_release(&o->closed);
	o->all = true;
	o->next = 0;
	for (u64 i = first, top = outline_row(o, i);
	     i < o->nr_entries && outline_row(o, i) - top < height; i++)
		outline_open(o, i);
	/* One without lines was closed by this, and by nobody. */
	map64_release(&o->closed);
}

bool outline_open_more(struct outline *o, u64 ns)
{
	u64 from = clock_ns(CLOCK_MONOTONIC);

	while (o->next < o->nr_entries) {
		open_next(o, o->next++);
		if (clock_ns(CLOCK_MONOTONIC) - from >= ns)
			break;
	}
	return o->next < o->nr_entries;
}

bool outline_is_open(const struct outline *o, const void *node)
{
	return (map64_get(&o->nodes, (uintptr_t)node) == 1) != o->all;
}

void outline_set(struct outline *o, const void *node, bool open)
{
	if (outline_is_open(o, node) != open)
		map64_set(&o->nodes, (uintptr_t)node, open != o->all);
}
