// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the choice of functions and events of an annotation. */
#include "base/compat.h"
#include "annotaterun/choice.h"

#include "base/alloc.h"
#include "machine/machine.h"
#include "state-build.h"
#include "symbol/symbol.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <cmocka.h>

#define PID 7
#define FIRST 0x10000 /* where the objects are mapped */
#define SECOND 0x20000

struct bench {
	char *dir;
	struct machine *m;
	struct symbols *syms;
	struct resolver *r;
	struct evlist events;
	struct name_list dsos;
	u32 epoch;
	struct annotate_choice choice;
};

/* The events a and b are a group; c is alone and has no samples. */
static void add_events(struct bench *t)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE };

	evlist_add(&t->events, &attr, "a");
	evlist_add(&t->events, &attr, "b")->leader = 0;
	evlist_add(&t->events, &attr, "c")->leader = 2;
}

/* f has 3 of the 4 units of a; g has 1 of them, and all 10 of b. */
static void add_samples(struct bench *t, struct annotate_counts *c)
{
	struct annotate_worker *w = annotate_counts_worker(c);

	annotate_counts_add(w, 0, t->epoch, PERF_RECORD_MISC_USER, FIRST + 4, 3);
	annotate_counts_add(w, 0, t->epoch, PERF_RECORD_MISC_USER, SECOND + 8, 1);
	annotate_counts_add(w, 1, t->epoch, PERF_RECORD_MISC_USER, SECOND + 8, 10);
	annotate_counts_finish(c, t->r, (u32)t->events.nr, 1);
}

static int setup(void **state)
{
	const struct symconf conf = { .buildid_dir = "" };
	struct bench *t = xzalloc(sizeof(*t));
	struct annotate_counts *c = annotate_counts_new();
	struct thread_at at;

	t->dir = tmp_dir();
	t->m = machine_new();
	st_object(t->m, t->dir, PID, FIRST, "first", "f");
	st_object(t->m, t->dir, PID, SECOND, "second", "g");
	machine_seal(t->m);
	t->syms = symbols_new(&conf);
	t->r = resolver_new(t->m, t->syms);
	machine_thread_at(t->m, PID, PID, 2, &at);
	t->epoch = at.epoch;
	add_events(t);
	add_samples(t, c);
	t->choice = (struct annotate_choice){ .events = &t->events, .counts = c, .group = true };
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct bench *t = *state;

	annotate_counts_free((struct annotate_counts *)t->choice.counts);
	annotate_choice_release(&t->choice);
	name_list_release(&t->dsos);
	evlist_release(&t->events);
	resolver_free(t->r);
	symbols_free(t->syms);
	machine_free(t->m);
	tmp_remove(t->dir);
	free(t);
	return 0;
}

static void need_symbols(void)
{
#ifndef HAVE_LIBELF
	skip();
#endif
}

/* Compare the columns and functions of a leader with those of a text: "a b: g f". */
static void check(const struct bench *t, u32 leader, const char *want)
{
	struct annotate_columns c;
	struct strbuf got = STRBUF_INIT;

	if (annotate_columns_find(&t->choice, leader, &c)) {
		size_t nr;
		const struct annotate_function **rows = annotate_rows(&t->choice, &c, &nr);

		strbuf_addf(&got, "%s:", strbuf_str(&c.names));
		for (size_t i = 0; i < nr; i++)
			strbuf_addf(&got, " %s", location_symbol(&rows[i]->at));
		free(rows);
	}
	assert_string_equal(strbuf_str(&got), want);
	annotate_columns_release(&c);
	strbuf_release(&got);
}

static void test_groups(void **state)
{
	struct bench *t = *state;

	need_symbols();
	assert_true(annotate_choice_count(&t->choice));
	check(t, 0, "anon group { a, b }: f g");
	check(t, 1, "");
	check(t, 2, ""); /* nothing was sampled */
	t->choice.group = false;
	check(t, 0, "a: f g");
	check(t, 1, "b: g");
}

static void test_one_group(void **state)
{
	struct bench *t = *state;

	need_symbols();
	assert_true(annotate_choice_count(&t->choice));
	t->events.evsels[1]->leader = 1;
	t->choice.all_one_group = true;
	check(t, 0, "a, b, c: f g");
	t->choice.skip_empty = true;
	check(t, 0, "a, b: f g");
	check(t, 1, "");
}

static void test_limit(void **state)
{
	struct bench *t = *state;

	need_symbols();
	assert_true(annotate_choice_count(&t->choice));
	t->choice.percent_limit = 75;
	check(t, 0, "anon group { a, b }: f g");
	t->choice.percent_limit = 76; /* g has all of b */
	check(t, 0, "anon group { a, b }: g");
}

static bool asks(const struct annotate_asked *q, const struct bench *t, size_t function)
{
	size_t nr;
	const struct annotate_function *f = annotate_functions(t->choice.counts, &nr);

	assert_in_range(function, 0, nr - 1);
	return annotate_asks_for(q, &f[function]);
}

static void test_asked(void **state)
{
	struct bench *t = *state;
	struct annotate_asked q = { .machine = t->m, .dsos = &t->dsos };
	struct err err;

	need_symbols();
	assert_false(annotate_asks(&q));
	assert_true(asks(&q, t, 0));
	q.symbol = "g";
	assert_true(annotate_asks(&q));
	assert_false(asks(&q, t, 0));
	assert_true(asks(&q, t, 1));
	assert_true(annotate_asks_at(&q, t->epoch, PERF_RECORD_MISC_USER, FIRST));
	assert_int_equal(name_list_parse(&t->dsos, "first", "dso", &err), 0);
	assert_false(asks(&q, t, 1));
	assert_false(annotate_asks_at(&q, t->epoch, PERF_RECORD_MISC_USER, SECOND));
	assert_false(annotate_asks_at(&q, t->epoch, PERF_RECORD_MISC_USER, 0x90000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_groups, setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_group, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_asked, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
