// SPDX-License-Identifier: GPL-2.0-or-later
/* Test records of blktrace byte by byte: in both byte orders, cut off anywhere, and damaged. */
#include "base/compat.h"
#include "blktrace/blktrace.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define BE32(v) (u8)((v) >> 24), (u8)((v) >> 16), (u8)((v) >> 8), (u8)(v)
#define LE32(v) (u8)(v), (u8)((v) >> 8), (u8)((v) >> 16), (u8)((v) >> 24)
#define BE64(v) BE32((u32)((u64)(v) >> 32)), BE32((u32)(v))
#define LE64(v) LE32((u32)(v)), LE32((u32)((u64)(v) >> 32))
#define BE16(v) (u8)((v) >> 8), (u8)(v)
#define LE16(v) (u8)(v), (u8)((v) >> 8)

/* A record begins with a magic number, and ends with the length of its payload. */
#define RECORD(o32, o64, o16, seq, time, sector, bytes, action, pid, dev, cpu, error, len)         \
	o32(0x65617407U), o32(seq), o64(time), o64(sector), o32(bytes), o32(action), o32(pid),     \
		o32(dev), o32(cpu), o16(error), o16(len)
#define LE(...) RECORD(LE32, LE64, LE16, __VA_ARGS__)
#define BE(...) RECORD(BE32, BE64, BE16, __VA_ARGS__)

#define SDA 0x800000U
/* Actions have categories from bit 16 on. */
#define READ 0x10000U
#define WRITE 0x20000U
#define FLUSH 0x40000U
#define SYNC 0x80000U
#define QUEUE 0x100000U
#define ISSUE 0x400000U
#define COMPLETE 0x800000U
#define FS 0x1000000U
#define NOTIFY 0x4000000U
#define DISCARD 0x20000000U
#define FUA 0x80000000U
#define CGROUP 0x100U

static const u8 queue_le[] = { LE(7, 0x123456789aULL, 0x1122334455ULL, 4096,
				  1 | QUEUE | WRITE | SYNC | FUA, 42, SDA, 3, 0, 0) };
static const u8 queue_be[] = { BE(7, 0x123456789aULL, 0x1122334455ULL, 4096,
				  1 | QUEUE | WRITE | SYNC | FUA, 42, SDA, 3, 0, 0) };
static const u8 remap_be[] = { BE(8, 5, 100, 512, 15 | QUEUE | READ, 42, SDA, 3, 0, 16),
			       BE32(SDA + 1), BE32(SDA), BE64(37) };
static const u8 split_le[] = { LE(9, 5, 100, 8192, 13 | DISCARD | WRITE, 42, SDA, 3, 0, 8),
			       BE64(108) };
static const u8 unplug_le[] = { LE(9, 5, 0, 0, 10 | QUEUE, 42, SDA, 3, 0, 8), BE64(3) };
static const u8 failed_le[] = { LE(10, 6, 100, 512, 8 | COMPLETE | READ | FS, 0, SDA, 3, 0xfffb,
				   0) };
static const u8 flush_be[] = { BE(11, 7, 0, 0, 7 | ISSUE | READ | FLUSH | FS, 9, SDA, 0, 0, 0) };
static const u8 cgroup_le[] = { LE(12, 8, 8, 512, 10 | CGROUP | QUEUE, 9, SDA, 0, 0, 16), LE64(77),
				BE64(5) };
static const u8 process_le[] = { LE(0, 1, 0, 0, NOTIFY, 42, SDA, 3, 0, 16),
				 'd',
				 'd',
				 0,
				 'x',
				 0,
				 0,
				 0,
				 0,
				 0,
				 0,
				 0,
				 0,
				 0,
				 0,
				 0,
				 0 };
static const u8 message_be[] = { BE(0, 1, 0, 0, 2 | NOTIFY, 0, SDA, 3, 0, 3), 'c', 'f', 'q' };
static const u8 clock_le[] = { LE(0, 1, 0, 0, 1 | NOTIFY, 0, SDA, 3, 0, 8), LE32(5), LE32(6) };
static const u8 unknown_le[] = { LE(3, 1, 0, 0, 99 | QUEUE, 0, SDA, 3, 0, 0) };

#define BYTES(v) v, sizeof(v)

static const struct {
	const char *name;
	const u8 *bytes;
	size_t size;
	struct blktrace_record want;
} rows[] = {
	{ "a bio",
	  BYTES(queue_le),
	  { BLKTRACE_EVENT,
	    { .time = 0x123456789aULL,
	      .action = BLOCK_QUEUE,
	      .cpu = 3,
	      .tid = 42,
	      .dev = SDA,
	      .sector = 0x1122334455ULL,
	      .sectors = 8,
	      .bytes = 4096,
	      .rwbs = "WFS",
	      .rw = { BLOCK_WRITE, BLOCK_FUA | BLOCK_SYNC } },
	    7 } },
	{ "of the other byte order",
	  BYTES(queue_be),
	  { BLKTRACE_EVENT,
	    { .time = 0x123456789aULL,
	      .action = BLOCK_QUEUE,
	      .cpu = 3,
	      .tid = 42,
	      .dev = SDA,
	      .sector = 0x1122334455ULL,
	      .sectors = 8,
	      .bytes = 4096,
	      .rwbs = "WFS",
	      .rw = { BLOCK_WRITE, BLOCK_FUA | BLOCK_SYNC } },
	    7 } },
	{ "remapped from a partition",
	  BYTES(remap_be),
	  { BLKTRACE_EVENT,
	    { .time = 5,
	      .action = BLOCK_REMAP,
	      .cpu = 3,
	      .tid = 42,
	      .dev = SDA,
	      .sector = 100,
	      .sectors = 1,
	      .bytes = 512,
	      .rwbs = "R",
	      .old_dev = SDA + 1,
	      .other = 37 },
	    8 } },
	{ "split",
	  BYTES(split_le),
	  { BLKTRACE_EVENT,
	    { .time = 5,
	      .action = BLOCK_SPLIT,
	      .cpu = 3,
	      .tid = 42,
	      .dev = SDA,
	      .sector = 100,
	      .sectors = 16,
	      .bytes = 8192,
	      .rwbs = "D",
	      .rw = { BLOCK_DISCARD, 0 },
	      .other = 108 },
	    9 } },
	{ "unplugged",
	  BYTES(unplug_le),
	  { BLKTRACE_EVENT,
	    { .time = 5,
	      .action = BLOCK_UNPLUG,
	      .cpu = 3,
	      .tid = 42,
	      .dev = SDA,
	      .rwbs = "N",
	      .rw = { BLOCK_OTHER, 0 },
	      .requests = 3 },
	    9 } },
	{ "failed",
	  BYTES(failed_le),
	  { BLKTRACE_EVENT,
	    { .time = 6,
	      .action = BLOCK_COMPLETE,
	      .cpu = 3,
	      .dev = SDA,
	      .sector = 100,
	      .sectors = 1,
	      .bytes = 512,
	      .rwbs = "R",
	      .error = -5 },
	    10 } },
	{ "a flush",
	  BYTES(flush_be),
	  { BLKTRACE_EVENT,
	    { .time = 7,
	      .action = BLOCK_ISSUE,
	      .tid = 9,
	      .dev = SDA,
	      .rwbs = "FN",
	      .rw = { BLOCK_FLUSH, BLOCK_PREFLUSH } },
	    11 } },
	{ "with a cgroup before the payload",
	  BYTES(cgroup_le),
	  { BLKTRACE_EVENT,
	    { .time = 8,
	      .action = BLOCK_UNPLUG,
	      .tid = 9,
	      .dev = SDA,
	      .sector = 8,
	      .sectors = 1,
	      .bytes = 512,
	      .rwbs = "R",
	      .requests = 5 },
	    12 } },
	{ "the name of a process",
	  BYTES(process_le),
	  { BLKTRACE_PROCESS, { .time = 1, .cpu = 3, .tid = 42, .dev = SDA }, 0, "dd", 2 } },
	{ "a message",
	  BYTES(message_be),
	  { BLKTRACE_MESSAGE, { .time = 1, .cpu = 3, .dev = SDA }, 0, "cfq", 3 } },
	{ "the time of day",
	  BYTES(clock_le),
	  { BLKTRACE_OTHER, { .time = 1, .cpu = 3, .dev = SDA } } },
	{ "an unknown action",
	  BYTES(unknown_le),
	  { BLKTRACE_OTHER, { .time = 1, .cpu = 3, .dev = SDA }, 3 } },
};

static void check_event(const struct block_event *want, const struct block_event *got)
{
	assert_int_equal(got->time, want->time);
	assert_int_equal(got->action, want->action);
	assert_int_equal(got->cpu, want->cpu);
	assert_int_equal(got->tid, want->tid);
	assert_int_equal(got->dev, want->dev);
	assert_int_equal(got->sector, want->sector);
	assert_int_equal(got->sectors, want->sectors);
	assert_int_equal(got->bytes, want->bytes);
	assert_string_equal(got->rwbs, want->rwbs);
	assert_int_equal(got->rw.kind, want->rw.kind);
	assert_int_equal(got->rw.flags, want->rw.flags);
	assert_int_equal(got->error, want->error);
	assert_int_equal(got->old_dev, want->old_dev);
	assert_int_equal(got->other, want->other);
	assert_int_equal(got->requests, want->requests);
}

static void test_decode(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct blktrace_record rec;

		print_message("%s\n", rows[i].name);
		assert_int_equal(blktrace_decode(rows[i].bytes, rows[i].size, &rec), 1);
		assert_int_equal(rec.kind, rows[i].want.kind);
		assert_int_equal(rec.size, rows[i].size);
		assert_int_equal(rec.sequence, rows[i].want.sequence);
		check_event(&rows[i].want.ev, &rec.ev);
		assert_int_equal(rec.text_len, rows[i].want.text_len);
		if (rec.text_len)
			assert_memory_equal(rec.text, rows[i].want.text, rec.text_len);
	}
}

static void test_cut_off(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (size_t len = 0; len < rows[i].size; len++) {
			struct blktrace_record rec;
			u8 *copy = malloc(len + 1);

			memcpy(copy, rows[i].bytes, len);
			assert_int_equal(blktrace_decode(copy, len, &rec), 0);
			free(copy);
		}
	}
}

static void test_damage(void **state)
{
	struct blktrace_record rec;
	u8 copy[sizeof(queue_le)];

	memcpy(copy, queue_le, sizeof(copy));
	copy[0] = 6; /* another version */
	assert_int_equal(blktrace_decode(copy, sizeof(copy), &rec), -EINVAL);
	memcpy(copy, queue_le, sizeof(copy));
	copy[3] = 0x66;
	assert_int_equal(blktrace_decode(copy, sizeof(copy), &rec), -EINVAL);
	memcpy(copy, queue_le, sizeof(copy));
	copy[42] = 1; /* the CPU */
	assert_int_equal(blktrace_decode(copy, sizeof(copy), &rec), -EINVAL);
}

/* The writer makes the bytes of a machine of this byte order. */
static void test_encode(void **state)
{
	static const struct block_event queue = {
		.time = 0x123456789aULL,
		.action = BLOCK_QUEUE,
		.cpu = 3,
		.tid = 42,
		.dev = SDA,
		.sector = 0x1122334455ULL,
		.sectors = 8,
		.rw = { BLOCK_WRITE, BLOCK_FUA | BLOCK_SYNC },
		.comm = "dd",
		.comm_len = 2,
	};
	static const struct block_event start = { .action = BLOCK_START };
	struct strbuf out = STRBUF_INIT;
	struct blktrace_record rec;

	assert_true(blktrace_encode(&queue, 7, &out));
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
		assert_int_equal(out.len, sizeof(queue_le));
		assert_memory_equal(out.buf, queue_le, out.len);
	} else {
		assert_int_equal(out.len, sizeof(queue_be));
		assert_memory_equal(out.buf, queue_be, out.len);
	}
	strbuf_reset(&out);
	assert_false(blktrace_encode(&start, 1, &out));
	assert_int_equal(out.len, 0);
	blktrace_encode_process(&queue, &out);
	assert_int_equal(blktrace_decode((const u8 *)out.buf, out.len, &rec), 1);
	assert_int_equal(rec.kind, BLKTRACE_PROCESS);
	assert_int_equal(rec.text_len, 2);
	assert_memory_equal(rec.text, "dd", 2);
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decode),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_encode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
