// SPDX-License-Identifier: GPL-2.0-or-later
/* Test records that are made of a made-up /proc; CPU and thread lists; ring sizes; tracing data. */
#include "base/compat.h"
#include "kernel/ring.h"
#include "kernel/synth.h"
#include "kernel/target.h"
#include "kernel/tracing.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct sysroot sr;

static void put(const char *path, const char *text)
{
	tree_put(sr.prefix, path, text);
}

/* @memory: in bytes, as /proc/PID/stat has it */
static void put_process(int pid, int ppid, int threads, unsigned int memory, const char *comm)
{
	char path[64], text[256];

	snprintf(text, sizeof(text),
		 "%d (%s) S %d 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 %d 0 99 %u 1\n", pid, comm,
		 ppid, threads, memory);
	snprintf(path, sizeof(path), "proc/%d/stat", pid);
	put(path, text);
}

static void put_task(int pid, int tid, int ppid, const char *comm)
{
	char path[64], text[256];

	snprintf(text, sizeof(text), "Name:\t%s\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\n", comm, pid, tid,
		 ppid);
	snprintf(path, sizeof(path), "proc/%d/task/%d/status", pid, tid);
	put(path, text);
	snprintf(path, sizeof(path), "proc/%d/status", tid);
	put(path, text);
}

static int setup(void **state)
{
	sr.prefix = tmp_dir();
	put_task(7, 7, 1, "a process whose name is too long");
	put_task(7, 8, 1, "thread");
	put_process(7, 1, 2, 4096, "a process whose name is too long");
	put("proc/7/maps", "00400000-00401000 r--p 00000000 fe:01 11                 /bin/a b\n"
			   "00401000-00402000 r-xp 00001000 fe:01 11                 /bin/a b\n"
			   "7f0000000000-7f0000001000 rwxp 00000000 00:00 0 \n"
			   "7fff00000000-7fff00002000 r-xp 00000000 00:00 0          [vdso]\n"
			   "not a line\n");
	put("proc/kallsyms", "0000000000000000 A fixed\nffffffff81000000 T _stext\n"
			     "ffffffff81000000 T _text\nffffffff81000100 T next\n");
	put("proc/iomem", "00001000-0009fbff : System RAM\n01000000-01ffffff : System RAM\n"
			  "  01000000-0120bb07 : Kernel code\n");
	put("proc/modules",
	    "ext4 1000000 1 - Live 0xffffffffc0000000\nhidden 4096 0 - Live 0x0000000000000000\n");
	put("sys/devices/system/cpu/online", "0-1,4\n");
	put("sys/kernel/tracing/events/header_page", "page\n");
	put("sys/kernel/tracing/events/header_event", "event\n");
	put("sys/kernel/tracing/events/sched/sched_switch/format", "name: sched_switch\n");
	put("sys/kernel/tracing/printk_formats", "0x1 : \"x\"\n");
	return 0;
}

static int teardown(void **state)
{
	tmp_remove((char *)sr.prefix);
	return 0;
}

static void test_maps(void **state)
{
	static const char *const bad[] = { "",
					   "1000",
					   "2000-1000 r-xp 0 0:0 0",
					   "1000-2000 r-x",
					   "1000-2000 r-xp 0 00:00",
					   "1000-2000 r-xp zz 00:00 0",
					   "-1-2 r-xp 0 0:0 0",
					   "1000-2000 r-xp 00000000 fe:01 x",
					   "10000000000000000-2 r-xp 0 0:0 0" };
	char line[256];
	struct maps_line m;

	snprintf(line, sizeof(line),
		 "7f88c7172000-7f88c7198000 r-xs 00001000 fe:0a 332383      /a (deleted)");
	assert_int_equal(maps_parse(line, &m), 0);
	assert_true(m.start == 0x7f88c7172000 && m.end == 0x7f88c7198000 && m.pgoff == 0x1000);
	assert_true(m.maj == 0xfe && m.min == 10 && m.ino == 332383);
	assert_true(m.prot == (PROT_READ | PROT_EXEC) && m.flags == MAP_SHARED);
	assert_string_equal(m.name, "/a (deleted)");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		snprintf(line, sizeof(line), "%s", bad[i]);
		if (!maps_parse(line, &m))
			fail_msg("taken: %s", bad[i]);
	}
}

/* The record at *@at, which moves on. */
static const struct perf_event_header *next(const struct strbuf *sb, size_t *at)
{
	const struct perf_event_header *h = (const void *)(sb->buf + *at);

	assert_true(*at + sizeof(*h) <= sb->len && h->size >= sizeof(*h) &&
		    *at + h->size <= sb->len);
	*at += h->size;
	return h;
}

static void test_process(void **state)
{
	const struct perf_event_attr attr = { .sample_id_all = 1,
					      .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME };
	struct strbuf sb = STRBUF_INIT;
	struct wire_layout l;
	struct synth s = { .sysroot = &sr, .layout = &l, .out = &sb };
	const struct perf_event_header *h;
	struct rec_comm c;
	struct rec_mmap m;
	struct rec_task t;
	size_t at = 0, comms = 0, forks = 0, maps = 0;

	layout_init(&l, &attr);
	synth_process(&s, 7);
	while (at < sb.len) {
		h = next(&sb, &at);
		if (h->type == PERF_RECORD_COMM) {
			assert_int_equal(rec_comm_decode(h, h->size, &c), 0);
			assert_int_equal(c.pid, 7);
			assert_string_equal(c.comm, c.tid == 7 ? "a process whose" : "thread");
			comms++;
		} else if (h->type == PERF_RECORD_FORK) {
			assert_int_equal(rec_task_decode(h, h->size, &t), 0);
			assert_int_equal(t.ppid, t.tid == 7 ? 1 : 7);
			forks++;
		} else {
			assert_int_equal(h->type, PERF_RECORD_MMAP2);
			assert_int_equal(rec_mmap_decode(h, h->size, &m), 0);
			if (!maps)
				assert_string_equal(m.filename, "/bin/a b");
			maps++;
		}
	}
	assert_int_equal(comms, 2);
	assert_int_equal(forks, 2);
	assert_int_equal(maps, 3); /* those that can be run */
	strbuf_release(&sb);
}

/* Return how many records are made of process 30, the first of which tells of a fork by @parent and
 * the second of its name. */
static size_t count_of_process(u32 parent, const char *name)
{
	struct strbuf sb = STRBUF_INIT;
	struct wire_layout none = { 0 };
	struct synth s = { .sysroot = &sr, .layout = &none, .out = &sb };
	const struct perf_event_header *h;
	struct rec_comm c;
	struct rec_task t;
	size_t at = 0, nr = 0;

	synth_process(&s, 30);
	for (; at < sb.len; nr++) {
		h = next(&sb, &at);
		if (!nr) {
			assert_int_equal(rec_task_decode(h, h->size, &t), 0);
			assert_true(t.pid == 30 && t.tid == 30 && t.ppid == parent);
		} else if (nr == 1) {
			assert_int_equal(rec_comm_decode(h, h->size, &c), 0);
			assert_string_equal(c.comm, name);
		}
	}
	strbuf_release(&sb);
	return nr;
}

/* Names may look like the end of a name; tasks without memory are not asked for maps; a file that
 * is cut off tells nothing. */
static void test_stat(void **state)
{
	put("proc/30/maps", "00401000-00402000 r-xp 00001000 fe:01 11                 /bin/a\n");
	put_process(30, 2, 1, 4096, "a) S 9 \\ (b");
	assert_int_equal(count_of_process(2, "a) S 9 \\ (b"), 3);
	put_process(30, 2, 1, 4096, "");
	assert_int_equal(count_of_process(2, ""), 3);
	put_process(30, 2, 1, 0, "kworker/0:1-events_long");
	assert_int_equal(count_of_process(2, "kworker/0:1-eve"), 2);
	put("proc/30/stat", "30 (a) S 2 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0\n");
	assert_int_equal(count_of_process(0, NULL), 0);
	put("proc/30/stat", "30 (a");
	assert_int_equal(count_of_process(0, NULL), 0);
	put("proc/30/stat", ")30 (");
	assert_int_equal(count_of_process(0, NULL), 0);
}

static void test_kernel(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	struct synth s = { .sysroot = &sr, .out = &sb };
	const struct perf_event_header *h;
	struct rec_mmap m;
	size_t at = 0;

	synth_kernel(&s);
	h = next(&sb, &at);
	assert_int_equal(rec_mmap_decode(h, h->size, &m), 0);
	assert_string_equal(m.filename, "[kernel.kallsyms]_text");
	assert_true(m.start == 0xffffffff81000000 && m.len == 0x20bb08 && m.pgoff == m.start);
	assert_int_equal(m.pid, UINT32_MAX);
	h = next(&sb, &at);
	assert_int_equal(rec_mmap_decode(h, h->size, &m), 0);
	assert_string_equal(m.filename, "[ext4]");
	assert_true(m.start == 0xffffffffc0000000 && m.len == 1003520);
	assert_int_equal(at, sb.len); /* the module without an address is left out */
	strbuf_release(&sb);
}

static void test_index(void **state)
{
	struct kfd fds[3000];
	struct kevents k = { .fds = fds, .nr = ARRAY_SIZE(fds) };
	struct strbuf sb = STRBUF_INIT;
	size_t at = 0, ids = 0;

	for (size_t i = 0; i < k.nr; i++)
		fds[i] = (struct kfd){ .id = i, .cpu = 1, .tid = -1 };
	/* more than one record holds */
	synth_id_index(&sb, &k);
	while (at < sb.len)
		ids += *(const u64 *)(next(&sb, &at) + 1);
	assert_int_equal(ids, k.nr);
	strbuf_release(&sb);
}

static void test_cpus(void **state)
{
	static const char *const bad[] = { "a", "1-", "3-1", "1,,2", "1,", "1 2", "-1", "99999999" };
	struct int_list l = { 0 };
	struct err err;

	assert_int_equal(cpu_list_parse(&l, "4,0-2,1\n"), 0);
	assert_int_equal(l.nr, 4);
	assert_true(l.v[0] == 0 && l.v[3] == 4);
	int_list_release(&l);
	assert_int_equal(cpu_list_parse(&l, "0-65536"), 0);
	assert_int_equal(l.nr, 65537);
	int_list_release(&l);
	assert_int_equal(cpu_list_parse(&l, "0-65536,0-65536,0-65536"), -EINVAL);
	assert_int_equal(l.nr, 65537);
	int_list_release(&l);
	assert_int_equal(cpu_list_target(&sr, "0-1,4", &l, &err), 0);
	int_list_release(&l);
	assert_true(cpu_list_target(&sr, "2", &l, &err) < 0);
	int_list_release(&l);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		if (!cpu_list_target(&sr, bad[i], &l, &err))
			fail_msg("taken: %s", bad[i]);
		int_list_release(&l);
	}
}

static void test_threads(void **state)
{
	struct int_list l = { 0 };
	struct err err;

	assert_int_equal(thread_list_pids(&sr, "7,7", &l, &err), 0);
	assert_int_equal(l.nr, 2);
	int_list_release(&l);
	assert_int_equal(thread_list_tids(&sr, "8", &l, &err), 0);
	int_list_release(&l);
	assert_true(thread_list_pids(&sr, "9", &l, &err) < 0);
	assert_true(thread_list_tids(&sr, "9", &l, &err) < 0);
	assert_true(thread_list_pids(&sr, "7,", &l, &err) < 0);
	assert_true(thread_list_pids(&sr, "x", &l, &err) < 0);
	int_list_release(&l);
}

static void test_pages(void **state)
{
	bool rounded;

	assert_int_equal(ring_pages_parse("16", &rounded), 16);
	assert_false(rounded);
	assert_int_equal(ring_pages_parse("17", &rounded), 32);
	assert_true(rounded);
	assert_int_equal(ring_pages_parse("1M", &rounded), (1 << 20) / sysconf(_SC_PAGESIZE));
	assert_int_equal(ring_pages_parse("0", &rounded), 0);
	assert_int_equal(ring_pages_parse("-1", &rounded), 0);
	assert_int_equal(ring_pages_parse("1X", &rounded), 0);
	assert_int_equal(ring_pages_parse("99999999999999999999", &rounded), 0);
}

static void test_tracing(void **state)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = 372 };
	struct strbuf sb = STRBUF_INIT;
	struct evlist l = { 0 };
	struct err err;
	static const char head[] = "\x17\x08\x44tracing0.6";

	/* twice the same event: its format is there once */
	evlist_add(&l, &attr, "sched:sched_switch");
	evlist_add(&l, &attr, "sched:sched_switch");
	assert_int_equal(tracing_data(&sr, &l, &sb, &err), 0);
	assert_memory_equal(sb.buf, head, sizeof(head));
	assert_non_null(memmem(sb.buf, sb.len, "header_page\0\x05\0\0\0\0\0\0\0page\n", 25));
	assert_non_null(memmem(sb.buf, sb.len,
			       "sched\0\x01\0\0\0\x13\0\0\0\0\0\0\0name: sched_switch\n", 37));
	evlist_release(&l);
	strbuf_reset(&sb);
	evlist_add(&l, &attr, "sched:gone");
	assert_true(tracing_data(&sr, &l, &sb, &err) < 0);
	assert_non_null(strstr(err.msg, "events/sched/gone/format"));
	evlist_release(&l);
	strbuf_release(&sb);
}

static void test_event_update(void **state)
{
	static const u64 want[] = { 0, 1, 3,
				    3 }; /* unit, scale, CPUs of the first; CPUs of the second */
	struct perf_event_attr attr = { .size = sizeof(attr) };
	struct strbuf sb = STRBUF_INIT;
	struct evlist l = { 0 };
	struct evsel *e = evlist_add(&l, &attr, "a");
	size_t at = 0;

	e->unit = strdup("Joules");
	e->scale = 0.5;
	e->cpumask = strdup("0-1");
	evsel_add_id(e, 77);
	e = evlist_add(&l, &attr, "b");
	e->cpumask = strdup("0,16");
	evlist_add(&l, &attr, "c");
	synth_event_update(&sb, &l);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct perf_event_header *h = (const void *)(sb.buf + at);
		const u64 *body = (const void *)(h + 1);
		const u16 *cpus = (const void *)(body + 2);
		double scale;

		assert_true(at < sb.len);
		assert_int_equal(h->type, PERF_RECORD_EVENT_UPDATE);
		assert_int_equal(body[0], want[i]);
		assert_int_equal(body[1], i < 3 ? 77 : 0);
		memcpy(&scale, body + 2, sizeof(scale));
		if (i == 0)
			assert_string_equal((const char *)(body + 2), "Joules");
		else if (i == 1)
			assert_true(scale == 0.5);
		else if (i == 2) /* a range: kind, any, first, last */
			assert_true(cpus[0] == 2 && cpus[2] == 0 && cpus[3] == 1);
		else /* a list: kind, number, CPUs */
			assert_true(cpus[0] == 0 && cpus[1] == 2 && cpus[3] == 16);
		at += h->size;
	}
	assert_int_equal(at, sb.len);
	strbuf_release(&sb);
	evlist_release(&l);
}

/* The maps of modules: by address, under the names of their files. */
static void test_modules(void **state)
{
	static const struct {
		u64 start;
		const char *name;
	} want[] = {
		{ 0xffffffffc0000000, "/lib/modules/6.1.0-x/kernel/fs/ext4/ext4.ko.xz" },
		{ 0xffffffffc0100000, "[out_of_tree]" },
		{ 0xffffffffc0200000, "/lib/modules/6.1.0-x/kernel/net/nf-tables.ko" },
		{ 0xffffffffc0300000, "/opt/dkms/zfs.ko" },
	};
	struct strbuf sb = STRBUF_INIT;
	struct wire_layout none = { 0 };
	struct synth s = { .sysroot = &sr, .layout = &none, .out = &sb };
	size_t at = 0, i = 0;

	put("proc/modules", "nf_tables 4097 1 - Live 0xffffffffc0200000\n"
			    "ext4 1000000 1 - Live 0xffffffffc0000000\n"
			    "zfs 1 0 - Live 0xffffffffc0300000 (POE)\n"
			    "out_of_tree 4096 0 - Live 0xffffffffc0100000\n"
			    "hidden 4096 0 - Live 0x0000000000000000\n");
	put("proc/sys/kernel/osrelease", "6.1.0-x\n");
	put("lib/modules/6.1.0-x/modules.dep",
	    "kernel/fs/ext4/ext4.ko.xz: kernel/fs/jbd2/jbd2.ko.xz\nkernel/x/ext4x.ko:\n"
	    "kernel/net/nf-tables.ko: kernel/fs/ext4/ext4.ko.xz\nnonsense\n/opt/dkms/zfs.ko:\n");
	synth_kernel(&s);
	while (at < sb.len) {
		const struct perf_event_header *h = (const void *)(sb.buf + at);
		struct rec_mmap m;

		assert_int_equal(rec_mmap_decode(h, h->size, &m), 0);
		if (at) {
			assert_true(i < ARRAY_SIZE(want));
			assert_true(m.start == want[i].start);
			assert_string_equal(m.filename, want[i].name);
			assert_int_equal(m.pid, (u32)-1);
			if (i == 2)
				assert_int_equal(m.len, 8192);
			i++;
		}
		at += h->size;
	}
	assert_int_equal(i, ARRAY_SIZE(want));
	strbuf_release(&sb);
}

/* Uses the files of the test above. */
static void test_module_file(void **state)
{
	static const struct {
		const char *name, *path;
	} cases[] = {
		{ "ext4", "/lib/modules/6.1.0-x/kernel/fs/ext4/ext4.ko.xz" },
		{ "nf_tables]", "/lib/modules/6.1.0-x/kernel/net/nf-tables.ko" },
		{ "zfs", "/opt/dkms/zfs.ko" },
		{ "ext", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *path = kernel_module_file(&sr, cases[i].name, strcspn(cases[i].name, "]"));

		if (cases[i].path)
			assert_string_equal(path, cases[i].path);
		else
			assert_null(path);
		free(path);
	}
}

static void test_time_conv(void **state)
{
	struct perf_event_mmap_page pc = { .lock = 4,
					   .time_shift = 31,
					   .time_mult = 7,
					   .time_zero = 9,
					   .time_cycles = 11,
					   .time_mask = ~0ULL };
	struct strbuf sb = STRBUF_INIT;
	u64 body[6];

	/* a machine that does not tell */
	synth_time_conv(&sb, &pc);
	assert_int_equal(sb.len, 0);
	pc.cap_user_time_zero = 1;
	synth_time_conv(&sb, &pc);
	assert_int_equal(sb.len, 56);
	memcpy(body, sb.buf + 8, sizeof(body));
	assert_int_equal(body[0], 31);
	assert_int_equal(body[1], 7);
	assert_int_equal(body[2], 9);
	assert_int_equal(body[3], 0);
	assert_int_equal(body[4], 0);
	assert_int_equal(body[5], 1);
	/* a counter of fewer than 64 bits, as on arm64 */
	strbuf_reset(&sb);
	pc.cap_user_time_short = 1;
	synth_time_conv(&sb, &pc);
	memcpy(body, sb.buf + 8, sizeof(body));
	assert_int_equal(body[3], 11);
	assert_true(body[4] == ~0ULL);
	assert_int_equal(body[5], 0x101);
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_event_update), cmocka_unit_test(test_maps),
		cmocka_unit_test(test_process),      cmocka_unit_test(test_stat),
		cmocka_unit_test(test_kernel),       cmocka_unit_test(test_index),
		cmocka_unit_test(test_cpus),         cmocka_unit_test(test_threads),
		cmocka_unit_test(test_pages),        cmocka_unit_test(test_tracing),
		cmocka_unit_test(test_modules),      cmocka_unit_test(test_module_file),
		cmocka_unit_test(test_time_conv),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
