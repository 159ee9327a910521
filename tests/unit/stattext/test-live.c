// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the live view: sparklines, short numbers, and screens of all sizes. */
#include "base/compat.h"
#include "stattext/live.h"

#include <math.h>
#include <setjmp.h>
#include <cmocka.h>

static void check_spark(const double *v, size_t nr, double max, bool utf8, const char *want)
{
	struct strbuf sb = STRBUF_INIT;

	live_spark(v, nr, max, utf8, &sb);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

static void test_spark(void **state)
{
	const double up[] = { 0, 10, 20, 30, 40, 50, 60, 70, 80 }, zero[] = { 0, 0 },
		     gap[] = { 5, NAN, 2.6 };

	check_spark(up, 9, 80, false, "_.:-=+*##");
	check_spark(up, 3, 20, true, "\342\226\201\342\226\205\342\226\210");
	check_spark(zero, 2, 0, false, "__");
	check_spark(gap, 3, 5, false, "# =");
	check_spark(gap, 0, NAN, false, "");
}

static void test_numbers(void **state)
{
	static const struct {
		double v;
		const char *text;
	} known[] = {
		{ 0, "0" },           { 7, "7" },          { 0.25, "0.25" },   { 1234, "1234" },
		{ 1234.5, "1234" },   { 999.94, "999.9" }, { 9999, "9999" },   { 9999.7, "10.00K" },
		{ 123456, "123.5K" }, { 99999, "100.0K" }, { 1.5e9, "1500M" }, { 2.5e10, "25.00G" },
		{ 1e30, NULL },       { NAN, "-" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		struct strbuf sb = STRBUF_INIT;

		live_number(known[i].v, &sb);
		if (known[i].text)
			assert_string_equal(strbuf_str(&sb), known[i].text);
		strbuf_release(&sb);
	}
}

/* No screen is written beyond; what does not fit is counted. */
static void test_screens(void **state)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT };
	struct cpu_place places[6] = { 0 };
	struct stat_view view = { .unit_width = 4 };
	struct evlist l = { 0 };
	struct aggr_map ids;
	struct stat_result r;
	struct live live = { 0 };
	bool unsupported[2] = { 0 };

	for (int i = 0; i < 6; i++)
		places[i].cpu = i;
	evlist_add(&l, &attr, "some:tracepoint_with_a_long_name");
	evlist_add(&l, &attr, "gr\303\274n");
	aggr_map_init(&ids, AGGR_NONE, places, 6, 1);
	stat_result_init(&r, &l, &ids, unsupported);
	for (int i = 0; i < 600; i++) {
		for (size_t k = 0; k < 12; k++)
			r.v[k] = (struct stat_value){ .val = i % 7, .enabled = 1, .running = 1 };
		live_take(&live, &r, 1000000000);
	}
	for (u32 width = 1; width < 700; width += width < 150 ? 1 : 97)
		for (u32 height = 1; height < 20; height += 3) {
			struct live_screen screen = { width, height, width & 1 };
			struct strbuf sb = STRBUF_INIT;
			u32 lines = 1, columns = 0;

			live_draw(&live, &view, &r, &screen, "title", &sb);
			for (const char *c = strbuf_str(&sb); *c; c++) {
				if (*c == '\033') {
					while (*c < 'A' || *c == '[')
						c++;
				} else if (*c == '\n') {
					lines++;
					columns = 0;
				} else if (*c != '\r' && (*c & 0xc0) != 0x80) {
					columns++;
				}
				assert_true(columns <= width);
			}
			assert_true(lines <= height);
			if (width > 40 && height > 3)
				assert_true(!strstr(strbuf_str(&sb), " more") == (height >= 14));
			strbuf_release(&sb);
		}
	live_release(&live);
	stat_result_release(&r);
	aggr_map_release(&ids);
	evlist_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spark),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_screens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
