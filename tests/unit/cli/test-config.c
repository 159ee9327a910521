// SPDX-License-Identifier: GPL-2.0-or-later
/* Test configuration files: what is read from a text, and what an edit changes of it. */
#include "base/compat.h"

#include "cli/config.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

static struct config c;

static int parse(const char *text, unsigned int *line)
{
	config_release(&c);
	config_init(&c);
	return config_parse(&c, text, strlen(text), line);
}

static void test_values(void **state)
{
	static const struct {
		const char *text, *key, *value;
	} rows[] = {
		{ "[a]\nb=1", "a.b", "1" },
		{ "[a]b = 1 # x", "a.b", "1" },
		{ "[A]\n\tB\t=\tx y ; z\n", "a.b", "x y" },
		{ "[a]\nb = \"x # y\" z\n", "a.b", "x # y z" },
		{ "[a]\nb = \"  \"\n", "a.b", "  " },
		{ "[a]\nb = x\\\ny\n", "a.b", "xy" },
		{ "[a]\nb = \\t\\\\\\\"\\n\n", "a.b", "\t\\\"\n" },
		{ "[a]\nb =\n", "a.b", "" },
		{ "[a]\nb = 1\n[a]\nb = 2\n", "a.b", "2" },
		{ "[a.B \"C \\\" d\"]\ne = f\n", "a.b.C \" d.e", "f" },
		{ "\xef\xbb\xbf[a]\r\nb = 1\r\n", "a.b", "1" },
		{ "[a]\nb = 1\n", "a.c", NULL },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *v;

		assert_int_equal(parse(rows[i].text, NULL), 0);
		v = config_get(&c, rows[i].key);
		if (!rows[i].value)
			assert_null(v);
		else
			assert_string_equal(v ? v : "(none)", rows[i].value);
	}
}

static void test_errors(void **state)
{
	static const struct {
		const char *text;
		unsigned int line;
	} rows[] = {
		{ "b = 1\n", 1 },        { "[a]\nb\n", 2 },           { "[a]\n1 = 2\n", 2 },
		{ "[a]\nb = \"x\n", 2 }, { "[a]\nb = \\x\n", 2 },     { "\n\n[a\n", 3 },
		{ "[a b]\nc = d\n", 1 }, { "[a \"b]\n", 1 },          { "[]\n", 1 },
		{ "[a]\nb.c = d\n", 2 }, { "# x\n[a]\n; y\n!\n", 4 }, { "[a]\nb = \\", 2 },
	};
	unsigned int line;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		line = 0;
		assert_int_equal(parse(rows[i].text, &line), -EINVAL);
		assert_int_equal(line, rows[i].line);
		assert_true(c.cut);
	}
	assert_int_equal(parse("[a]\nb = 1\n!\n", &line), -EINVAL);
	assert_string_equal(config_get(&c, "a.b"), "1");
	assert_int_equal(parse("[a]\nb = 1\n", &line), 0);
	assert_false(c.cut);
}

static void test_types(void **state)
{
	struct err e = { 0 };
	bool b = false;
	u64 u = 7;

	parse("[t]\nyes=Yes\nno=off\none=1\nzero=0\nempty=\nbad=maybe\nk=4k\ng=3G\nbig=99999999999G\n"
	      "neg=-5\nhuge=99999999999\nhex=0x10\n",
	      NULL);
	assert_int_equal(config_bool(&c, "t.yes", &b, &e), 1);
	assert_true(b);
	assert_int_equal(config_bool(&c, "t.no", &b, &e), 1);
	assert_false(b);
	assert_int_equal(config_bool(&c, "t.one", &b, &e), 1);
	assert_true(b);
	assert_int_equal(config_bool(&c, "t.empty", &b, &e), 1);
	assert_false(b);
	assert_int_equal(config_bool(&c, "t.none", &b, &e), 0);
	assert_int_equal(config_bool(&c, "t.bad", &b, &e), -EINVAL);
	assert_string_equal(e.msg, "bad config value for 't.bad': \"maybe\" is not true or false");
	assert_int_equal(config_u64(&c, "t.k", &u, &e), 1);
	assert_int_equal(u, 4096);
	assert_int_equal(config_u64(&c, "t.g", &u, &e), 1);
	assert_true(u == 3ULL << 30);
	assert_int_equal(config_u64(&c, "t.big", &u, &e), -EINVAL);
	assert_int_equal(config_u64(&c, "t.neg", &u, &e), -EINVAL);
	assert_int_equal(config_u64(&c, "t.empty", &u, &e), -EINVAL);
	assert_true(u == 3ULL << 30);
	assert_int_equal(config_u64(&c, "t.hex", &u, &e), 1);
	assert_int_equal(u, 16);
}

static void edit(const char *text, const char *key, const char *value, const char *want)
{
	struct strbuf out = STRBUF_INIT;
	struct err e = { 0 };
	unsigned int line;

	assert_int_equal(config_edit(text, strlen(text), key, value, &out, &line, &e), 0);
	assert_string_equal(strbuf_str(&out), want);
	/* The value that was written is read again. */
	assert_int_equal(parse(strbuf_str(&out), NULL), 0);
	assert_string_equal(config_get(&c, key), value);
	strbuf_release(&out);
}

static void test_edit(void **state)
{
	edit("", "a.b", "c", "[a]\n\tb = c\n");
	edit("[a]", "a.b", "c", "[a]\n\tb = c\n");
	edit("[a]\nb=1#x\n", "a.b", "2", "[a]\nb = 2#x\n");
	edit("[a]\nb=1 ; x\n[c]\n", "a.d", "2", "[a]\nb=1 ; x\n\td = 2\n[c]\n");
	edit("[a] b=1", "a.b", "2", "[a] b = 2");
	edit("[a]\r\nb=1\r\n", "a.c", "2", "[a]\r\nb=1\r\n\tc = 2\n");
	edit("[a]\nb=1\n\n# end\n", "a.c", "2", "[a]\nb=1\n\tc = 2\n\n# end\n");
	edit("[a]\nb=1\nb=2\n", "A.B", "3", "[a]\nb=1\nB = 3\n");
	edit("", "a.b", " x", "[a]\n\tb = \" x\"\n");
	edit("", "a.b", "x;\"\\\n", "[a]\n\tb = \"x;\\\"\\\\\\n\"\n");
	edit("", "a.B \"c.d", "1", "[a \"B \\\"c\"]\n\td = 1\n");
	edit("", "man.less.cmd", "1", "[man.less]\n\tcmd = 1\n");
}

static void test_keys(void **state)
{
	static const char *const bad[] = { "a", ".b", "a.", "a b.c", "a.1", "a.b c", "a\n.b", "" };
	struct err e = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(config_check_key(bad[i], &e), -EINVAL);
	assert_int_equal(config_check_key("a.b", &e), 0);
	assert_int_equal(config_check_key("a.Some Thing.b-c_d", &e), 0);
}

static int teardown(void **state)
{
	config_release(&c);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values), cmocka_unit_test(test_errors),
		cmocka_unit_test(test_types),  cmocka_unit_test(test_edit),
		cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, NULL, teardown);
}
