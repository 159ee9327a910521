// SPDX-License-Identifier: GPL-2.0-or-later
/* Test COMPRESSED records: what goes in comes out, each expands to something, and the thread keeps
 * order. */
#include "base/compat.h"
#include "base/alloc.h"
#include "file/compress.h"
#include "file/compress-thread.h"
#include "session/expand.h"

#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

/* No libzstd: nothing to prove but that it is said. */
static bool have_zstd(void)
{
	struct compressor *c = NULL;
	struct err err = { 0 };

	if (!compressor_new(&c, 1, &err)) {
		compressor_free(c);
		return true;
	}
	assert_int_equal(err.code, -ENOTSUP);
	assert_non_null(strstr(err.msg, "libzstd"));
	return false;
}

/* Append to @out what one record holds. Return: so many bytes. */
static size_t expand_one(struct expander *x, const wire_header *h, u8 *window, struct strbuf *out)
{
	size_t before = out->len;
	ssize_t len;

	assert_int_equal(expand_begin(x, (const u8 *)h, h->type, h->size, false), 0);
	while ((len = expand_more(x, window)) > 0)
		strbuf_add(out, window, (size_t)len);
	assert_int_equal(len, 0);
	return out->len - before;
}

/* All COMPRESSED records of @in, expanded; other records as they are. */
static void expand_all(const struct strbuf *in, struct strbuf *out)
{
	struct expander *x = expander_new();
	u8 *window = xmalloc(EXPAND_WINDOW);
	size_t at = 0;

	while (at < in->len) {
		const wire_header *h = (const void *)(in->buf + at);

		assert_true(h->size >= sizeof(*h) && h->size <= in->len - at);
		if (h->type == PERF_RECORD_COMPRESSED)
			/* the reference takes a record without result for damage */
			assert_in_range(expand_one(x, h, window, out), 1, COMPRESS_EXPANDED_MAX);
		else
			strbuf_add(out, h, h->size);
		at += h->size;
	}
	free(window);
	expander_free(x);
}

/* @kind 0: noise, 1: text that repeats, 2: now this, now that */
static void fill(struct strbuf *sb, size_t len, int kind)
{
	u64 seed = 42;

	for (size_t i = 0; i < len; i++) {
		bool noise = kind == 0 || (kind == 2 && i / 100000 % 2);

		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		strbuf_addch(sb, noise ? (char)(seed >> 56) : (char)(i % 96));
	}
}

static void test_round_trip(void **state)
{
	static const size_t sizes[] = { 1, 8, 65535, COMPRESS_PIECE, COMPRESS_PIECE + 1, 1000000 };
	static const int levels[] = { 1, 3, 19 };

	if (!have_zstd())
		skip();
	for (size_t l = 0; l < ARRAY_SIZE(levels); l++) {
		for (int kind = 0; kind < 3; kind++) {
			struct strbuf in = STRBUF_INIT, packed = STRBUF_INIT, out = STRBUF_INIT;
			struct compressor *c;
			struct err err;

			assert_int_equal(compressor_new(&c, levels[l], &err), 0);
			for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
				struct strbuf piece = STRBUF_INIT;

				fill(&piece, sizes[i], kind);
				strbuf_add(&in, piece.buf, piece.len);
				assert_int_equal(
					compressor_add(c, piece.buf, piece.len, &packed, &err), 0);
				strbuf_release(&piece);
			}
			compressor_free(c);
			expand_all(&packed, &out);
			assert_int_equal(out.len, in.len);
			assert_memory_equal(out.buf, in.buf, in.len);
			if (kind == 1)
				assert_true(packed.len < in.len / 50);
			assert_true(packed.len < in.len + in.len / 1000);
			strbuf_release(&in);
			strbuf_release(&packed);
			strbuf_release(&out);
		}
	}
}

static void count_bytes(void *ctx, void *data, size_t len)
{
	*(size_t *)ctx += len;
}

static void read_file(const char *path, u64 from, struct strbuf *out)
{
	FILE *f = fopen(path, "r");
	char buf[4096];
	size_t n;

	assert_non_null(f);
	assert_int_equal(fseek(f, (long)from, SEEK_SET), 0);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		strbuf_add(out, buf, n);
	fclose(f);
}

/* Many batches, more than may wait; marks in between stay where they were put. */
static void test_compress_thread(void **state)
{
	const struct perf_event_header mark = { PERF_RECORD_FINISHED_ROUND, 0, sizeof(mark) };
	struct strbuf in = STRBUF_INIT, file = STRBUF_INIT, out = STRBUF_INIT;
	struct perf_event_attr attr = { .size = sizeof(attr) };
	struct writer_attr wa = { &attr, NULL, 0, "x" };
	char path[] = "/tmp/test-compress-XXXXXX";
	size_t seen = 0, given = 0;
	struct compress_thread_opts o = {
		.level = 1, .limit = 100000, .look = count_bytes, .ctx = &seen
	};
	struct file_writer w;
	struct compress_thread *p;
	u64 raw, packed;
	struct err err;
	int fd;

	if (!have_zstd())
		skip();
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(file_writer_open(&w, path, &err), 0);
	assert_int_equal(file_writer_start(&w, &wa, 1, &err), 0);
	assert_int_equal(compress_thread_new(&p, &w, &o, &err), 0);
	for (int i = 0; i < 50; i++) {
		struct strbuf piece = STRBUF_INIT;
		struct iovec iov[2];

		fill(&piece, 30000 + (size_t)i, i % 3);
		iov[0] = (struct iovec){ piece.buf, 1000 };
		iov[1] = (struct iovec){ piece.buf + 1000, piece.len - 1000 };
		assert_int_equal(compress_thread_add(p, iov, 2, &err), 0);
		strbuf_add(&in, piece.buf, piece.len);
		given += piece.len;
		if (i % 7 == 0) {
			assert_int_equal(compress_thread_plain(p, &mark, sizeof(mark), &err), 0);
			strbuf_add(&in, &mark, sizeof(mark));
		}
		strbuf_release(&piece);
	}
	assert_int_equal(compress_thread_end(p, &raw, &packed, &err), 0);
	compress_thread_free(p);
	assert_int_equal(raw, given);
	assert_int_equal(seen, given);
	read_file(path, w.data_offset, &file);
	assert_int_equal(file.len, w.data_size);
	assert_int_equal(file_writer_close(&w, &err), 0);
	expand_all(&file, &out);
	assert_int_equal(out.len, in.len);
	assert_memory_equal(out.buf, in.buf, in.len);
	strbuf_release(&in);
	strbuf_release(&file);
	strbuf_release(&out);
	unlink(path);
}

/* The two functions note what happens to batches: 'a' and 'c', and the first byte of each. */
static void see_ahead(void *ctx, const void *data, size_t len)
{
	strbuf_addf(ctx, "a%c", *(const char *)data);
}

static void change(void *ctx, struct strbuf *records, size_t behind)
{
	char first = records->buf[0];

	assert_true(behind <= 3000);
	strbuf_addf(ctx, "c%c", first);
	strbuf_reset(records);
	strbuf_addf(records, "<%c>", first);
}

/* Each batch is seen before the one in front of it is changed, and none is too large to wait. */
static void test_changer(void **state)
{
	struct strbuf order = STRBUF_INIT, file = STRBUF_INIT;
	struct perf_event_attr attr = { .size = sizeof(attr) };
	struct writer_attr wa = { &attr, NULL, 0, "x" };
	char path[] = "/tmp/test-changer-XXXXXX";
	struct compress_thread_opts o = {
		.limit = 10,
		.changer = { see_ahead, change, &order },
	};
	struct file_writer w;
	struct compress_thread *p;
	u64 raw, packed;
	struct err err;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(file_writer_open(&w, path, &err), 0);
	assert_int_equal(file_writer_start(&w, &wa, 1, &err), 0);
	assert_int_equal(compress_thread_new(&p, &w, &o, &err), 0);
	for (char c = '1'; c <= '4'; c++) {
		char bytes[1000];
		struct iovec iov = { bytes, sizeof(bytes) };

		memset(bytes, c, sizeof(bytes));
		assert_int_equal(compress_thread_add(p, &iov, 1, &err), 0);
		assert_int_equal(compress_thread_plain(p, "!", 1, &err), 0);
	}
	assert_int_equal(compress_thread_end(p, &raw, &packed, &err), 0);
	compress_thread_free(p);
	read_file(path, w.data_offset, &file);
	assert_int_equal(file_writer_close(&w, &err), 0);
	assert_string_equal(strbuf_str(&order), "a1a2c1a3c2a4c3c4");
	assert_string_equal(strbuf_str(&file), "<1>!<2>!<3>!<4>!");
	strbuf_release(&order);
	strbuf_release(&file);
	unlink(path);
}

/* A write that fails is told, and nobody waits for ever. */
static void test_full(void **state)
{
	struct compress_thread_opts o = { .level = 1, .limit = 1000 };
	struct file_writer w = { .fd = -1 };
	struct compress_thread *p;
	struct err err = { 0 };
	u64 raw, packed;
	int rc = 0;

	if (!have_zstd() || access("/dev/full", W_OK))
		skip();
	assert_int_equal(file_writer_open(&w, "/dev/full", &err), 0);
	assert_int_equal(compress_thread_new(&p, &w, &o, &err), 0);
	for (int i = 0; i < 1000 && !rc; i++) {
		char text[4000] = "";

		rc = compress_thread_plain(p, text, sizeof(text), &err);
	}
	assert_int_equal(rc, -ENOSPC);
	assert_non_null(strstr(err.msg, "/dev/full"));
	assert_int_equal(compress_thread_end(p, &raw, &packed, &err), -ENOSPC);
	compress_thread_free(p);
	file_writer_close(&w, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_compress_thread),
		cmocka_unit_test(test_changer),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
