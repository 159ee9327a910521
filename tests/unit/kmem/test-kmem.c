// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what allocations and frees become, by tables of events. */
#include "base/compat.h"
#include "kmem/kmem.h"
#include "kmem/kmem-internal.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#define NO_PAGE UINT64_MAX

/* It is one event: of objects with the call site and the bytes, of pages with flags, order and
 * type. */
struct step {
	u32 event;
	u64 time;
	u32 cpu;
	u64 at; /* the object or the page */
	u64 values[4];
};

#define ALLOC(t, cpu, ptr, site, requested, allocated, node)                                       \
	{                                                                                          \
		KMEM_KMALLOC, t, cpu, ptr,                                                         \
		{                                                                                  \
			site, requested, allocated, (u64)(node)                                    \
		}                                                                                  \
	}
#define FREE(t, cpu, ptr)                                                                          \
	{                                                                                          \
		KMEM_KFREE, t, cpu, ptr,                                                           \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}
#define PAGES(t, page, order, gfp, type)                                                           \
	{                                                                                          \
		KMEM_PAGE_ALLOC, t, 0, page,                                                       \
		{                                                                                  \
			gfp, order, type                                                           \
		}                                                                                  \
	}
#define PAGES_FREE(t, page, order)                                                                 \
	{                                                                                          \
		KMEM_PAGE_FREE, t, 0, page,                                                        \
		{                                                                                  \
			0, order                                                                   \
		}                                                                                  \
	}

/* The bytes of an event are these words, whatever it is. */
static const struct engine_binding slab_at = {
	.payload = 40,
	.at = { { 0, 8 }, { 8, 8 }, { 16, 8 }, { 24, 8 }, { 32, 4, true } },
};
static const struct engine_binding page_at = {
	.payload = 40,
	.at = { { 16, 4 }, { 0, 8 }, { 0 }, { 8, 8 }, { 24, 4 } },
};

/* Addresses of the allocator end with 0xff; others are those of functions of 0x100 bytes. */
static u64 caller(void *ctx, u64 address)
{
	++*(u32 *)ctx;
	return (address & 0xff) == 0xff ? 0 : address & ~0xffULL;
}

static s32 nodes[] = { 0, 1 };
static const struct env env = { .node_of = nodes, .nr_node_of = 2 };

static void feed(struct kmem *k, const struct step *steps, const u64 *chain, u64 nr_chain)
{
	const struct sample sample = { .callchain = (const u64_una *)chain,
				       .nr_callchain = nr_chain };
	const struct engine *e = kmem_engine(k);

	for (; steps->time; steps++) {
		u64 raw[5] = { steps->at };
		struct engine_input in = {
			.time = steps->time,
			.cpu = steps->cpu,
			.event = steps->event,
			.wanted = true,
			.in_time = true,
			.bound = steps->event < KMEM_PAGE_ALLOC ? &slab_at : &page_at,
			.raw = (const u8 *)raw,
			.raw_size = sizeof(raw),
			.sample = &sample,
		};

		memcpy(raw + 1, steps->values, sizeof(steps->values));
		e->feed(k, &in);
		in.in_time = false;
		e->feed(k, &in); /* has no effect */
	}
}

static struct kmem *new_kmem(u32 *asked)
{
	*asked = 0;
	return kmem_new(&(struct kmem_conf){ true, true, &env, 4096, caller, asked });
}

/* ---- objects ---- */

static const struct {
	const char *name;
	struct step steps[8];
	struct kmem_slab_totals totals;
	struct kmem_use first; /* call site */
	size_t sites, objects;
	struct kmem_leak leak; /* that is the first one */
} slabs[] = {
	{ "nothing", { { 0 } }, { 0 }, { 0 }, 0, 0, { 0 } },
	{ "allocated and freed",
	  { ALLOC(1, 0, 0x10, 0x1000, 20, 32, -1), FREE(2, 0, 0x10) },
	  { 20, 32, 32, 1, 0 },
	  { 0x10, 0x1000, 20, 32, 1, 0 },
	  1,
	  1,
	  { 0 } },
	{ "freed on another CPU",
	  { ALLOC(1, 0, 0x10, 0x1000, 20, 32, -1), FREE(2, 1, 0x10) },
	  { 20, 32, 32, 1, 0 },
	  { 0x10, 0x1000, 20, 32, 1, 1 },
	  1,
	  1,
	  { 0 } },
	{ "freed twice, and what was not allocated",
	  { ALLOC(1, 0, 0x10, 0x1000, 20, 32, -1), FREE(2, 0, 0x10), FREE(3, 1, 0x10),
	    FREE(4, 0, 0x99), FREE(5, 0, 0) },
	  { 20, 32, 32, 1, 0 },
	  { 0x10, 0x1000, 20, 32, 1, 0 },
	  1,
	  1,
	  { 0 } },
	{ "not freed",
	  { ALLOC(1, 0, 0x10, 0x1000, 20, 32, -1), ALLOC(5, 0, 0x20, 0x1000, 20, 32, -1),
	    ALLOC(6, 0, 0x30, 0x1000, 8, 8, -1), FREE(9, 0, 0x30) },
	  { 48, 72, 8, 3, 0 },
	  { 0x30, 0x1000, 48, 72, 3, 0 },
	  1,
	  3,
	  { 0x1000, 64, 2, 3, 8 } },
	{ "an address that another call site gets",
	  { ALLOC(1, 0, 0x10, 0x1000, 20, 32, -1), FREE(2, 0, 0x10),
	    ALLOC(3, 1, 0x10, 0x2000, 30, 32, -1), FREE(4, 0, 0x10) },
	  { 50, 64, 64, 2, 0 },
	  { 0x10, 0x1000, 20, 32, 1, 0 },
	  2,
	  1,
	  { 0 } },
	{ "a free was not seen",
	  { ALLOC(1, 0, 0x10, 0x1000, 20, 32, -1), ALLOC(3, 1, 0x10, 0x2000, 64, 64, -1) },
	  { 84, 96, 0, 2, 0 },
	  { 0x10, 0x1000, 20, 32, 1, 0 },
	  2,
	  1,
	  { 0x2000, 64, 1, 1, 0 } },
	{ "on the node of the CPU, on another, on any, of a CPU without a node",
	  { ALLOC(1, 0, 0x10, 0x1000, 8, 8, 0), ALLOC(2, 0, 0x20, 0x1000, 8, 8, 1),
	    ALLOC(3, 1, 0x30, 0x1000, 8, 8, -1), ALLOC(4, 7, 0x40, 0x1000, 8, 8, 1) },
	  { 32, 32, 0, 4, 1 },
	  { 0x40, 0x1000, 32, 32, 4, 0 },
	  1,
	  4,
	  { 0x1000, 32, 4, 4, 3 } },
};

static void test_slab(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(slabs); i++) {
		u32 asked;
		struct kmem *k = new_kmem(&asked);
		const struct kmem_use *sites;
		struct kmem_leak *leaks;
		size_t nr, nr_objects, nr_leaks;

		feed(k, slabs[i].steps, NULL, 0);
		sites = kmem_slab_sites(k, &nr);
		kmem_slab_objects(k, &nr_objects);
		leaks = kmem_slab_leaks(k, &nr_leaks);
		if (memcmp(kmem_slab_totals(k), &slabs[i].totals, sizeof(slabs[i].totals)) ||
		    nr != slabs[i].sites || nr_objects != slabs[i].objects ||
		    (nr && memcmp(sites, &slabs[i].first, sizeof(*sites))))
			fail_msg("%s: %zu sites, %zu objects, %" PRIu64 " bytes", slabs[i].name, nr,
				 nr_objects, kmem_slab_totals(k)->allocated);
		if (nr_leaks != !!slabs[i].leak.objects ||
		    (nr_leaks && memcmp(leaks, &slabs[i].leak, sizeof(*leaks))))
			fail_msg("%s: %zu leaks", slabs[i].name, nr_leaks);
		assert_int_equal(asked, 0);
		free(leaks);
		kmem_free(k);
	}
}

/* ---- pages ---- */

static const u64 chain[] = { (u64)PERF_CONTEXT_KERNEL, 0x1ff, 0x2ff, 0x3333, 0x4444,
			     (u64)PERF_CONTEXT_USER,   0x5555 };

static const struct step pages[] = {
	PAGES(1, 5, 0, 0xcc0, 1),
	PAGES(2, 6, 2, 0xdc0, 0),
	PAGES(3, NO_PAGE, 3, 0xcc0, 0),
	PAGES_FREE(4, 5, 0),
	PAGES_FREE(5, 7, 1),
	PAGES(6, 8, 0, 0xcc0, 1),
	PAGES_FREE(7, 5, 0),
	{ 0 },
};

static void test_pages(void **state)
{
	const struct kmem_page_totals want = {
		.allocs = 4,
		.alloc_bytes = 14 * 4096,
		.frees = 3,
		.free_bytes = 4 * 4096,
		.pairs = 1,
		.pair_bytes = 4096,
		.free_only = 2,
		.free_only_bytes = 3 * 4096,
		.failures = 1,
		.failure_bytes = 8 * 4096,
	};
	const struct kmem_pages row = { 0, 0x3300, 0xcc0, 0, 1, 2, 8192, 1, 4096 };
	u32 asked;
	struct kmem *k = new_kmem(&asked);
	struct kmem_leak *leaks;
	size_t nr;

	feed(k, pages, chain, ARRAY_SIZE(chain));
	assert_memory_equal(kmem_page_totals(k), &want, offsetof(struct kmem_page_totals, frames));
	assert_true(kmem_page_totals(k)->frames);
	assert_memory_equal(kmem_page_sites(k, &nr), &row, sizeof(row));
	assert_int_equal(nr, 2);
	kmem_page_places(k, &nr);
	assert_int_equal(nr, 3);
	/* Each address was asked for once. */
	assert_int_equal(asked, 3);
	leaks = kmem_page_leaks(k, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(leaks->site, 0x3300);
	assert_int_equal(leaks->bytes, 5 * 4096);
	assert_int_equal(leaks->objects, 2);
	assert_int_equal(leaks->allocated, 3);
	assert_int_equal(leaks->age, 5);
	assert_int_equal(kmem_span(k), 6);
	free(leaks);
	kmem_free(k);
}

/* A page that is allocated twice was freed in between. */
static void test_lost_free(void **state)
{
	static const struct step steps[] = {
		PAGES(1, 5, 0, 0xcc0, 1),
		PAGES(2, 5, 1, 0xdc0, 1),
		{ 0 },
	};
	u32 asked;
	struct kmem *k = new_kmem(&asked);
	const struct kmem_pages *rows;
	struct kmem_leak *leaks;
	size_t nr;

	feed(k, steps, chain, ARRAY_SIZE(chain));
	rows = kmem_page_places(k, &nr);
	assert_int_equal(nr, 2);
	assert_int_equal(rows[0].allocs - rows[0].frees, 0);
	assert_int_equal(rows[1].allocs - rows[1].frees, 1);
	assert_int_equal(kmem_page_totals(k)->pairs, 0);
	leaks = kmem_page_leaks(k, &nr);
	assert_int_equal(leaks->bytes, 8192);
	free(leaks);
	kmem_free(k);
}

/* A chain without a caller outside of the allocator, and none at all. */
static void test_no_caller(void **state)
{
	static const u64 inside[] = { (u64)PERF_CONTEXT_KERNEL, 0x1ff, (u64)PERF_CONTEXT_USER,
				      0x3333 };
	u32 asked;
	struct kmem *k = new_kmem(&asked);
	size_t nr;

	feed(k, pages, inside, ARRAY_SIZE(inside));
	assert_int_equal(kmem_page_sites(k, &nr)->site, 0);
	feed(k, pages, NULL, 0);
	kmem_page_sites(k, &nr);
	assert_int_equal(nr, 2);
	kmem_free(k);
}

/* Orders and pages of damaged files. */
static void test_odd(void **state)
{
	static const struct step steps[] = {
		PAGES(9, 0, UINT32_MAX, UINT64_MAX, UINT32_MAX),
		PAGES_FREE(8, 0, 63),
		ALLOC(7, UINT32_MAX, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX, INT32_MIN),
		{ 0 },
	};
	u32 asked;
	struct kmem *k = new_kmem(&asked);
	size_t nr;

	feed(k, steps, chain, ARRAY_SIZE(chain));
	assert_int_equal(kmem_page_sites(k, &nr)->order, KMEM_ORDERS - 1);
	assert_int_equal(kmem_page_totals(k)->pairs, 1);
	assert_int_equal(kmem_slab_totals(k)->cross_node, 0);
	kmem_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slab),      cmocka_unit_test(test_pages),
		cmocka_unit_test(test_lost_free), cmocka_unit_test(test_no_caller),
		cmocka_unit_test(test_odd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
