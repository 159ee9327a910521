// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the text of a built annotation in each layout: shares of instructions, and what stands in
 * place of them. */
#include "base/compat.h"
#include "annotate/annotate-internal.h"
#include "annotatetext/annotate-text.h"
#include "symbol/symbol-internal.h"

#include <setjmp.h>
#include <cmocka.h>

/* A line of source, and two instructions: the first has one of four samples, but 30 of 40 of the
 * period. The second jumps to the first. */
struct built {
	struct symbol symbol;
	struct symtab symtab;
	struct annotation a;
	struct annotate_function of;
	struct annotate_hits total, hits[3];
};

static void build(struct built *b)
{
	static const char *const texts[] = { "x = *p;", "movl (%rdi),%eax", "jmp 1000" };
	struct annotation *a = &b->a;

	*b = (struct built){
		.symbol = { .start = 0x1000, .end = 0x1008 },
		.symtab = { .syms = &b->symbol, .nr = 1, .strs = (char *)"fun" },
		.a = { .of = &b->of, .start = 0x1000, .end = 0x1008, .nr_events = 1 },
		.of = { .at = { .symtab = &b->symtab },
			.start = 0x1000,
			.end = 0x1008,
			.totals = &b->total },
		.total = { 4, 40 },
		.hits = { { 0, 0 }, { 1, 30 }, { 3, 10 } },
	};
	annotation_put(a, "", 0);
	for (u32 i = 0; i < ARRAY_SIZE(texts); i++) {
		u32 at = annotation_put(a, texts[i], strlen(texts[i]));
		struct annotate_line *line =
			annotation_add(a, i ? ANNOTATE_INSN : ANNOTATE_SOURCE, at);

		line->number = i ? 0 : 12;
		line->addr = i == 2 ? 0x1004 : 0x1000;
	}
	a->lines[1].jumps = 1;
	a->lines[2].flow = FLOW_JUMP;
	a->lines[2].has_target = a->lines[2].inside = true;
	a->lines[2].target = 0x1000;
	a->hits = b->hits;
}

static void release(struct built *b)
{
	free(b->a.lines);
	strbuf_release(&b->a.text);
}

static const u32 first_event[] = { 0 };

#define TEXT(...)                                                                                  \
	{                                                                                          \
		.events = first_event, .nr_events = 1, .event_names = "cycles", __VA_ARGS__        \
	}

static const struct {
	struct annotate_text t;
	const char *title, *lines;
} cases[] = {
	{ TEXT(), "(4 samples, percent: local period)",
	  "         : 12   x = *p;\n"
	  "   75.00 :   1000:   movl (%rdi),%eax\n"
	  "   25.00 :   1004:   jmp 1000\n" },
	{ TEXT(.hits = true), "(4 samples, percent: local hits)",
	  "         : 12   x = *p;\n"
	  "   25.00 :   1000:   movl (%rdi),%eax\n"
	  "   75.00 :   1004:   jmp 1000\n" },
	{ TEXT(.nr_samples = true), " Samples |",
	  "         : 12   x = *p;\n"
	  "       1 :   1000:   movl (%rdi),%eax\n"
	  "       3 :   1004:   jmp 1000\n" },
	{ TEXT(.total_period = true), " Period      |",
	  "             : 12   x = *p;\n"
	  "          30 :   1000:   movl (%rdi),%eax\n"
	  "          10 :   1004:   jmp 1000\n" },
};

static void assert_has(const struct strbuf *text, const char *part)
{
	if (!strstr(strbuf_str(text), part))
		fail_msg("'%s' is not in:\n%s", part, strbuf_str(text));
}

static void test_stdio(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf out = STRBUF_INIT;
		struct built b;

		build(&b);
		annotate_stdio(&cases[i].t, &b.a, &out);
		assert_has(&out, cases[i].title);
		assert_has(&out, cases[i].lines);
		strbuf_release(&out);
		release(&b);
	}
}

/* Shares of all samples of the recording are smaller. */
static void test_shares(void **state)
{
	const struct annotate_hits all = { 8, 80 };
	struct annotate_text t = TEXT(.global = true, .totals = &all);
	struct built b;

	build(&b);
	assert_string_equal(annotate_text_name(&t), "global period");
	assert_true(annotate_percent(&t, &b.a, 1, 0) == 37.5);
	t.hits = true;
	assert_true(annotate_percent(&t, &b.a, 1, 0) == 12.5);
	t.global = false;
	assert_string_equal(annotate_text_name(&t), "local hits");
	assert_true(annotate_percent(&t, &b.a, 2, 0) == 75);
	b.total = (struct annotate_hits){ 0 };
	assert_true(annotate_percent(&t, &b.a, 2, 0) == 0);
	release(&b);
}

/* Addresses count from the start of the function, of targets of jumps only. */
static void test_stdio2(void **state)
{
	const struct annotate_hits all = { 8, 80 };
	const struct annotate_text t = TEXT(.offset_level = 1, .totals = &all);
	struct strbuf out = STRBUF_INIT;
	struct built b;

	build(&b);
	annotate_stdio2(&t, &b.a, &out);
	assert_has(&out, "75.00");
	assert_has(&out, "x = *p;");
	assert_null(strstr(strbuf_str(&out), "1004"));
	strbuf_release(&out);
	release(&b);
}

static void test_json(void **state)
{
	static const char *const names[] = { "cycles" };
	const struct annotate_hits all = { 8, 80 };
	const struct annotate_text t = TEXT(.totals = &all);
	struct strbuf out = STRBUF_INIT;
	struct built b;

	build(&b);
	annotate_json_begin(&t, names, &out);
	annotate_json(&t, &b.a, &out);
	annotate_json_end(&out);
	assert_has(&out, "\"events\":[{\"name\":\"cycles\",\"samples\":8,\"period\":80}]");
	assert_has(&out, "{\"name\":\"fun\",");
	assert_has(&out, "{\"event\":0,\"samples\":1,\"period\":30,\"percent\":75.0000}");
	assert_has(&out, "{\"event\":0,\"samples\":3,\"period\":10,\"percent\":25.0000}");
	assert_has(&out, "\"jump\"");
	strbuf_release(&out);
	release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stdio),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_stdio2),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
