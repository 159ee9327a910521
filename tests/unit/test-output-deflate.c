// SPDX-License-Identifier: GPL-2.0-or-later
/* Compressed bytes are those that went in, as the system's gzip sees them. */
#include "base/compat.h"

#include "output/deflate.h"

#include "gunzip.h"

#include <setjmp.h>

#include <cmocka.h>

static void check(const void *data, size_t len)
{
	struct strbuf sb = STRBUF_INIT, back = STRBUF_INIT;

	deflate_gzip(&sb, data, len, 6);
	assert_true(gunzip(&sb, &back));
	assert_int_equal(back.len, len);
	if (len)
		assert_memory_equal(back.buf, data, len);
	/* The same stream stands between its head (10) and its sums (8). */
	strbuf_reset(&back);
	deflate_raw(&back, data, len, 6);
	assert_int_equal(back.len + 18, sb.len);
	assert_memory_equal(back.buf, sb.buf + 10, back.len);
	strbuf_release(&sb);
	strbuf_release(&back);
}

static void test_round(void **state)
{
	static u8 large[300000];
	u32 v = 1;

	for (size_t i = 0; i < sizeof(large); i++) {
		v = v * 1664525 + 1013904223;
		large[i] = i < 100000 ? (u8)(i / 1000) : (u8)(v >> 24);
	}
	check("", 0);
	check("x", 1);
	check(large, 65535);
	check(large + 100000, 65536);
	check(large, sizeof(large));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_round) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
