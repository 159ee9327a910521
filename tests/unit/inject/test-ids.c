// SPDX-License-Identifier: GPL-2.0-or-later
/* Test build-ids put into a recording: of which objects, and which id. */
#include "base/compat.h"
#include "base/alloc.h"
#include "inject/run.h"
#include "drive.h"
#include "pdata-build.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |                \
	 PERF_SAMPLE_IDENTIFIER)

/* /no/a and /no/b are mapped; there are samples in /no/a alone. */
static void build(struct pb *b, bool pipe)
{
	const struct pb_event ev = {
		.attr = { .type = PERF_TYPE_SOFTWARE, .sample_type = ST, .sample_id_all = true },
		.ids = { 7 },
		.nr_ids = 1,
		.name = "one"
	};
	struct pb_id id = { 10, 10, 900, 7, 0, 0 };

	pb_start(b, false, pipe, &ev, 1);
	pb_mmap2(b, 10, 0x400000, 0x1000, "/no/a", ST, &id);
	pb_mmap2(b, 10, 0x500000, 0x1000, "/no/b", ST, &id);
	for (u64 i = 0; i < 10; i++) {
		id.time = 1000 + i;
		pb_sample(b, ST, 0x400000 + i, &id, 1);
	}
	pb_round(b);
	pb_finish(b);
}

static void take_notice(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

/* Put ids into what build() makes. Return: those in the output by name, "a=..,b=..". */
static char *inject(bool pipe, bool hits, bool all, const char *known)
{
	char *dir = tmp_dir(), *out = xasprintf("%s/out", dir), path[64];
	struct inject_options o = { .rec.buildid_dir = "",
				    .output = out,
				    .known_ids = known,
				    .ids_of_hits = hits,
				    .ids_of_all = all };
	struct strbuf text = STRBUF_INIT;
	struct drive d = { 0 };
	struct err err = { 0 };
	struct inject in;
	struct session s;
	struct pb b;
	int fd;

	build(&b, pipe);
	o.rec.input = pb_save(b.out.buf, b.out.len, &fd, path);
	assert_int_equal(inject_open(&in, &o, NULL, &err), 0);
	assert_int_equal(inject_run(&in, &err), 0);
	assert_false(inject_has_traces(&in));
	inject_close(&in);
	pb_unsave(fd);
	pb_release(&b);

	assert_int_equal(session_open(&s, out, true, &err), 0);
	/* A pipe brings its ids as records. */
	assert_int_equal(drive_samples(&s, &d, 1, &err), 0);
	drive_release(&d);
	for (size_t i = 0; i < s.file->env.nr_build_ids; i++) {
		const struct env_build_id *id = &s.file->env.build_ids[i];

		strbuf_addf(&text, "%s=%02x%02x/%u ", id->filename, id->id[0], id->id[1], id->size);
	}
	session_close(&s);
	free(out);
	tmp_remove(dir);
	return strbuf_detach(&text);
}

static void gives(bool pipe, bool hits, bool all, const char *known, const char *want)
{
	char *have = inject(pipe, hits, all, known);

	assert_string_equal(have, want);
	free(have);
}

static void test_which(void **state)
{
	static const char known[] = "0102 /no/a,0304 /no/b,0506 /no/c";

	gives(false, true, false, known, "/no/a=0102/2 ");
	gives(false, false, true, known, "/no/a=0102/2 /no/b=0304/2 ");
	gives(false, true, false, "0304 /no/b", "");
	gives(true, true, false, known, "/no/a=0102/2 ");
	gives(true, false, true, known, "/no/a=0102/2 /no/b=0304/2 ");
}

/* Return: samples in the output. */
static u64 samples_left(bool pipe, bool strip)
{
	char *dir = tmp_dir(), *out = xasprintf("%s/out", dir), path[64];
	struct inject_options o = { .output = out, .strip = strip };
	struct err err = { 0 };
	struct inject in;
	struct pb b;
	u64 nr;
	int fd;

	build(&b, pipe);
	o.rec.input = pb_save(b.out.buf, b.out.len, &fd, path);
	assert_int_equal(inject_open(&in, &o, NULL, &err), 0);
	assert_int_equal(inject_run(&in, &err), 0);
	inject_close(&in);
	nr = drive_records(out);
	pb_unsave(fd);
	pb_release(&b);
	free(out);
	tmp_remove(dir);
	return nr;
}

static void test_strip(void **state)
{
	assert_int_equal(samples_left(false, false), 10);
	assert_int_equal(samples_left(false, true), 0);
	assert_int_equal(samples_left(true, true), 0);
}

/* A file that cannot be opened leaves nothing behind. */
static void test_refused(void **state)
{
	struct inject_options o = { .rec.input = "/nonexistent", .output = "/nonexistent/out" };
	struct err err = { 0 };
	struct inject in;

	assert_true(inject_open(&in, &o, NULL, &err) < 0);
	assert_non_null(strstr(err.msg, "/nonexistent/out"));
	o.output = "-";
	o.known_ids = "0102 /no/a";
	assert_true(inject_open(&in, &o, NULL, &err) < 0);
	o.known_ids = "file:///nonexistent";
	assert_true(inject_open(&in, &o, NULL, &err) < 0);
}

static void test_known(void **state)
{
	struct strbuf told = STRBUF_INIT;
	const struct notices n = { take_notice, &told };
	struct known_ids k = { 0 };
	struct err err = { 0 };

	assert_int_equal(known_ids_parse(&k, " AbCd /a b ,xyz,12,0 /odd,,ff /c", &n, &err), 0);
	assert_int_equal(k.nr, 2);
	assert_string_equal(k.v[0].filename, "/a b");
	assert_int_equal(k.v[0].size, 2);
	assert_int_equal(k.v[0].id[0], 0xab);
	assert_string_equal(k.v[1].filename, "/c");
	assert_non_null(strstr(strbuf_str(&told), "'xyz' is no build-id and path"));
	assert_non_null(strstr(strbuf_str(&told), "'12' is no build-id"));
	assert_non_null(strstr(strbuf_str(&told), "'0 /odd' is no build-id"));
	known_ids_release(&k);
	assert_true(known_ids_parse(&k, "file:///nonexistent", &n, &err) < 0);
	assert_non_null(strstr(err.msg, "/nonexistent"));
	known_ids_release(&k);
	strbuf_release(&told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_which),
		cmocka_unit_test(test_strip),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
