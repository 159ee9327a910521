// SPDX-License-Identifier: GPL-2.0-or-later
/* Check that lists of events have those that every kernel has, in each format, and the fields of a
 * known tracepoint. */
#include "base/compat.h"

#include "codec/json-read.h"
#include "listtext/listtext.h"
#include "suites.h"

/* Have the software events listed, and check the output. */
static int with_list(int (*check)(const char *text, size_t len), const char *const *argv)
{
	struct test_run run;
	int ret = test_perf(&run, NULL, 0, argv);

	if (ret)
		return ret;
	test_say("status %d", run.status);
	ret = run.status ? TEST_FAIL : check(strbuf_str(&run.out), run.out.len);
	strbuf_release(&run.out);
	return ret;
}

/* Check the row of an event with two names. */
static int check_text(const char *text, size_t len __unused)
{
	static const char name[] = "\n  context-switches OR cs  ";
	const char *row = strstr(text, name), *kind;

	TEST_CHECK(row, "no row of context-switches in:\n%s", text);
	kind = row + sizeof(name) - 1;
	kind += strspn(kind, " ");
	TEST_CHECK(!strncmp(kind, "[Software event]\n", 17), "its kind is %.17s", kind);
	TEST_CHECK(!strstr(text, "[Hardware event]"), "hardware events are listed, too");
	return TEST_OK;
}

static int test_text(struct test_ctx *ctx __unused)
{
	return with_list(check_text, (const char *const[]){ "list", "sw", NULL });
}

static int check_events(const struct json_value *list)
{
	static const char *const want[][2] = { { "EventAlias", "cs" },
					       { "Unit", "software" },
					       { "EventType", "Software event" } };
	const struct json_value *e = list->first;

	while (e && strcmp(json_get_str(e, "EventName") ?: "", "context-switches"))
		e = e->next;
	TEST_CHECK(e, "no object is of context-switches");
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const char *got = json_get_str(e, want[i][0]);

		TEST_CHECK(got && !strcmp(got, want[i][1]), "%s is %s, should be %s", want[i][0],
			   got ?: "missing", want[i][1]);
	}
	return TEST_OK;
}

static int check_json(const char *text, size_t len)
{
	struct arena arena = { 0 };
	struct err err = { 0 };
	const struct json_value *list = json_parse(&arena, text, len, "the list", &err);
	int ret = list ? check_events(list) : TEST_FAIL;

	if (!list)
		test_say("%s", err.msg);
	arena_release(&arena);
	return ret;
}

static int test_json(struct test_ctx *ctx __unused)
{
	return with_list(check_json, (const char *const[]){ "list", "--json", "sw", NULL });
}

/* --- fields -------------------------------------------------------------------------------- */

static int check_fields(const struct tf_event *ev)
{
	static const char print[] = "\"to %d\", REC->cpu";
	static const char *const want[] = {
		"test:wake\n",
		"\n  name                     char[16]                      8    16  -       == != ~\n",
		("\n  target                   int                          24     4  yes     "
		 "== != < <= > >= &\n"),
		"\n  print format: \"to %d\", REC->cpu\n",
		" --filter 'name ~ \"a*\" && target > 0'\n"
	};
	struct strbuf out = STRBUF_INIT;
	int ret = TEST_OK;

	list_fields(&out, ev, print, sizeof(print) - 1);
	for (size_t i = 0; i < ARRAY_SIZE(want) && !ret; i++)
		if (!strstr(strbuf_str(&out), want[i])) {
			test_say("'%s' is not in:\n%s", want[i], strbuf_str(&out));
			ret = TEST_FAIL;
		}
	strbuf_release(&out);
	return ret;
}

static int test_fields(struct test_ctx *ctx __unused)
{
	static const char format[] =
		"name: wake\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:char name[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		"\tfield:int target;\toffset:24;\tsize:4;\tsigned:1;\n\n"
		"print fmt: \"to %d\", REC->target\n";
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct err err = { 0 };
	const struct tf_event *ev = tracefmt_add(tf, "test", format, sizeof(format) - 1, &err);
	int ret = ev ? check_fields(ev) : TEST_FAIL;

	if (!ev)
		test_say("%s", err.msg);
	tracefmt_free(tf);
	return ret;
}

static const struct test_case cases[] = {
	{ "text: an event with both of its names", test_text },
	{ "JSON: the same event as an object", test_json },
	{ "fields of a tracepoint, and a filter by them", test_fields },
};
TEST_SUITE(suite_lists, "Lists of events", cases, "listtext");
