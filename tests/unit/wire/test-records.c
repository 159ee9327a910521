// SPDX-License-Identifier: GPL-2.0-or-later
/* Test side-band records in both byte orders, and what is said of damaged ones. */
#include "base/compat.h"
#include "drive.h"
#include "wire/event.h"

#include <setjmp.h>
#include <cmocka.h>

#define ST (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER)

static const struct pb_id the_id = { 1, 2, 3, 4, 5, 6 };

static struct wire_layout layout(void)
{
	struct perf_event_attr attr = { .sample_type = ST, .sample_id_all = 1 };
	struct wire_layout l;

	layout_init(&l, &attr);
	return l;
}

/* Swap the record to native order, and check its trailer. */
static void settle(struct pb *b)
{
	struct wire_layout l = layout();
	struct sample_id id;

	if (b->swap)
		record_there_and_back(&l, b);
	assert_int_equal(((struct perf_event_header *)b->out.buf)->size, b->out.len);
	assert_int_equal(sample_id_decode(&l, b->out.buf, b->out.len, &id), 0);
	assert_int_equal(id.time, 3);
	assert_int_equal(id.id, 4);
}

#define EACH_ORDER(b)                                                                              \
	for (int swap_ = 0; swap_ < 2 && (pb_init(&(b), swap_), 1); pb_release(&(b)), swap_++)

static void test_mmap(void **state)
{
	struct rec_mmap m;
	struct pb b;

	EACH_ORDER(b)
	{
		size_t at = pb_begin(&b, PERF_RECORD_MMAP, 1 << 13);

		pb_u32(&b, 7);
		pb_u32(&b, 8);
		pb_u64(&b, 0x1000);
		pb_u64(&b, 0x2000);
		pb_u64(&b, 0x3000);
		pb_str(&b, "//anon");
		pb_trailer(&b, ST, &the_id);
		pb_end(&b, at);
		settle(&b);
		assert_int_equal(rec_mmap_decode(b.out.buf, b.out.len, &m), 0);
		assert_int_equal(m.pid, 7);
		assert_int_equal(m.tid, 8);
		assert_int_equal(m.start, 0x1000);
		assert_int_equal(m.len, 0x2000);
		assert_int_equal(m.pgoff, 0x3000);
		assert_int_equal(m.prot, 0); /* MMAP_DATA */
		assert_string_equal(m.filename, "//anon");
		((struct perf_event_header *)b.out.buf)->misc = 0;
		assert_int_equal(rec_mmap_decode(b.out.buf, b.out.len, &m), 0);
		assert_int_equal(m.prot, 4); /* PROT_EXEC */
	}
}

static void test_mmap2(void **state)
{
	struct rec_mmap m;
	struct pb b;

	EACH_ORDER(b)
	{
		pb_mmap2(&b, 9, 0x400000, 0x5000, "/bin/true", ST, &the_id);
		settle(&b);
		assert_int_equal(rec_mmap_decode(b.out.buf, b.out.len, &m), 0);
		assert_int_equal(m.maj, 8);
		assert_int_equal(m.min, 1);
		assert_int_equal(m.ino, 4711);
		assert_int_equal(m.ino_generation, 2);
		assert_int_equal(m.prot, 5);
		assert_int_equal(m.flags, 2);
		assert_int_equal(m.build_id_size, 0);
		assert_string_equal(m.filename, "/bin/true");
	}
}

/* A kernel fault lets longer sizes through than the field has bytes. */
/* A build-id, or what a kernel wrote that only set the bit: a length that cannot be, bytes behind
 * it. */
static void test_mmap2_build_id(void **state)
{
	static const struct {
		u8 size, pad, bytes;
		bool is_one;
	} ids[] = { { 0, 0, 20, false },  { 8, 0, 8, true },    { 8, 0, 9, false },
		    { 16, 0, 16, true },  { 16, 0, 20, false }, { 20, 0, 20, true },
		    { 20, 1, 20, false }, { 21, 0, 20, false }, { 254, 0, 20, false } };
	struct rec_mmap m;
	struct pb b;

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		EACH_ORDER(b)
		{
			size_t at = pb_begin(&b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID);
			char bytes[20] = { 0 };

			pb_u32(&b, 7);
			pb_u32(&b, 8);
			pb_u64(&b, 1);
			pb_u64(&b, 2);
			pb_u64(&b, 3);
			pb_u8(&b, ids[i].size);
			pb_u8(&b, ids[i].pad);
			pb_u16(&b, 0);
			memcpy(bytes, "abcdefghijklmnopqrst", ids[i].bytes);
			pb_bytes(&b, bytes, 20);
			pb_u32(&b, 5);
			pb_u32(&b, 2);
			pb_str(&b, "x");
			pb_trailer(&b, ST, &the_id);
			pb_end(&b, at);
			settle(&b);
			assert_int_equal(rec_mmap_decode(b.out.buf, b.out.len, &m), 0);
			assert_int_equal(m.build_id_size, ids[i].is_one ? ids[i].size : 0);
			assert_memory_equal(m.build_id, bytes, m.build_id_size);
			assert_int_equal(!m.ino, ids[i].is_one);
			assert_int_equal(m.prot, 5);
			assert_string_equal(m.filename, "x");
		}
	}
}

static void test_comm_task(void **state)
{
	struct rec_comm c;
	struct rec_task t;
	struct pb b;

	EACH_ORDER(b)
	{
		pb_comm(&b, 1, 2, "a-name", ST, &the_id);
		settle(&b);
		assert_int_equal(rec_comm_decode(b.out.buf, b.out.len, &c), 0);
		assert_string_equal(c.comm, "a-name");
		assert_int_equal(c.tid, 2);
		assert_false(c.exec);
	}
	EACH_ORDER(b)
	{
		pb_task(&b, PERF_RECORD_FORK, 5, 4, 99, ST, &the_id);
		settle(&b);
		assert_int_equal(rec_task_decode(b.out.buf, b.out.len, &t), 0);
		assert_int_equal(t.pid, 5);
		assert_int_equal(t.ppid, 4);
		assert_int_equal(t.time, 99);
	}
}

static void test_namespaces(void **state)
{
	struct rec_namespaces n;
	struct pb b;

	EACH_ORDER(b)
	{
		size_t at = pb_begin(&b, PERF_RECORD_NAMESPACES, 0);

		pb_u32(&b, 1);
		pb_u32(&b, 2);
		pb_u64(&b, 2);
		for (u64 i = 0; i < 4; i++)
			pb_u64(&b, 100 + i);
		pb_trailer(&b, ST, &the_id);
		pb_end(&b, at);
		settle(&b);
		assert_int_equal(rec_namespaces_decode(b.out.buf, b.out.len, &n), 0);
		assert_int_equal(n.nr, 2);
		assert_int_equal(n.links[3], 103);
		*(u64_una *)(b.out.buf + 16) = 1ULL << 60;
		assert_int_equal(rec_namespaces_decode(b.out.buf, b.out.len, &n), -EINVAL);
	}
}

/* Append a KSYMBOL of bpf_prog_1 with its trailer. Return: where it begins, for pb_end(). */
static size_t begin_ksymbol(struct pb *b, u16 flags)
{
	size_t at = pb_begin(b, PERF_RECORD_KSYMBOL, 0);

	pb_u64(b, 0xffffffffc0000000);
	pb_u32(b, 64);
	pb_u16(b, 1);
	pb_u16(b, flags);
	pb_str(b, "bpf_prog_1");
	pb_trailer(b, ST, &the_id);
	return at;
}

/* Append a BPF_EVENT in the same way. */
static size_t begin_bpf(struct pb *b, u32 id)
{
	size_t at = pb_begin(b, PERF_RECORD_BPF_EVENT, 0);

	pb_u16(b, 1);
	pb_u16(b, 2);
	pb_u32(b, id);
	pb_bytes(b, "12345678", 8);
	pb_trailer(b, ST, &the_id);
	return at;
}

static void test_ksymbol_bpf_cgroup(void **state)
{
	struct rec_ksymbol k;
	struct rec_bpf p;
	struct rec_cgroup g;
	struct pb b;
	size_t at;

	EACH_ORDER(b)
	{
		at = begin_ksymbol(&b, 1);
		pb_end(&b, at);
		settle(&b);
		assert_int_equal(rec_ksymbol_decode(b.out.buf, b.out.len, &k), 0);
		assert_true(k.addr == 0xffffffffc0000000);
		assert_int_equal(k.len, 64);
		assert_int_equal(k.type, 1);
		assert_int_equal(k.flags, 1);
		assert_string_equal(k.name, "bpf_prog_1");
	}
	EACH_ORDER(b)
	{
		at = begin_bpf(&b, 3);
		pb_end(&b, at);
		settle(&b);
		assert_int_equal(rec_bpf_decode(b.out.buf, b.out.len, &p), 0);
		assert_int_equal(p.id, 3);
		assert_memory_equal(p.tag, "12345678", 8);
	}
	EACH_ORDER(b)
	{
		at = pb_begin(&b, PERF_RECORD_CGROUP, 0);
		pb_u64(&b, 42);
		pb_str(&b, "/user.slice");
		pb_trailer(&b, ST, &the_id);
		pb_end(&b, at);
		settle(&b);
		assert_int_equal(rec_cgroup_decode(b.out.buf, b.out.len, &g), 0);
		assert_int_equal(g.id, 42);
		assert_string_equal(g.path, "/user.slice");
	}
}

/* Kernels make these records too long, and leave what was in the ring before behind the trailer. */
static void test_too_long(void **state)
{
	struct rec_ksymbol k;
	struct rec_bpf p;
	struct pb b;
	size_t at;

	EACH_ORDER(b)
	{
		at = begin_ksymbol(&b, 0);
		pb_u64(&b, 0x5555555555555555);
		pb_u64(&b, 0);
		pb_end(&b, at);
		settle(&b);
		assert_int_equal(rec_ksymbol_decode(b.out.buf, b.out.len, &k), 0);
		assert_string_equal(k.name, "bpf_prog_1");
	}
	EACH_ORDER(b)
	{
		at = begin_bpf(&b, 22);
		pb_u64(&b, 0x5555555555555555);
		pb_end(&b, at);
		settle(&b);
		assert_int_equal(rec_bpf_decode(b.out.buf, b.out.len, &p), 0);
		assert_int_equal(p.id, 22);
	}
}

static void test_lost_switch(void **state)
{
	struct rec_switch w;
	struct rec_lost r;
	struct pb b;
	size_t at;

	EACH_ORDER(b)
	{
		at = pb_begin(&b, PERF_RECORD_LOST, 0);
		pb_u64(&b, 5);
		pb_u64(&b, 6);
		pb_trailer(&b, ST, &the_id);
		pb_end(&b, at);
		settle(&b);
		assert_int_equal(rec_lost_decode(b.out.buf, b.out.len, &r), 0);
		assert_int_equal(r.id, 5);
		assert_int_equal(r.lost, 6);
	}
	EACH_ORDER(b)
	{
		at = pb_begin(&b, PERF_RECORD_LOST_SAMPLES, 0);
		pb_u64(&b, 6);
		pb_trailer(&b, ST, &the_id);
		pb_end(&b, at);
		settle(&b);
		assert_int_equal(rec_lost_decode(b.out.buf, b.out.len, &r), 0);
		assert_int_equal(r.id, 0);
		assert_int_equal(r.lost, 6);
	}
	EACH_ORDER(b)
	{
		at = pb_begin(&b, PERF_RECORD_SWITCH_CPU_WIDE, 3 << 13);
		pb_u32(&b, 5);
		pb_u32(&b, 6);
		pb_trailer(&b, ST, &the_id);
		pb_end(&b, at);
		settle(&b);
		assert_int_equal(rec_switch_decode(b.out.buf, b.out.len, &w), 0);
		assert_true(w.out && w.preempt && w.cpu_wide);
		assert_int_equal(w.next_prev_tid, 6);
	}
}

/* Turn the bytes into a record of another type. */
static void *as(u8 *rec, size_t n, u32 type)
{
	if (n >= sizeof(type))
		memcpy(rec, &type, sizeof(type));
	return rec;
}

/* Every decoder on every prefix of a record: no byte behind it is needed to say no. */
static void test_short(void **state)
{
	union {
		struct rec_mmap m;
		struct rec_comm c;
		struct rec_task t;
		struct rec_namespaces n;
		struct rec_ksymbol k;
		struct rec_bpf p;
		struct rec_cgroup g;
		struct rec_lost l;
	} r;
	struct pb b;

	pb_init(&b, false);
	pb_mmap2(&b, 9, 0x400000, 0x5000, "/bin/true", 0, NULL);
	for (size_t n = 0; n < b.out.len; n++) {
		u8 *rec = malloc(n ? n : 1);

		assert_non_null(rec);
		memcpy(rec, b.out.buf, n);
		if (n < 72 + 10) /* the name's end */
			assert_int_equal(rec_mmap_decode(rec, n, &r.m), -EINVAL);
		(void)rec_comm_decode(as(rec, n, PERF_RECORD_COMM), n, &r.c);
		assert_int_equal(rec_task_decode(as(rec, n, PERF_RECORD_FORK), n, &r.t),
				 n < 32 ? -EINVAL : 0);
		(void)rec_namespaces_decode(as(rec, n, PERF_RECORD_NAMESPACES), n, &r.n);
		(void)rec_ksymbol_decode(as(rec, n, PERF_RECORD_KSYMBOL), n, &r.k);
		assert_int_equal(rec_bpf_decode(as(rec, n, PERF_RECORD_BPF_EVENT), n, &r.p),
				 n < 24 ? -EINVAL : 0);
		(void)rec_cgroup_decode(as(rec, n, PERF_RECORD_CGROUP), n, &r.g);
		(void)rec_lost_decode(as(rec, n, PERF_RECORD_LOST), n, &r.l);
		free(rec);
	}
	pb_release(&b);
}

/* User records: the fields that the readers of this tree use are turned. */
static void test_user_swap(void **state)
{
	struct perf_event_attr attr = { .type = 1, .sample_type = ST, .sample_id_all = 1 }, out;
	struct pb b;
	size_t at;

	pb_init(&b, true);
	at = pb_begin(&b, PERF_RECORD_HEADER_ATTR, 0);
	pb_attr(&b, &attr, 112);
	pb_u64(&b, 501);
	pb_end(&b, at);
	record_there_and_back(NULL, &b);
	attr_decode(&out, b.out.buf + 8, 112, false);
	assert_int_equal(out.sample_type, ST);
	assert_true(out.sample_id_all);
	assert_int_equal(*(u64_una *)(b.out.buf + 120), 501);
	pb_release(&b);

	pb_init(&b, true);
	at = pb_begin(&b, PERF_RECORD_CPU_MAP, 0);
	pb_u16(&b, 0);
	pb_u16(&b, 3);
	for (u16 i = 0; i < 3; i++)
		pb_u16(&b, (u16)(10 + i));
	pb_end(&b, at);
	record_there_and_back(NULL, &b);
	assert_int_equal(*(u16_una *)(b.out.buf + 16), 12);
	pb_release(&b);

	pb_init(&b, true);
	at = pb_begin(&b, PERF_RECORD_HEADER_ATTR, 0);
	pb_u32(&b, 1);
	pb_u32(&b, 4096); /* an attr larger than its record */
	for (int i = 0; i < 8; i++)
		pb_u64(&b, 0);
	pb_end(&b, at);
	assert_int_equal(record_swap(NULL, b.out.buf, b.out.len), -EINVAL);
	pb_release(&b);
}

static void test_names(void **state)
{
	assert_string_equal(record_name(PERF_RECORD_SAMPLE), "SAMPLE");
	assert_string_equal(record_name(PERF_RECORD_COMPRESSED2), "COMPRESSED2");
	assert_null(record_name(0));
	assert_null(record_name(63));
	assert_null(record_name(~0U));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mmap),           cmocka_unit_test(test_mmap2),
		cmocka_unit_test(test_mmap2_build_id), cmocka_unit_test(test_comm_task),
		cmocka_unit_test(test_namespaces),     cmocka_unit_test(test_ksymbol_bpf_cgroup),
		cmocka_unit_test(test_too_long),       cmocka_unit_test(test_lost_switch),
		cmocka_unit_test(test_short),          cmocka_unit_test(test_user_swap),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
