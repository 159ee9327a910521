// SPDX-License-Identifier: GPL-2.0-or-later
/* Test that the address cache of a worker returns what was put there, or nothing. */
#include "base/compat.h"

#include "hist/address-cache.h"
#include "resolve/resolve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static u64 seed;

static u64 any(u64 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 20) % below;
}

/* The number of an address, as good as any. */
static u32 number(const struct address_key *k)
{
	return (u32)(k->ip * 31 + k->epoch * 7 + k->mode) & 0xfffffff;
}

static void remembered(void **state)
{
	struct address_cache t;
	u32 found = 0;

	(void)state;
	address_cache_init(&t, 1, true); /* the smallest: sets are full soon */
	for (int i = 0; i < 100000; i++) {
		u32 epoch = (u32)any(3);
		u8 mode = (u8)any(3);
		u64 ip = any(any(4) ? 50 : 5000), more = 0;
		struct address_key k = address_cache_key(ip, epoch, mode, 0);
		u32 id = address_cache_find(&t, &k, &more);

		if (id == UINT32_MAX) {
			address_cache_put(&t, &k, number(&k), ip << 8 | mode);
			continue;
		}
		found++;
		assert_int_equal(id, number(&k));
		assert_int_equal(more, ip << 8 | mode);
	}
	/* Three of four are among 450 for 128 places; what is seen once does not push them out. */
	assert_true(found > 10000);
	address_cache_release(&t);
}

/* Numbers and modes that a slot has no room for are not remembered, and do no harm. */
static void too_large(void **state)
{
	struct address_cache t;
	struct address_key user = address_cache_key(0, 0, 2, 0),
			   other = address_cache_key(0, 0, RESOLVE_ANY_MODE, 0),
			   none = address_cache_key(0, 0, 0, 0);
	u64 more;

	(void)state;
	address_cache_init(&t, 0, false);
	assert_int_equal(address_cache_find(&t, &none, &more), UINT32_MAX);
	address_cache_put(&t, &user, UINT32_MAX >> ADDRESS_MODE_BITS, 0);
	assert_int_equal(address_cache_find(&t, &user, &more), UINT32_MAX);
	address_cache_put(&t, &other, 5, 0);
	assert_int_equal(address_cache_find(&t, &other, &more), UINT32_MAX);
	address_cache_put(&t, &user, (UINT32_MAX >> ADDRESS_MODE_BITS) - 1, 0);
	assert_int_equal(address_cache_find(&t, &user, &more),
			 (UINT32_MAX >> ADDRESS_MODE_BITS) - 1);
	address_cache_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(remembered),
		cmocka_unit_test(too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
