// SPDX-License-Identifier: GPL-2.0-or-later
/* Check that encoded records and samples decode to the same values, in both byte orders. */
#include "base/compat.h"

#include "sample-fields.h"
#include "suites.h"
#include "wire/encode.h"
#include "wire/event.h"

/* A sample with a value of its own in every fixed field. */
static void fill(struct sample *s)
{
	memset(s, 0, sizeof(*s));
	s->misc = PERF_RECORD_MISC_USER;
	s->cpumode = PERF_RECORD_MISC_USER;
	s->ip = 0x401000;
	s->pid = 101;
	s->tid = 102;
	s->time = 103;
	s->addr = 104;
	s->id = 105;
	s->stream_id = 106;
	s->cpu = 107;
	s->period = 108;
	s->weight = 109;
	s->data_src = 110;
	s->transaction = 111;
	s->phys_addr = 112;
	s->cgroup = 113;
	s->data_page_size = 114;
	s->code_page_size = 115;
}

static int same_fixed(u64 type, const struct sample *a, const struct sample *b)
{
#define CHECK_FIELD(bits, m)                                                                       \
	if (type & (bits))                                                                         \
		TEST_EQ(b->m, a->m);
	SAMPLE_FIXED_FIELDS(CHECK_FIELD)
#undef CHECK_FIELD
	return TEST_OK;
}

static int round_trip(u64 type)
{
	static const u64 chain[] = { PERF_CONTEXT_USER, 0x401000, 0x402000, 0x403000 };
	static const char raw[] = "twelve bytes";
	struct perf_event_attr attr = { .sample_type = type };
	struct strbuf rec = STRBUF_INIT;
	struct wire_layout l;
	struct sample in, out;
	int ret;

	layout_init(&l, &attr);
	fill(&in);
	in.callchain = (const u64_una *)chain;
	in.nr_callchain = ARRAY_SIZE(chain);
	in.raw = raw;
	in.raw_size = sizeof(raw) - 1;
	enc_sample(&rec, &l, &in);
	ret = sample_decode(&l, rec.buf, rec.len, &out);
	if (!ret)
		ret = same_fixed(type, &in, &out);
	if (!ret && type & PERF_SAMPLE_CALLCHAIN &&
	    (out.nr_callchain != in.nr_callchain || memcmp(out.callchain, chain, sizeof(chain))))
		ret = TEST_FAIL;
	if (!ret && type & PERF_SAMPLE_RAW && (!out.raw || memcmp(out.raw, raw, in.raw_size)))
		ret = TEST_FAIL;
	/* one byte less is never enough */
	if (!ret && !sample_decode(&l, rec.buf, rec.len - 1, &out))
		ret = TEST_FAIL;
	strbuf_release(&rec);
	TEST_CHECK(!ret, "sample_type %#llx", (unsigned long long)type);
	return TEST_OK;
}

static int test_samples(struct test_ctx *ctx __unused)
{
	const u64 simple = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
			   PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			   PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CALLCHAIN |
			   PERF_SAMPLE_RAW | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
			   PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
			   PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;
	int ret = round_trip(simple);

	/* each field alone, each field missing, each pair of neighbours */
	for (int bit = 0; bit < 25 && !ret; bit++) {
		u64 one = simple & (1ULL << bit);

		if (!one)
			continue;
		ret = round_trip(one);
		if (!ret)
			ret = round_trip(simple & ~one);
		if (!ret)
			ret = round_trip(simple & (one | one << 1 | one << 2));
	}
	return ret;
}

static int test_mmap(struct test_ctx *ctx __unused)
{
	struct perf_event_attr attr = {
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_IDENTIFIER,
		.sample_id_all = 1,
	};
	struct rec_mmap in = { .pid = 1,
			       .tid = 2,
			       .start = 0x1000,
			       .len = 0x2000,
			       .pgoff = 0x3000,
			       .maj = 4,
			       .min = 5,
			       .ino = 6,
			       .ino_generation = 7,
			       .prot = 5,
			       .flags = 2,
			       .filename = "/a/file name" },
			out;
	struct sample_id id = { .pid = 1, .tid = 2, .time = 99, .cpu = 3, .id = 8 }, got;
	struct strbuf rec = STRBUF_INIT;
	struct wire_layout l;

	layout_init(&l, &attr);
	enc_mmap2(&rec, PERF_RECORD_MISC_USER, &in, &l, &id);
	TEST_EQ(rec.len % 8, 0);
	TEST_EQ(rec_mmap_decode(rec.buf, rec.len, &out), 0);
	TEST_EQ(out.pid, 1);
	TEST_EQ(out.start, 0x1000);
	TEST_EQ(out.len, 0x2000);
	TEST_EQ(out.pgoff, 0x3000);
	TEST_EQ(out.ino, 6);
	TEST_CHECK(!strcmp(out.filename, in.filename), "got '%s'", out.filename);
	TEST_EQ(sample_id_decode(&l, rec.buf, rec.len, &got), 0);
	TEST_EQ(got.time, 99);
	TEST_EQ(got.cpu, 3);
	TEST_EQ(got.id, 8);
	for (size_t cut = 0; cut < 64; cut++)
		TEST_CHECK(rec_mmap_decode(rec.buf, cut, &out), "decoded from %zu bytes", cut);
	strbuf_release(&rec);
	return TEST_OK;
}

static int test_side_band(struct test_ctx *ctx __unused)
{
	struct rec_comm comm = { .pid = 1, .tid = 2, .comm = "a comm" }, comm_out;
	struct rec_task task = { .pid = 1, .ppid = 2, .tid = 3, .ptid = 4, .time = 5 }, task_out;
	struct rec_lost lost = { .id = 7, .lost = 1234 }, lost_out;
	struct strbuf rec = STRBUF_INIT;

	enc_comm(&rec, PERF_RECORD_MISC_COMM_EXEC, &comm, NULL, NULL);
	TEST_EQ(rec_comm_decode(rec.buf, rec.len, &comm_out), 0);
	TEST_CHECK(!strcmp(comm_out.comm, "a comm"), "got '%s'", comm_out.comm);
	TEST_EQ(comm_out.exec, 1);
	strbuf_reset(&rec);
	enc_task(&rec, PERF_RECORD_FORK, 0, &task, NULL, NULL);
	TEST_EQ(rec_task_decode(rec.buf, rec.len, &task_out), 0);
	TEST_EQ(task_out.ptid, 4);
	TEST_EQ(task_out.time, 5);
	strbuf_reset(&rec);
	enc_lost(&rec, &lost, NULL, NULL);
	TEST_EQ(rec_lost_decode(rec.buf, rec.len, &lost_out), 0);
	TEST_EQ(lost_out.lost, 1234);
	strbuf_release(&rec);
	return TEST_OK;
}

static const struct test_case cases[] = {
	{ "samples of every type", test_samples },
	{ "maps, and the trailer of a record", test_mmap },
	{ "comms, tasks and losses", test_side_band },
};
TEST_SUITE(suite_wire, "PERF_RECORD_* events and sample fields", cases, "wire");
