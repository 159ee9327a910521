// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the container: versions, byte orders, attr sizes, sections, features, pipes, refusals. */
#include "base/compat.h"
#include "file/reader.h"
#include "pdata-build.h"

#include <setjmp.h>
#include <cmocka.h>

#define ST (PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER)

static struct pb_event event(u32 attr_size, u64 id, const char *name)
{
	return (struct pb_event){
		.attr = { .type = 1,
			  .config = id,
			  .sample_type = ST,
			  .sample_id_all = 1,
			  .precise_ip = 2,
			  .exclude_hv = 1 },
		.attr_size = attr_size,
		.ids = { id, id + 1000 },
		.nr_ids = 2,
		.name = name,
	};
}

static struct perf_file *open_bytes(const void *data, size_t len, struct diag *diag,
				    struct err *err)
{
	struct perf_file *f = NULL;
	char path[64];
	int fd;

	memset(diag, 0, sizeof(*diag));
	if (perf_file_open(pb_save(data, len, &fd, path), false, &f, diag, err))
		f = NULL;
	pb_unsave(fd);
	return f;
}

static struct perf_file *open_ok(const struct pb *b, struct diag *diag)
{
	struct err err = { 0 };
	struct perf_file *f = open_bytes(b->out.buf, b->out.len, diag, &err);

	if (!f)
		fail_msg("%s", err.msg);
	return f;
}

static void put_features(struct pb *b, const struct pb_event *ev, size_t nr)
{
	struct pb f;

	pb_event_desc(b, ev, nr);
	pb_feature_str(b, HEADER_HOSTNAME, "a-host");
	pb_feature_str(b, HEADER_OSRELEASE, "6.1.0");
	pb_feature_str(b, HEADER_VERSION, "6.1");
	pb_feature_str(b, HEADER_ARCH, "s390x");
	pb_feature_str(b, HEADER_CPUDESC, "a cpu");
	pb_feature_str(b, HEADER_CPUID, "X,1,2");
	pb_init(&f, b->swap);
	pb_u32(&f, 8);
	pb_u32(&f, 6);
	pb_feature(b, HEADER_NRCPUS, &f);
	pb_release(&f);
	pb_init(&f, b->swap);
	pb_u64(&f, 123456);
	pb_feature(b, HEADER_TOTAL_MEM, &f);
	pb_release(&f);
	pb_init(&f, b->swap);
	pb_u32(&f, 3);
	pb_string(&f, "perf");
	pb_string(&f, "record");
	pb_string(&f, "");
	pb_feature(b, HEADER_CMDLINE, &f);
	pb_release(&f);
	pb_init(&f, b->swap);
	pb_u64(&f, 100);
	pb_u64(&f, 200);
	pb_feature(b, HEADER_SAMPLE_TIME, &f);
	pb_release(&f);
}

static void check_features(const struct perf_file *f)
{
	assert_string_equal(f->env.hostname, "a-host");
	assert_string_equal(f->env.os_release, "6.1.0");
	assert_string_equal(f->env.version, "6.1");
	assert_string_equal(f->env.arch, "s390x");
	assert_string_equal(f->env.cpu_desc, "a cpu");
	assert_string_equal(f->env.cpuid, "X,1,2");
	assert_int_equal(f->env.nr_cpus_avail, 8);
	assert_int_equal(f->env.nr_cpus_online, 6);
	assert_int_equal(f->env.total_mem, 123456);
	assert_int_equal(f->env.nr_cmdline, 3);
	assert_string_equal(f->env.cmdline[1], "record");
	assert_string_equal(f->env.cmdline[2], "");
	assert_int_equal(f->env.sample_first, 100);
	assert_int_equal(f->env.sample_last, 200);
}

static void check_attrs(const struct perf_file *f)
{
	assert_int_equal(f->nr_attrs, 2);
	for (u64 i = 0; i < 2; i++) {
		assert_int_equal(f->attrs[i].attr.config, 5 + i);
		assert_int_equal(f->attrs[i].attr.sample_type, ST);
		assert_int_equal(f->attrs[i].attr.precise_ip, 2);
		assert_true(f->attrs[i].attr.exclude_hv && f->attrs[i].attr.sample_id_all);
		assert_false(f->attrs[i].attr.exclude_idle);
		assert_int_equal(f->attrs[i].nr_ids, 2);
		assert_int_equal(f->attrs[i].ids[1], 1005 + i);
		assert_string_equal(f->attrs[i].name, i ? "two" : "one");
	}
}

/* Versions 1 and 2, both orders, every size an attr ever had. */
static void test_forms(void **state)
{
	static const u32 sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144 };

	for (int form = 0; form < 4; form++) {
		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
			struct pb_event ev[] = { event(sizes[i], 5, "one"),
						 event(sizes[i], 6, "two") };
			struct perf_file *f;
			struct diag diag;
			struct pb b;

			pb_init(&b, form & 1);
			pb_file(&b, 1 + (form >> 1), ev, 2);
			put_features(&b, ev, 2);
			pb_round(&b);
			pb_finish(&b);
			f = open_ok(&b, &diag);
			assert_int_equal(f->version, 1 + (form >> 1));
			assert_int_equal(f->swap, form & 1);
			assert_false(f->pipe || f->unfinished || f->clipped);
			assert_int_equal(f->data.offset, b.data_start);
			assert_int_equal(f->data.size, 8);
			check_attrs(f);
			check_features(f);
			for (int k = 0; k < DIAG_MAX; k++)
				assert_int_equal(diag.count[k], 0);
			perf_file_close(f);
			pb_release(&b);
		}
	}
}

static void put_build_id(struct pb *b, u16 misc, bool pid, const char *name)
{
	size_t at = pb_begin(b, PERF_RECORD_HEADER_BUILD_ID, misc);

	if (pid)
		pb_u32(b, ~0U);
	pb_bytes(b, "abcdefghijklmnopqrst", 20);
	pb_u8(b, 16);
	pb_bytes(b, "\0\0\0", 3);
	pb_str(b, name);
	pb_end(b, at);
}

static void build_ids(u16 misc, bool pid, u8 want_size)
{
	for (int swap = 0; swap < 2; swap++) {
		struct pb_event ev = event(0, 5, "one");
		struct perf_file *f;
		struct pb b, body;
		struct diag diag;

		pb_init(&b, swap);
		pb_file(&b, 2, &ev, 1);
		pb_init(&body, swap);
		put_build_id(&body, misc, pid, "[kernel.kallsyms]");
		put_build_id(&body, misc, pid, "/bin/true");
		pb_feature(&b, HEADER_BUILD_ID, &body);
		pb_round(&b);
		pb_finish(&b);
		f = open_ok(&b, &diag);
		assert_int_equal(f->env.nr_build_ids, 2);
		assert_string_equal(f->env.build_ids[0].filename, "[kernel.kallsyms]");
		assert_string_equal(f->env.build_ids[1].filename, "/bin/true");
		assert_int_equal(f->env.build_ids[1].size, want_size);
		assert_memory_equal(f->env.build_ids[1].id, "abcdefghijklmnopqrst", want_size);
		assert_int_equal(f->env.build_ids[1].pid, -1);
		assert_int_equal(f->env.build_ids[1].misc, PERF_RECORD_MISC_USER);
		perf_file_close(f);
		pb_release(&body);
		pb_release(&b);
	}
}

static void test_build_ids(void **state)
{
	build_ids(PERF_RECORD_MISC_USER | 1 << 15, true, 16);
	build_ids(PERF_RECORD_MISC_USER, true, 20);
	build_ids(PERF_RECORD_MISC_USER, false, 20); /* the first versions had no pid */
}

static void test_raw_feature(void **state)
{
	struct pb_event ev = event(0, 5, "one");
	struct perf_file *f;
	struct pb b, body;
	struct diag diag;
	size_t size;

	pb_init(&b, false);
	pb_file(&b, 2, &ev, 1);
	pb_init(&body, false);
	pb_bytes(&body, "topology", 8);
	pb_feature(&b, HEADER_CPU_TOPOLOGY, &body);
	pb_release(&body);
	pb_init(&body, false);
	pb_feature(&b, HEADER_BRANCH_STACK, &body); /* a flag: no body */
	pb_round(&b);
	pb_finish(&b);
	f = open_ok(&b, &diag);
	assert_memory_equal(perf_file_feature(f, HEADER_CPU_TOPOLOGY, &size), "topology", 8);
	assert_int_equal(size, 8);
	assert_true(perf_file_has_feature(f, HEADER_BRANCH_STACK));
	assert_null(perf_file_feature(f, HEADER_BRANCH_STACK, &size));
	assert_false(perf_file_has_feature(f, HEADER_CACHE));
	assert_false(perf_file_has_feature(f, 1000));
	assert_null(perf_file_feature(f, HEADER_CACHE, &size));
	perf_file_close(f);
	pb_release(&b);
}

/* A bad feature is counted, where it is, and the others are read. */
static void test_bad_features(void **state)
{
	struct pb_event ev = event(0, 5, "one");
	struct perf_file *f;
	struct pb b, body;
	struct diag diag;

	pb_init(&b, false);
	pb_file(&b, 2, &ev, 1);
	pb_feature_str(&b, HEADER_HOSTNAME, "a-host");
	pb_init(&body, false);
	pb_u32(&body, 1U << 31); /* a string of 2 GB */
	pb_feature(&b, HEADER_OSRELEASE, &body);
	pb_release(&body);
	pb_init(&body, false);
	pb_u32(&body, ~0U); /* as many strings */
	pb_feature(&b, HEADER_CMDLINE, &body);
	pb_release(&body);
	pb_feature_str(&b, HEADER_ARCH, "x86_64");
	pb_round(&b);
	pb_finish(&b);
	f = open_ok(&b, &diag);
	assert_int_equal(diag.count[DIAG_BAD_FEATURE], 2);
	assert_string_equal(f->env.hostname, "a-host");
	assert_string_equal(f->env.arch, "x86_64");
	assert_null(f->env.os_release);
	perf_file_close(f);
	pb_release(&b);
}

static void test_pipe(void **state)
{
	for (int swap = 0; swap < 2; swap++) {
		struct pb_event ev[] = { event(0, 5, "one"), event(0, 6, "two") };
		struct pipe_record rec;
		struct perf_file *f;
		struct diag diag;
		struct err err;
		struct pb b;
		size_t at;

		pb_init(&b, swap);
		pb_pipe(&b, ev, 2);
		at = pb_begin(&b, PERF_RECORD_HEADER_TRACING_DATA, 0);
		pb_u32(&b, 16);
		pb_u32(&b, 0);
		pb_end(&b, at);
		pb_bytes(&b, "format of events", 16);
		pb_round(&b);
		f = open_ok(&b, &diag);
		assert_true(f->pipe);
		assert_int_equal(f->swap, swap);
		for (int i = 0; i < 4; i++) {
			assert_int_equal(pipe_next(f, &rec, &diag, &err), 1);
			assert_int_equal(rec.type, i & 1 ? PERF_RECORD_EVENT_UPDATE
							 : PERF_RECORD_HEADER_ATTR);
			assert_null(rec.payload);
		}
		assert_int_equal(pipe_next(f, &rec, &diag, &err), 1);
		assert_int_equal(rec.type, PERF_RECORD_HEADER_TRACING_DATA);
		assert_int_equal(rec.offset, at);
		assert_int_equal(rec.payload_size, 16);
		assert_memory_equal(rec.payload, "format of events", 16);
		assert_int_equal(pipe_next(f, &rec, &diag, &err), 1);
		assert_int_equal(rec.type, PERF_RECORD_FINISHED_ROUND);
		assert_int_equal(rec.size, 8);
		assert_int_equal(pipe_next(f, &rec, &diag, &err), 0);
		assert_int_equal(diag.count[DIAG_TRUNCATED], 0);
		perf_file_close(f);
		pb_release(&b);
	}
}

static void refused(const void *data, size_t len, const char *words)
{
	struct err err = { 0 };
	struct diag diag;

	assert_null(open_bytes(data, len, &diag, &err));
	assert_true(err.code < 0);
	if (!strstr(err.msg, words))
		fail_msg("'%s' does not say '%s'", err.msg, words);
}

static void test_refusals(void **state)
{
	struct pb_event ev = event(0, 5, "one");
	struct diag diag = { 0 };
	struct err err = { 0 };
	struct perf_file *f;
	struct pb b;

	refused("", 0, "zero-sized data");
	refused("PERFILE", 7, "incompatible file format");
	refused("PERFILE2\0\0\0\0\0\0\0\0", 16, "cut off inside its header");
	refused("ELFxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 32, "incompatible file format");
	pb_init(&b, false);
	pb_file(&b, 2, &ev, 1);
	pb_finish(&b);
	b.out.buf[16] = 3; /* the size of an attr entry */
	refused(b.out.buf, b.out.len, "damaged");
	pb_release(&b);
	assert_int_equal(perf_file_open("/nonexistent/perf.data", false, &f, &diag, &err), -ENOENT);
	assert_int_equal(perf_file_open("/", false, &f, &diag, &err), -ENOENT); /* no /data */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),       cmocka_unit_test(test_build_ids),
		cmocka_unit_test(test_raw_feature), cmocka_unit_test(test_bad_features),
		cmocka_unit_test(test_pipe),        cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
