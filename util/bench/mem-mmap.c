// SPDX-License-Identifier: GPL-2.0-or-later
/* mem mmap: memory is mapped, touched once in each page, and unmapped. */
#include "base/compat.h"
#include "bench/mem-internal.h"

#include <errno.h>
#include <sys/mman.h>

/* The next number of a sequence that looks random (xorshift). */
static u64 next_random(u64 *state)
{
	u64 x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return *state = x;
}

static int map_loop(const struct mem_routine *r, struct mem_work *w)
{
	int huge = w->page == 2 << 20 ? 21 : w->page == 1 << 30 ? 30 : 0;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | (r->populate ? MAP_POPULATE : 0) |
		    (huge ? MAP_HUGETLB | huge << 26 : 0);
	u64 size = ALIGN_UP(w->size, w->page), pages = size / w->page, i, state = w->seed;
	volatile u8 *p = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	for (i = 0; i < pages; i++)
		p[(state ? next_random(&state) % pages : i) * w->page] = (u8)i;
	return munmap((void *)p, size) ? -errno : 0;
}

int mem_mmap(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench mem mmap <options>", NULL };
	static const struct mem_routine maps[] = {
		{ "demand", "Demand loaded mmap()", NULL, false },
		{ "populate", "Eagerly populated mmap()", NULL, true },
		{ NULL },
	};
	static const struct mem_kind k = { .usage = usage,
					   .routines = maps,
					   .loop = map_loop,
					   .maps = true,
					   .verb = "Mapping",
					   .pages = "4KB" };

	return mem_measure(b, &k, err);
}
