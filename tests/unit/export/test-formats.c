// SPDX-License-Identifier: GPL-2.0-or-later
/* Test trees of stacks made by hand, names in each syntax, and what formats write. */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "hostile-stacks.h"
#include "export/formats.h"
#include "codec/quote.h"

#include <setjmp.h>
#include <cmocka.h>

#define HOSTILE "</script><img onerror=alert(1)>\"'\n;&\xff\xc3\xa9\x1b[31m"

static void same_text(void (*quote)(struct strbuf *, const char *), const char *s, const char *want)
{
	struct strbuf sb = STRBUF_INIT;

	quote(&sb, s);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

static void test_quote(void **state)
{
	same_text(quote_xml, HOSTILE,
		  "&lt;/script&gt;&lt;img onerror=alert(1)&gt;&quot;&#39;\\x0a;&amp;"
		  "\\xff\xc3\xa9\\x1b[31m");
	same_text(quote_json, HOSTILE,
		  "\"\\u003c/script\\u003e\\u003cimg onerror=alert(1)\\u003e\\\"'\\\\x0a;\\u0026"
		  "\\\\xff\xc3\xa9\\\\x1b[31m\"");
	same_text(quote_dot, "a\"b\\c\nd\x01", "\"a\\\"b\\\\c\\nd\\\\x01\"");
	same_text(quote_callgrind, "fn\n=(1) x\r\xef\xbf\xbf", "fn\\x0a=(1) x\\x0d\\xef\\xbf\\xbf");
	same_text(quote_folded, "a;b c\n\xc0\xaf 1", "a:b c\\x0a\\xc0\\xaf 1");
	same_text(quote_folded_comm, "a; b", "a:_b");
	same_text(quote_shell, "a-b.data", "a-b.data");
	same_text(quote_shell, "", "''");
	same_text(quote_shell, "it's $HOME", "'it'\\''s $HOME'");
	same_text(quote_utf8, "a\n\xed\xa0\x80", "a\n\\xed\\xa0\\x80");
}

static u32 frame(struct stacks_builder *b, const char *name, const char *dso, u8 kind)
{
	struct stacks_frame f = { .kind = kind, .symbol = kind != FRAME_UNKNOWN };

	f.name = stacks_builder_text(b, name);
	f.dso = stacks_builder_text(b, dso);
	return stacks_builder_frame(b, &f);
}

static void add(struct stacks_builder *b, u32 event, u32 node, u32 thread, u64 samples, u64 period)
{
	stacks_builder_sum(b, &(struct stacks_sum){ .event = event,
						    .node = node,
						    .thread = thread,
						    .cpu = thread,
						    .samples = samples,
						    .period = period });
}

/* Added in no order. */
static struct stacks *some(const struct stacks_dims *dims)
{
	struct stacks_builder *b = stacks_builder_new(dims);
	u32 other = stacks_builder_event(b, "other", 7), ev = stacks_builder_event(b, "cycles", 2);
	u32 two = stacks_builder_thread(b, 20, 21, "two b;"),
	    one = stacks_builder_thread(b, 10, 11, "one");
	u32 zed = frame(b, "zed", "lib", FRAME_USER), bad = frame(b, HOSTILE, "lib", FRAME_USER),
	    main = frame(b, "main", "prog", FRAME_USER), k = frame(b, "do it", "[k]", FRAME_KERNEL),
	    none = frame(b, "[lib]", "lib", FRAME_UNKNOWN);
	u32 m = stacks_builder_node(b, 0, main), mz = stacks_builder_node(b, m, zed),
	    mzk = stacks_builder_node(b, mz, k), mb = stacks_builder_node(b, m, bad),
	    mn = stacks_builder_node(b, m, none);

	add(b, ev, mzk, two, 3, 30);
	add(b, ev, mb, one, 1, 5);
	add(b, ev, mzk, one, 2, 20);
	add(b, ev, mn, two, 1, 7);
	add(b, other, m, one, 4, 4);
	add(b, ev, mzk, two, 1, 1);
	assert_int_equal(stacks_builder_node(b, m, zed), mz);
	return stacks_builder_finish(b);
}

static void test_order(void **state)
{
	struct stacks *s = some(&(struct stacks_dims){ .thread = true, .cpu = true });
	u64 self[8], total[8];
	u32 path[4];

	assert_int_equal(s->nr_events, 2);
	assert_string_equal(stacks_text(s, s->events[0].name), "cycles");
	assert_int_equal(s->events[0].period, 63);
	assert_int_equal(s->events[0].samples, 8);
	assert_int_equal(s->threads[0].tid, 11);
	assert_int_equal(s->nr_nodes, 6);
	for (u32 i = 1; i < s->nr_nodes; i++) {
		assert_true(s->nodes[i].parent < i);
		assert_true(s->nodes[i].end > i &&
			    s->nodes[i].end <= s->nodes[s->nodes[i].parent].end);
	}
	/* main, then below it in the order of names: what is hostile, [lib], zed, do it */
	assert_string_equal(stacks_frame_name(s, s->nodes[1].frame), "main");
	assert_string_equal(stacks_frame_name(s, s->nodes[3].frame), "[lib]");
	assert_int_equal(stacks_next(s, 2), 3);
	assert_int_equal(stacks_next(s, 4), 0);
	assert_int_equal(stacks_path(s, 5, path), 3);
	assert_int_equal(path[0], s->nodes[1].frame);
	stacks_node_sums(s, 0, WEIGHT_PERIOD, self, total);
	assert_int_equal(total[0], 63);
	assert_int_equal(total[1], 63);
	assert_int_equal(self[1], 0);
	assert_int_equal(total[4], 51);
	stacks_node_sums(s, UINT32_MAX, WEIGHT_SAMPLES, NULL, total);
	assert_int_equal(total[0], 12);
	for (size_t i = 1; i < s->nr_sums; i++)
		assert_true(s->sums[i - 1].event < s->sums[i].event ||
			    s->sums[i - 1].node < s->sums[i].node ||
			    s->sums[i - 1].thread < s->sums[i].thread);
	stacks_free(s);
}

static void test_reduce(void **state)
{
	struct stacks *s = some(&(struct stacks_dims){ .thread = true, .cpu = true });
	struct stacks *less = stacks_reduce(s, &(struct stacks_dims){ 0 });
	struct stacks *back = stacks_reduce(
		s, &(struct stacks_dims){ .comm = true, .comm_root = true, .reverse = true });

	assert_int_equal(less->nr_threads, 1);
	assert_int_equal(less->threads[0].pid, 0);
	assert_int_equal(less->nr_nodes, s->nr_nodes);
	assert_int_equal(less->nr_sums, 4);
	assert_int_equal(less->events[0].period, 63);
	assert_int_equal(back->frames[back->nodes[1].frame].kind, FRAME_COMM);
	assert_int_equal(back->events[0].period, 63);
	stacks_free(s);
	stacks_free(less);
	stacks_free(back);
}

static char *written(const struct export_ops *ops, const struct export_opts *opts)
{
	struct stacks *s = some(&ops->dims);
	struct strbuf sb = STRBUF_INIT;
	struct export_out *o = export_memory(&sb);
	struct err err = { 0 };

	assert_int_equal(ops->write(s, opts, o, &err), 0);
	assert_int_equal(export_close(o, &err), 0);
	stacks_free(s);
	return strbuf_detach(&sb);
}

static void test_folded(void **state)
{
	char *text = written(&export_folded, &(struct export_opts){ 0 });

	assert_string_equal(text, "one;main;</script><img onerror=alert(1)>\"'\\x0a:&\\xff"
				  "\xc3\xa9\\x1b[31m 5\n"
				  "two_b:;main;[lib] 7\n"
				  "one;main;zed;do it 20\n"
				  "two_b:;main;zed;do it 31\n");
	free(text);
	text = written(&export_folded,
		       &(struct export_opts){ .weight = WEIGHT_SAMPLES, .event = "other" });
	assert_string_equal(text, "one;main 4\n");
	free(text);
}

static u32 count(const char *text, const char *what)
{
	u32 n = 0;

	for (const char *p = strstr(text, what); p; p = strstr(p + 1, what))
		n++;
	return n;
}

/* Names are text in the picture too, whatever they are. */
static void test_svg(void **state)
{
	const struct export_opts opts = { .width = 1200, .title = HOSTILE };
	struct strbuf sb = STRBUF_INIT;
	const char *text;
	size_t i, n;

	assert_int_equal(hostile_write(export_svg.name, &opts, &sb), 0);
	text = strbuf_str(&sb);
	assert_int_equal(strlen(text), sb.len);
	assert_int_equal(count(text, "<script"), 1);
	assert_int_equal(count(text, "</script"), 1);
	assert_int_equal(count(text, "<img"), 0);
	assert_true(count(text, "&lt;img onerror=alert(1)") > 0);
	assert_int_equal(count(text, "<title>"), count(text, "</title>"));
	assert_int_equal(count(text, "all (10,500 cpu-clock, 10 samples, 100.00%)"), 1);
	for (i = 0; i < sb.len; i += n) {
		n = utf8_length(text + i, sb.len - i);
		assert_true(n > 0 && ((unsigned char)text[i] >= 0x20 || strchr("\n\t", text[i])));
	}
	strbuf_release(&sb);
}

static void test_none(void **state)
{
	struct stacks_builder *b = stacks_builder_new(&export_folded.dims);
	struct stacks *s = stacks_builder_finish(b);
	struct err err = { 0 };

	assert_int_equal(s->nr_nodes, 1);
	assert_int_equal(s->nr_threads, 1);
	assert_true(export_event(s, &(struct export_opts){ 0 }, &err) < 0);
	assert_non_null(export_find("folded"));
	assert_null(export_find("nothing"));
	stacks_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quote),  cmocka_unit_test(test_order),
		cmocka_unit_test(test_reduce), cmocka_unit_test(test_folded),
		cmocka_unit_test(test_svg),    cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
