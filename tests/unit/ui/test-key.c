// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what the bytes of terminals mean, names of keys, and what the man pages say of keys. */
#include "base/compat.h"

#include "ui/views/annotate.h"
#include "ui/views/blocks.h"
#include "ui/views/contention.h"
#include "ui/views/calls.h"
#include "ui/views/diff.h"
#include "ui/views/icicle.h"
#include "ui/views/lines.h"
#include "ui/views/map.h"
#include "ui/views/pick.h"
#include "ui/views/report-events.h"
#include "ui/views/report.h"
#include "ui/views/strip.h"
#include "ui/views/report-live.h"
#include "ui/widgets/keymap.h"

#include <setjmp.h>
#include <cmocka.h>

static void test_keys(void **state)
{
	static const struct {
		const char *bytes, *name;
	} rows[] = {
		{ "a", "a" },
		{ "\x03", "CTRL+c" },
		{ "\r", "ENTER" },
		{ "\n", "ENTER" },
		{ "\t", "TAB" },
		{ "\x7f", "BACKSPACE" },
		{ "\b", "BACKSPACE" },
		{ " ", "SPACE" },
		{ "\033[A", "UP" },
		{ "\033OB", "DOWN" },
		{ "\033[1;5C", "RIGHT" },
		{ "\033[5~", "PGUP" },
		{ "\033[6;2~", "PGDN" },
		{ "\033[Z", "UNTAB" },
		{ "\033OP", "F1" },
		{ "\033[[B", "F2" },
		{ "\033[24~", "F12" },
		{ "\033[1~", "HOME" },
		{ "\xc3\xa4", "\xc3\xa4" },
		{ "\xe2\x82\xac", "\xe2\x82\xac" },
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
	};
	char name[KEY_NAME_SIZE];
	struct term_event ev;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t len = strlen(rows[i].bytes);

		assert_int_equal(key_decode(rows[i].bytes, len, false, &ev), len);
		assert_int_equal(ev.type, TERM_KEY);
		assert_string_equal(key_name(ev.key, name), rows[i].name);
		assert_int_equal(key_parse(name, strlen(name)), ev.key);
		for (size_t part = 1; part < len && *rows[i].bytes; part++)
			assert_int_equal(key_decode(rows[i].bytes, part, false, &ev), 0);
	}
}

static void test_escape(void **state)
{
	struct term_event ev;

	assert_int_equal(key_decode("\033", 1, false, &ev), 0);
	assert_int_equal(key_decode("\033", 1, true, &ev), 1);
	assert_int_equal(ev.key, K_ESC);
	assert_int_equal(key_decode("\033q", 2, false, &ev), 1);
	assert_int_equal(ev.key, K_ESC);
	assert_int_equal(key_decode("\033[99~", 5, false, &ev), 5);
	assert_int_equal(ev.key, K_UNKNOWN);
	assert_int_equal(key_decode("\xff", 1, false, &ev), 1);
	assert_int_equal(ev.key, K_UNKNOWN);
	assert_int_equal(key_parse("nokey", 5), K_NONE);
	assert_int_equal(key_parse("F13", 3), K_NONE);
}

/* Whatever comes, each call takes bytes or asks for more, and with @final it takes some. */
static void test_any_bytes(void **state)
{
	static const char alphabet[] = "\033[O<;M1~A\xc3\x80\xff";
	char bytes[5];
	struct term_event ev;

	for (u32 n = 0; n < 14 * 14 * 14 * 14; n++) {
		for (u32 i = 0, v = n; i < 4; i++, v /= 14)
			bytes[i] = alphabet[v % (sizeof(alphabet) - 1)];
		assert_true(key_decode(bytes, 4, false, &ev) <= 4);
		assert_in_range(key_decode(bytes, 4, true, &ev), 1, 4);
	}
}

static void test_mouse(void **state)
{
	struct term_event ev;

	assert_int_equal(key_decode("\033[<0;12;5M", 10, false, &ev), 10);
	assert_int_equal(ev.type, TERM_MOUSE);
	assert_int_equal(ev.button, MOUSE_LEFT);
	assert_int_equal(ev.x, 11);
	assert_int_equal(ev.y, 4);
	assert_int_equal(key_decode("\033[<65;1;1M", 10, false, &ev), 10);
	assert_int_equal(ev.button, MOUSE_WHEEL_DOWN);
	assert_int_equal(key_decode("\033[<0;12;5m", 10, false, &ev), 10); /* let go */
	assert_int_equal(ev.type, TERM_KEY);
	assert_int_equal(ev.key, K_NONE);
	assert_int_equal(key_decode("\033[<0;0;5M", 9, false, &ev), 9);
	assert_int_equal(ev.key, K_NONE);
}

static char *file_text(const char *path)
{
	static char text[256 << 10];
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = 0;
	fclose(f);
	return text;
}

/* Check that a man page has the table of a view as it is; what it should have is printed. */
static void check_page(const char *path, const struct binding *table)
{
	struct strbuf want = STRBUF_INIT;

	keymap_manual(table, &want);
	if (!strstr(file_text(path), want.buf))
		printf("# %s has to say:\n%s# end\n", path, want.buf);
	assert_non_null(strstr(file_text(path), want.buf));
	strbuf_release(&want);
}

static void test_pages(void **state)
{
	check_page("Documentation/perf-report.txt", report_bindings);
	check_page("Documentation/perf-report.txt", events_bindings);
	check_page("Documentation/perf-report.txt", icicle_bindings);
	check_page("Documentation/perf-report.txt", calls_bindings);
	check_page("Documentation/perf-report.txt", map_bindings);
	check_page("Documentation/perf-report.txt", strip_bindings);
	check_page("Documentation/perf-report.txt", blocks_bindings);
	check_page("Documentation/perf-report.txt", lines_bindings);
	check_page("Documentation/perf-report.txt", common_bindings);
	check_page("Documentation/perf-diff.txt", diff_bindings);
	check_page("Documentation/perf-annotate.txt", annotate_bindings);
	check_page("Documentation/perf-c2c.txt", contention_bindings);
	check_page("Documentation/perf-c2c.txt", places_bindings);
	check_page("Documentation/perf-list.txt", pick_bindings);
	check_page("Documentation/perf-list.txt", common_bindings);
	check_page("Documentation/perf-top.txt", top_bindings);
	check_page("Documentation/perf-top.txt", common_bindings);
}

/* Check that all keys of a table are keys, each of one request, and all names are different. */
static void check_table(const struct binding *table)
{
	const struct keys_of all = { "x", table };
	struct keymap m;

	for (const struct binding *b = table; b->keys; b++) {
		const struct binding one[] = { *b, { NULL } };
		const struct keys_of own = { "x", one };

		keymap_init(&m, &own, NULL, NULL, NULL);
		assert_int_equal(m.items[0].request, b->request);
		keymap_release(&m);
		for (const struct binding *c = table; c < b; c++)
			assert_string_not_equal(b->name, c->name);
		for (const char *s = b->keys; *s; s += strcspn(s, " "), s += *s == ' ')
			assert_int_not_equal(key_parse(s, strcspn(s, " ")), K_NONE);
	}
	keymap_init(&m, &all, NULL, NULL, NULL);
	for (const struct binding *b = table; b->keys; b++)
		for (const char *s = b->keys; *s; s += strcspn(s, " "), s += *s == ' ')
			assert_int_equal(keymap_request(&m, key_parse(s, strcspn(s, " "))),
					 b->request);
	keymap_release(&m);
}

static void test_tables(void **state)
{
	check_table(common_bindings);
	check_table(report_bindings);
	check_table(annotate_bindings);
	check_table(events_bindings);
	check_table(icicle_bindings);
	check_table(pick_bindings);
	check_table(calls_bindings);
	check_table(diff_bindings);
	check_table(map_bindings);
	check_table(lines_bindings);
	check_table(strip_bindings);
	check_table(blocks_bindings);
	check_table(contention_bindings);
	check_table(places_bindings);
	check_table(top_bindings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),      cmocka_unit_test(test_escape),
		cmocka_unit_test(test_any_bytes), cmocka_unit_test(test_mouse),
		cmocka_unit_test(test_pages),     cmocka_unit_test(test_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
