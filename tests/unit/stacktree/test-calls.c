// SPDX-License-Identifier: GPL-2.0-or-later
/* Test callers and callees: shares of samples, recursion of each kind, events, names. */
#include "base/compat.h"

#include "stacktree/calls.h"

#include <setjmp.h>
#include <cmocka.h>

struct world {
	struct stacks_builder *b;
	u32 event[2];
};

static void begin(struct world *w, const struct stacks_dims *dims)
{
	w->b = stacks_builder_new(dims);
	w->event[0] = stacks_builder_event(w->b, "cycles", 0);
	w->event[1] = stacks_builder_event(w->b, "faults", 4);
	stacks_builder_thread(w->b, 0, 0, "");
}

/* Add a sample. @path: functions with blanks between them, the outermost first; "name:line" */
static void add(struct world *w, int event, const char *path, u64 period)
{
	char text[64], *rest = text, *name, *line;
	u32 node = 0;

	snprintf(text, sizeof(text), "%s", path);
	while ((name = strsep(&rest, " "))) {
		struct stacks_frame f = { .symbol = true, .kind = FRAME_USER };

		line = strchr(name, ':');
		if (line) {
			*line++ = 0;
			f.line = (u32)strtoul(line, NULL, 10);
		}
		f.name = stacks_builder_text(w->b, name);
		f.dso = stacks_builder_text(w->b, "prog");
		node = stacks_builder_node(w->b, node, stacks_builder_frame(w->b, &f));
	}
	stacks_builder_sum(w->b, &(struct stacks_sum){ .event = w->event[event],
						       .node = node,
						       .samples = 1,
						       .period = period });
}

static void add_ends(const struct stacks *s, const char *sign, const struct calls_end *ends, u32 nr,
		     struct strbuf *out)
{
	for (u32 i = 0; i < nr; i++)
		strbuf_addf(out, "%s%s %d", sign, stacks_frame_name(s, ends[i].func),
			    (int)ends[i].weight);
}

/* Check "total self < caller weight... > callee weight..." of a function. */
static void is(const struct stacks *s, u32 event, enum stacks_weight weight, const char *name,
	       const char *want)
{
	struct strbuf out = STRBUF_INIT;
	struct calls c;

	calls_count(&c, s, event, weight, calls_find(s, name, "prog", false));
	strbuf_addf(&out, "%d %d", (int)c.total, (int)c.self);
	add_ends(s, " < ", c.callers, c.nr_callers, &out);
	add_ends(s, " > ", c.callees, c.nr_callees, &out);
	assert_string_equal(out.buf, want);
	strbuf_release(&out);
	calls_release(&c);
}

static void test_shares(void **state)
{
	struct world w;
	struct stacks *s;

	begin(&w, &(struct stacks_dims){ 0 });
	add(&w, 0, "main work leaf", 60);
	add(&w, 0, "main work", 20);
	add(&w, 0, "main leaf", 15);
	add(&w, 0, "start work", 2);
	add(&w, 1, "main idle", 5);
	s = stacks_builder_finish(w.b);
	is(s, 0, WEIGHT_PERIOD, "work", "82 22 < main 80 < start 2 > leaf 60");
	is(s, 0, WEIGHT_PERIOD, "leaf", "75 75 < work 60 < main 15");
	is(s, 0, WEIGHT_PERIOD, "main", "95 0 > work 80 > leaf 15");
	is(s, 1, WEIGHT_PERIOD, "main", "5 0 > idle 5");
	is(s, 1, WEIGHT_PERIOD, "leaf", "0 0");
	is(s, UINT32_MAX, WEIGHT_PERIOD, "main", "100 0 > work 80 > leaf 15 > idle 5");
	is(s, 0, WEIGHT_SAMPLES, "work", "3 2 < main 2 < start 1 > leaf 1");
	stacks_free(s);
}

/* However often a function is in a stack, its samples count once. */
static void test_recursion(void **state)
{
	struct world w;
	struct stacks *s;

	begin(&w, &(struct stacks_dims){ 0 });
	add(&w, 0, "main rec rec rec leaf", 10);
	add(&w, 0, "main rec rec", 1);
	add(&w, 0, "main rec leaf", 4);
	add(&w, 0, "other rec leaf rec leaf", 6);
	s = stacks_builder_finish(w.b);
	is(s, 0, WEIGHT_PERIOD, "rec",
	   "21 1 < main 15 < rec 11 < leaf 6 < other 6 > leaf 20 > rec 11");
	is(s, 0, WEIGHT_PERIOD, "leaf", "20 20 < rec 20 > rec 6");
	stacks_free(s);
}

/* Two functions that call each other. */
static void test_mutual(void **state)
{
	struct world w;
	struct stacks *s;

	begin(&w, &(struct stacks_dims){ 0 });
	add(&w, 0, "main a b a b", 3);
	add(&w, 0, "main b", 2);
	add(&w, 0, "main a b", 5);
	s = stacks_builder_finish(w.b);
	is(s, 0, WEIGHT_PERIOD, "a", "8 0 < main 8 < b 3 > b 8");
	is(s, 0, WEIGHT_PERIOD, "b", "10 10 < a 8 < main 2 > a 3");
	stacks_free(s);
}

/* The lines of a function are one function. */
static void test_lines(void **state)
{
	struct world w;
	struct stacks *s;

	begin(&w, &(struct stacks_dims){ .lines = true });
	add(&w, 0, "main:1 work:7", 3);
	add(&w, 0, "main:2 work:7 leaf:1", 4);
	add(&w, 0, "main:2 work:8 leaf:2", 5);
	s = stacks_builder_finish(w.b);
	is(s, 0, WEIGHT_PERIOD, "work", "12 3 < main 12 > leaf 9");
	stacks_free(s);
}

/* Periods that together are more than 64 bits hold. */
static void test_most(void **state)
{
	struct world w;
	struct stacks *s;
	struct calls c;

	begin(&w, &(struct stacks_dims){ 0 });
	add(&w, 0, "main work", UINT64_MAX - 1);
	add(&w, 0, "main work leaf", 5);
	s = stacks_builder_finish(w.b);
	calls_count(&c, s, 0, WEIGHT_PERIOD, calls_find(s, "work", "prog", false));
	assert_true(c.total == UINT64_MAX && c.self == UINT64_MAX - 1);
	assert_true(c.nr_callers == 1 && c.callers[0].weight == UINT64_MAX);
	calls_release(&c);
	stacks_free(s);
}

static void test_find(void **state)
{
	struct world w;
	struct stacks *s;
	struct stacks_frame inlined = { .symbol = true, .kind = FRAME_INLINED };
	u32 work, found;

	begin(&w, &(struct stacks_dims){ 0 });
	add(&w, 0, "main work", 1);
	inlined.name = stacks_builder_text(w.b, "work");
	inlined.dso = stacks_builder_text(w.b, "prog");
	stacks_builder_sum(
		w.b, &(struct stacks_sum){ .node = stacks_builder_node(
						   w.b, 0, stacks_builder_frame(w.b, &inlined)),
					   .samples = 1 });
	s = stacks_builder_finish(w.b);
	work = calls_find(s, "work", "prog", false);
	found = calls_find(s, "work", "prog", true);
	assert_string_equal(stacks_frame_name(s, work), "work");
	assert_int_equal(s->frames[found].kind, FRAME_INLINED);
	assert_int_not_equal(work, found);
	assert_int_equal(calls_find(s, "work", "other", false), UINT32_MAX);
	assert_int_equal(calls_find(s, "wor", "prog", false), UINT32_MAX);
	stacks_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares), cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_mutual), cmocka_unit_test(test_lines),
		cmocka_unit_test(test_most),   cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
