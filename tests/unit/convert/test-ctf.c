// SPDX-License-Identifier: GPL-2.0-or-later
/* Test traces: the text of the metadata, the bytes of events and of packets, the folder. */
#include "base/compat.h"
#include "convert/ctf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD 68 /* of a packet */

static const u8 uuid[CTF_UUID_SIZE] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255 };

static struct perf_event_attr flat_attr(void)
{
	return (struct perf_event_attr){ .size = sizeof(struct perf_event_attr),
					 .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD };
}

static u64 get(const char *p, size_t size)
{
	u64 v = 0;

	memcpy(&v, p, size); /* these tests run where the low byte comes first */
	return v;
}

/* ---- metadata ---- */

static void has(const struct strbuf *text, const char *what)
{
	if (!strstr(text->buf, what))
		fail_msg("no %s in %s", what, text->buf);
}

static void test_metadata(void **state)
{
	struct perf_event_attr attr = flat_attr();
	struct env env = {
		.hostname = (char *)"h\"\\\n", .clock = 1, .clock_wall = 1000, .clock_time = 300
	};
	struct ctf_about about = { .env = &env };
	struct ctf_shape *sh = ctf_shape_new();
	struct strbuf text = STRBUF_INIT;
	struct evlist l = { 0 };

	evlist_add(&l, &attr, "cpu-\"clock");
	attr.sample_type = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK;
	evlist_add(&l, &attr, "other");
	ctf_shape_events(sh, &l, NULL);
	ctf_shape_events(sh, &l, NULL); /* adds nothing */
	ctf_shape_records(sh);
	ctf_metadata(sh, &about, uuid, uuid, &text);
	assert_int_equal(strncmp(text.buf, "/* CTF 1.8 */\n", 14), 0);
	has(&text, "uuid = \"00010203-0405-0607-0809-0a0b0c0d0eff\";");
	has(&text, "host = \"h\\\"\\\\\\\\x0a\";");
	has(&text, "offset = 0;");
	has(&text, "event {\n\tid = 0;\n\tname = \"cpu-\\\"clock\";");
	has(&text, "} perf_ip;");
	has(&text, "event {\n\tid = 1;\n\tname = \"other\";");
	has(&text, "} perf_callchain_size;\n");
	has(&text, "} perf_callchain[perf_callchain_size];\n");
	has(&text, "} raw_len;\n");
	has(&text, "} raw_data[raw_len];\n");
	has(&text, "} align(8) perf_branch_stack[perf_branch_stack_size];\n");
	has(&text, "event {\n\tid = 2;\n\tname = \"perf_comm\";");
	strbuf_reset(&text);
	about.wall_clock = true;
	ctf_metadata(sh, &about, uuid, uuid, &text);
	has(&text, "description = \"monotonic\";");
	has(&text, "offset = 700;");
	strbuf_release(&text);
	ctf_shape_free(sh);
	evlist_release(&l);
}

static const char format[] =
	"name: probe\nID: 77\nformat:\n"
	"\tfield:int event;\toffset:0;\tsize:4;\tsigned:1;\n"
	"\tfield:int perf_period;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:char name[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u8 mac[3];\toffset:16;\tsize:3;\tsigned:0;\n"
	"\tfield:short half;\toffset:20;\tsize:2;\tsigned:1;\n"
	"\tfield:__data_loc u32[] list;\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc char[] text;\toffset:28;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned long addr;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 huge[100000000];\toffset:40;\tsize:800000000;\tsigned:0;\n\n"
	"print fmt: \"%d\", REC->event\n";

static void test_payload(void **state)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.config = 77,
		.size = sizeof(attr),
		.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_PERIOD,
	};
	const struct env env = { 0 };
	const struct ctf_about about = { .env = &env };
	u8 raw[56] = { 0xfe, 0xff, 0xff, 0xff };
	const struct sample s = { .cpu = 2, .period = 5, .raw = raw, .raw_size = sizeof(raw) };
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct ctf_shape *sh = ctf_shape_new();
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	struct evlist l = { 0 };
	struct ctf_frame f;
	const char *p;

	assert_non_null(tracefmt_add(tf, "sys", format, sizeof(format) - 1, NULL));
	evlist_add(&l, &attr, "sys:probe");
	ctf_shape_events(sh, &l, tf);
	ctf_metadata(sh, &about, uuid, uuid, &text);
	has(&text, "signed = true; encoding = none; base = decimal; byte_order = le; } _event;\n");
	has(&text, "} perf_period;\n");
	has(&text, "} perf_period_dupl_1;\n");
	has(&text, "string { encoding = UTF8; } name;\n");
	has(&text, "} mac[3];\n");
	has(&text, "} list_size;\n");
	has(&text, "} list[list_size];\n");
	has(&text, "string { encoding = UTF8; } text;\n");
	has(&text, "base = hexadecimal; byte_order = le; } addr;\n");
	assert_null(strstr(text.buf, "huge"));

	memcpy(raw + 8, "a\001\303\274\377", 6);
	memcpy(raw + 16, "\001\002\003", 3);
	raw[20] = raw[21] = 0xff;
	memcpy(raw + 24, "\050\0\010\0", 4); /* list: 8 bytes at 40 */
	memcpy(raw + 28, "\060\0\004\0", 4); /* text: 4 bytes at 48 */
	raw[32] = 9;
	memcpy(raw + 40, "\007\0\0\0\010\0\0\0abcd", 12);
	ctf_sample(sh, l.evsels[0], &s, 123, 96, &out);
	memcpy(&f, out.buf, sizeof(f));
	assert_int_equal(f.size, out.len - sizeof(f));
	assert_int_equal(f.cpu, 2);
	assert_int_equal(f.record_size, 96);
	p = out.buf + sizeof(f);
	assert_int_equal(get(p, 4), 0);
	assert_int_equal(get(p + 4, 8), 123);
	assert_int_equal(get(p + 12, 8), 5);
	assert_int_equal((s32)get(p + 20, 4), -2);
	assert_memory_equal(p + 28, "a\\x01\303\274\\xff", 12);
	assert_memory_equal(p + 40, "\001\002\003\377\377\377\377", 7);
	assert_int_equal(get(p + 47, 4), 2);
	assert_int_equal(get(p + 51, 4), 7);
	assert_int_equal(get(p + 55, 4), 8);
	assert_string_equal(p + 59, "abcd");
	assert_int_equal(get(p + 64, 8), 9);
	assert_int_equal(f.size, 72);

	/* cut off: what is missing is zero or empty */
	strbuf_reset(&out);
	ctf_sample(sh, l.evsels[0], &(struct sample){ .raw = raw, .raw_size = 18 }, 1, 0, &out);
	p = out.buf + sizeof(f);
	assert_memory_equal(p + 40, "\001\002\0\0\0\0\0\0\0\0\0\0", 12);
	strbuf_release(&text);
	strbuf_release(&out);
	ctf_shape_free(sh);
	evlist_release(&l);
	tracefmt_free(tf);
}

static void test_record(void **state)
{
	struct {
		struct perf_event_header hdr;
		u32 pid, tid;
		char comm[8];
	} r = { { PERF_RECORD_COMM, 0, sizeof(r) }, 7, 8, "name" };
	struct ctf_shape *sh = ctf_shape_new();
	struct strbuf out = STRBUF_INIT;

	ctf_record(sh, NULL, (const wire_header *)&r, 1, 2, &out);
	assert_int_equal(out.len, 0);
	ctf_shape_records(sh);
	ctf_record(sh, NULL, (const wire_header *)&r, ~0U, 2, &out);
	assert_int_equal(out.len, sizeof(struct ctf_frame) + 12 + 8 + 5);
	assert_int_equal(((const struct ctf_frame *)(const void *)out.buf)->cpu, 0);
	assert_string_equal(out.buf + sizeof(struct ctf_frame) + 20, "name");
	strbuf_reset(&out);
	r.hdr.size = 17; /* the name does not end */
	ctf_record(sh, NULL, (const wire_header *)&r, 1, 2, &out);
	assert_int_equal(out.len, 0);
	strbuf_release(&out);
	ctf_shape_free(sh);
}

/* ---- packets ---- */

struct folder {
	char path[64], trace[96];
};

static int setup(void **state)
{
	static struct folder f;

	snprintf(f.path, sizeof(f.path), "/tmp/perf-test-ctf.XXXXXX");
	if (!mkdtemp(f.path))
		return -1;
	snprintf(f.trace, sizeof(f.trace), "%s/a/b/c", f.path);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	const struct folder *f = *state;
	char path[128];

	for (const char *const *tail = (const char *const[]){ "/a/b/c", "/a/b", "/a", "", NULL };
	     *tail; tail++) {
		snprintf(path, sizeof(path), "%s%s", f->path, *tail);
		rmdir(path);
	}
	return 0;
}

static void read_file(const struct folder *f, const char *name, struct strbuf *out)
{
	char path[128], buf[4096];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", f->trace, name);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	strbuf_reset(out);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		strbuf_add(out, buf, (size_t)n);
	close(fd);
}

static void put_event(struct strbuf *out, u32 cpu, u64 time, u32 payload)
{
	const struct ctf_frame f = {
		.size = 12 + payload, .cpu = cpu, .record_size = 40, .sample = true
	};
	const u32 id = 1;

	strbuf_add(out, &f, sizeof(f));
	strbuf_add(out, &id, 4);
	strbuf_add(out, &time, 8);
	for (u32 i = 0; i < payload; i++)
		strbuf_addch(out, (char)i);
}

/* Walk the packets of a stream. Return: events of @payload bytes in it. */
static u64 check_packets(const struct strbuf *file, u32 cpu, u32 payload, u64 *last)
{
	u64 nr = 0, end = 0;
	size_t at = 0;

	while (at < file->len) {
		const char *p = file->buf + at;
		u64 content = get(p + 40, 8) / 8, packet = get(p + 48, 8) / 8;

		assert_int_equal(get(p, 4), 0xc1fc1fc1u);
		assert_memory_equal(p + 4, uuid, sizeof(uuid));
		assert_int_equal(get(p + 20, 4), 0);
		assert_int_equal(get(p + 64, 4), cpu);
		assert_int_equal(packet % 4096, 0);
		assert_true(content <= packet && packet <= file->len - at);
		assert_true(get(p + 24, 8) >= end);
		end = get(p + 32, 8);
		assert_int_equal((content - HEAD) % (12 + payload), 0);
		for (size_t i = HEAD; i < content; i += 12 + payload, nr++) {
			u64 time = get(p + i + 4, 8);

			assert_true(time >= *last && time >= get(p + 24, 8) && time <= end);
			*last = time;
		}
		assert_int_equal(get(p + 24, 8), get(p + HEAD + 4, 8));
		assert_int_equal(end, *last);
		for (size_t i = content; i < packet; i++)
			assert_int_equal(p[i], 0);
		at += packet;
	}
	return nr;
}

static void test_packets(void **state)
{
	const struct folder *f = *state;
	struct strbuf frames = STRBUF_INIT, file = STRBUF_INIT;
	struct ctf_counts n;
	struct ctf_trace *t;
	struct err err = { 0 };
	u64 i, last = 0;

	assert_int_equal(ctf_trace_new(f->trace, uuid, &t, &err), 0);
	for (i = 0; i < 20000; i++) {
		strbuf_reset(&frames);
		put_event(&frames, 0, i == 777 ? 0 : i, 40); /* one comes late */
		if (i % 100 == 0)
			put_event(&frames, 70, i, 40);
		assert_int_equal(ctf_trace_add(t, frames.buf, frames.len, &err), 0);
	}
	assert_int_equal(ctf_trace_end(t, "text", 4, &err), 0);
	n = ctf_trace_counts(t);
	assert_int_equal(n.samples, 20200);
	assert_int_equal(n.late, 1);
	assert_int_equal(n.bytes, 20200 * 40);
	read_file(f, "metadata", &file);
	assert_int_equal(file.len, 4);
	read_file(f, "perf_stream_0", &file);
	assert_int_equal(check_packets(&file, 0, 40, &last), 20000);
	last = 0;
	read_file(f, "perf_stream_70", &file);
	assert_int_equal(check_packets(&file, 70, 40, &last), 200);
	ctf_trace_free(t);

	/* the next one clears the folder, and leaves it when it is given up */
	assert_int_equal(ctf_trace_new(f->trace, uuid, &t, &err), 0);
	ctf_trace_add(t, frames.buf, frames.len, &err);
	ctf_trace_discard(t);
	ctf_trace_free(t);
	assert_int_equal(rmdir(f->trace), 0);
	strbuf_release(&frames);
	strbuf_release(&file);
}

/* More streams than files may be open. */
static void test_many_cpus(void **state)
{
	const struct folder *f = *state;
	struct strbuf frames = STRBUF_INIT, file = STRBUF_INIT;
	struct ctf_trace *t;
	struct err err = { 0 };
	u64 last = 0;

	assert_int_equal(ctf_trace_new(f->trace, uuid, &t, &err), 0);
	for (u32 i = 0; i < 3; i++) {
		for (u32 cpu = 0; cpu < 600; cpu++) {
			strbuf_reset(&frames);
			put_event(&frames, cpu, i, 20000);
			assert_int_equal(ctf_trace_add(t, frames.buf, frames.len, &err), 0);
		}
	}
	assert_int_equal(ctf_trace_end(t, "", 0, &err), 0);
	read_file(f, "perf_stream_599", &file);
	assert_int_equal(check_packets(&file, 599, 20000, &last), 3);
	ctf_trace_discard(t);
	ctf_trace_free(t);
	strbuf_release(&frames);
	strbuf_release(&file);
}

static void test_no_folder(void **state)
{
	const struct folder *f = *state;
	struct ctf_trace *t;
	struct err err = { 0 };
	char path[160];

	assert_int_equal(ctf_trace_new("", uuid, &t, &err), -ENOENT);
	assert_int_equal(ctf_trace_new("/dev/null", uuid, &t, &err), -ENOTDIR);
	assert_non_null(strstr(err.msg, "/dev/null"));
	assert_int_equal(ctf_trace_new("/dev/null/x", uuid, &t, &err), -ENOTDIR);
	assert_null(t);
	/* what is not of a trace stays */
	snprintf(path, sizeof(path), "%s/perf_stream_x", f->trace);
	assert_int_equal(ctf_trace_new(f->trace, uuid, &t, &err), 0);
	ctf_trace_free(t);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	assert_int_equal(ctf_trace_new(f->trace, uuid, &t, &err), 0);
	ctf_trace_discard(t);
	ctf_trace_free(t);
	assert_int_equal(unlink(path), 0);
}

/* A class that is no event of a recording: a number, a text that needs escapes, and a number with a
 * sign. */
static void test_values(void **state)
{
	static const struct ctf_part parts[] = { { .name = "state", .size = 4 },
						 { .name = "event" },
						 { .name = "prio", .size = 8, .sign = true } };
	const struct ctf_value values[] = { { .number = 7 },
					    { .text = "a\n" },
					    { .number = -1ULL } };
	const struct ctf_about about = { .env = &(struct env){ 0 } };
	struct ctf_shape *sh = ctf_shape_new();
	struct strbuf out = STRBUF_INIT, text = STRBUF_INIT;
	struct ctf_frame f;
	const char *p;

	ctf_shape_class(sh, "other", parts, 1);
	assert_int_equal(ctf_shape_class(sh, "sys:name", parts, ARRAY_SIZE(parts)), 1);
	ctf_values(sh, 1, values, 3, 1000, &out);
	memcpy(&f, out.buf, sizeof(f));
	p = out.buf + sizeof(f);
	assert_int_equal(f.size, 4 + 8 + 4 + sizeof("a\\x0a") + 8);
	assert_int_equal(out.len, sizeof(f) + f.size);
	assert_int_equal(f.cpu, 3);
	assert_false(f.sample);
	assert_int_equal(get(p, 4), 1);
	assert_int_equal(get(p + 4, 8), 1000);
	assert_int_equal(get(p + 12, 4), 7);
	assert_string_equal(p + 16, "a\\x0a");
	assert_true(get(p + 16 + sizeof("a\\x0a"), 8) == UINT64_MAX);
	ctf_metadata(sh, &about, uuid, uuid, &text);
	has(&text, "id = 1;\n\tname = \"sys:name\";");
	has(&text, "encoding = UTF8; } _event;");
	has(&text, "size = 64; align = 8; signed = true; encoding = none; base = decimal; "
		   "byte_order = le; } prio;");
	strbuf_release(&out);
	strbuf_release(&text);
	ctf_shape_free(sh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_metadata),
		cmocka_unit_test(test_payload),
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_values),
		cmocka_unit_test_setup_teardown(test_packets, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many_cpus, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_folder, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
