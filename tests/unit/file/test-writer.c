// SPDX-License-Identifier: GPL-2.0-or-later
/* Test that the reader reads what the writer writes; modes, old files, features of a made-up
 * machine. */
#include "base/compat.h"
#include "file/feature.h"
#include "file/reader.h"
#include "file/writer.h"
#include "tmp-tree.h"
#include "wire/encode.h"

#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char *dir;

static int setup(void **state)
{
	dir = tmp_dir();
	return chdir(dir);
}

static int teardown(void **state)
{
	int rc = chdir("/");

	tmp_remove(dir);
	return rc;
}

static const u64 ids[] = { 11, 12, 13 };
static const struct perf_event_attr attrs[2] = {
	{ .type = PERF_TYPE_SOFTWARE,
	  .size = sizeof(attrs[0]),
	  .sample_type = PERF_SAMPLE_TID,
	  .sample_id_all = 1 },
	{ .type = PERF_TYPE_RAW,
	  .size = sizeof(attrs[0]),
	  .config = 0x1a8,
	  .sample_type = PERF_SAMPLE_TID },
};
static const struct writer_attr wattrs[2] = { { &attrs[0], ids, 2, "cpu-clock" },
					      { &attrs[1], ids + 2, 1, "r1a8" } };

static void write_one(const char *path, bool finish)
{
	struct writer_feature f[3] = { { .bit = HEADER_BUILD_ID },
				       { .bit = HEADER_CMDLINE },
				       { .bit = HEADER_EVENT_DESC } };
	const char *const argv[] = { "record", "-o", path };
	struct env_build_id b = {
		.pid = -1, .size = 37, .misc = 2, .filename = (char *)"/bin/x", .id = "abc"
	};
	struct strbuf rec = STRBUF_INIT;
	struct file_writer w;
	struct err err;

	enc_comm(&rec, 0, &(struct rec_comm){ .pid = 1, .tid = 1, .comm = "x" }, NULL, NULL);
	assert_int_equal(file_writer_open(&w, path, &err), 0);
	assert_int_equal(file_writer_start(&w, wattrs, 2, &err), 0);
	assert_int_equal(file_writer_write(&w, rec.buf, rec.len, &err), 0);
	if (finish) {
		feature_build_id(&f[0].body, &b);
		feature_cmdline(&f[1].body, "/bin/perf", 3, argv);
		feature_event_desc(&f[2].body, wattrs, 2);
		assert_int_equal(file_writer_finish(&w, f, 3, &err), 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(f); i++)
		strbuf_release(&f[i].body);
	strbuf_release(&rec);
	assert_int_equal(file_writer_close(&w, &err), 0);
}

/* Events that have got more ids meanwhile. */
static void test_later_ids(void **state)
{
	static const u64 more[] = { 11, 12, 21, 13, 22 };
	const struct writer_attr now[2] = { { &attrs[0], more, 3, "cpu-clock" },
					    { &attrs[1], more + 3, 2, "r1a8" } };
	struct diag diag = { 0 };
	struct file_writer w;
	struct perf_file *f;
	struct err err;

	(void)state;
	assert_int_equal(file_writer_open(&w, "i.data", &err), 0);
	assert_int_equal(file_writer_start(&w, wattrs, 2, &err), 0);
	assert_int_equal(file_writer_write(&w, "\0\0\0", 3, &err), 0);
	assert_int_equal(file_writer_finish(&w, NULL, 0, &err), 0);
	assert_int_equal(file_writer_ids(&w, now, &err), 0);
	assert_int_equal(file_writer_close(&w, &err), 0);
	assert_int_equal(perf_file_open("i.data", false, &f, &diag, &err), 0);
	assert_int_equal(f->nr_attrs, 2);
	assert_int_equal(f->attrs[0].nr_ids, 3);
	assert_memory_equal(f->attrs[0].ids, more, 3 * sizeof(u64));
	assert_int_equal(f->attrs[1].nr_ids, 2);
	assert_memory_equal(f->attrs[1].ids, more + 3, 2 * sizeof(u64));
	assert_int_equal(f->attrs[1].attr.config, 0x1a8);
	perf_file_close(f);
}

static void test_file(void **state)
{
	struct diag diag = { 0 };
	struct perf_file *f;
	struct err err;

	write_one("a.data", true);
	assert_int_equal(perf_file_open("a.data", false, &f, &diag, &err), 0);
	assert_false(f->unfinished);
	assert_int_equal(f->nr_attrs, 2);
	assert_int_equal(f->attrs[0].nr_ids, 2);
	assert_int_equal(f->attrs[1].ids[0], 13);
	assert_int_equal(f->attrs[1].attr.config, 0x1a8);
	assert_string_equal(f->attrs[1].name, "r1a8");
	assert_int_equal(f->env.nr_cmdline, 4);
	assert_string_equal(f->env.cmdline[3], "a.data");
	/* an impossible size was cut: never more than 20 bytes */
	assert_int_equal(f->env.nr_build_ids, 1);
	assert_int_equal(f->env.build_ids[0].size, 20);
	assert_string_equal(f->env.build_ids[0].filename, "/bin/x");
	assert_int_equal(f->data.size, 8 + 8 + 8);
	for (int i = 0; i < DIAG_MAX; i++)
		assert_int_equal(diag.count[i], 0);
	perf_file_close(f);
}

/* Fields of later kernels in one attr make all attrs longer, in all places. */
static void test_longer_attr(void **state)
{
	static const u64 more[] = { 0x123, 0, 7 };
	const struct writer_attr longer[] = {
		wattrs[0], { &attrs[1], ids + 2, 1, "r1a8", more, ARRAY_SIZE(more) }
	};
	const u32 size = ATTR_SIZE + sizeof(more);
	struct strbuf desc = STRBUF_INIT;
	struct diag diag = { 0 };
	struct file_writer w;
	struct perf_file *f;
	struct err err;

	assert_int_equal(writer_attr_size(wattrs, 2), ATTR_SIZE);
	assert_int_equal(writer_attr_size(longer, 2), size);
	assert_int_equal(file_writer_open(&w, "longer.data", &err), 0);
	assert_int_equal(file_writer_start(&w, longer, 2, &err), 0);
	assert_int_equal(file_writer_finish(&w, NULL, 0, &err), 0);
	assert_int_equal(file_writer_close(&w, &err), 0);
	assert_int_equal(perf_file_open("longer.data", false, &f, &diag, &err), 0);
	assert_int_equal(f->nr_attrs, 2);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(f->attrs[i].attr.size, size);
	assert_int_equal(f->attrs[0].nr_more, 0);
	assert_int_equal(f->attrs[0].nr_ids, 2);
	assert_int_equal(f->attrs[0].attr.sample_id_all, 1);
	assert_int_equal(f->attrs[1].nr_more, ARRAY_SIZE(more));
	assert_memory_equal(f->attrs[1].more, more, sizeof(more));
	assert_int_equal(f->attrs[1].ids[0], 13);
	perf_file_close(f);

	feature_event_desc(&desc, longer, 2);
	assert_int_equal(*(u32_una *)(desc.buf + 4), size);
	/* number and size; the attr, its number of ids, a padded name, two ids */
	assert_memory_equal(desc.buf + 8 + size + 4 + 4 + 64 + 16 + ATTR_SIZE, more, sizeof(more));
	strbuf_release(&desc);
}

static void test_unfinished(void **state)
{
	struct diag diag = { 0 };
	struct perf_file *f;
	struct err err;

	write_one("b.data", false);
	assert_int_equal(perf_file_open("b.data", false, &f, &diag, &err), 0);
	assert_true(f->unfinished);
	assert_int_equal(f->data.size, 24);
	perf_file_close(f);
}

/* A file that loses its end keeps what was known when it was begun. */
static void test_early(void **state)
{
	static const char *const argv[] = { "record", "x" };

	for (int kind = 0; kind < 3; kind++) { /* complete, never completed, cut off in the data */
		struct writer_feature early = { HEADER_CMDLINE, STRBUF_INIT };
		struct diag diag = { 0 };
		struct file_writer w;
		struct perf_file *f;
		struct err err;

		feature_cmdline(&early.body, "/bin/perf", 2, argv);
		assert_int_equal(file_writer_open(&w, "e.data", &err), 0);
		assert_int_equal(file_writer_start_early(&w, wattrs, 2, &early, 1, &err), 0);
		assert_int_equal(file_writer_write(&w, "12345678", 8, &err), 0);
		if (kind != 1)
			assert_int_equal(file_writer_finish(&w, NULL, 0, &err), 0);
		if (kind == 2)
			assert_int_equal(truncate("e.data", (off_t)w.data_offset + 7), 0);
		assert_int_equal(file_writer_close(&w, &err), 0);
		assert_int_equal(perf_file_open("e.data", false, &f, &diag, &err), 0);
		assert_int_equal(f->unfinished, kind == 1);
		assert_int_equal(f->clipped, kind == 2);
		assert_int_equal(f->env.nr_cmdline, kind ? 3 : 0);
		assert_int_equal(diag.count[DIAG_BAD_FEATURE], 0);
		assert_int_equal(f->nr_attrs, 2);
		assert_int_equal(f->attrs[1].ids[0], 13);
		if (kind)
			assert_string_equal(f->env.cmdline[2], "x");
		perf_file_close(f);
		strbuf_release(&early.body);
	}
	(void)state;
}

static void test_modes(void **state)
{
	struct stat st;
	struct err err;
	FILE *fp = fopen("c.data", "w");

	assert_non_null(fp);
	fputs("old", fp);
	fclose(fp);
	assert_int_equal(chmod("c.data", 0644), 0);
	write_one("c.data", true);
	assert_int_equal(stat("c.data", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(stat("c.data.old", &st), 0);
	assert_int_equal(st.st_size, 3);
	assert_true(file_writer_probe("/nonexistent/x", &err) < 0);
	assert_true(file_writer_probe(".", &err) < 0);
	assert_int_equal(file_writer_probe("new.data", &err), 0);
	assert_true(access("new.data", F_OK) != 0);
}

static void test_full(void **state)
{
	struct file_writer w;
	struct err err;

	if (access("/dev/full", W_OK))
		skip();
	assert_int_equal(file_writer_open(&w, "/dev/full", &err), 0);
	assert_true(file_writer_start(&w, wattrs, 2, &err) < 0);
	assert_non_null(strstr(err.msg, "/dev/full"));
	assert_non_null(strstr(err.msg, "space"));
	file_writer_close(&w, &err);
}

/* The records of a stream: attrs, names, features, in an order readers take. */
static void test_stream(void **state)
{
	struct writer_feature f = { .bit = HEADER_VERSION };
	struct file_writer w;
	struct err err;
	int fds[2];
	u64 head[2];
	u32 seen[128] = { 0 };
	char buf[8192];
	ssize_t n;

	assert_int_equal(pipe(fds), 0);
	memset(&w, 0, sizeof(w));
	w.fd = fds[1];
	w.pipe = true;
	w.path = strdup("pipe");
	feature_string(&f.body, "1.2");
	assert_int_equal(file_writer_start(&w, wattrs, 2, &err), 0);
	assert_int_equal(file_writer_feature_records(&w, &f, 1, &err), 0);
	assert_int_equal(file_writer_finish(&w, &f, 1, &err), 0);
	file_writer_close(&w, &err);
	n = read(fds[0], buf, sizeof(buf));
	assert_true(n > 16);
	memcpy(head, buf, 16);
	assert_int_equal(head[1], 16);
	for (ssize_t at = 16; at < n;) {
		struct perf_event_header h;

		memcpy(&h, buf + at, sizeof(h));
		assert_true(h.size >= 8 && at + h.size <= n && h.type < ARRAY_SIZE(seen));
		assert_true(h.size % 8 == 0 || h.type == PERF_RECORD_HEADER_FEATURE);
		seen[h.type]++;
		at += h.size;
	}
	assert_int_equal(seen[PERF_RECORD_HEADER_ATTR], 2);
	assert_int_equal(seen[PERF_RECORD_EVENT_UPDATE], 2);
	assert_int_equal(seen[PERF_RECORD_HEADER_FEATURE], 2); /* with the end mark */
	strbuf_release(&f.body);
	close(fds[0]);
}

/* On a machine without any files, features are left out and nothing breaks. */
static void test_bare_machine(void **state)
{
	const struct sysroot bare = { "/nonexistent" };

	for (u32 bit = 1; bit < HEADER_FEAT_MAX; bit++) {
		struct strbuf sb = STRBUF_INIT;

		(void)feature_host(&bare, bit, &sb);
		strbuf_release(&sb);
	}
}

/* decode(encode(s)) == s */
static void test_sample_codec(void **state)
{
	static const u64 chain[] = { PERF_CONTEXT_USER, 1, 2 };
	struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
						       PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
						       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
						       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
						       PERF_SAMPLE_STACK_USER |
						       PERF_SAMPLE_WEIGHT_STRUCT };
	struct sample s = { .misc = 2,
			    .id = 5,
			    .ip = 6,
			    .pid = 7,
			    .tid = 8,
			    .time = 9,
			    .cpu = 1,
			    .period = 10,
			    .callchain = (const u64_una *)chain,
			    .nr_callchain = 3,
			    .raw = "abcde",
			    .raw_size = 5,
			    .user_stack = "12345678",
			    .user_stack_size = 16,
			    .user_stack_dyn = 8,
			    .weight = 3,
			    .ins_lat = 4 };
	struct strbuf sb = STRBUF_INIT;
	struct wire_layout l;
	struct sample d;

	layout_init(&l, &attr);
	enc_sample(&sb, &l, &s);
	assert_int_equal(sample_decode(&l, sb.buf, sb.len, &d), 0);
	assert_true(d.id == 5 && d.ip == 6 && d.pid == 7 && d.tid == 8 && d.time == 9 &&
		    d.cpu == 1 && d.period == 10);
	assert_true(d.nr_callchain == 3 && d.callchain[2] == 2);
	assert_memory_equal(d.raw, "abcde", 5);
	assert_true(d.user_stack_dyn == 8 && d.weight == 3 && d.ins_lat == 4);
	assert_memory_equal(d.user_stack, "12345678", 8);
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file),         cmocka_unit_test(test_longer_attr),
		cmocka_unit_test(test_later_ids),    cmocka_unit_test(test_unfinished),
		cmocka_unit_test(test_early),        cmocka_unit_test(test_modes),
		cmocka_unit_test(test_full),         cmocka_unit_test(test_stream),
		cmocka_unit_test(test_bare_machine), cmocka_unit_test(test_sample_codec),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
