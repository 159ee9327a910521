// SPDX-License-Identifier: GPL-2.0-or-later
/* Values by BTF: structs, unions, bit fields, arrays and enums of a small BTF, and of the kernel's.
 */
#include "base/compat.h"
#include "bpf/btf-print.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <linux/btf.h>

/* The strings, and where each begins. */
static const char strings[] =
	"\0int\0char\0pair\0a\0b\0name\0in\0mode\0OFF\0ON\0bits\0x\0y\0list\0next\0u\0big";
enum {
	S_INT = 1,
	S_CHAR = 5,
	S_PAIR = 10,
	S_A = 15,
	S_B = 17,
	S_NAME = 19,
	S_IN = 24,
	S_MODE = 27,
	S_OFF = 32,
	S_ON = 36,
	S_BITS = 39,
	S_X = 44,
	S_Y = 46,
	S_LIST = 48,
	S_NEXT = 53,
	S_U = 58,
	S_BIG = 60,
};

#define INFO(kind, vlen) ((u32)(kind) << 24 | (vlen))
#define BITFIELDS (1U << 31)

/* The types, whose ids are told before each. */
static const u32 types[] = {
	/* 1 */ S_INT,
	INFO(BTF_KIND_INT, 0),
	4,
	BTF_INT_SIGNED << 24 | 32,
	/* 2 */ S_CHAR,
	INFO(BTF_KIND_INT, 0),
	1,
	BTF_INT_CHAR << 24 | 8,
	/* 3: char[8] */ 0,
	INFO(BTF_KIND_ARRAY, 0),
	0,
	2,
	1,
	8,
	/* 4: int[3] */ 0,
	INFO(BTF_KIND_ARRAY, 0),
	0,
	1,
	1,
	3,
	/* 5 */ S_MODE,
	INFO(BTF_KIND_ENUM, 2),
	4,
	S_OFF,
	0,
	S_ON,
	1,
	/* 6 */ S_PAIR,
	INFO(BTF_KIND_STRUCT, 2),
	8,
	S_A,
	1,
	0,
	S_B,
	1,
	32,
	/* 7: a pointer */ 0,
	INFO(BTF_KIND_PTR, 0),
	6,
	/* 8 */ S_LIST,
	INFO(BTF_KIND_STRUCT, 6),
	48,
	S_NAME,
	3,
	0,
	S_IN,
	6,
	64,
	S_MODE,
	5,
	128,
	S_NEXT,
	7,
	192,
	S_X,
	4,
	256,
	0,
	9,
	352,
	/* 9: union */ 0,
	INFO(BTF_KIND_UNION, 1),
	4,
	S_U,
	1,
	0,
	/* 10 */ S_BITS,
	INFO(BTF_KIND_STRUCT, 2) | BITFIELDS,
	4,
	S_X,
	1,
	3U << 24,
	S_Y,
	1,
	5U << 24 | 3,
	/* 11: itself */ 0,
	INFO(BTF_KIND_CONST, 0),
	11,
	/* 12 */ S_BIG,
	INFO(BTF_KIND_ENUM64, 1),
	8,
	S_ON,
	0,
	1,
	/* 13: an array of itself */ 0,
	INFO(BTF_KIND_ARRAY, 0),
	0,
	13,
	1,
	4,
	/* 14: a struct of itself */ S_X,
	INFO(BTF_KIND_STRUCT, 1),
	4,
	S_A,
	14,
	0,
};

static u8 bytes[sizeof(struct btf_header) + sizeof(types) + sizeof(strings)];

static void small_btf(struct btf *b)
{
	const struct btf_header h = { .magic = BTF_MAGIC,
				      .version = 1,
				      .hdr_len = sizeof(h),
				      .type_len = sizeof(types),
				      .str_off = sizeof(types),
				      .str_len = sizeof(strings) };

	memcpy(bytes, &h, sizeof(h));
	memcpy(bytes + sizeof(h), types, sizeof(types));
	memcpy(bytes + sizeof(h) + sizeof(types), strings, sizeof(strings));
	assert_int_equal(btf_open(b, bytes, sizeof(bytes)), 0);
	btf_index(b);
}

static const struct btf_view usual = BTF_VIEW_DEFAULT;

static void expect(const struct btf *b, u32 id, const void *data, size_t size,
		   const struct btf_view *v, const char *text)
{
	struct strbuf out = STRBUF_INIT;

	btf_print(&out, b, id, data, size, v);
	assert_string_equal(strbuf_str(&out), text);
	strbuf_release(&out);
}

static void test_find(void **state)
{
	struct btf b;

	small_btf(&b);
	assert_int_equal(btf_find(&b, "struct pair"), 6);
	assert_int_equal(btf_find(&b, "enum mode"), 5);
	assert_int_equal(btf_find(&b, "enum big"), 12);
	assert_int_equal(btf_find(&b, "struct mode"), 0);
	assert_int_equal(btf_find(&b, "pair"), 0);
	assert_int_equal(btf_find(&b, "struct "), 0);
	assert_int_equal(btf_func(&b, "pair"), 0); /* it is a struct */
	assert_int_equal(btf_typedef(&b, "pair"), 0);
	assert_int_equal(btf_params(&b, "pair"), -ENOENT);
	assert_int_equal(btf_size(&b, 8), 48);
	assert_int_equal(btf_size(&b, 4), 12);
	assert_int_equal(btf_size(&b, 7), sizeof(void *));
	assert_int_equal(btf_size(&b, 11), 0);
	assert_int_equal(btf_size(&b, 13), 0);
	assert_int_equal(btf_size(&b, 0), 0);
	assert_int_equal(btf_size(&b, 99), 0);
	btf_close(&b);
}

static void test_print(void **state)
{
	static const struct {
		u8 name[8];
		s32 a, b;
		u32 mode, pad;
		u64 next;
		u32 x[3], u;
	} list = { "na\x1bme", -1, 0, 1, 0, 0x7f00, { 1, 2, 0 }, 7 };
	static const s32 pair[] = { 5, -6 };
	static const u32 flags = 0xfd; /* x has 3 bits and is -3, y has 5 and is -1 */
	static const u64 big = 1ULL << 32;
	struct btf_view bare = usual, zeros = usual, flat = usual;
	struct btf b;

	bare.names = false;
	zeros.zeros = true;
	flat.depth = 1;
	small_btf(&b);
	expect(&b, 6, pair, sizeof(pair), &usual, "{.a = 5, .b = -6}");
	expect(&b, 6, pair, sizeof(pair), &bare, "{5,-6,}");
	expect(&b, 8, &list, sizeof(list), &usual,
	       "{.name = \"na\\x1bme\", .in = {.a = -1}, .mode = ON, .next = 0x7f00, .x = [1, 2], {.u = 7}}");
	expect(&b, 8, &list, sizeof(list), &bare, "{\"na\\x1bme\",{-1,},ON,0x7f00,[1,2,],{7,},}");
	expect(&b, 8, &list, sizeof(list), &zeros,
	       "{.name = \"na\\x1bme\", .in = {.a = -1, .b = 0}, .mode = ON, .next = 0x7f00, .x = [1, 2, 0], {.u = 7}}");
	expect(&b, 8, &list, 20, &flat, "{.name = \"na\\x1bme\", .in = {...}, .mode = ON}");
	expect(&b, 10, &flags, sizeof(flags), &usual, "{.x = -3, .y = -1}");
	expect(&b, 12, &big, sizeof(big), &usual, "ON");
	btf_close(&b);
}

/* Damaged types neither crash nor hang the reader. */
static void test_wrong(void **state)
{
	static const u8 data[64] = { 1 };
	struct btf b;

	small_btf(&b);
	expect(&b, 99, data, sizeof(data), &usual, "...");
	expect(&b, 11, data, sizeof(data), &usual, "?");
	expect(&b, 13, data, sizeof(data), &usual, "[]");
	expect(&b, 14, data, sizeof(data), &usual, "{.a = {.a = {.a = {.a = {...}}}}}");
	expect(&b, 6, data, 0, &usual, "{}");
	assert_null(btf_enum_name(&b, 5, 2));
	assert_null(btf_enum_name(&b, 6, 0));
	btf_close(&b);
	for (size_t size = 0; size < sizeof(bytes); size++) {
		struct strbuf out = STRBUF_INIT;

		if (btf_open(&b, bytes, size))
			continue;
		btf_index(&b);
		for (u32 id = 0; id < b.nr; id++)
			btf_print(&out, &b, id, data, sizeof(data), &usual);
		strbuf_release(&out);
		btf_close(&b);
	}
}

/* The types of the running kernel. */
static void test_kernel(void **state)
{
	static const s64 ts[] = { 1, 2 };
	struct sysroot sr = { 0 };
	struct btf b;
	u32 id;

	if (btf_open_kernel(&b, &sr, NULL))
		skip();
	btf_index(&b);
	id = btf_find(&b, "struct timespec64");
	assert_int_equal(btf_size(&b, id), sizeof(ts));
	expect(&b, id, ts, sizeof(ts), &usual, "{.tv_sec = 1, .tv_nsec = 2}");
	assert_string_equal(btf_enum_name(&b, btf_find(&b, "enum hrtimer_mode"), 0),
			    "HRTIMER_MODE_ABS");
	btf_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
