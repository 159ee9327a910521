// SPDX-License-Identifier: GPL-2.0-or-later
/* Compressed bytes are those that went in, as the system's gzip sees them. */
#include "base/compat.h"

#include "codec/deflate.h"

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
	/* The stream alone is shorter by its head (10) and its sums (8). */
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

/* Streams behind each other are one, whatever pieces they were made of. */
static void test_pieces(void **state)
{
	struct strbuf sb = STRBUF_INIT, back = STRBUF_INIT, all = STRBUF_INIT, whole = STRBUF_INIT;
	static u8 large[200000];

	for (size_t i = 0; i < sizeof(large); i++)
		large[i] = (u8)(i * i >> 7);
	strbuf_add(&sb, "\x1f\x8b\x08\0\0\0\0\0\0\x03", 10); /* a gzip file of it */
	for (int i = 0; i < 5; i++) {
		const struct deflate_piece v[] = { { large + i, 1000 },
						   { large, 0 },
						   { "x", 1 },
						   { large + 3000, i == 2 ? 190000 : 70000 } };

		deflate_pieces(&sb, v, ARRAY_SIZE(v), 1, i == 4);
		for (size_t k = 0; k < ARRAY_SIZE(v); k++)
			strbuf_add(&all, v[k].p, v[k].len);
	}
	deflate_gzip(&whole, all.buf, all.len, 1);
	strbuf_add(&sb, whole.buf + whole.len - 8, 8); /* its sums */
	assert_true(gunzip(&sb, &back));
	assert_int_equal(back.len, all.len);
	assert_memory_equal(back.buf, all.buf, all.len);
	strbuf_release(&sb);
	strbuf_release(&back);
	strbuf_release(&all);
	strbuf_release(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_round),
					    cmocka_unit_test(test_pieces) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
