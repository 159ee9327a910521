// SPDX-License-Identifier: GPL-2.0-or-later
/* Test records of Arm SPE: what each packet adds, where a record ends, and bytes that are none. */
#include "base/compat.h"
#include "aux/spe-record.h"

#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#define BYTES(...) (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ })
#define END 0x01
#define PC(level) 0xb0, 0x10, 0, 0x40, 0, 0, 0, 0, 0x80 | (level) << 5

static struct spe_record only(const u8 *bytes, size_t size)
{
	struct spe_record r, none;
	size_t at = 0;
	u64 bad = 0;

	assert_true(spe_record_next(bytes, &at, size, &r, &bad));
	assert_int_equal(at, size);
	assert_false(spe_record_next(bytes, &at, size, &none, &bad));
	assert_int_equal(bad, 0);
	return r;
}

static void test_addresses(void **state)
{
	struct spe_record r = only(BYTES(PC(0), END));

	assert_int_equal(r.pc, 0x400010);
	assert_int_equal(r.level, 0);
	r = only(BYTES(PC(1), END));
	assert_true(r.pc == 0xff00000000400010);
	assert_int_equal(r.level, 1);
	r = only(BYTES(PC(2), END));
	assert_true(r.pc == 0xff00000000400010);
	r = only(BYTES(PC(3), END)); /* firmware has addresses of its own */
	assert_int_equal(r.pc, 0x400010);
	r = only(BYTES(0xb1, 0x20, 0, 0x40, 0, 0, 0, 0, 0x80, END));
	assert_int_equal(r.target, 0x400020);
	r = only(BYTES(0xb1, 0x20, 0, 0x40, 0, 0, 0, 0, 0xa0, END));
	assert_true(r.target == 0xff00000000400020);
	/* a tag in the highest byte is none of the address */
	r = only(BYTES(0xb2, 0x28, 0, 0, 0, 0x7f, 0, 0, 0x3c, END));
	assert_int_equal(r.addr, 0x7f00000028);
	r = only(BYTES(0xb2, 0x28, 0, 0, 0, 0x7f, 0, 0x80, 0x3c, END));
	assert_true(r.addr == 0xff80007f00000028);
	r = only(BYTES(0xb3, 0x28, 0, 0, 0, 1, 0, 0, 0xc5, END));
	assert_int_equal(r.phys, 0x100000028);
	r = only(BYTES(0x21, 0xb2, 5, 0, 0, 0, 0, 0, 0, 0, END)); /* of an unknown meaning */
	assert_int_equal(r.addr, 0);
}

static void test_other_packets(void **state)
{
	struct spe_record r = only(BYTES(0x71, 1, 2, 0, 0, 0, 0, 0, 0));

	assert_int_equal(r.time, 513);
	r = only(BYTES(0x52, 0x0c, 0x03, END));
	assert_int_equal(r.events, SPE_EV_L1D_ACCESS | SPE_EV_L1D_REFILL | SPE_EV_LLC_ACCESS |
					   SPE_EV_LLC_REFILL);
	r = only(BYTES(0x43, 0x0d, END));
	assert_int_equal(r.source, 0x0d);
	assert_false(r.has_context);
	r = only(BYTES(0x64, 0x34, 0x12, 0, 0, END));
	assert_true(r.has_context);
	assert_int_equal(r.context, 0x1234);
	r = only(BYTES(0x49, 0x01, END));
	assert_int_equal(r.op_class, SPE_OP_MEMORY);
	assert_int_equal(r.op & SPE_OP_STORE, SPE_OP_STORE);
	r = only(BYTES(0x4a, 0x03, END));
	assert_int_equal(r.op_class, SPE_OP_BRANCH);
	r = only(BYTES(0x98, 0x34, 0x12, 0x99, 1, 0, 0x9a, 2, 0, 0x20, 0, END)); /* and padding */
	assert_int_equal(r.latency, 0x1234);
}

/* Each record stands for itself: nothing of the one before is left. */
static void test_several(void **state)
{
	static const u8 bytes[] = { PC(0), 0x49, 0x00, 0x64, 7, 0, 0, 0, END, 0,   0,
				    PC(1), 0x4a, 0x00, END,  0, 0, 0, 0, 0,   0x49 };
	struct spe_record r;
	size_t at = 0;
	u64 bad = 0;

	assert_true(spe_record_next(bytes, &at, sizeof(bytes), &r, &bad));
	assert_int_equal(r.op_class, SPE_OP_MEMORY);
	assert_true(spe_record_next(bytes, &at, sizeof(bytes), &r, &bad));
	assert_int_equal(r.op_class, SPE_OP_BRANCH);
	assert_int_equal(r.level, 1);
	assert_false(r.has_context);
	assert_false(spe_record_next(bytes, &at, sizeof(bytes), &r, &bad)); /* a header alone */
	assert_int_equal(at, sizeof(bytes));
	assert_int_equal(bad, 1);
}

/* A record is dropped when any of its bytes is no packet, and the next one counts. */
static void test_unknown(void **state)
{
	static const u8 bytes[] = { PC(0), 0xff, 0x02, 0x49, 0x00, END, 0x49, 0x01, END };
	struct spe_record r;
	size_t at = 0;
	u64 bad = 0;

	assert_true(spe_record_next(bytes, &at, sizeof(bytes), &r, &bad));
	assert_int_equal(bad, 2);
	assert_int_equal(r.pc, 0);
	assert_int_equal(r.op, SPE_OP_STORE);
	assert_int_equal(at, sizeof(bytes));
}

/* A trace may be cut anywhere: records in front of that place count, and the end is found. */
static void test_truncated(void **state)
{
	static const u8 bytes[] = { PC(0), 0x49, 0x00, 0x71, 1, 0, 0, 0, 0,    0, 0, 0,
				    PC(0), 0x49, 0x01, 0x71, 2, 0, 0, 0, 0x20, 1, 0, 0 };
	const size_t first = 20, all = sizeof(bytes);

	for (size_t size = 0; size <= all; size++) {
		struct spe_record r;
		size_t at = 0, nr = 0;
		u64 bad = 0;
		u8 copy[sizeof(bytes)];

		memcpy(copy, bytes, size);
		for (; spe_record_next(copy, &at, size, &r, &bad); nr++)
			assert_true(at <= size);
		assert_int_equal(at, size);
		assert_true(nr >= (size >= first) && nr <= 2);
		assert_true(bad <= 20);
	}
}

/* Alignment that leads out of the trace is no packet, for any unit. */
static void test_alignment(void **state)
{
	for (u8 upper = 0; upper < 4; upper++) {
		const u8 bytes[] = { 0x01, 0x20 | upper, 0x00 };
		struct spe_record r;
		size_t at = 1;
		u64 bad = 0;

		assert_false(spe_record_next(bytes, &at, sizeof(bytes), &r, &bad));
		assert_int_equal(at, sizeof(bytes));
		assert_true(bad <= 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses), cmocka_unit_test(test_other_packets),
		cmocka_unit_test(test_several),   cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_truncated), cmocka_unit_test(test_alignment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
