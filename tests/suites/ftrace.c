// SPDX-License-Identifier: GPL-2.0-or-later
/* Check what is made of the kernel's tracing ring, on pages and files that are made here, in the
 * byte orders of both kinds of machines. */
#include "base/compat.h"

#include "ftracepages/merge.h"
#include "ftracerun/ftracerun.h"
#include "ftracerun/pairing.h"
#include "ftracetext/durations.h"
#include "ftracetext/line.h"
#include "suites.h"
#include "tests/unit/ftracepages/ring-page.h"

/* An event of one word, @delta ns behind the one before. */
static void page_add(struct ring_page *p, u32 delta, u32 word)
{
	ring_page_event(p, 1, delta);
	ring_page_word(p, word);
	ring_page_end(p, 0);
}

static int read_page(bool big)
{
	struct fpage_layout l;
	struct fpage_event ev;
	struct err err = { 0 };
	struct ring_page page;
	struct fpage p;

	TEST_CHECK(!fpage_layout_parse(&l, ring_page_header, big, &err), "%s", err.msg);
	TEST_EQ(l.page_size, RING_PAGE);
	ring_page_begin(&page, big, 1000);
	page_add(&page, 5, 0x11223344);
	page_add(&page, 70000, 7);
	TEST_EQ(fpage_open(&p, &l, page.bytes, RING_PAGE), 0);
	TEST_CHECK(fpage_next(&p, &ev), "no first event");
	TEST_EQ(ev.time, 1005);
	TEST_EQ(ev.size, 4);
	TEST_EQ(ev.data[0], big ? 0x11 : 0x44);
	TEST_CHECK(fpage_next(&p, &ev), "no second event");
	TEST_EQ(ev.time, 71005);
	TEST_CHECK(!fpage_next(&p, &ev) && !p.bad, "the page does not end where it should");
	ring_page_put(&page, 8, RING_PAGE, 8);
	TEST_CHECK(fpage_open(&p, &l, page.bytes, RING_PAGE), "a page was taken that is too long");
	return TEST_OK;
}

static int test_pages(struct test_ctx *ctx __unused)
{
	return read_page(false) ?: read_page(true);
}

static int test_merge(struct test_ctx *ctx __unused)
{
	static const u64 want[] = { 110, 120, 130, 140 };
	struct fpage_layout l;
	struct fmerge_event ev;
	struct ring_page page;
	struct fmerge *m;

	TEST_EQ(fpage_layout_parse(&l, ring_page_header, false, NULL), 0);
	m = fmerge_new(&l, 2, NULL, NULL);
	ring_page_begin(&page, false, 100);
	page_add(&page, 20, 120);
	page_add(&page, 20, 140);
	fmerge_put(m, 0, page.bytes, RING_PAGE);
	ring_page_begin(&page, false, 100);
	page_add(&page, 10, 110);
	page_add(&page, 20, 130);
	fmerge_put(m, 1, page.bytes, RING_PAGE);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		TEST_CHECK(fmerge_next(m, UINT64_MAX, &ev), "event %zu is missing", i);
		TEST_EQ(ev.ev.time, want[i]);
		TEST_EQ(ev.ev.data[0], want[i]);
		TEST_EQ(ev.cpu, want[i] % 20 ? 1 : 0);
	}
	TEST_CHECK(!fmerge_next(m, UINT64_MAX, &ev), "there is one too many");
	TEST_EQ(fmerge_bad(m), 0);
	fmerge_free(m);
	return TEST_OK;
}

/* --- text ---------------------------------------------------------------------------------- */

#define FORMAT(name, id)                                                                           \
	"name: " name "\nID: " id "\nformat:\n"                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"                               \
	"\tfield:unsigned int n;\toffset:8;\tsize:4;\tsigned:0;\n"                                 \
	"\nprint fmt: \"n=%u\", REC->n\n"

struct raw {
	u16 type;
	u8 flags, preempt;
	s32 pid;
	u32 n;
};

static const struct tf_event *add_format(struct tracefmt *tf, const char *text)
{
	struct err err = { 0 };
	const struct tf_event *e = tracefmt_add(tf, "test", text, strlen(text), &err);

	if (!e)
		test_say("%s", err.msg);
	return e;
}

static struct tracefmt *new_formats(void)
{
	return tracefmt_new(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, 8);
}

static int test_line(struct test_ctx *ctx __unused)
{
	const struct raw raw = { 40, 0, 0, 7, 5 };
	struct fmerge_event ev = {
		{ 1234567890500ull, (const u8 *)&raw, sizeof(raw) }, 1, false, 0
	};
	struct ftext t = { .migrate = true, .formats = new_formats() };
	struct strbuf out = STRBUF_INIT;

	if (!add_format(t.formats, FORMAT("number", "40")))
		return TEST_FAIL;
	task_names_read(&t.names, "7 bash\n");
	ftext_line(&t, &ev, &out);
	TEST_TEXT(strbuf_str(&out),
		  "            bash-7       [001] .....  1234.567891: number: n=5\n");
	strbuf_reset(&out);
	ftext_json(&t, &ev, &out);
	TEST_CHECK(strstr(strbuf_str(&out), "\"n\":5"), "JSON: %s", strbuf_str(&out));
	tracefmt_free(t.formats);
	ftext_release(&t);
	strbuf_release(&out);
	return TEST_OK;
}

static int test_durations(struct test_ctx *ctx __unused)
{
	struct durations d = { .range = 10, .min = 5, .max = 30, .hide_empty = true };
	struct strbuf out = STRBUF_INIT;

	TEST_EQ(durations_check(&d, NULL), 0);
	for (u64 us = 0; us < 50; us++)
		durations_add(&d, us * 1000);
	durations_put(&d, &out);
	TEST_CHECK(strstr(strbuf_str(&out), "\n    25 - 30   us |          5 |"), "%s", out.buf);
	TEST_CHECK(strstr(strbuf_str(&out), "\n    30 - ...  us |         20 |"), "%s", out.buf);
	strbuf_release(&out);
	return TEST_OK;
}

/* --- runs ---------------------------------------------------------------------------------- */

/* The time from an event to another one of the same number. */
static int test_pairs(struct test_ctx *ctx __unused)
{
	const struct raw events[] = { { 40, 0, 0, 1, 5 }, { 40, 0, 0, 1, 6 }, { 41, 0, 0, 2, 5 } };
	struct tracefmt *tf = new_formats();
	const struct tf_event *first = add_format(tf, FORMAT("begin", "40"));
	const struct tf_event *second = add_format(tf, FORMAT("end", "41"));
	struct err err = { 0 };
	struct pairing *p;
	u64 ns = 0;

	TEST_CHECK(first && second, "the formats are not understood");
	p = pairing_new(first, second, "n", &err);
	TEST_CHECK(p, "%s", err.msg);
	TEST_CHECK(!pairing_add(p, &events[0], sizeof(*events), 0, 100, &ns), "an end too early");
	TEST_CHECK(!pairing_add(p, &events[1], sizeof(*events), 0, 200, &ns), "an end too early");
	TEST_CHECK(pairing_add(p, &events[2], sizeof(*events), 1, 350, &ns), "no pair was found");
	TEST_EQ(ns, 250);
	TEST_EQ(pairing_open(p), 1);
	pairing_free(p);
	TEST_CHECK(!pairing_new(first, second, "other", &err), "a key that is no field was taken");
	tracefmt_free(tf);
	return TEST_OK;
}

static int list_folder(const char *dir)
{
	const struct sysroot sr = { dir };
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };

	if (test_put_below(dir, "sys/kernel/tracing/available_tracers", "blk nop\n") ||
	    test_put_below(dir, "sys/kernel/tracing/trace_clock", "local [mono]\n") ||
	    test_put_below(dir, "sys/kernel/tracing/trace_options", "markers\nnoraw\n") ||
	    test_put_below(dir, "sys/kernel/tracing/kprobe_profile", "  open   7   1\n") ||
	    test_put_below(dir, "sys/kernel/tracing/uprobe_profile", ""))
		return TEST_FAIL;
	TEST_CHECK(!ftrace_list(&sr, true, &out, &err), "%s", err.msg);
	TEST_TEXT(strbuf_str(&out),
		  "{\"tracers\":[\"blk\",\"nop\"],\"clocks\":[\"local\",\"mono\"],"
		  "\"clock\":\"mono\",\"options\":[\"markers\",\"noraw\"]}\n");
	strbuf_reset(&out);
	TEST_CHECK(!ftrace_probes(&sr, true, &out, &err), "%s", err.msg);
	TEST_TEXT(strbuf_str(&out),
		  "[{\"probe\":\"open\",\"kind\":\"kprobe\",\"hits\":7,\"misses\":1}]\n");
	strbuf_release(&out);
	return TEST_OK;
}

static int test_folder(struct test_ctx *ctx __unused)
{
	char *dir = test_tmpdir();
	int ret;

	TEST_CHECK(dir, "no temporary folder");
	ret = list_folder(dir);
	test_rmdir(dir);
	return ret;
}

static const struct test_case cases[] = {
	{ "pages of machines of both byte orders", test_pages },
	{ "the rings of two CPUs in the order of time", test_merge },
	{ "an event as the kernel prints it, and as JSON", test_line },
	{ "a histogram of times", test_durations },
	{ "times from one event to another", test_pairs },
	{ "what a tracing folder has", test_folder },
};
TEST_SUITE(suite_ftrace, "Events of the tracing ring", cases, "ftracepages ftracetext ftracerun");
