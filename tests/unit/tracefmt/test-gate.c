// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what libtraceevent gets to see of formats, records and calls, and what it never does. */
#include "base/compat.h"
#include "tracefmt/gate.h"

#include <setjmp.h>
#include <cmocka.h>

#define COMMON                                                                                     \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELDS                                                                                     \
	"\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"                                      \
	"\tfield:struct evil) thing;\toffset:12;\tsize:3;\tsigned:0;\n"                            \
	"\tfield:const void * ptr;\toffset:16;\tsize:8;\tsigned:0;\n"                              \
	"\tfield:char comm[TASK_COMM_LEN];\toffset:24;\tsize:16;\tsigned:0;\n"                     \
	"\tfield:__data_loc char[] name;\toffset:40;\tsize:4;\tsigned:0;\n"                        \
	"\tfield:__rel_loc u32[] list;\toffset:44;\tsize:4;\tsigned:0;\n"                          \
	"\tfield:unsigned long len;\toffset:48;\tsize:8;\tsigned:0;\n\n"
#define SIZE 56

struct world {
	struct tracefmt *tf;
	const struct tf_event *ev;
};

static struct world make(const char *system, const char *name, const char *id, const char *fields,
			 const char *print)
{
	struct world w = { .tf = tracefmt_new(false, 8) };
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "name: %s\nID: %s\nformat:\n%sprint fmt: %s\n", name, id, fields, print);
	w.ev = tracefmt_add(w.tf, system, strbuf_str(&text), text.len, NULL);
	assert_non_null(w.ev);
	strbuf_release(&text);
	return w;
}

/* The format that passes, or NULL. Caller frees. */
static char *passes(const char *system, const char *name, const char *id, const char *fields)
{
	struct world w = make(system, name, id, fields, "\"%d %n\", REC->pid");
	struct strbuf out = STRBUF_INIT;
	char *text = gate_format(w.ev, &out) ? strbuf_detach(&out) : NULL;

	strbuf_release(&out);
	tracefmt_free(w.tf);
	return text;
}

static void refused(const char *system, const char *name, const char *id, const char *fields)
{
	char *text = passes(system, name, id, fields);

	assert_null(text);
	free(text);
}

static void test_format(void **state)
{
	char *text = passes("sys", "event", "77", COMMON FIELDS);

	(void)state;
	assert_string_equal(text,
			    "name: event\nID: 77\nformat:\n"
			    "\tfield:u16 common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			    "\tfield:s32 common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			    "\tfield:s32 pid;\toffset:8;\tsize:4;\tsigned:1;\n"
			    "\tfield:void * ptr;\toffset:16;\tsize:8;\tsigned:0;\n"
			    "\tfield:char comm[16];\toffset:24;\tsize:16;\tsigned:0;\n"
			    "\tfield:__data_loc char[] name;\toffset:40;\tsize:4;\tsigned:0;\n"
			    "\tfield:__rel_loc u32[] list;\toffset:44;\tsize:4;\tsigned:0;\n"
			    "\tfield:unsigned long len;\toffset:48;\tsize:8;\tsigned:0;\n"
			    "\nprint fmt: \"\"\n");
	free(text);
}

static void test_refused(void **state)
{
	(void)state;
	refused("sys", "an event", "77", COMMON FIELDS);
	refused("sys", "event;", "77", COMMON FIELDS);
	refused("a/b", "event", "77", COMMON FIELDS);
	refused("sys", "event", "61440", COMMON FIELDS);
	refused("sys", "event", "77", FIELDS);
	refused("sys", "event", "77",
		"\tfield:unsigned short common_type;\toffset:2;\tsize:2;\tsigned:0;\n\n" FIELDS);
	refused("sys", "event", "77",
		"\tfield:unsigned short common_type;\toffset:0;\tsize:4;\tsigned:0;\n\n" FIELDS);
	/* A plugin believes this length. */
	refused("kvm", "kvm_emulate_insn", "77", COMMON FIELDS);
}

static void test_records(void **state)
{
	struct world w = make("sys", "event", "77", COMMON FIELDS, "\"\"");
	static u8 raw[GATE_RECORD_MAX + 1];
	u32 name = SIZE | 4 << 16, list = 8 | 8 << 16;

	(void)state;
	memcpy(raw + 40, &name, 4);
	memcpy(raw + 44, &list, 4);
	assert_true(gate_record(w.ev, raw, SIZE + 8));
	assert_true(gate_record(w.ev, raw, GATE_RECORD_MAX));
	assert_false(gate_record(w.ev, raw, GATE_RECORD_MAX + 1));
	assert_false(gate_record(w.ev, raw, SIZE + 7));
	assert_false(gate_record(w.ev, raw, SIZE - 1));
	assert_false(gate_record(w.ev, raw, 0));
	list = 0xffff | 1 << 16;
	memcpy(raw + 44, &list, 4);
	assert_false(gate_record(w.ev, raw, GATE_RECORD_MAX));
	tracefmt_free(w.tf);
}

static bool call_passes(const char *print, bool trusted)
{
	struct world w = make("sys", "event", "77", COMMON FIELDS, print);
	bool passes = w.ev->calls && gate_call(w.ev->calls, trusted);

	assert_true(w.ev->failed);
	tracefmt_free(w.tf);
	return passes;
}

static void test_calls(void **state)
{
	(void)state;
	assert_true(call_passes("\"%u\", jiffies_to_msecs(REC->pid)", false));
	assert_true(call_passes("\"%s\", scsi_trace_parse_cdb(p, __get_dynamic_array(list), 1)",
				false));
	/* A number that would be followed as a pointer. */
	assert_false(call_passes("\"%s\", scsi_trace_parse_cdb(p, REC->pid, 1)", false));
	assert_false(call_passes("\"%d\", __le16_to_cpup(REC->pid)", true));
	assert_false(call_passes("\"%u\", jiffies_to_msecs(REC->pid, 1)", true));
	assert_false(call_passes("\"%u\", jiffies_to_msecs()", true));
	/* It is not known which arguments this function takes. */
	assert_false(call_passes("\"%u\", my_function(REC->pid)", false));
	assert_true(call_passes("\"%u\", my_function(REC->pid)", true));
	assert_false(call_passes("\"%u\", f(1, 2, 3, 4, 5, 6, 7, 8, 9)", true));
	assert_false(call_passes("\"%s\", __print_ns_to_secs(REC->pid)", true));
	assert_false(call_passes("\"%s\", __get_something(pid)", true));
}

static void test_call_format(void **state)
{
	struct world w =
		make("sys", "event", "77", COMMON FIELDS,
		     "\"%s\", f(REC->pid + 1, __get_str(name), (u8 *)__get_dynamic_array(list))");
	struct strbuf out = STRBUF_INIT;

	(void)state;
	gate_call_format(w.ev->calls, 61440, true, &out);
	assert_string_equal(
		strbuf_str(&out),
		"name: call_61440\nID: 61440\nformat:\n"
		"\tfield:u16 common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:u64 a0;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:__data_loc char[] a1;\toffset:16;\tsize:4;\tsigned:0;\n"
		"\tfield:__data_loc u8[] a2;\toffset:24;\tsize:4;\tsigned:0;\n"
		"\nprint fmt: \"%s\", f(REC->a0, __get_str(a1), __get_dynamic_array(a2))\n");
	strbuf_release(&out);
	tracefmt_free(w.tf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_format),      cmocka_unit_test(test_refused),
		cmocka_unit_test(test_records),     cmocka_unit_test(test_calls),
		cmocka_unit_test(test_call_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
