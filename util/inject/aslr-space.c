// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "inject/aslr-space.h"

#include "base/alloc.h"

#define PAGE ((u64)4096)

/*
 * The new addresses begin where no kernel puts anything: on x86-64 the addresses of kernels are in
 * a hole that is reserved for hypervisors.
 */
#define USER_MAPS 0x100000000000ULL
#define USER_PAGES 0x200000000000ULL
#define KERNEL_MAPS 0xffff812300000000ULL
#define KERNEL_PAGES 0xffff870000000000ULL

void shifted_init(struct shifted_space *s, bool kernel)
{
	*s = (struct shifted_space){ .kernel = kernel,
				     .maps_end = kernel ? KERNEL_MAPS : USER_MAPS };
}

void shifted_release(struct shifted_space *s)
{
	free(s->maps);
	map64_release(&s->pages);
	*s = (struct shifted_space){ 0 };
}

void shifted_copy(struct shifted_space *to, const struct shifted_space *from)
{
	shifted_release(to);
	shifted_init(to, from->kernel);
	VEC_GROW(to->maps, from->nr, to->cap);
	if (from->nr)
		memcpy(to->maps, from->maps, from->nr * sizeof(*to->maps));
	to->nr = from->nr;
	to->maps_end = from->maps_end;
}

/* Return the position of the first mapping that ends above @addr. */
static size_t first_above(const struct shifted_space *s, u64 addr)
{
	size_t low = 0, high = s->nr;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (s->maps[mid].end > addr)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

static void insert(struct shifted_space *s, size_t at, struct shifted_map map)
{
	VEC_GROW(s->maps, s->nr + 1, s->cap);
	memmove(s->maps + at + 1, s->maps + at, (s->nr - at) * sizeof(*s->maps));
	s->maps[at] = map;
	s->nr++;
}

/* Take a range out of the mappings, of which the parts beside it keep their places. Return: the
 * position of a mapping there. */
static size_t cut_out(struct shifted_space *s, u64 start, u64 end)
{
	size_t at = first_above(s, start), last = at;

	if (at < s->nr && s->maps[at].start < start) {
		struct shifted_map rest = s->maps[at];

		s->maps[at++].end = start;
		rest.to += start - rest.start;
		rest.start = start;
		insert(s, at, rest);
		last = at;
	}
	while (last < s->nr && s->maps[last].end <= end)
		last++;
	if (last < s->nr && s->maps[last].start < end) {
		s->maps[last].to += end - s->maps[last].start;
		s->maps[last].start = end;
	}
	if (last < s->nr)
		memmove(s->maps + at, s->maps + last, (s->nr - last) * sizeof(*s->maps));
	s->nr -= last - at;
	return at;
}

u64 shifted_map(struct shifted_space *s, u64 start, u64 len, bool code)
{
	u64 end = len && len <= UINT64_MAX - start ? start + len : UINT64_MAX;
	u64 to = s->maps_end + start % PAGE, room = ALIGN_UP(start % PAGE + (end - start), PAGE);
	size_t at;

	if (start == end)
		return shifted_addr(s, start);
	at = cut_out(s, start, end);
	insert(s, at, (struct shifted_map){ start, end, to, code });
	s->maps_end += room + PAGE; /* nothing borders on another, as in a damaged recording */
	return to;
}

const struct shifted_map *shifted_find(const struct shifted_space *s, u64 addr)
{
	size_t at = first_above(s, addr);

	return at < s->nr && s->maps[at].start <= addr ? &s->maps[at] : NULL;
}

u64 shifted_page(struct shifted_space *s, u64 page)
{
	u32 *at = map64_slot(&s->pages, page);

	if (*at == MAP64_NONE)
		*at = (u32)s->pages.nr;
	return *at;
}

u64 shifted_addr(struct shifted_space *s, u64 addr)
{
	const struct shifted_map *map = shifted_find(s, addr);

	if (map)
		return map->to + (addr - map->start);
	return (s->kernel ? KERNEL_PAGES : USER_PAGES) + shifted_page(s, addr / PAGE) * PAGE +
	       addr % PAGE;
}
