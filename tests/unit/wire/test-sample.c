// SPDX-License-Identifier: GPL-2.0-or-later
/* Test samples and trailers of every layout, in both byte orders: bytes in, values out. */
#include "base/compat.h"
#include "drive.h"
#include "wire/event.h"

#include <setjmp.h>
#include <cmocka.h>

#define ALL_BITS                                                                                   \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |             \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |         \
	 PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |               \
	 PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |              \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |                      \
	 PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX)

static const struct pb_id the_id = { 10, 11, 12000, 77, 78, 3 };

static struct perf_event_attr full_attr(void)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.sample_type = ALL_BITS,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST |
			       PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX | 1ULL << 19,
		.sample_regs_user = 0x15,
		.sample_regs_intr = 0x3,
		.sample_id_all = 1,
	};
}

/* mispred=1, abort=1, cycles=0x1234, type=5, spec=2, new_type=9, priv=3 as this machine lays them
 * out. */
#define BRANCH_FLAGS                                                                               \
	(1ULL | 1 << 3 | 0x1234ULL << 4 | 5ULL << 20 | 2ULL << 24 | 9ULL << 26 | 3ULL << 30)

/* Return the same fields as a machine of the other order numbers their bits. */
static u64 foreign_branch_flags(void)
{
	return 1ULL << 63 | 1ULL << 60 | 0x1234ULL << 44 | 5ULL << 40 | 2ULL << 38 | 9ULL << 34 |
	       3ULL << 31;
}

static void put_words(struct pb *b, u64 first, int nr)
{
	for (int i = 0; i < nr; i++)
		pb_u64(b, first + (u64)i);
}

static void put_tail(struct pb *b)
{
	pb_u64(b, 2); /* regs_user: abi 64, 3 registers */
	put_words(b, 0x500, 3);
	pb_u64(b, 16); /* stack: 16 bytes, 8 of them valid */
	pb_bytes(b, "stackstackstacks", 16);
	pb_u64(b, 8);
	pb_u64(b, 0x0003000200000001ULL); /* weight: 1, 2, 3 */
	pb_u64(b, 0x600);                 /* data_src */
	pb_u64(b, 0x601);                 /* transaction */
	pb_u64(b, 1);                     /* regs_intr: abi 32, 2 registers */
	put_words(b, 0x700, 2);
	put_words(b, 0x800, 4); /* phys_addr cgroup data_page_size code_page_size */
	pb_u64(b, 8);
	pb_bytes(b, "auxbytes", 8);
}

static void put_full_sample(struct pb *b)
{
	size_t at = pb_begin(b, PERF_RECORD_SAMPLE,
			     PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_EXACT_IP);

	pb_u64(b, 77);
	pb_u64(b, 0x401000);
	pb_u32(b, 10);
	pb_u32(b, 11);
	pb_u64(b, 12000);
	pb_u64(b, 0xadd0);
	pb_u64(b, 77);
	pb_u64(b, 78);
	pb_u32(b, 3);
	pb_u32(b, 0);
	pb_u64(b, 999);
	pb_u64(b, 2); /* read: 2 members of {value, id, lost} behind the times */
	put_words(b, 0x100, 2 + 2 * 3);
	pb_u64(b, 3); /* callchain */
	put_words(b, 0x200, 3);
	pb_u32(b, 12); /* raw */
	pb_bytes(b, "raw payload.", 12);
	pb_u64(b, 2); /* branches */
	pb_u64(b, 5); /* hw_idx */
	for (int i = 0; i < 2; i++) {
		put_words(b, 0x300 + 0x10 * (u64)i, 2);
		pb_u64(b, b->swap ? foreign_branch_flags() : BRANCH_FLAGS);
	}
	put_words(b, 0x400, 2); /* counters */
	put_tail(b);
	pb_end(b, at);
}

static void check_fixed(const struct sample *s)
{
	assert_int_equal(s->misc, PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_EXACT_IP);
	assert_int_equal(s->cpumode, PERF_RECORD_MISC_KERNEL);
	assert_int_equal(s->id, 77);
	assert_int_equal(s->ip, 0x401000);
	assert_int_equal(s->pid, 10);
	assert_int_equal(s->tid, 11);
	assert_int_equal(s->time, 12000);
	assert_int_equal(s->addr, 0xadd0);
	assert_int_equal(s->stream_id, 78);
	assert_int_equal(s->cpu, 3);
	assert_int_equal(s->period, 999);
}

static void check_variable(const struct sample *s)
{
	assert_int_equal(s->read_size, 8 * 9);
	assert_int_equal(((const u64_una *)s->read)[8], 0x107);
	assert_int_equal(s->nr_callchain, 3);
	assert_int_equal(s->callchain[2], 0x202);
	assert_int_equal(s->raw_size, 12);
	assert_memory_equal(s->raw, "raw payload.", 12);
	assert_int_equal(s->nr_branches, 2);
	assert_true(s->has_hw_idx);
	assert_int_equal(s->branch_hw_idx, 5);
	assert_int_equal(s->branches[3], 0x310);
	assert_true(s->branches[5] == BRANCH_FLAGS);
	assert_int_equal(s->branch_counters[1], 0x401);
	assert_int_equal(s->user_regs.abi, 2);
	assert_int_equal(s->user_regs.mask, 0x15);
	assert_int_equal(s->user_regs.regs[2], 0x502);
	assert_int_equal(s->user_stack_size, 16);
	assert_int_equal(s->user_stack_dyn, 8);
	assert_memory_equal(s->user_stack, "stackstack", 8);
	assert_int_equal(s->weight, 1);
	assert_int_equal(s->ins_lat, 2);
	assert_int_equal(s->p_stage_cyc, 3);
	assert_int_equal(s->data_src, 0x600);
	assert_int_equal(s->transaction, 0x601);
	assert_int_equal(s->intr_regs.regs[1], 0x701);
	assert_int_equal(s->phys_addr, 0x800);
	assert_int_equal(s->cgroup, 0x801);
	assert_int_equal(s->data_page_size, 0x802);
	assert_int_equal(s->code_page_size, 0x803);
	assert_int_equal(s->aux_size, 8);
	assert_memory_equal(s->aux, "auxbytes", 8);
}

static void full_sample(bool swap)
{
	struct perf_event_attr attr = full_attr();
	struct wire_layout l;
	struct sample s;
	struct pb b;

	layout_init(&l, &attr);
	pb_init(&b, swap);
	put_full_sample(&b);
	if (swap)
		record_there_and_back(&l, &b);
	assert_int_equal(sample_decode(&l, b.out.buf, b.out.len, &s), 0);
	check_fixed(&s);
	check_variable(&s);
	/* A record may be cut off anywhere: the decoder says so and does nothing else. */
	for (size_t n = 0; n < b.out.len; n++)
		assert_int_equal(sample_decode(&l, b.out.buf, n, &s), -EINVAL);
	pb_release(&b);
}

static void test_full_native(void **state)
{
	full_sample(false);
}

static void test_full_foreign(void **state)
{
	full_sample(true);
}

static void test_swap_cut(void **state)
{
	struct perf_event_attr attr = full_attr();
	struct wire_layout l;
	struct pb b;

	layout_init(&l, &attr);
	pb_init(&b, true);
	put_full_sample(&b);
	for (size_t n = 0; n < b.out.len; n++) {
		u8 *copy = malloc(n ? n : 1);

		assert_non_null(copy);
		memcpy(copy, b.out.buf, n);
		assert_int_equal(record_swap(&l, copy, n), -EINVAL);
		free(copy);
	}
	pb_release(&b);
}

static void test_absent_fields(void **state)
{
	struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_IP };
	struct wire_layout l;
	struct sample s;
	struct pb b;

	layout_init(&l, &attr);
	pb_init(&b, false);
	pb_sample(&b, attr.sample_type, 0x1234, &the_id, 0);
	assert_int_equal(sample_decode(&l, b.out.buf, b.out.len, &s), 0);
	assert_int_equal(s.ip, 0x1234);
	assert_int_equal(s.pid, ~0U);
	assert_int_equal(s.tid, ~0U);
	assert_int_equal(s.cpu, ~0U);
	assert_true(s.time == ~0ULL && s.id == ~0ULL && s.stream_id == ~0ULL);
	assert_int_equal(s.period, 0);
	assert_null(s.callchain);
	assert_null(s.raw);
	pb_release(&b);
}

/* One field of variable size, with a count that reaches past the record (and past 64 bits when
 * multiplied). */
static void test_counts_too_large(void **state)
{
	static const u64 bits[] = { PERF_SAMPLE_CALLCHAIN,  PERF_SAMPLE_BRANCH_STACK,
				    PERF_SAMPLE_STACK_USER, PERF_SAMPLE_AUX,
				    PERF_SAMPLE_RAW,        PERF_SAMPLE_READ };
	static const u64 counts[] = { 3, 1ULL << 32, 1ULL << 61, ~0ULL };
	struct wire_layout l;
	struct sample s;
	struct pb b;

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		struct perf_event_attr attr = { .sample_type = bits[i],
						.read_format = PERF_FORMAT_GROUP };

		layout_init(&l, &attr);
		for (size_t k = 0; k < ARRAY_SIZE(counts); k++) {
			size_t at;

			pb_init(&b, false);
			at = pb_begin(&b, PERF_RECORD_SAMPLE, 0);
			pb_u64(&b,
			       bits[i] == PERF_SAMPLE_RAW ? 13 + counts[k] % 16 : counts[k] + 14);
			put_words(&b, 1, 1);
			pb_end(&b, at);
			assert_int_equal(sample_decode(&l, b.out.buf, b.out.len, &s), -EINVAL);
			pb_release(&b);
		}
	}
}

static void test_trailers(void **state)
{
	static const u64 bits[] = {
		PERF_SAMPLE_TID,       PERF_SAMPLE_TIME, PERF_SAMPLE_ID,
		PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,  PERF_SAMPLE_IDENTIFIER
	};

	for (int mask = 0; mask < 128; mask++) {
		struct perf_event_attr attr = { .sample_id_all = 1 };
		struct wire_layout l;
		struct sample_id id;
		struct pb b;

		for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
			attr.sample_type |= mask >> i & 1 ? bits[i] : 0;
		layout_init(&l, &attr);
		pb_init(&b, mask >> 6);
		pb_comm(&b, 1, 2, "name", attr.sample_type, &the_id);
		if (b.swap)
			assert_int_equal(record_swap(&l, b.out.buf, b.out.len), 0);
		assert_int_equal(sample_id_decode(&l, b.out.buf, b.out.len, &id), 0);
		assert_int_equal(id.pid, mask & 1 ? 10 : 0);
		assert_int_equal(id.tid, mask & 1 ? 11 : 0);
		assert_true(id.time == (mask & 2 ? 12000 : ~0ULL));
		assert_true(id.id == (mask & (4 | 32) ? 77 : ~0ULL));
		assert_true(id.stream_id == (mask & 8 ? 78 : ~0ULL));
		assert_int_equal(id.cpu, mask & 16 ? 3 : ~0U);
		if (l.rev_time)
			assert_int_equal(*(u64_una *)(b.out.buf + b.out.len - l.rev_time), 12000);
		if (l.rev_id)
			assert_int_equal(*(u64_una *)(b.out.buf + b.out.len - l.rev_id), 77);
		assert_int_equal(sample_id_decode(&l, b.out.buf, 7 + l.id_size, &id),
				 l.id_size ? -EINVAL : 0);
		pb_release(&b);
	}
}

static void test_attr_sizes(void **state)
{
	static const u32 sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144 };
	struct perf_event_attr in = full_attr(), out;

	in.type = 4;
	in.config = 0x1122334455667788;
	in.precise_ip = 2;
	in.exclude_kernel = 1;
	in.build_id = 1;
	in.config1 = 0xc1;
	in.config2 = 0xc2;
	in.sample_max_stack = 127;
	in.clockid = -3;
	in.sig_data = 0x5161;
	for (int swap = 0; swap < 2; swap++) {
		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
			struct perf_event_attr want = in;
			struct pb b;

			want.size = sizes[i];
			if (sizes[i] < sizeof(want))
				memset((u8 *)&want + sizes[i], 0, sizeof(want) - sizes[i]);
			pb_init(&b, swap);
			pb_attr(&b, &in, sizes[i]);
			attr_decode(&out, b.out.buf, sizes[i], swap);
			if (swap) {
				char *copy = malloc(sizes[i]);

				memcpy(copy, b.out.buf, sizes[i]);
				attr_swap(copy, sizes[i]);
				attr_unswap(copy, sizes[i]);
				assert_memory_equal(copy, b.out.buf, sizes[i]);
				free(copy);
			}
			assert_memory_equal(&out, &want, sizeof(want));
			pb_release(&b);
		}
	}
}

/* When only RAW varies, the short way gives what the long one does. */
static void test_flat(void **state)
{
	struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						       PERF_SAMPLE_TIME | PERF_SAMPLE_RAW };
	struct sample full, flat = { 0 };
	struct wire_layout l;
	u8 rec[64] = { 0 };

	layout_init(&l, &attr);
	assert_true(l.has_var && l.lone_raw);
	for (u32 i = 0; i < sizeof(rec); i++)
		rec[i] = (u8)(i * 7);
	for (u32 raw = 0; raw < 64; raw++) {
		*(u32_una *)(rec + l.off_var) = raw;
		for (size_t size = 0; size <= sizeof(rec); size++) {
			int want = sample_decode(&l, rec, size, &full);

			assert_int_equal(sample_decode_flat(&l, rec, size, &flat), want);
			if (want)
				continue;
			assert_memory_equal(&full, &flat, sizeof(full));
		}
	}
	attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	layout_init(&l, &attr);
	assert_true(l.has_var && !l.lone_raw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flat),          cmocka_unit_test(test_full_native),
		cmocka_unit_test(test_full_foreign),  cmocka_unit_test(test_swap_cut),
		cmocka_unit_test(test_absent_fields), cmocka_unit_test(test_counts_too_large),
		cmocka_unit_test(test_trailers),      cmocka_unit_test(test_attr_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
