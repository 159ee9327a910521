// SPDX-License-Identifier: GPL-2.0-or-later
/* Test samples as rows: NDJSON and CSV, of hostile names, of events with different columns. */
#include "base/compat.h"
#include "codec/csv.h"
#include "convert/rows-arrow.h"
#include "json-check.h"
#include "reading.h"
#include "state-build.h"

#include <setjmp.h>
#include <cmocka.h>

static void test_cells(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "", "" },
		{ "plain <name>/x", "plain <name>/x" },
		{ "a,b", "\"a,b\"" },
		{ "a\"b", "\"a\"\"b\"" },
		{ "a\nb\r\tc", "\"a\nb\r\tc\"" },
		{ "\001\177", "\"\\x01\\x7f\"" },
		{ "\303\274\360\237\230\200", "\"\303\274\360\237\230\200\"" },
		{ "\377a\303", "\"\\xffa\\xc3\"" },
		{ "\355\240\200", "\"\\xed\\xa0\\x80\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf sb = STRBUF_INIT;

		csv_cell(&sb, rows[i].in, strlen(rows[i].in));
		assert_string_equal(strbuf_str(&sb), rows[i].out);
		strbuf_release(&sb);
	}
}

static const char format[] =
	"name: probe\nID: 77\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:int pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:char name[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:short list[2];\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:void * at;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 last;\toffset:32;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"%d\", REC->pid\n";

struct world {
	struct evlist l;
	struct machine *m;
	struct symbols *symbols;
	struct tracefmt *tf;
	struct sample_fields fields;
	struct guest_ids guests;
	struct rows *rows;
	struct rows_writer *w;
	struct strbuf out;
};

/* A clock with call chains and a tracepoint. */
static void world_named(struct world *w, enum rows_format f, const char *columns,
			struct row_store *names)
{
	const struct perf_event_attr clock = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(clock),
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
			       PERF_SAMPLE_BRANCH_STACK,
	};
	const struct perf_event_attr probe = {
		.type = PERF_TYPE_TRACEPOINT,
		.config = 77,
		.size = sizeof(probe),
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_RAW,
	};
	struct strbuf notices = STRBUF_INIT;
	struct sample_text_conf conf = { .max_stack = 3,
					 .arch = "x86_64",
					 .hide_callchain = columns && !strcmp(columns, "sym") };

	*w = (struct world){ .out = STRBUF_INIT };
	evlist_add(&w->l, &clock, "cpu,\"clock");
	evlist_add(&w->l, &probe, "sys:probe");
	w->m = machine_new();
	st_comm(w->m, 5, 7, 8, "a,\"b\"\n", true);
	st_mmap(w->m, 6, 7, 7, 0x400000, 0x1000, 0, "/bin/pr\377g");
	machine_seal(w->m);
	w->symbols = no_symbols();
	w->tf = tracefmt_new(false, 8);
	assert_non_null(tracefmt_add(w->tf, "sys", format, sizeof(format) - 1, NULL));
	sample_fields_init(&w->fields);
	if (columns)
		assert_int_equal(sample_fields_parse(&w->fields, columns, &notices, NULL), 0);
	assert_int_equal(sample_fields_check(&w->fields, &w->l, false, NULL), 0);
	conf.evlist = &w->l;
	conf.fields = &w->fields;
	conf.machine = w->m;
	conf.symbols = w->symbols;
	conf.tracefmt = w->tf;
	conf.guests = &w->guests;
	w->rows = rows_new(f, &conf, names);
	w->w = rows_writer_new(w->rows);
	strbuf_release(&notices);
}

static void world_init(struct world *w, enum rows_format f, const char *columns)
{
	world_named(w, f, columns, NULL);
}

static void world_release(struct world *w)
{
	rows_writer_free(w->w);
	rows_free(w->rows);
	symbols_free(w->symbols);
	tracefmt_free(w->tf);
	machine_free(w->m);
	evlist_release(&w->l);
	strbuf_release(&w->out);
}

static const u64 chain[] = { (u64)PERF_CONTEXT_USER, 0x400010, 0x10, 0x400020, 0x400030 };
static const u64 branches[] = { 0x10, 0x20, 1 | 500 << 4 };

static const char *put(struct world *w, unsigned int event)
{
	u8 raw[32] = { 77 }; /* it ends before the last field */
	struct sample s = {
		.cpumode = PERF_RECORD_MISC_USER,
		.pid = 7,
		.tid = 8,
		.cpu = 3,
		.ip = 0x400123,
		.time = 1234567890123,
		.period = 99,
		.raw = raw,
		.raw_size = sizeof(raw),
		.callchain = (const u64_una *)chain,
		.nr_callchain = ARRAY_SIZE(chain),
		.branches = (const u64_una *)branches,
		.nr_branches = 1,
	};

	memcpy(raw + 4, &(s32){ -1 }, 4);
	memcpy(raw + 8, "x;\"y", 5);
	memcpy(raw + 16, (const s16[]){ -2, 3 }, 4);
	memcpy(raw + 24, &(u64){ 0xffff888000000000 }, 8);
	strbuf_reset(&w->out);
	rows_put(w->w, w->l.evsels[event], &s, 10, &w->out);
	return w->out.buf;
}

static void test_objects(void **state)
{
	struct world w;

	world_init(&w, ROWS_NDJSON, NULL);
	assert_string_equal(rows_head(w.rows), "");
	assert_string_equal(
		put(&w, 0),
		"{\"time\":1234567890123,\"event\":\"cpu,\\\"clock\",\"comm\":\"a,\\\"b\\\"\\n\","
		"\"tid\":8,\"period\":99,\"ip\":\"0x400123\",\"sym\":null,\"symoff\":null,"
		"\"dso\":\"/bin/pr\\\\xffg\",\"callchain\":["
		"{\"ip\":\"0x400010\",\"sym\":null,\"dso\":\"/bin/pr\\\\xffg\"},"
		"{\"ip\":\"0x10\",\"sym\":null,\"dso\":null},"
		"{\"ip\":\"0x400020\",\"sym\":null,\"dso\":\"/bin/pr\\\\xffg\"}]}\n");
	assert_int_equal(json_check(w.out.buf, w.out.len), -1);
	assert_string_equal(
		put(&w, 1),
		"{\"time\":1234567890123,\"event\":\"sys:probe\",\"comm\":\"a,\\\"b\\\"\\n\","
		"\"tid\":8,\"cpu\":3,\"fields\":{\"pid\":-1,\"name\":\"x;\\\"y\",\"list\":[-2,3],"
		"\"at\":\"0xffff888000000000\",\"last\":null}}\n");
	assert_int_equal(json_check(w.out.buf, w.out.len), -1);
	world_release(&w);
}

static void test_values(void **state)
{
	struct world w;

	world_init(&w, ROWS_CSV, NULL);
	assert_string_equal(rows_head(w.rows),
			    "time,event,comm,tid,cpu,period,ip,sym,symoff,dso,callchain,"
			    "fields.pid,fields.name,fields.list,fields.at,fields.last\r\n");
	assert_string_equal(
		put(&w, 0),
		"1234567890123,\"cpu,\"\"clock\",\"a,\"\"b\"\"\n\",8,,99,0x400123,,,\"/bin/pr\\xffg\","
		"\"0x400010 (/bin/pr\\xffg);0x10 ([unknown]);0x400020 (/bin/pr\\xffg)\",,,,,\r\n");
	assert_string_equal(put(&w, 1), "1234567890123,sys:probe,\"a,\"\"b\"\"\n\",8,3,,,,,,,"
					"-1,\"x;\"\"y\",-2 3,0xffff888000000000,\r\n");
	world_release(&w);
}

/* Chosen columns; one alone that is empty is still a row. */
static void test_columns(void **state)
{
	struct world w;

	world_init(&w, ROWS_NDJSON, "sw:brstack,insnlen");
	assert_string_equal(put(&w, 0),
			    "{\"insnlen\":0,\"brstack\":[{ \"from\": \"0x10\", \"to\": \"0x20\", "
			    "\"mispred\": 1, \"cycles\": 500}]}\n");
	world_release(&w);
	world_init(&w, ROWS_CSV, "sym");
	assert_string_equal(rows_head(w.rows), "sym\r\n");
	assert_string_equal(put(&w, 0), "\"\"\r\n");
	world_release(&w);
	assert_int_equal(rows_unknown(SF_COMM | SF_IP | SF_SRCCODE), SF_SRCCODE);
	assert_int_equal(rows_unknown(SF_COMM | SF_IP | SF_FLAGS), 0);
}

/* Columns with names that are no UTF-8. What they are read as is tested with a reader. */
static void test_packed(void **state)
{
	struct strbuf bytes = STRBUF_INIT;
	struct export_out *to = export_memory(&bytes);
	struct rows_arrow *a = rows_arrow_new(to);
	struct err err = { 0 };
	struct world w;

	world_named(&w, ROWS_PACKED, NULL, rows_arrow_store(a));
	assert_string_equal(
		rows_head(w.rows),
		"time 1 0\nevent 5 0\ncomm 5 0\ntid 0 0\ncpu 0 0\nperiod 1 0\nip 1 0\nsym 5 0\n"
		"symoff 0 0\ndso 5 0\ncallchain 6 7\nfields.pid 2 0\nfields.name 4 0\n"
		"fields.list 6 2\nfields.at 1 0\nfields.last 1 0\nframes b00\n");
	rows_arrow_begin(a, w.rows);
	for (unsigned int i = 0; i < 2; i++) {
		put(&w, i);
		rows_finish(w.w, &w.out);
		rows_arrow_take(a, w.out.buf, w.out.len);
	}
	assert_int_equal(rows_arrow_rows(a), 2);
	rows_arrow_end(a);
	assert_non_null(memmem(bytes.buf, bytes.len, "/bin/pr\\xffg", 12));
	assert_null(memmem(bytes.buf, bytes.len, "pr\377g", 4));
	assert_non_null(memmem(bytes.buf, bytes.len, "a,\"b\"\n", 6));
	assert_non_null(memmem(bytes.buf, bytes.len, "x;\"y", 4));
	rows_arrow_free(a);
	assert_int_equal(export_close(to, &err), 0);
	world_release(&w);
	strbuf_release(&bytes);
}

static void test_records(void **state)
{
	struct {
		struct perf_event_header hdr;
		u32 ids[2];
		char comm[8];
	} r = { { PERF_RECORD_COMM, 0, sizeof(r) }, { 7, 8 }, "x\"\ny" };
	const struct sample_id id = { .time = 5, .cpu = ~0U };
	struct strbuf out = STRBUF_INIT;

	rows_record(NULL, (const wire_header *)&r, &id, &out);
	assert_int_equal(json_check(out.buf, out.len), -1);
	assert_ptr_equal(strchr(out.buf, '\n'), out.buf + out.len - 1);
	assert_non_null(strstr(out.buf, "{\"type\": \"COMM\", \"time\": 5, "));
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells),   cmocka_unit_test(test_objects),
		cmocka_unit_test(test_values),  cmocka_unit_test(test_columns),
		cmocka_unit_test(test_records), cmocka_unit_test(test_packed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
