// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the JSON reader: what it makes of texts, and where it says that they are wrong. */
#include "base/compat.h"
#include "codec/json-read.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <errno.h>
#include <setjmp.h>

#include <cmocka.h>

/* The tree in a form of its own: strings as <...>, members as key=value. */
static void show(const struct json_value *v, struct strbuf *out)
{
	if (v->key)
		strbuf_addf(out, "%s=", v->key);
	switch (v->type) {
	case JSON_NULL:
		strbuf_addstr(out, "null");
		break;
	case JSON_BOOL:
		strbuf_addstr(out, v->truth ? "yes" : "no");
		break;
	case JSON_NUMBER:
		strbuf_addstr(out, v->str);
		break;
	case JSON_STRING:
		strbuf_addf(out, "<%s>", v->str);
		break;
	default:
		strbuf_addch(out, v->type == JSON_ARRAY ? '[' : '{');
		for (const struct json_value *m = v->first; m; m = m->next) {
			show(m, out);
			strbuf_addch(out, m->next ? ' ' : 0);
			out->len -= !m->next;
		}
		strbuf_addch(out, v->type == JSON_ARRAY ? ']' : '}');
	}
}

static const struct {
	const char *text, *shown;
} good[] = {
	{ "null", "null" },
	{ "true", "yes" },
	{ "false", "no" },
	{ "0", "0" },
	{ "-0", "-0" },
	{ "12.50", "12.50" },
	{ "-1e+9", "-1e+9" },
	{ "1E2", "1E2" },
	{ "\"\"", "<>" },
	{ "\"abc\"", "<abc>" },
	{ "\"a\\\"b\\\\c\\/d\\n\\t\"", "<a\"b\\c/d\n\t>" },
	{ "\"\\b\\f\\r\"", "<\b\f\r>" },
	{ "\"\\u0041\\u00e9\\u20AC\"", "<A\xc3\xa9\xe2\x82\xac>" },
	{ "\"\\ud83d\\ude00\"", "<\xf0\x9f\x98\x80>" },
	{ "\"\\ud83d\"", "<\xef\xbf\xbd>" },
	{ "\"\\ude00x\"", "<\xef\xbf\xbdx>" },
	{ "\"\\ud83d\\u0041\"", "<\xef\xbf\xbd\x41>" },
	{ "\"\xff\xfe\"", "<\xff\xfe>" },
	{ "[]", "[]" },
	{ " [ ] ", "[]" },
	{ "[1,2, 3]", "[1 2 3]" },
	{ "{}", "{}" },
	{ "{\"a\":1}", "{a=1}" },
	{ "{ \"a\" : [ true , { \"b\" : null } ] , \"a\" : \"x\" }", "{a=[yes {b=null}] a=<x>}" },
	{ "\xef\xbb\xbf[1]", "[1]" },
	{ "\r\n\t [\r\n1]\n", "[1]" },
	{ "{\"\":\"\"}", "{=<>}" },
};

static void test_good(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct strbuf out = STRBUF_INIT;
		struct arena arena = { 0 };
		struct err err = { 0 };
		struct json_value *v;

		v = json_parse(&arena, good[i].text, strlen(good[i].text), "text", &err);
		if (!v)
			fail_msg("%s: %s", good[i].text, err.msg);
		show(v, &out);
		assert_string_equal(strbuf_str(&out), good[i].shown);
		strbuf_release(&out);
		arena_release(&arena);
	}
}

static const struct {
	const char *text, *say;
} bad[] = {
	{ "", "text:1: not JSON: the text ends early" },
	{ "\n\n", "text:3: not JSON: the text ends early" },
	{ "[", "text:1: not JSON: the text ends early" },
	{ "[1\n", "text:2: not JSON: a comma or ']' is expected" },
	{ "[1,]", "text:1: not JSON: a value is expected" },
	{ "[1 2]", "text:1: not JSON: a comma or ']' is expected" },
	{ "{\"a\"}", "text:1: not JSON: a colon is expected behind the name" },
	{ "{a:1}", "text:1: not JSON: a name in quotes is expected" },
	{ "{\"a\":1,}", "text:1: not JSON: a name in quotes is expected" },
	{ "{\"a\":1", "text:1: not JSON: a comma or '}' is expected" },
	{ "[}", "text:1: not JSON: a value is expected" },
	{ "01", "text:1: not JSON: more text behind the value" },
	{ "1.", "text:1: not JSON: digits are expected behind the point" },
	{ "1e", "text:1: not JSON: digits are expected in the exponent" },
	{ "-", "text:1: not JSON: a value is expected" },
	{ "+1", "text:1: not JSON: a value is expected" },
	{ ".5", "text:1: not JSON: a value is expected" },
	{ "nul", "text:1: not JSON: a value is expected" },
	{ "\"abc", "text:1: not JSON: the string does not end" },
	{ "\"abc\\", "text:1: not JSON: the string does not end" },
	{ "\"abc\\\"", "text:1: not JSON: the string does not end" },
	{ "\"a\nb\"", "text:1: not JSON: a control byte in a string" },
	{ "\"\\x\"", "text:1: not JSON: unknown escape in a string" },
	{ "\"\\u00g0\"", "text:1: not JSON: \\u wants four hexadecimal digits" },
	{ "\"\\u00\"", "text:1: not JSON: \\u wants four hexadecimal digits" },
	{ "\"\\u0000\"", "text:1: not JSON: a zero byte in a string" },
	{ "\"\\ud83d\\u00\"", "text:1: not JSON: \\u wants four hexadecimal digits" },
	{ "[] []", "text:1: not JSON: more text behind the value" },
	{ "[\n1,\n2,\n// no\n3]", "text:4: not JSON: a value is expected" },
};

static void test_bad(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct arena arena = { 0 };
		struct err err = { 0 };

		/* not one byte behind the text may be looked at */
		char *exact = xmalloc(strlen(bad[i].text) + 1);

		memcpy(exact, bad[i].text, strlen(bad[i].text));
		exact = xrealloc(exact, 1, MAX(strlen(bad[i].text), (size_t)1));
		assert_null(json_parse(&arena, exact, strlen(bad[i].text), "text", &err));
		assert_int_equal(err.code, -EINVAL);
		assert_string_equal(err.msg, bad[i].say);
		arena_release(&arena);
		free(exact);
	}
}

static void test_members(void **state)
{
	static const char text[] = "{\n\"a\":\"x\",\n\"n\":0x,\"b\":[1]}";
	static const char fine[] = "{\n\"a\":\"x\",\n\"n\":12,\"b\":[1],\"a\":\"y\"}";
	struct arena arena = { 0 };
	struct json_value *v;

	assert_null(json_parse(&arena, text, strlen(text), "text", NULL));
	v = json_parse(&arena, fine, strlen(fine), "text", NULL);
	assert_string_equal(json_get_str(v, "a"), "x");
	assert_string_equal(json_get_str(v, "n"), "12");
	assert_null(json_get_str(v, "b"));
	assert_null(json_get(v, "c"));
	assert_int_equal(json_get(v, "b")->type, JSON_ARRAY);
	assert_int_equal(json_get(v, "n")->line, 3);
	assert_null(json_get(json_get(v, "b"), "a"));
	arena_release(&arena);
}

static void test_depth(void **state)
{
	for (size_t depth = 1; depth < 100000; depth *= 3) {
		char *text = xmalloc(2 * depth);
		struct arena arena = { 0 };
		struct err err = { 0 };

		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		if (json_parse(&arena, text, 2 * depth, "text", &err))
			assert_true(depth <= JSON_DEPTH_MAX + 1);
		else
			assert_string_equal(err.msg, "text:1: not JSON: nested too deep");
		free(text);
		arena_release(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_depth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
