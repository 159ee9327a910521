// SPDX-License-Identifier: GPL-2.0-or-later
/* Check a perf.data file from the writer to the reader: nothing is lost, and samples arrive once
 * each. */
#include "base/compat.h"

#include "base/alloc.h"
#include "file/writer.h"
#include "session/session.h"
#include "suites.h"
#include "wire/encode.h"

#include <unistd.h>

#define NR_SAMPLES 5000
#define SAMPLE_ID 77

static const struct perf_event_attr the_attr = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(struct perf_event_attr),
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_period = 1000,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER,
	.sample_id_all = 1,
};

static int write_records(struct file_writer *w, struct err *err)
{
	struct strbuf buf = STRBUF_INIT;
	struct wire_layout l;
	struct rec_comm comm = { .pid = 10, .tid = 10, .comm = "a comm" };
	struct sample_id id = { .pid = 10, .tid = 10, .id = SAMPLE_ID };
	int ret;

	layout_init(&l, &the_attr);
	enc_comm(&buf, 0, &comm, &l, &id);
	for (u64 i = 1; i <= NR_SAMPLES; i++) {
		struct sample s = { .misc = PERF_RECORD_MISC_USER,
				    .ip = 0x1000 + i,
				    .pid = 10,
				    .tid = 10,
				    .id = SAMPLE_ID };

		/* pairs are swapped: the reader has to put them in order */
		s.time = 1000 + (i ^ 1);
		enc_sample(&buf, &l, &s);
	}
	ret = file_writer_write(w, buf.buf, buf.len, err);
	strbuf_release(&buf);
	return ret;
}

static int write_file(const char *path)
{
	static const u64 ids[] = { SAMPLE_ID };
	struct writer_attr attr = { .attr = &the_attr, .ids = ids, .nr_ids = 1, .name = "an event" };
	struct file_writer w = { 0 };
	struct err err = { 0 };
	int ret = file_writer_open(&w, path, &err);

	TEST_CHECK(!ret, "%s", err.msg);
	ret = file_writer_start(&w, &attr, 1, &err);
	if (!ret)
		ret = write_records(&w, &err);
	if (!ret)
		ret = file_writer_finish(&w, NULL, 0, &err);
	file_writer_close(&w, NULL);
	TEST_CHECK(!ret, "%s", err.msg);
	return TEST_OK;
}

/* What came out of the reader. */
struct seen {
	u64 samples, comms, last_time, sum_ip;
	bool in_order;
};

static int on_state(void *ctx, const struct session_event *ev, struct err *err __unused)
{
	struct seen *seen = ctx;

	seen->comms += ev->hdr->type == PERF_RECORD_COMM;
	return 0;
}

static int on_format(void *ctx __unused, int worker __unused, const struct session_event *ev,
		     struct strbuf *out, struct err *err __unused)
{
	strbuf_add(out, &ev->sample->time, sizeof(u64));
	strbuf_add(out, &ev->sample->ip, sizeof(u64));
	return 0;
}

/* The text here is pairs of u64. */
static int on_write(void *ctx, const char *text, size_t len, struct err *err __unused)
{
	struct seen *seen = ctx;

	for (size_t at = 0; at + 16 <= len; at += 16) {
		u64 pair[2];

		memcpy(pair, text + at, 16);
		if (pair[0] < seen->last_time)
			seen->in_order = false;
		seen->last_time = pair[0];
		seen->sum_ip += pair[1];
		seen->samples++;
	}
	return 0;
}

static int read_file(const char *path, int workers)
{
	const u64 n = NR_SAMPLES;
	struct session_ordered_ops ops = { .state.state = on_state,
					   .format = on_format,
					   .write = on_write };
	struct seen seen = { .in_order = true };
	struct session s = { 0 };
	struct err err = { 0 };
	int ret = session_open(&s, path, false, &err);

	TEST_CHECK(!ret, "%s", err.msg);
	ret = session_ordered(&s, &ops, &seen, workers, &err);
	TEST_CHECK(!ret, "%s", err.msg);
	TEST_EQ(s.nr_samples, n);
	TEST_EQ(seen.samples, n);
	TEST_EQ(seen.comms, 1);
	TEST_EQ(seen.sum_ip, n * 0x1000 + n * (n + 1) / 2);
	TEST_CHECK(seen.in_order, "samples are not in the order of time");
	session_close(&s);
	return TEST_OK;
}

static int with_file(int (*fn)(const char *path))
{
	char *dir = test_tmpdir(), *path;
	int ret;

	TEST_CHECK(dir, "no temporary folder");
	path = xasprintf("%s/x.data", dir);
	ret = write_file(path);
	if (!ret)
		ret = fn(path);
	free(path);
	test_rmdir(dir);
	return ret;
}

static int read_with_workers(const char *path)
{
	static const int workers[] = { 1, 2, 5 };
	int ret = TEST_OK;

	for (size_t i = 0; i < ARRAY_SIZE(workers) && !ret; i++)
		ret = read_file(path, workers[i]);
	return ret;
}

static int test_round_trip(struct test_ctx *ctx __unused)
{
	return with_file(read_with_workers);
}

static int read_cut(const char *path)
{
	for (off_t size = 0; size < 4096; size += 7) {
		struct seen seen = { .in_order = true };
		struct session_ordered_ops ops = { .state.state = on_state,
						   .format = on_format,
						   .write = on_write };
		struct session s = { 0 };
		struct err err = { 0 };

		TEST_EQ(truncate(path, 4096 - size), 0);
		if (session_open(&s, path, false, &err)) {
			TEST_CHECK(*err.msg, "refused %d bytes without a word", (int)(4096 - size));
			continue;
		}
		session_ordered(&s, &ops, &seen, 1, &err);
		TEST_CHECK(seen.samples < NR_SAMPLES, "more samples than bytes");
		session_close(&s);
	}
	return TEST_OK;
}

static int test_cut(struct test_ctx *ctx __unused)
{
	return with_file(read_cut);
}

static const struct test_case cases[] = {
	{ "written and read back", test_round_trip },
	{ "cut off anywhere", test_cut },
};
TEST_SUITE(suite_datafile, "perf.data files", cases, "file");
