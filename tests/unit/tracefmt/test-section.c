// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the TRACING_DATA section: built in both byte orders, cut at every byte. */
#include "base/compat.h"
#include "tracefmt/tracefmt.h"

#include <setjmp.h>
#include <cmocka.h>

static const char format[] =
	"name: hello\nID: 300\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:const char * s;\toffset:8;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"%s\", REC->s\n";
static const char other[] = "name: bye\nID: 301\nformat:\n\nprint fmt: \"gone\"\n";
static const char printk[] = "0xffffffff81234567 : \"from printk\"\n0x10 : \"low\\n\"\n";

static void put(struct strbuf *sb, u64 v, unsigned int size, bool big)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		strbuf_addch(sb, (char)(v >> 8 * (big ? size - 1 - i : i)));
}

static void put_format(struct strbuf *sb, const char *text, bool big)
{
	put(sb, strlen(text), 8, big);
	strbuf_addstr(sb, text);
}

static void build(struct strbuf *sb, bool big)
{
	strbuf_add(sb, "\027\010\104tracing", 10);
	strbuf_add(sb, "0.6", 4);
	put(sb, big, 1, big);
	put(sb, 8, 1, big);
	put(sb, 4096, 4, big);
	strbuf_add(sb, "header_page", 12);
	put_format(sb, "page", big);
	strbuf_add(sb, "header_event", 13);
	put_format(sb, "event", big);
	put(sb, 0, 4, big); /* ftrace formats */
	put(sb, 1, 4, big); /* systems */
	strbuf_add(sb, "greet", 6);
	put(sb, 2, 4, big);
	put_format(sb, format, big);
	put_format(sb, other, big);
	put(sb, 4, 4, big);
	strbuf_addstr(sb, "syms");
	put(sb, strlen(printk), 4, big);
	strbuf_addstr(sb, printk);
	put(sb, 0, 8, big); /* saved command lines */
}

static void check(const struct tracefmt *tf, bool big)
{
	const struct tf_event *ev = tracefmt_find(tf, "greet", "hello");
	struct tf_printer pr = { 0 };
	struct strbuf raw = STRBUF_INIT, out = STRBUF_INIT;

	assert_int_equal(tracefmt_nr(tf), 2);
	assert_non_null(ev);
	assert_int_equal(ev->id, 300);
	assert_string_equal(tracefmt_at(tf, 1)->name, "bye");
	assert_null(tracefmt_at(tf, 2));
	assert_null(tracefmt_event(tf, 302));
	put(&raw, 300, 8, big);
	put(&raw, 0xffffffff81234567ULL, 8, big);
	tf_print(ev, &pr, raw.buf, raw.len, &out);
	assert_string_equal(strbuf_str(&out), "from printk");
	strbuf_release(&raw);
	strbuf_release(&out);
}

static void test_section(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	struct tracefmt *tf;
	struct err err;
	int big;

	for (big = 0; big < 2; big++) {
		strbuf_reset(&sb);
		build(&sb, big);
		assert_int_equal(tracefmt_read_section(sb.buf, sb.len, &tf, &err), 0);
		assert_int_equal(err.code, 0);
		check(tf, big);
		tracefmt_free(tf);
	}
	strbuf_release(&sb);
}

static void test_cut(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	struct tracefmt *tf;
	struct err err;
	size_t len, whole = 0;

	build(&sb, false);
	for (len = 0; len < sb.len; len++) {
		char *copy = malloc(len + 1); /* so that a sanitizer sees a read past the end */
		int ret;

		assert_non_null(copy);
		memcpy(copy, sb.buf, len);
		copy = realloc(copy, len ? len : 1);
		ret = tracefmt_read_section(copy, len, &tf, &err);
		assert_true(ret ? !tf && err.code : !!tf);
		if (!ret && !err.code)
			whole++;
		tracefmt_free(tf);
		free(copy);
	}
	/* only the saved command lines at the very end may be missing unnoticed */
	assert_int_equal(whole, 8);
	strbuf_release(&sb);
}

static void test_nonsense(void **state)
{
	struct tracefmt *tf;
	struct err err = { 0 };

	assert_true(tracefmt_read_section("no tracing data", 15, &tf, &err) < 0);
	assert_null(tf);
	assert_true(err.msg[0]);
	tf = tracefmt_new(false, 8);
	assert_null(tracefmt_add(tf, "x", "name: y\n", 8, &err));
	assert_null(tracefmt_add(tf, "x", "", 0, &err));
	tracefmt_free(tf);
	tracefmt_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_section),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
