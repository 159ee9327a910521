// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what the scan sees of records that pass, and which objects it says were hit. */
#include "base/compat.h"
#include "base/alloc.h"
#include "recorder/existing.h"
#include "recorder/scan.h"
#include "symbol/debug-file.h"

#include "elf-build.h"
#include "pdata-build.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#define TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static struct evlist events;

static int set_up(void **state)
{
	struct perf_event_attr a = { .size = sizeof(a), .sample_type = TYPE };
	struct evsel *e = evlist_add(&events, &a, "cycles");

	layout_init(&e->layout, &e->attr);
	return 0;
}

static int tear_down(void **state)
{
	evlist_release(&events);
	return 0;
}

static void sample(struct pb *b, u16 mode, u64 ip, u32 pid, u64 time)
{
	size_t at = pb_begin(b, PERF_RECORD_SAMPLE, mode);

	pb_u64(b, ip);
	pb_u32(b, pid);
	pb_u32(b, pid);
	pb_u64(b, time);
	pb_end(b, at);
}

static void lost(struct pb *b, u64 id, u64 nr)
{
	size_t at = pb_begin(b, PERF_RECORD_LOST, 0);

	pb_u64(b, id);
	pb_u64(b, nr);
	pb_end(b, at);
}

/* --- counting -------------------------------------------------------------------- */

static void test_counts(void **state)
{
	const struct scan_opts o = { .list = &events };
	struct record_scan seen = { 0 };
	struct scan *s = scan_new(&o, &seen);
	struct pb b;

	pb_init(&b, false);
	sample(&b, PERF_RECORD_MISC_USER, 0x1000, 7, 500);
	sample(&b, PERF_RECORD_MISC_KERNEL, 0x2000, (u32)getpid(), 300);
	sample(&b, PERF_RECORD_MISC_USER, 0x1000, 7, 900);
	lost(&b, 11, 5);
	lost(&b, 12, 1);
	lost(&b, 11, 2);
	pb_round(&b);
	scan_walk(s, b.out.buf, b.out.len);
	assert_int_equal(seen.events, 7);
	assert_int_equal(seen.samples, 3);
	assert_int_equal(seen.own, 1);
	assert_int_equal(seen.first_time, 300);
	assert_int_equal(seen.last_time, 900);
	assert_int_equal(seen.lost_chunks, 3);
	assert_int_equal(seen.lost_events, 8);
	assert_int_equal(seen.nr_lost, 2);
	assert_int_equal(seen.lost[0].lost, 7);
	scan_end(s);
	pb_release(&b);
	record_scan_release(&seen);
}

/* A record that goes around the end of a ring is seen once, wherever it is cut. */
static void test_spans(void **state)
{
	const struct scan_opts o = { .list = &events };
	struct own_share share;
	struct pb b;

	pb_init(&b, false);
	for (u64 i = 0; i < 4; i++)
		sample(&b, PERF_RECORD_MISC_USER, 0x1000 * i, 7, 100 + i);
	for (size_t at = 8; at < b.out.len; at += 8) {
		struct record_scan seen = { 0 };
		struct scan *s = scan_new(&o, &seen);
		struct iovec iov[2] = { { b.out.buf, at }, { b.out.buf + at, b.out.len - at } };

		share = (struct own_share){ 0 };
		scan_count_own(s, iov, 2, &share);
		assert_in_range(share.samples, 3, 4);
		assert_int_equal(scan_spans(s, iov, 2), 2);
		assert_int_equal(seen.samples, 4);
		assert_int_equal(seen.last_time, 103);
		scan_end(s);
		record_scan_release(&seen);
	}
	pb_release(&b);
}

/* Beside a recorder that asks for build-ids the kernel says of our maps that they have them. */
static void test_mended(void **state)
{
	struct scan_opts o = { .list = &events };
	struct record_scan seen = { 0 };
	struct scan *s = scan_new(&o, &seen);
	const struct perf_event_header *h;
	struct iovec iov[2];
	struct pb b;

	pb_init(&b, false);
	sample(&b, PERF_RECORD_MISC_USER, 0x1000, 7, 1);
	pb_mmap2(&b, 7, 0x1000, 0x1000, "/bin/x", 0, NULL);
	((struct perf_event_header *)(b.out.buf + 32))->misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	iov[0] = (struct iovec){ b.out.buf, 40 };
	iov[1] = (struct iovec){ b.out.buf + 40, b.out.len - 40 };
	assert_int_equal(scan_spans(s, iov, 2), 1);
	assert_int_equal(iov[0].iov_len, b.out.len);
	h = (const void *)((const char *)iov[0].iov_base + 32);
	assert_false(h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
	scan_end(s);
	/* who asked for them is told the truth */
	o.build_ids = true;
	s = scan_new(&o, &seen);
	iov[0] = (struct iovec){ b.out.buf, b.out.len };
	assert_int_equal(scan_spans(s, iov, 1), 1);
	assert_ptr_equal(iov[0].iov_base, b.out.buf);
	scan_end(s);
	pb_release(&b);
	record_scan_release(&seen);
}

/* --- processes ------------------------------------------------------------------- */

static u32 alive(const struct map64 *tasks, u32 pid)
{
	return map64_get(tasks, pid);
}

static void test_tasks(void **state)
{
	struct map64 tasks = { 0 }, other = { 0 };
	struct scan_opts o = { .list = &events, .tasks = &tasks };
	struct record_scan seen = { 0 };
	struct scan *s = scan_new(&o, &seen);
	struct pb b;

	pb_init(&b, false);
	pb_task(&b, PERF_RECORD_FORK, 10, 1, 1, 0, NULL);
	pb_task(&b, PERF_RECORD_FORK, 11, 1, 2, 0, NULL);
	pb_task(&b, PERF_RECORD_EXIT, 10, 1, 3, 0, NULL);
	sample(&b, PERF_RECORD_MISC_USER, 0x1000, 12, 4);
	scan_walk(s, b.out.buf, b.out.len);
	assert_int_equal(alive(&tasks, 10), 0);
	assert_int_equal(alive(&tasks, 11), 1);
	assert_int_equal(alive(&tasks, 12), MAP64_NONE);
	scan_end(s);
	/* where rings are overwritten a sample is all there is of a process */
	o.note_samples = true;
	s = scan_new(&o, &seen);
	scan_walk(s, b.out.buf, b.out.len);
	assert_int_equal(alive(&tasks, 12), 1);
	scan_end(s);
	/* the end of a process stands in the records of another CPU than its beginning */
	map64_set(&other, 11, 0);
	map64_set(&other, 13, 1);
	tasks_join(&tasks, &other);
	assert_int_equal(alive(&tasks, 11), 0);
	assert_int_equal(alive(&tasks, 13), 1);
	map64_release(&tasks);
	pb_release(&b);
	record_scan_release(&seen);
}

/* --- objects --------------------------------------------------------------------- */

static void note_hit(void *ctx, const char *name, u32 pid, const u8 *id, u8 id_size,
		     struct held_files *held)
{
	assert_true(!held || !held->object);
	assert_int_equal(id_size, 20);
	strbuf_addf(ctx, "%s %u %02x\n", name, pid, id[0]);
}

/* An MMAP2 record that has a build-id of 20 bytes @first. */
static void mapped(struct pb *b, u32 pid, u64 start, u64 len, const char *name, u8 first)
{
	size_t at = pb_begin(b, PERF_RECORD_MMAP2,
			     PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);

	pb_u32(b, pid);
	pb_u32(b, pid);
	pb_u64(b, start);
	pb_u64(b, len);
	pb_u64(b, 0);
	pb_u8(b, 20);
	for (int i = 0; i < 3; i++)
		pb_u8(b, 0);
	for (int i = 0; i < 20; i++)
		pb_u8(b, first);
	pb_u32(b, 5);
	pb_u32(b, 0);
	pb_str(b, name);
	pb_end(b, at);
}

static void see(struct scan *s, void (*fill)(struct pb *b))
{
	struct pb b;

	pb_init(&b, false);
	fill(&b);
	scan_walk(s, b.out.buf, b.out.len);
	pb_release(&b);
}

static void maps(struct pb *b)
{
	mapped(b, 7, 0x10000, 0x2000, "/nowhere/hit", 0xaa);
	mapped(b, 7, 0x20000, 0x2000, "/nowhere/missed", 0xbb);
	mapped(b, 7, 0x30000, 0x2000, "/nowhere/of-parent", 0xcc);
}

static void hits(struct pb *b)
{
	sample(b, PERF_RECORD_MISC_USER, 0x11fff, 7, 1);
	/* in no map; and of a child that never ran exec */
	sample(b, PERF_RECORD_MISC_USER, 0x90000, 7, 2);
	pb_task(b, PERF_RECORD_FORK, 8, 7, 3, 0, NULL);
	sample(b, PERF_RECORD_MISC_USER, 0x30010, 8, 4);
}

/* Only what was hit, whatever comes first in the file. */
static void test_objects(void **state)
{
	char *root = tmp_dir();
	const struct sysroot sr = { .prefix = root };
	struct strbuf told = STRBUF_INIT;
	struct scan_opts o = { .sysroot = &sr,
			       .list = &events,
			       .objects = true,
			       .build_ids = true,
			       .hit = note_hit,
			       .ctx = &told };
	struct record_scan seen = { 0 };
	struct scan *s = scan_new(&o, &seen);

	see(s, hits);
	see(s, maps);
	scan_end(s);
	assert_string_equal(strbuf_str(&told), "/nowhere/hit 7 aa\n/nowhere/of-parent 7 cc\n");
	assert_false(seen.kernel_hit);
	assert_int_not_equal(seen.build_ids.len, 0);
	record_scan_release(&seen);

	/* all that is mapped, when that was asked for */
	strbuf_reset(&told);
	o.all_objects = true;
	s = scan_new(&o, &seen);
	see(s, maps);
	scan_end(s);
	assert_non_null(strstr(strbuf_str(&told), "/nowhere/missed 7 bb\n"));
	record_scan_release(&seen);
	strbuf_release(&told);
	tmp_remove(root);
}

static void take_held(void *ctx, const char *name, u32 pid, const u8 *id, u8 id_size,
		      struct held_files *held)
{
	struct held_files *taken = ctx;

	(void)pid;
	(void)id;
	(void)id_size;
	if (!strcmp(name, "/nowhere/hit")) {
		*taken = *held;
		*held = (struct held_files){ 0 };
	}
}

/* Files of another root directory are open until the end, and there when the process is not. */
static void test_held(void **state)
{
	char *root = tmp_dir(), *object = xasprintf("%s/proc/7/root/nowhere/hit", root);
	const struct sysroot sr = { .prefix = root };
	struct held_files taken = { 0 };
	struct scan_opts o = {
		.sysroot = &sr, .list = &events, .objects = true, .hit = take_held, .ctx = &taken
	};
	struct record_scan seen = { 0 };
	struct eb e = { .vaddr = 0x400000, .build_id_size = 20 };
	struct scan *s;

	(void)state;
	memset(e.build_id, 0xaa, 20);
	eb_write(&e, object);
	tree_put(root,
		 "proc/7/root/usr/lib/debug/.build-id/aa/"
		 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.debug",
		 "no debug file");
	tree_put(root, "proc/7/ns/mnt", "");
	tree_put(root, "proc/self/ns/mnt", "");
	tree_put(root, "proc/self/root/x", "");
	s = scan_new(&o, &seen);
	see(s, maps);
	see(s, hits);
	assert_false(unlink(object));
	scan_end(s);
	assert_true(taken.object > 0);
	assert_true(file_has_build_id(taken.object, e.build_id, 20));
	assert_int_equal(taken.debug, 0);
	close(taken.object);
	record_scan_release(&seen);
	free(object);
	tmp_remove(root);
}

/* With several rings, what one has seen is joined with the maps of another. */
static void test_merge(void **state)
{
	char *root = tmp_dir();
	const struct sysroot sr = { .prefix = root };
	struct strbuf told = STRBUF_INIT;
	struct scan_opts o = { .sysroot = &sr,
			       .list = &events,
			       .objects = true,
			       .build_ids = true,
			       .hit = note_hit,
			       .ctx = &told };
	struct record_scan seen = { 0 }, other = { 0 };
	struct scan *s = scan_new(&o, &seen), *from = scan_new(&o, &other);

	see(s, maps);
	see(from, hits);
	scan_merge(s, from);
	assert_int_equal(seen.samples, 3);
	assert_int_equal(seen.events, 7);
	assert_int_equal(seen.first_time, 1);
	assert_int_equal(seen.last_time, 4);
	scan_end(s);
	assert_string_equal(strbuf_str(&told), "/nowhere/hit 7 aa\n/nowhere/of-parent 7 cc\n");
	record_scan_release(&seen);
	record_scan_release(&other);
	strbuf_release(&told);
	tmp_remove(root);
}

/* The frames of a chain's user part, which came in a record of its own, are hits of its thread. */
static void deferred(struct pb *b)
{
	const struct pb_id id = { .pid = 7, .tid = 7, .time = 9 };
	size_t at = pb_begin(b, PERF_RECORD_CALLCHAIN_DEFERRED_, PERF_RECORD_MISC_USER);

	pb_u64(b, 1); /* cookie */
	pb_u64(b, 2);
	pb_u64(b, (u64)PERF_CONTEXT_USER);
	pb_u64(b, 0x30010);
	pb_trailer(b, TYPE, &id);
	pb_end(b, at);
}

static void test_deferred(void **state)
{
	char *root = tmp_dir();
	const struct sysroot sr = { .prefix = root };
	struct perf_event_attr a = { .size = sizeof(a), .sample_type = TYPE, .sample_id_all = 1 };
	struct evlist list = { 0 };
	struct evsel *e = evlist_add(&list, &a, "cycles");
	struct strbuf told = STRBUF_INIT;
	const struct scan_opts o = { .sysroot = &sr,
				     .list = &list,
				     .objects = true,
				     .build_ids = true,
				     .hit = note_hit,
				     .ctx = &told };
	struct record_scan seen = { 0 };
	struct scan *s;

	layout_init(&e->layout, &e->attr);
	s = scan_new(&o, &seen);
	see(s, maps);
	see(s, deferred);
	scan_end(s);
	assert_string_equal(strbuf_str(&told), "/nowhere/of-parent 7 cc\n");
	record_scan_release(&seen);
	strbuf_release(&told);
	evlist_release(&list);
	tmp_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),  cmocka_unit_test(test_spans),
		cmocka_unit_test(test_mended),  cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_objects), cmocka_unit_test(test_merge),
		cmocka_unit_test(test_held),    cmocka_unit_test(test_deferred),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
