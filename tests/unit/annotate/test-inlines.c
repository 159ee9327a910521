// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests of the inlined calls of instructions, of sums by inlined callee, and of source lines, which
 * are listed once. */
#include "base/compat.h"
#include "annotate/annotate-internal.h"

#include "base/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static u32 put(void *ctx, const char *name)
{
	struct annotation *a = ctx;

	return name ? annotation_put(a, name, strlen(name)) : 0;
}

/* Texts of the same name have to be the same text, as calls are told apart by them. */
static u32 put_once(void *ctx, const char *name)
{
	struct annotation *a = ctx;

	for (size_t at = 1; name && at < a->text.len; at += strlen(a->text.buf + at) + 1)
		if (!strcmp(a->text.buf + at, name))
			return (u32)at;
	return put(ctx, name);
}

static void open_annotation(struct annotation *a)
{
	*a = (struct annotation){ .nr_events = 2 };
	annotation_put(a, "", 0);
}

static void close_annotation(struct annotation *a)
{
	free(a->lines);
	free(a->inlines);
	free(a->hits);
	strbuf_release(&a->text);
}

/* Three calls of leaf(), of which mid() makes two, and one of mid() within itself. */
static const struct {
	struct inline_frame frames[4];
	u32 nr;
	u64 samples[2];
} insns[] = {
	{ { { "leaf", "f.c", 1 }, { "mid", "f.c", 10 }, { NULL, "f.c", 20 } }, 2, { 5, 0 } },
	{ { { "leaf", "f.c", 2 }, { "mid", "f.c", 11 }, { NULL, "f.c", 20 } }, 2, { 3, 0 } },
	{ { { "leaf", "f.c", 1 }, { "mid", "f.c", 10 }, { NULL, "f.c", 20 } }, 2, { 1, 0 } },
	{ { { "leaf", "f.c", 1 }, { NULL, "f.c", 30 } }, 1, { 2, 7 } },
	{ { { "mid", "f.c", 12 }, { "mid", "f.c", 13 }, { NULL, NULL, 0 } }, 2, { 4, 0 } },
	{ { { "cold", "f.c", 12 }, { NULL, "f.c", 13 } }, 1, { 0, 0 } },
	{ { { NULL } }, 0, { 100, 100 } },
};

static void fill(struct annotation *a)
{
	struct inline_numbers numbers = { 0 };

	open_annotation(a);
	a->hits = xcalloc(ARRAY_SIZE(insns) * 2, sizeof(*a->hits));
	for (size_t i = 0; i < ARRAY_SIZE(insns); i++) {
		struct annotate_line *line = annotation_add(a, ANNOTATE_INSN, 0);

		line->inlined =
			annotate_inlined(a, &numbers, insns[i].frames, insns[i].nr, put_once, a);
		for (u32 e = 0; e < 2; e++)
			a->hits[i * 2 + e] = (struct annotate_hits){ insns[i].samples[e],
								     insns[i].samples[e] * 10 };
	}
	intern_release(&numbers.by_call);
}

static void calls(void **state)
{
	const struct annotate_inline *call;
	struct annotation a;

	fill(&a);
	assert_int_equal(a.lines[0].inlined, a.lines[2].inlined);
	assert_int_not_equal(a.lines[0].inlined, a.lines[1].inlined);
	assert_int_equal(a.lines[6].inlined, 0);
	call = &a.inlines[a.lines[1].inlined];
	assert_string_equal(annotation_text(&a, call->function), "leaf");
	assert_int_equal(call->line, 11);
	call = &a.inlines[call->outer];
	assert_string_equal(annotation_text(&a, call->function), "mid");
	assert_int_equal(call->line, 20);
	assert_int_equal(call->outer, 0);
	call = &a.inlines[a.inlines[a.lines[4].inlined].outer];
	assert_int_equal(call->file, 0);
	close_annotation(&a);
}

static void sums(void **state)
{
	static const u32 events[] = { 0 }, second[] = { 1, 0 };
	struct annotate_callee *callees;
	struct annotation a;
	size_t nr;

	fill(&a);
	callees = annotation_callees(&a, events, 1, &nr);
	assert_int_equal(nr, 2); /* in cold() nothing was counted */
	assert_string_equal(annotation_text(&a, callees[0].function), "mid");
	assert_int_equal(callees[0].total[0].samples, 13); /* a part of itself counts once */
	assert_int_equal(callees[0].self[0].samples, 4);
	assert_int_equal(callees[0].nr_calls, 3);
	assert_string_equal(annotation_text(&a, callees[1].function), "leaf");
	assert_int_equal(callees[1].total[0].period, 110);
	assert_int_equal(callees[1].self[1].samples, 7);
	assert_int_equal(callees[1].nr_calls, 3);
	annotate_callees_free(callees, nr);
	callees = annotation_callees(&a, second, 2, &nr);
	assert_string_equal(annotation_text(&a, callees[0].function), "leaf");
	annotate_callees_free(callees, nr);
	close_annotation(&a);
	open_annotation(&a);
	callees = annotation_callees(&a, events, 1, &nr);
	assert_int_equal(nr, 0);
	annotate_callees_free(callees, nr);
	close_annotation(&a);
}

static void source_once(void **state)
{
	static const struct {
		const char *file;
		u32 line;
	} lines[] = { { "b.c", 9 }, { "a.h", 3 }, { "b.c", 10 }, { "b.c", 9 }, { "a.h", 2 } };
	static const u32 want[] = { 2, 3, 9, 10 };
	const struct annotate_line **list;
	struct annotation a;
	size_t nr;

	open_annotation(&a);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		u32 file = put(&a, lines[i].file);
		struct annotate_line *line = annotation_add(&a, ANNOTATE_SOURCE, 0);

		line->file = file;
		line->line = lines[i].line;
		annotation_add(&a, ANNOTATE_INSN, 0)->file = file;
	}
	list = annotation_source(&a, &nr);
	assert_int_equal(nr, ARRAY_SIZE(want));
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(list[i]->line, want[i]);
	free(list);
	close_annotation(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls),
		cmocka_unit_test(sums),
		cmocka_unit_test(source_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
