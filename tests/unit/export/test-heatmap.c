// SPDX-License-Identifier: GPL-2.0-or-later
/* Test pictures and texts of latencies and of samples over time. */
#include "base/compat.h"
#include "analyze/density.h"
#include "base/alloc.h"
#include "base/units.h"
#include "export/heatmap.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#define HOSTILE "</title><script>alert(1)</script>\"'&\001\377"

static void test_durations(void **state)
{
	static const struct {
		u64 ns;
		const char *text;
	} rows[] = {
		{ 0, "0ns" },
		{ 999, "999ns" },
		{ 1000, "1.00us" },
		{ 9999, "9.99us" },
		{ 10000, "10.0us" },
		{ 123456, "123us" },
		{ 999999, "999us" },
		{ 1050000, "1.05ms" },
		{ 59900000, "59.9ms" },
		{ 1000000000, "1.00s" },
		{ 123000000000, "123s" },
		{ 99999000000000, "99999s" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf sb = STRBUF_INIT;

		duration_text(rows[i].ns, &sb);
		assert_string_equal(sb.buf, rows[i].text);
		strbuf_release(&sb);
	}
}

static struct pairs *some_pairs(void)
{
	static const u64 latencies[] = { 1500, 1700, 40000, 2000000, 0 };
	struct pairs *p = pairs_new(1, 50, 5000000000, 1000000);

	for (u64 i = 0; i < ARRAY_SIZE(latencies); i++) {
		pairs_start(p, &i, 5000000000 + i * 3000000);
		pairs_end(p, &i, 5000000000 + i * 3000000 + latencies[i]);
	}
	pairs_end(p, &(u64){ 9 }, 5020000000);
	pairs_start(p, &(u64){ 9 }, 5020000000);
	return p;
}

/* Count how often @what is in @in. */
static u32 count(const char *in, const char *what)
{
	u32 n = 0;

	for (; (in = strstr(in, what)); in += strlen(what))
		n++;
	return n;
}

/* Each element is closed by its own end; no byte is one that XML does not have. */
static void check_xml(const char *s)
{
	char open[64][24];
	u32 depth = 0;

	for (; *s; s++) {
		size_t name;

		assert_true((unsigned char)*s >= 0x20 || *s == '\n');
		if (*s != '<')
			continue;
		name = strcspn(s + 1, " >/\n");
		if (s[1] == '/') {
			name = strcspn(s + 2, ">");
			assert_true(depth > 0);
			depth--;
			assert_true(strlen(open[depth]) == name &&
				    !memcmp(open[depth], s + 2, name));
		} else if (strchr(s, '>')[-1] != '/') {
			assert_true(depth < ARRAY_SIZE(open) && name < sizeof(open[0]));
			memcpy(open[depth], s + 1, name);
			open[depth++][name] = '\0';
		}
	}
	assert_int_equal(depth, 0);
}

static void check_quoted(const char *text)
{
	assert_null(strstr(text, "<script>alert"));
	assert_non_null(strstr(text, "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;"
				     "&#39;&amp;\\x01\\xff"));
}

static void test_latencies(void **state)
{
	struct pairs *p = some_pairs();
	struct heatmap_conf conf = { .title = HOSTILE,
				     .subtitle = HOSTILE,
				     .grid = &pairs_result(p)->grid,
				     .pairs = p,
				     .what = "pairs" };
	struct strbuf out = STRBUF_INIT;

	heatmap_svg(&conf, 1, &out);
	check_xml(out.buf);
	check_quoted(out.buf);
	assert_int_equal(count(out.buf, "</title></rect>"), 5);
	assert_non_null(strstr(out.buf, ">5.000 - 5.001 s, 1.02us - 1.53us: 1 pairs</title>"));
	assert_non_null(strstr(out.buf, ">maximum 2.00ms at 5.011 s</text>"));
	assert_non_null(strstr(out.buf, ">10 us</text>"));
	assert_null(strstr(out.buf, "nan"));
	assert_null(strstr(out.buf, "http://www.w3.org/2000/svg\" href"));
	strbuf_reset(&out);
	heatmap_html(&conf, 1, &out);
	check_quoted(out.buf);
	assert_int_equal(count(out.buf, "<script"), 1);
	assert_int_equal(count(out.buf, "http"), 1); /* the name space */
	strbuf_release(&out);
	pairs_free(p);
}

/* Damaged files may have the earliest and the latest times there are. */
static void test_longest(void **state)
{
	struct pairs *p = pairs_new(0, 50, 0, 1);
	struct heatmap_conf conf = { .title = "t", .subtitle = "s", .pairs = p, .what = "pairs" };
	struct strbuf out = STRBUF_INIT;

	pairs_start(p, &(u64){ 0 }, 0);
	pairs_end(p, &(u64){ 0 }, UINT64_MAX);
	conf.grid = &pairs_result(p)->grid;
	heatmap_svg(&conf, 1, &out);
	check_xml(out.buf);
	assert_null(strstr(out.buf, "nan"));
	assert_null(strstr(out.buf, "inf"));
	assert_null(strstr(out.buf, "height=\"-"));
	assert_int_equal(count(out.buf, "</title></rect>"), 1);
	assert_non_null(strstr(out.buf, " - 18446744073s: 1 pairs</title>"));
	strbuf_release(&out);
	pairs_free(p);
}

static void test_density(void **state)
{
	struct grid g;
	struct heatmap_conf conf = { .title = "t", .subtitle = "s", .grid = &g, .what = "samples" };
	struct strbuf out = STRBUF_INIT;

	density_init(&g, GRID_BEGIN);
	heatmap_svg(&conf, 1, &out); /* of nothing */
	check_xml(out.buf);
	for (u64 i = 0; i < 1000; i++)
		density_add(&g, 7000000123 + i * i * 5000);
	strbuf_reset(&out);
	conf.begin = 7000000123;
	heatmap_svg(&conf, 1, &out);
	check_xml(out.buf);
	assert_non_null(strstr(out.buf, ">0 - 1 s, 0 - 20 ms: 64 samples</title>"));
	/* the last of five columns ends where the plot does */
	assert_non_null(strstr(out.buf, "<g transform=\"translate(876.00 0)\">"));
	assert_non_null(strstr(out.buf, ">time within the second</text>"));
	assert_null(strstr(out.buf, "nan"));
	grid_release(&g);
	strbuf_release(&out);
}

static void test_text(void **state)
{
	struct pairs *p = some_pairs();
	struct strbuf out = STRBUF_INIT;

	pair_text(p, "a\033b", "s", &out);
	assert_string_equal(
		out.buf,
		"# a\\x1bb\n# s\n#\n#         latency         pairs\n#\n"
		"     0ns -     1ns           1  |########################\n"
		"     1ns -     2ns           0  |\n"
		"     2ns -     4ns           0  |\n"
		"     4ns -     8ns           0  |\n"
		"     8ns -    16ns           0  |\n"
		"    16ns -    32ns           0  |\n"
		"    32ns -    64ns           0  |\n"
		"    64ns -   128ns           0  |\n"
		"   128ns -   256ns           0  |\n"
		"   256ns -   512ns           0  |\n"
		"   512ns -     1us           0  |\n"
		"     1us -     2us           2  |################################################\n"
		"     2us -     4us           0  |\n"
		"     4us -     8us           0  |\n"
		"     8us -    16us           0  |\n"
		"    16us -    32us           0  |\n"
		"    32us -    64us           1  |########################\n"
		"    64us -   128us           0  |\n"
		"   128us -   256us           0  |\n"
		"   256us -   512us           0  |\n"
		"   512us -     1ms           0  |\n"
		"     1ms -     2ms           0  |\n"
		"     2ms -     4ms           1  |########################\n"
		"#\n# pairs      5, 2043200 ns in all\n# minimum    0ns\n# average    408us\n"
		"# 50%        1.70us\n# 90%        2.00ms\n# 99%        2.00ms\n"
		"# 99.9%      2.00ms\n# maximum    2.00ms, until 5.011000000\n#\n"
		"# starts without an end: 1 (0 replaced by a later start, 1 at the end)\n"
		"# ends without a start: 1\n");
	strbuf_release(&out);
	pairs_free(p);
	p = pairs_new(1, 5, GRID_BEGIN, 1);
	pair_text(p, "a", "b", &out);
	assert_non_null(strstr(out.buf, "# pairs      0, 0 ns in all\n#\n"));
	strbuf_release(&out);
	pairs_free(p);
}

/* Each of these spans is in a cell of its own. */
static void test_spans(void **state)
{
	static const struct span_map_words words = { "A <title>", "and more", "naps" };
	struct span_map *m = span_map_new(&words);
	char path[] = "/tmp/test-spans-XXXXXX", text[65536];
	struct err err = { 0 };
	int fd = mkstemp(path);
	ssize_t len;

	assert_true(fd >= 0);
	span_map_add(m, 5000000000, 5000040000);
	span_map_add(m, 7000000000, 7000040000);
	span_map_add(m, 9000000000, 9000000000);
	assert_int_equal(span_map_write(m, path, &err), 0);
	close(fd);
	fd = open(path, O_RDONLY); /* it is another file now */
	len = read(fd, text, sizeof(text) - 1);
	assert_true(len > 0);
	text[len] = 0;
	assert_non_null(strstr(text, "A &lt;title&gt;"));
	assert_int_equal(count(text, "1 naps"), 3);
	assert_true(span_map_write(m, "/nonexistent/file", &err) < 0);
	assert_non_null(strstr(err.msg, "/nonexistent/file"));
	close(fd);
	unlink(path);
	span_map_free(m);
	span_map_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_durations), cmocka_unit_test(test_spans),
		cmocka_unit_test(test_latencies), cmocka_unit_test(test_longest),
		cmocka_unit_test(test_density),   cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
