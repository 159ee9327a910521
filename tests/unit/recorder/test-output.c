// SPDX-License-Identifier: GPL-2.0-or-later
/* Test one output file: records straight and through the compress thread, its end after damage, and
 * the names of the files before it. */
#include "base/compat.h"
#include "recorder/output.h"
#include "recorder/switching.h"

#include "base/alloc.h"
#include "pdata-build.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#define TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static struct evlist events;
static char *folder;

static int set_up(void **state)
{
	struct perf_event_attr a = { .size = sizeof(a), .sample_type = TYPE };
	struct evsel *e = evlist_add(&events, &a, "cycles");

	layout_init(&e->layout, &e->attr);
	folder = tmp_dir();
	return 0;
}

static int tear_down(void **state)
{
	evlist_release(&events);
	tmp_remove(folder);
	return 0;
}

/* @nr samples of a thread, a microsecond after each other. */
static void samples(struct pb *b, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		size_t at = pb_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

		pb_u64(b, 0x1000);
		pb_u32(b, 7);
		pb_u32(b, 7);
		pb_u64(b, 1000 + i * 1000ULL);
		pb_end(b, at);
	}
}

static void begin(struct record_output *o, const char *path)
{
	const struct scan_opts scan = { .list = &events };
	struct writer_attr attr = { .attr = &events.evsels[0]->attr, .name = "cycles" };
	struct err err = { 0 };

	memset(o, 0, sizeof(*o));
	assert_int_equal(file_writer_open(&o->writer, path, &err), 0);
	assert_int_equal(file_writer_start(&o->writer, &attr, 1, &err), 0);
	o->scan = scan_new(&scan, &o->seen);
}

static void end(struct record_output *o)
{
	struct err err = { 0 };

	scan_end(o->scan);
	record_scan_release(&o->seen);
	assert_int_equal(file_writer_close(&o->writer, &err), 0);
}

/* Straight: what is written is in the file, and was seen. */
static void test_straight(void **state)
{
	char *path = xasprintf("%s/straight", folder);
	struct record_output o;
	struct err err = { 0 };
	struct pb b;

	begin(&o, path);
	pb_init(&b, false);
	samples(&b, 10);
	assert_int_equal(output_records(&o, &b.out, &err), 0);
	assert_int_equal(output_mark(&o, PERF_RECORD_FINISHED_ROUND, &err), 0);
	assert_int_equal(output_written(&o), b.out.len + sizeof(struct perf_event_header));
	assert_int_equal(o.seen.samples, 10);
	assert_int_equal(o.seen.first_time, 1000);
	assert_int_equal(o.seen.last_time, 10000);
	assert_true(output_ratio(&o) == 0);
	pb_release(&b);
	end(&o);
	free(path);
}

/* A thread writes without compressing (--aio): the same bytes, all of them at the end. */
static void test_thread(void **state)
{
	char *path = xasprintf("%s/thread", folder);
	struct record_output o;
	struct err err = { 0 };
	struct pb b;

	begin(&o, path);
	o.count_handed = true;
	pb_init(&b, false);
	samples(&b, 100);
	assert_int_equal(output_thread(&o, 0, 1 << 20, &err), 0);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(output_records(&o, &b.out, &err), 0);
		assert_int_equal(output_mark(&o, PERF_RECORD_FINISHED_ROUND, &err), 0);
	}
	/* counted before the thread has looked at them */
	assert_int_equal(o.handed.samples, 2000);
	assert_int_equal(o.handed.own, 0);
	assert_int_equal(output_settle(&o, &err), 0);
	assert_null(o.compress_thread);
	assert_int_equal(output_settle(&o, &err), 0);
	assert_int_equal(output_written(&o), 20 * (b.out.len + sizeof(struct perf_event_header)));
	assert_int_equal(o.seen.samples, 2000);
	pb_release(&b);
	end(&o);
	free(path);
}

/* A file that cannot have a head is not there afterwards. */
static void test_drop(void **state)
{
	char *path = xasprintf("%s/dropped", folder);
	struct record_output o;

	begin(&o, path);
	o.write_back = write_back_new();
	write_back_add(o.write_back, &o.writer);
	output_drop(&o);
	assert_null(o.scan);
	assert_null(o.write_back);
	assert_int_not_equal(access(path, F_OK), 0);
	record_scan_release(&o.seen);
	free(path);
}

/* Data ends with a whole record after an error; half a one does not count. */
static void test_cut(void **state)
{
	char *path = xasprintf("%s/cut", folder);
	struct pb b;
	struct cut c;
	FILE *f;
	u64 size;

	pb_init(&b, false);
	pb_u64(&b, 0); /* something in front */
	samples(&b, 5);
	size = b.out.len - 8;
	file_write(path, b.out.buf, b.out.len);
	f = fopen(path, "r+");
	assert_non_null(f);
	c = cut_find(fileno(f), 8, size, size);
	assert_int_equal(c.keep, size);
	assert_int_equal(c.samples, 5);
	/* the last one lacks a byte */
	c = cut_find(fileno(f), 8, size - 1, size - 1);
	assert_int_equal(c.keep, size / 5 * 4);
	assert_int_equal(c.samples, 4);
	assert_int_equal(c.dropped, 0);
	/* there is to be room for a header */
	c = cut_find(fileno(f), 8, size, size - size / 5 - 8);
	assert_int_equal(c.keep, size / 5 * 3);
	assert_int_equal(c.samples, 3);
	assert_int_equal(c.dropped, 2);
	fclose(f);
	pb_release(&b);
	free(path);
}

/* --- several files ------------------------------------------------------------------ */

static void collect(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

static char *complete(const char *path)
{
	struct err err = { 0 };
	char *name;

	file_write(path, "data", 4);
	usleep(12000); /* names tell hundredths of a second apart */
	name = rotation_rename(path, &err);
	assert_non_null(name);
	return name;
}

/* The last ones stay, and the order of names is that of time. */
static void test_rotation(void **state)
{
	char *path = xasprintf("%s/rotated", folder), *names[4];
	struct strbuf said = STRBUF_INIT;
	const struct notices notes = { collect, &said };
	struct rotation r = { .max = 2 };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *name = complete(path);

		names[i] = xstrdup(name);
		assert_int_not_equal(access(path, F_OK), 0);
		assert_int_equal(strncmp(name, path, strlen(path)), 0);
		if (i)
			assert_true(strcmp(name, names[i - 1]) > 0);
		rotation_keep(&r, name, &notes);
	}
	assert_int_not_equal(access(names[0], F_OK), 0);
	assert_int_not_equal(access(names[1], F_OK), 0);
	assert_int_equal(access(names[2], F_OK), 0);
	assert_int_equal(access(names[3], F_OK), 0);
	/* one that somebody else has removed is no trouble */
	assert_int_equal(unlink(names[2]), 0);
	rotation_keep(&r, complete(path), &notes);
	assert_int_equal(said.len, 0);
	rotation_release(&r);
	/* without a limit all of them stay */
	rotation_keep(&r, complete(path), &notes);
	assert_int_equal(r.nr, 0);
	rotation_release(&r);
	strbuf_release(&said);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		free(names[i]);
	free(path);
}

/* A file that cannot be removed is told, and no longer waited for. */
static void test_rotation_fails(void **state)
{
	char *path = xasprintf("%s/kept", folder), *own = xasprintf("%s/kept.d", folder);
	char *file = xasprintf("%s/mine", own);
	struct strbuf said = STRBUF_INIT;
	const struct notices notes = { collect, &said };
	struct rotation r = { .max = 1 };
	struct err err = { 0 };

	assert_null(rotation_rename(path, &err));
	assert_int_equal(err.code, -ENOENT);
	/* a folder with something of the user's */
	file_write(file, "mine", 4);
	rotation_keep(&r, xstrdup(own), &notes);
	rotation_keep(&r, complete(path), &notes);
	assert_non_null(strstr(strbuf_str(&said), "failed to remove"));
	assert_int_equal(access(file, F_OK), 0);
	assert_int_equal(r.nr, 1);
	rotation_release(&r);
	strbuf_release(&said);
	free(path);
	free(own);
	free(file);
}

/* A trigger counts once, and only where switching was asked for. */
static void test_due(void **state)
{
	const struct switch_opts by_size = { .enabled = true, .size = 1000 }, never = { 0 };
	struct switching s = { .opts = &by_size };

	assert_false(switching_due(&s, true, 999));
	assert_true(switching_due(&s, true, 1000));
	/* nothing was written since */
	assert_false(switching_due(&s, false, 1000));
	assert_true(switching_trigger(&s));
	assert_true(switching_due(&s, false, 0));
	assert_false(switching_due(&s, false, 0));
	s.opts = &never;
	assert_false(switching_trigger(&s));
	assert_false(switching_due(&s, true, 1 << 30));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_straight), cmocka_unit_test(test_thread),
		cmocka_unit_test(test_drop),     cmocka_unit_test(test_cut),
		cmocka_unit_test(test_rotation), cmocka_unit_test(test_rotation_fails),
		cmocka_unit_test(test_due),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
