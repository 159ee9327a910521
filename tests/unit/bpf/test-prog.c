// SPDX-License-Identifier: GPL-2.0-or-later
/* Test BTF taken apart, whole and cut off; what no program gives. */
#include "base/compat.h"
#include "bpf/prog.h"
#include "bpf/btf.h"

#include <setjmp.h>

#include <cmocka.h>

/* a STRUCT of two members, a FUNC_PROTO of one argument, a FUNC, an ENUM of one, a FUNC */
static const u32 btf[] = {
	0x0001eb9f,
	24,
	0,
	25 * 4,
	25 * 4,
	24, /* header: offsets and lengths of types and names */
	1,
	4U << 24 | 2,
	8,
	1,
	2,
	0,
	1,
	2,
	4,
	0,
	13U << 24 | 1,
	1,
	1,
	1,
	3,
	12U << 24 | 1,
	2,
	1,
	6U << 24 | 1,
	4,
	1,
	7,
	9,
	12U << 24,
	2,
	0x66007300,
	0x6f6f,
	0x656c,
	0,
	0,
	0, /* "\0s\0foo" */
};

static void test_names(void **state)
{
	const char *name = btf_func_name(btf, sizeof(btf), 3);

	assert_non_null(name);
	assert_string_equal(name, "foo");
	name = btf_func_name(btf, sizeof(btf), 5);
	assert_non_null(name);
	assert_null(btf_func_name(btf, sizeof(btf), 0));
	assert_null(btf_func_name(btf, sizeof(btf), 1)); /* no function */
	assert_null(btf_func_name(btf, sizeof(btf), 6)); /* not there */
}

/* Nothing is read beyond the end, whatever is missing or wrong. */
static void test_damaged(void **state)
{
	for (size_t n = 0; n < sizeof(btf); n++) {
		u8 *copy = malloc(n ? n : 1);

		memcpy(copy, btf, n);
		for (u32 type = 0; type < 8; type++)
			btf_func_name(copy, n, type);
		free(copy);
	}
	for (size_t at = 0; at < sizeof(btf); at++) {
		u8 *copy = malloc(sizeof(btf));

		for (u32 v = 0; v < 256; v += 51) {
			const char *name;

			memcpy(copy, btf, sizeof(btf));
			copy[at] = (u8)v;
			for (u32 type = 0; type < 8; type++) {
				name = btf_func_name(copy, sizeof(btf), type);
				if (name)
					assert_true(strlen(name) < sizeof(btf));
			}
		}
		free(copy);
	}
}

static void test_none(void **state)
{
	struct bpf_progs l = { 0 };
	struct strbuf sb = STRBUF_INIT;
	struct synth s = { .out = &sb };

	assert_true(bpf_progs_add(&l, 0xfffffff0) < 0);
	synth_bpf(&s, &l);
	assert_int_equal(sb.len, 0);
	bpf_progs_info(&l, &sb);
	bpf_progs_btf(&l, &sb);
	assert_int_equal(sb.len, 8);
	assert_memory_equal(sb.buf, "\0\0\0\0\0\0\0\0", 8);
	strbuf_release(&sb);
	bpf_progs_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
