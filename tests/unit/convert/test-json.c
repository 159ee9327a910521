// SPDX-License-Identifier: GPL-2.0-or-later
/* Test samples and records of every kind of field as JSON. */
#include "base/compat.h"
#include "codec/json.h"
#include "convert/json.h"
#include "json-check.h"
#include "reading.h"
#include "state-build.h"

#include <setjmp.h>
#include <cmocka.h>

static void test_text(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "", "\"\"" },
		{ "plain <name>/x", "\"plain <name>/x\"" },
		{ "a\"b\\c", "\"a\\\"b\\\\c\"" },
		{ "\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"" },
		{ "\001\037\177", "\"\\u0001\\u001f\\u007f\"" },
		{ "\303\274\342\202\254\360\237\230\200",
		  "\"\303\274\342\202\254\360\237\230\200\"" },
		{ "\377", "\"\\\\xff\"" },
		{ "a\303", "\"a\\\\xc3\"" },          /* cut off */
		{ "\300\257", "\"\\\\xc0\\\\xaf\"" }, /* overlong */
		{ "\340\200\257", "\"\\\\xe0\\\\x80\\\\xaf\"" },
		{ "\355\240\200", "\"\\\\xed\\\\xa0\\\\x80\"" }, /* a surrogate */
		{ "\364\220\200\200", "\"\\\\xf4\\\\x90\\\\x80\\\\x80\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf sb = STRBUF_INIT;

		json_string(&sb, rows[i].in);
		assert_string_equal(strbuf_str(&sb), rows[i].out);
		assert_int_equal(json_check(sb.buf, sb.len), -1);
		strbuf_release(&sb);
	}
}

/* Any pair of bytes becomes valid JSON. */
static void test_any_bytes(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	for (u32 i = 0; i < 65536; i++) {
		char pair[2] = { (char)(i >> 8), (char)i };

		strbuf_reset(&sb);
		strbuf_addch(&sb, '"');
		json_text(&sb, pair, 2);
		strbuf_addch(&sb, '"');
		assert_int_equal(json_check(sb.buf, sb.len), -1);
	}
	strbuf_release(&sb);
}

/* ---- samples ---- */

struct world {
	struct evlist l;
	struct machine *m;
	struct symbols *symbols;
	struct json_shape *shape;
	struct json_writer *w;
	struct strbuf out;
};

static void world_init(struct world *w, const struct perf_event_attr *attr, const char *name,
		       const struct tracefmt *tf)
{
	struct json_conf conf = { .evlist = &w->l, .tracefmt = tf, .arch = "x86_64" };

	*w = (struct world){ .out = STRBUF_INIT };
	evlist_add(&w->l, attr, name);
	w->m = machine_new();
	st_comm(w->m, 5, 7, 8, "a \"b\"", true);
	st_mmap(w->m, 6, 7, 7, 0x400000, 0x1000, 0, "/bin/pr\377g");
	machine_seal(w->m);
	w->symbols = no_symbols();
	conf.machine = w->m;
	conf.symbols = w->symbols;
	w->shape = json_shape_new(&conf);
	w->w = json_writer_new(w->shape);
}

static void world_release(struct world *w)
{
	json_writer_free(w->w);
	json_shape_free(w->shape);
	symbols_free(w->symbols);
	machine_free(w->m);
	evlist_release(&w->l);
	strbuf_release(&w->out);
}

static const char *convert(struct world *w, const struct sample *s)
{
	json_sample(w->w, w->l.evsels[0], s, 10, &w->out);
	assert_int_equal(w->out.buf[0], ',');
	assert_int_equal(json_check(w->out.buf + JSON_COMMA, w->out.len - JSON_COMMA), -1);
	return w->out.buf + JSON_COMMA;
}

static void test_flat(void **state)
{
	const struct perf_event_attr attr = {
		.size = sizeof(attr),
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
	};
	const struct sample s = { .cpumode = PERF_RECORD_MISC_USER,
				  .pid = 7,
				  .tid = 8,
				  .cpu = 3,
				  .ip = 0x400123,
				  .time = 10,
				  .period = 99,
				  .id = 1 };
	struct world w;

	world_init(&w, &attr, "cpu\"clock", NULL);
	assert_string_equal(
		convert(&w, &s),
		"\n\t\t{\"timestamp\": 10, \"pid\": 7, \"tid\": 8, \"cpu\": 3, "
		"\"comm\": \"a \\\"b\\\"\", \"callchain\": [{\"ip\": \"0x400123\", \"dso\": \"pr\\\\xffg\"}], "
		"\"event\": \"cpu\\\"clock\", \"period\": 99}");
	world_release(&w);
}

/* A sample without a time, of an unknown thread, whose chain has nothing that counts. */
static void test_bare(void **state)
{
	const struct perf_event_attr attr = { .size = sizeof(attr),
					      .sample_type = PERF_SAMPLE_CALLCHAIN };
	static const u64 chain[] = { (u64)PERF_CONTEXT_USER };
	const struct sample s = { .pid = ~0U,
				  .tid = ~0U,
				  .cpu = ~0U,
				  .time = ~0ULL,
				  .callchain = (const u64_una *)chain,
				  .nr_callchain = 1 };
	struct world w;
	const char *text;

	world_init(&w, &attr, "x", NULL);
	text = convert(&w, &s);
	assert_non_null(strstr(text, "\"timestamp\": null,"));
	assert_non_null(strstr(text, "\"pid\": -1, \"tid\": -1, \"comm\""));
	assert_non_null(strstr(text, "\"callchain\": [], "));
	world_release(&w);
}

/* A sample with something in every field. */
static const char *convert_full(struct world *w)
{
	static const u64 chain[] = { (u64)PERF_CONTEXT_KERNEL, 0xffffffff81000010,
				     (u64)PERF_CONTEXT_USER, 0x400010, 0 };
	static const u64 branches[] = { 0x10, 0x20, 1 | 1 << 2 | 500 << 4, 0x30, 0x40, 2 };
	static const u64 regs[] = { 0xaa, 0xbb }, reads[] = { 1, 50, 40, 1234, 77 };
	const struct perf_event_attr attr = {
		.size = sizeof(attr),
		.sample_type = (PERF_SAMPLE_MAX - 1) & ~(u64)PERF_SAMPLE_WEIGHT,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			       PERF_FORMAT_ID | PERF_FORMAT_GROUP,
	};
	const struct sample s = {
		.cpumode = PERF_RECORD_MISC_KERNEL,
		.pid = 7,
		.tid = 8,
		.ip = 0x400123,
		.time = 10,
		.addr = 0x11,
		.id = 12,
		.stream_id = 13,
		.period = 14,
		.weight = 15,
		.ins_lat = 16,
		.p_stage_cyc = 17,
		.data_src = 18,
		.transaction = 19,
		.phys_addr = 0x20,
		.cgroup = 21,
		.data_page_size = 22,
		.code_page_size = 23,
		.callchain = (const u64_una *)chain,
		.nr_callchain = ARRAY_SIZE(chain),
		.branches = (const u64_una *)branches,
		.nr_branches = 2,
		.has_hw_idx = true,
		.branch_hw_idx = ~0ULL,
		.raw = "\001\377",
		.raw_size = 2,
		.user_regs = { 2, 0x3, (const u64_una *)regs },
		.intr_regs = { 0, 0x3, NULL },
		.user_stack = "\020\040",
		.user_stack_size = 2,
		.user_stack_dyn = 1,
		.aux = "\100",
		.aux_size = 1,
		.read = reads,
		.read_size = sizeof(reads),
	};

	world_init(w, &attr, "x", NULL);
	return convert(w, &s);
}

static void test_every_field(void **state)
{
	static const char *const members[] = {
		"\"ip\": \"0xffffffff81000010\"",
		"\"ip\": \"0x400010\"",
		"\"ip\": \"0x0\"",
		"\"ip\": \"0x400123\"",
		"\"addr\": \"0x11\"",
		"\"stream_id\": 13",
		"\"period\": 14",
		"\"weight\": 15",
		"\"ins_lat\": 16",
		"\"p_stage_cyc\": 17",
		"\"data_src\": 18",
		"\"transaction\": 19",
		"\"phys_addr\": \"0x20\"",
		"\"cgroup\": 21",
		"\"data_page_size\": 22",
		"\"code_page_size\": 23",
		"\"branch_hw_idx\": -1",
		"\"raw\": \"01ff\"",
		"{ \"from\": \"0x10\", \"to\": \"0x20\", \"mispred\": 1, \"in_tx\": 1, "
		"\"cycles\": 500 }",
		"{ \"from\": \"0x30\", \"to\": \"0x40\", \"predicted\": 1 }",
		"\"user_regs\": { \"abi\": 2, \"AX\": \"0xaa\", \"BX\": \"0xbb\" }",
		"\"intr_regs\": { \"abi\": 0 }",
		"\"user_stack\": \"10\"",
		"\"aux\": \"40\"",
		"\"read\": { \"time_enabled\": 50, \"time_running\": 40, "
		"\"values\": [ { \"value\": 1234, \"id\": 77 } ] }",
	};
	struct world w;
	const char *text = convert_full(&w);

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (!strstr(text, members[i]))
			fail_msg("no %s in %s", members[i], text);
	assert_null(strstr(text, "sample_id"));
	world_release(&w);
}

/* ---- tracepoints ---- */

static const char format[] =
	"name: probe\nID: 77\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:int pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:int _pid;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:char name[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:int period;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 last;\toffset:32;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"%d\", REC->pid\n";

static void test_payload(void **state)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.config = 77,
		.size = sizeof(attr),
		.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME,
	};
	u8 raw[28] = { 77 }; /* it ends before the last field */
	const struct sample s = { .time = 10, .raw = raw, .raw_size = sizeof(raw) };
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct world w;
	const char *text;

	assert_non_null(tracefmt_add(tf, "sys", format, sizeof(format) - 1, NULL));
	raw[4] = raw[5] = raw[6] = raw[7] = 0xff;
	raw[8] = 5;
	memcpy(raw + 16, "a\tb\"", 5);
	raw[24] = 9;
	world_init(&w, &attr, "sys:probe", tf);
	text = convert(&w, &s);
	assert_null(strstr(text, "common_"));
	assert_non_null(strstr(text, "\"__pid\": \"-1\", "
				     "\"_pid\": \"5\", \"name\": \"a\\tb\\\"\", "
				     "\"_period\": \"9\", \"last\": \"0\""));
	world_release(&w);
	tracefmt_free(tf);
}

/* ---- other records ---- */

struct rec {
	struct perf_event_header hdr;
	u8 body[120];
};

static void test_records(void **state)
{
	static const char *const never = "\"timestamp\": ";
	const struct sample_id id = { .pid = 1, .tid = 2, .time = 0, .id = 3, .cpu = 1 };
	const struct sample_id none = { .time = ~0ULL, .id = ~0ULL, .cpu = ~0U };
	struct rec r = { { PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 8 + 16 }, { 7 } };
	struct strbuf out = STRBUF_INIT;

	memcpy(r.body + 8, "x\"y", 4);
	json_record(NULL, (const wire_header *)&r, &id, 1000, &out);
	assert_string_equal(out.buf,
			    ",\n\t\t{\"type\": \"COMM\", \"timestamp\": 0, \"cpu\": 1, \"pid\": 7, "
			    "\"tid\": 0, \"comm\": \"x\\\"y\", \"exec\": 1}");
	/* every type, with a body that is large enough for all, and with one that is for none */
	for (u32 type = 0; type < 90; type++) {
		r.hdr.type = type;
		for (size_t size = sizeof(r); size > 16; size -= 56) {
			r.hdr.size = (u16)size;
			memset(r.body, type & 1 ? 0 : 1, sizeof(r.body) - 1);
			r.body[sizeof(r.body) - 1] = 0;
			strbuf_reset(&out);
			json_record(NULL, (const wire_header *)&r, &none, 0, &out);
			assert_null(strstr(strbuf_str(&out), never));
			if (out.len)
				assert_int_equal(json_check(out.buf + 1, out.len - 1), -1);
		}
	}
	strbuf_release(&out);
}

static void test_whole(void **state)
{
	char *cmdline[] = { (char *)"perf", (char *)"a\nb" };
	struct perf_file f = { .version = 2, .data = { 100, 200 } };
	struct strbuf out = STRBUF_INIT;

	f.env.hostname = (char *)"h\001";
	f.env.cmdline = cmdline;
	f.env.nr_cmdline = 2;
	json_head(&f, 86400, &out);
	json_middle(&out);
	json_tail(&out);
	assert_int_equal(json_check(out.buf, out.len), -1);
	assert_non_null(strstr(out.buf, "\"captured-on\": \"1970-01-02T00:00:00Z\""));
	assert_non_null(strstr(out.buf,
			       "\"feat-offset\": 300,\n\t\t\"hostname\": \"h\\u0001\",\n"
			       "\t\t\"cmdline\": [\n\t\t\t\"perf\",\n\t\t\t\"a\\nb\"\n\t\t]"));
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),        cmocka_unit_test(test_any_bytes),
		cmocka_unit_test(test_flat),        cmocka_unit_test(test_bare),
		cmocka_unit_test(test_every_field), cmocka_unit_test(test_payload),
		cmocka_unit_test(test_records),     cmocka_unit_test(test_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
