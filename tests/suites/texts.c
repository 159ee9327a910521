// SPDX-License-Identifier: GPL-2.0-or-later
/* Check texts: numbers and names for people, formats for programs, and what users say to perf in
 * options, in a configuration, and over HTTP. */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/int-list.h"
#include "base/units.h"
#include "cli/config.h"
#include "cli/options.h"
#include "codec/deflate.h"
#include "codec/json-read.h"
#include "codec/json.h"
#include "codec/leb.h"
#include "codec/sha256.h"
#include "codec/table.h"
#include "codec/unpack.h"
#include "http/page.h"
#include "suites.h"

#include <errno.h>
#include <unistd.h>

/* --- base ---------------------------------------------------------------------------------- */

static int test_numbers(struct test_ctx *ctx __unused)
{
	static const struct {
		u64 ns;
		const char *text;
	} times[] = {
		{ 0, "0ns" },
		{ 999, "999ns" },
		{ 1239, "1.23us" },
		{ 45678901, "45.6ms" },
		{ 789ULL * 1000000000, "789s" },
	};
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		strbuf_reset(&out);
		duration_text(times[i].ns, &out);
		TEST_TEXT(strbuf_str(&out), times[i].text);
	}
	strbuf_reset(&out);
	strbuf_dec(&out, UINT64_MAX, 22);
	strbuf_hex(&out, 0xbeef, 6, 8);
	page_size_text(2 << 20, &out);
	TEST_TEXT(strbuf_str(&out), "  18446744073709551615  00beef2M");
	strbuf_release(&out);
	return TEST_OK;
}

static int test_names(struct test_ctx *ctx __unused)
{
	char text[64];

	escape_name(text, sizeof(text), "a\tb\x1b[31mc\xc3\xa9");
	TEST_TEXT(text, "a\\x09b\\x1b[31mc\xc3\xa9");
	TEST_CHECK(!escape_needed("plain"), "a plain name would be changed");
	TEST_EQ(utf8_length("\xc3\xa9", 2), 2);
	TEST_EQ(utf8_length("\xc0\x80", 2), 0);
	return TEST_OK;
}

static int test_lists(struct test_ctx *ctx __unused)
{
	static const int want[] = { 0, 1, 2, 3, 7 };
	struct int_list l = { 0 };

	TEST_EQ(cpu_list_parse(&l, "7,0-2,2-3"), 0);
	TEST_EQ(l.nr, ARRAY_SIZE(want));
	for (size_t i = 0; i < l.nr; i++)
		TEST_EQ(l.v[i], want[i]);
	int_list_release(&l);
	TEST_CHECK(cpu_list_parse(&l, "3-1"), "a list that goes backwards was taken");
	int_list_release(&l);
	return TEST_OK;
}

/* --- codec --------------------------------------------------------------------------------- */

static int test_json(struct test_ctx *ctx __unused)
{
	static const char odd[] = "quote \" back \\ line \n end";
	struct strbuf text = STRBUF_INIT;
	struct json_value *top;
	struct arena a = { 0 };
	struct err err = { 0 };

	strbuf_addstr(&text, "{\"n\":[1,2.5e3]");
	json_text_member(&text, "odd", odd);
	strbuf_addch(&text, '}');
	TEST_TEXT(strbuf_str(&text),
		  "{\"n\":[1,2.5e3],\"odd\":\"quote \\\" back \\\\ line \\n end\"}");
	top = json_parse(&a, text.buf, text.len, "a text", &err);
	TEST_CHECK(top, "%s", err.msg);
	TEST_TEXT(json_get_str(top, "odd"), odd);
	TEST_TEXT(json_get(top, "n")->first->next->str, "2.5e3");
	for (size_t cut = 0; cut < text.len; cut++)
		TEST_CHECK(!json_parse(&a, text.buf, cut, "a text", &err),
			   "the first %zu bytes were taken for all", cut);
	arena_release(&a);
	strbuf_release(&text);
	return TEST_OK;
}

static int test_rows(struct test_ctx *ctx __unused)
{
	static const char *const names[] = { "name", "count", "share", "flag" };
	const struct row_value row[] = { row_word("a, \"b\""),
					 row_number(7),
					 { .kind = ROW_REAL, .real = 1.5 },
					 row_flag(false) };
	struct strbuf out = STRBUF_INIT;

	table_head(TABLE_CSV, names, ARRAY_SIZE(names), &out);
	table_put(TABLE_CSV, names, row, ARRAY_SIZE(names), &out);
	TEST_TEXT(strbuf_str(&out), "name,count,share,flag\n\"a, \"\"b\"\"\",7,1.500,\n");
	strbuf_reset(&out);
	table_put(TABLE_JSON, names, row, ARRAY_SIZE(names), &out);
	TEST_TEXT(strbuf_str(&out), "{\"name\":\"a, \\\"b\\\"\",\"count\":7,\"share\":1.500}\n");
	strbuf_release(&out);
	return TEST_OK;
}

static int test_sums(struct test_ctx *ctx __unused)
{
	/* FIPS 180-4: the digest of "abc" */
	static const u8 abc[32] = { 0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea,
				    0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
				    0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c,
				    0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad };
	struct strbuf leb = STRBUF_INIT;
	struct cur c;
	u8 sum[32];

	sha256("abc", 3, sum);
	TEST_CHECK(!memcmp(sum, abc, sizeof(sum)), "SHA-256 of 'abc' is another one");
	strbuf_uleb(&leb, 624485);
	TEST_EQ(leb.len, 3);
	TEST_CHECK(!memcmp(leb.buf, "\xe5\x8e\x26", 3), "LEB128 of 624485 has other bytes");
	c = cur_make(leb.buf, leb.len, false);
	TEST_EQ(cur_uleb(&c), 624485);
	c = cur_make("\x80\x7f", 2, false);
	TEST_EQ(cur_sleb(&c), (u64)-128);
	strbuf_release(&leb);
	return TEST_OK;
}

/* The file that unpacked_open() gives has to have @text. */
static int unpack(struct test_ctx *ctx, const char *path, const char *text, size_t len)
{
	char *back = xzalloc(len + 1);
	int fd = unpacked_open(path, 1 << 20);
	ssize_t n;

	if (fd == -ENOTSUP) {
		free(back);
		return test_skip(ctx, "this perf was built without zlib");
	}
	TEST_CHECK(fd >= 0, "%s", strerror(-fd));
	n = pread(fd, back, len + 1, 0);
	close(fd);
	TEST_EQ(n, len);
	TEST_CHECK(!memcmp(back, text, len), "other bytes came back");
	free(back);
	return TEST_OK;
}

static int test_packed(struct test_ctx *ctx)
{
	char text[4096], *dir = test_tmpdir(), *path;
	struct strbuf packed = STRBUF_INIT;
	bool written = false;
	int ret = TEST_FAIL;
	FILE *f;

	TEST_CHECK(dir, "no temporary folder");
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)(i * i >> 5);
	deflate_gzip(&packed, text, sizeof(text), 6);
	path = xasprintf("%s/x.gz", dir);
	f = fopen(path, "we");
	if (f) {
		written = fwrite(packed.buf, packed.len, 1, f) == 1;
		written = !fclose(f) && written;
	}
	if (written)
		ret = unpack(ctx, path, text, sizeof(text));
	strbuf_release(&packed);
	free(path);
	test_rmdir(dir);
	return ret;
}

static const struct test_case texts[] = {
	{ "numbers, sizes and durations", test_numbers },
	{ "names of files do nothing to a terminal", test_names },
	{ "lists of CPUs", test_lists },
	{ "JSON is written and read back", test_json },
	{ "rows as CSV and as JSON", test_rows },
	{ "checksums, and numbers of any length", test_sums },
	{ "packed and unpacked again", test_packed },
};
TEST_SUITE(suite_texts, "Texts and formats", texts, "base codec");

/* --- cli ----------------------------------------------------------------------------------- */

struct said {
	const char *output;
	int verbose, number;
	bool all;
};

/* Parse words behind the name of a command. Return: as options_parse(). */
static int parse_words(struct said *said, struct options_out *out, const char **argv, int argc)
{
	static const char *const usage[] = { "perf thing [<options>]", NULL };
	const struct option options[] = {
		OPT_BOOLEAN('a', "all-cpus", &said->all, "all CPUs"),
		OPT_INCR('v', "verbose", &said->verbose, "say more"),
		OPT_INTEGER('n', "number", &said->number, "a number"),
		OPT_STRING('o', "output", &said->output, "file", "name of a file"),
		OPT_END(),
	};

	return options_parse(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION, out);
}

static int test_options(struct test_ctx *ctx __unused)
{
	const char *fine[] = { "thing", "-avv", "--number=-3", "-o", "x", "cmd", "-n", NULL };
	const char *wrong[] = { "thing", "--numbre=1", NULL };
	struct options_out out = { 0 };
	struct said said = { 0 };

	TEST_EQ(parse_words(&said, &out, fine, ARRAY_SIZE(fine) - 1), 2);
	TEST_TEXT(fine[0], "cmd");
	TEST_TEXT(fine[1], "-n");
	TEST_TEXT(said.output, "x");
	TEST_EQ(said.verbose, 2);
	TEST_EQ(said.number, -3);
	TEST_EQ(said.all, true);
	TEST_CHECK(parse_words(&said, &out, wrong, 2) < 0, "an unknown option was taken");
	TEST_EQ(out.status, OPTIONS_STATUS_USAGE);
	TEST_CHECK(strstr(strbuf_str(&out.text), "--numbre") ||
			   strstr(strbuf_str(&out.text), "numbre"),
		   "the message does not name the option: %s", strbuf_str(&out.text));
	options_out_release(&out);
	return TEST_OK;
}

static int test_config(struct test_ctx *ctx __unused)
{
	static const char text[] = "# a comment\n[report]\n\tsort = comm,dso ; why\n"
				   "queue-size = \"1G\"\n[core]\non = yes\n";
	struct strbuf changed = STRBUF_INIT;
	unsigned int line = 0;
	struct err err = { 0 };
	struct config c;
	bool on = false;
	u64 size = 0;

	config_init(&c);
	TEST_EQ(config_parse(&c, text, strlen(text), &line), 0);
	TEST_TEXT(config_get(&c, "Report.sort"), "comm,dso");
	TEST_EQ(config_u64(&c, "report.queue-size", &size, &err), 1);
	TEST_EQ(size, 1 << 30);
	TEST_EQ(config_bool(&c, "core.on", &on, &err), 1);
	TEST_EQ(on, true);
	TEST_CHECK(config_parse(&c, "[a]\nb = 1\n[c\n", 12, &line), "a faulty file was taken");
	TEST_EQ(line, 3);
	config_release(&c);
	TEST_EQ(config_edit(text, strlen(text), "report.sort", "sym", &changed, &line, &err), 0);
	TEST_TEXT(strbuf_str(&changed), "# a comment\n[report]\n\tsort = sym ; why\n"
					"queue-size = \"1G\"\n[core]\non = yes\n");
	strbuf_release(&changed);
	return TEST_OK;
}

static const struct test_case command_line[] = {
	{ "options of every kind, and a wrong one", test_options },
	{ "a configuration is read and changed", test_config },
};
TEST_SUITE(suite_cli, "Options and configuration", command_line, "cli");

/* --- http ---------------------------------------------------------------------------------- */

static void put_page(void *ctx, struct strbuf *out)
{
	strbuf_addstr(out, ctx);
}

static int test_page(struct test_ctx *ctx __unused)
{
	char body[] = "up 1\n";
	const struct http_page page = {
		.path = "/metrics", .type = "text/plain", .put = put_page, .ctx = body
	};
	char get[] = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", other[] = "GET / HTTP/1.1\r\n\r\n";
	struct strbuf out = STRBUF_INIT;

	TEST_EQ(http_head_end(get, strlen(get)), strlen(get));
	TEST_EQ(http_head_end(get, strlen(get) - 1), 0);
	http_respond(&page, get, strlen(get), &out);
	TEST_TEXT(strbuf_str(&out), "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
				    "Content-Length: 5\r\nConnection: close\r\n\r\nup 1\n");
	http_respond(&page, other, strlen(other), &out);
	TEST_CHECK(!strncmp(strbuf_str(&out), "HTTP/1.1 404 ", 13), "another page was found: %s",
		   strbuf_str(&out));
	strbuf_release(&out);
	return TEST_OK;
}

static const struct test_case pages[] = {
	{ "the page is served, and no other", test_page },
};
TEST_SUITE(suite_http, "A page over HTTP", pages, "http");
