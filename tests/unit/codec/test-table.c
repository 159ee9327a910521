// SPDX-License-Identifier: GPL-2.0-or-later
/* Test rows for programs, and sums of idle time by call chain. */
#include "base/compat.h"
#include "schedtext/idle-chains.h"
#include "codec/table.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

static const char *const names[] = { "word", "number", "real", "flag" };

static const struct {
	const char *name;
	struct row_value v[4];
	const char *json, *csv;
} rows[] = {
	{ "nothing is known", { { 0 } }, "}\n", ",,,\n" },
	{ "all kinds",
	  { { .kind = ROW_WORD, .word = "a" },
	    { .kind = ROW_NUMBER, .number = -3 },
	    { .kind = ROW_REAL, .real = 1.5 },
	    { .kind = ROW_FLAG, .flag = true } },
	  "{\"word\":\"a\",\"number\":-3,\"real\":1.500,\"flag\":true}\n",
	  "a,-3,1.500,true\n" },
	{ "the first one is absent",
	  { { 0 }, { .kind = ROW_NUMBER, .number = 7 } },
	  "{\"number\":7}\n",
	  ",7,,\n" },
	{ "bytes that need quotes",
	  { { .kind = ROW_WORD, .word = "a\",\n<\x01\xff" } },
	  "{\"word\":\"a\\\",\\n<\\u0001\\\\xff\"}\n",
	  "\"a\"\",\n<\\x01\\xff\",,,\n" },
};

static void check(const char *name, struct strbuf *got, const char *want)
{
	if (strcmp(strbuf_str(got), want))
		fail_msg("%s: %s", name, strbuf_str(got));
	strbuf_reset(got);
}

static void test_rows(void **state)
{
	struct strbuf text = STRBUF_INIT;

	table_head(TABLE_JSON, names, ARRAY_SIZE(names), &text);
	check("above JSON", &text, "");
	table_head(TABLE_CSV, names, ARRAY_SIZE(names), &text);
	check("above CSV", &text, "word,number,real,flag\n");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		table_put(TABLE_JSON, names, rows[i].v, ARRAY_SIZE(names), &text);
		check(rows[i].name, &text, rows[i].json);
		table_put(TABLE_CSV, names, rows[i].v, ARRAY_SIZE(names), &text);
		check(rows[i].name, &text, rows[i].csv);
	}
	strbuf_release(&text);
}

static void test_forms(void **state)
{
	enum table_form form;
	struct err err = { 0 };

	assert_int_equal(table_form_choose(&form, false, false, &err), 0);
	assert_int_equal(form, TABLE_TEXT);
	assert_int_equal(table_form_choose(&form, true, false, &err), 0);
	assert_int_equal(form, TABLE_JSON);
	assert_int_equal(table_form_choose(&form, false, true, &err), 0);
	assert_int_equal(form, TABLE_CSV);
	assert_int_equal(table_form_choose(&form, true, true, &err), -EINVAL);
}

static void idle(struct idle_chains *ic, u32 cpu, const char *chain, u64 ns)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addstr(&text, chain);
	idle_chains_begin(ic, cpu, &text);
	idle_chains_end(ic, cpu, ns);
	strbuf_release(&text);
}

#define HEAD                                                                                       \
	"  Idle time (msec)     Count  Callchains\n"                                               \
	"  ----------------  --------  --------------------------------------------------\n"

static void test_idle(void **state)
{
	struct idle_chains *ic = idle_chains_new();
	struct strbuf text = STRBUF_INIT;

	idle_chains_end(ic, 1, 5000000); /* it began before the recording */
	idle(ic, 1, "read", 1000000);
	idle(ic, 1, "poll", 3000000);
	idle(ic, 1, "read", 1500000);
	idle(ic, 1, "", 500000);
	idle_chains_text(ic, 1, &text);
	check("idle times", &text,
	      "\nIdle stats by callchain:\n  CPU  0:     0.000  msec\n" HEAD
	      "\n  CPU  1:    11.000  msec\n" HEAD "             3.000         1  poll\n"
	      "             2.500         2  read\n\n");
	strbuf_release(&text);
	idle_chains_free(ic);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
