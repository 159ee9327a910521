// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what users write of call graphs: each word, words cut short, numbers, words that mean
 * nothing. */
#include "base/compat.h"
#include "profile/graph-option.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

static void test_words(void **state)
{
	static const struct {
		const char *text;
		struct profile_options o;
	} table[] = {
		{ "graph", { .chain.mode = CHAIN_GRAPH, .graph_asked = true } },
		{ "fractal,0.5",
		  { .chain = { .mode = CHAIN_FRACTAL, .min_percent = 0.5 }, .graph_asked = true } },
		{ "flat,2,10,callee",
		  { .chain = { .mode = CHAIN_FLAT, .min_percent = 2, .print_limit = 10 },
		    .order_set = true,
		    .graph_asked = true } },
		{ "folded caller address",
		  { .chain = { .mode = CHAIN_FOLDED, .caller = true, .address = true },
		    .order_set = true,
		    .graph_asked = true } },
		{ "gra,srcl,count",
		  { .chain = { .mode = CHAIN_GRAPH, .line = true, .value = CHAIN_COUNT },
		    .graph_asked = true } },
		{ "graph,branch,period",
		  { .chain = { .mode = CHAIN_GRAPH, .value = CHAIN_PERIOD },
		    .glue_branches = true,
		    .graph_asked = true } },
		{ "none,and whatever follows", { .chain.mode = CHAIN_NONE } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		const struct profile_options *want = &table[i].o;
		struct profile_options o = { .chain.mode = CHAIN_NONE };
		struct err err = { 0 };

		if (profile_graph_parse(&o, table[i].text, &err))
			fail_msg("%s: %s", table[i].text, err.msg);
		if (o.chain.mode != want->chain.mode || o.chain.caller != want->chain.caller ||
		    o.chain.address != want->chain.address || o.chain.line != want->chain.line ||
		    o.chain.value != want->chain.value ||
		    o.chain.min_percent != want->chain.min_percent ||
		    o.chain.print_limit != want->chain.print_limit ||
		    o.order_set != want->order_set || o.graph_asked != want->graph_asked ||
		    o.glue_branches != want->glue_branches)
			fail_msg("%s: other options than expected", table[i].text);
	}
}

static void test_refused(void **state)
{
	static const char *const table[][2] = {
		{ "graph,nothing", "invalid part 'nothing' of --call-graph 'graph,nothing'" },
		{ "0.5x", "invalid part '0.5x' of --call-graph '0.5x'" },
		{ "graph,1,2x", "invalid part '2x' of --call-graph 'graph,1,2x'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct profile_options o = { .chain.mode = CHAIN_GRAPH };
		struct err err = { 0 };

		assert_int_equal(profile_graph_parse(&o, table[i][0], &err), -EINVAL);
		assert_string_equal(err.msg, table[i][1]);
	}
}

static void test_off_and_history(void **state)
{
	struct profile_options o = { .chain.mode = CHAIN_GRAPH,
				     .graph_asked = true,
				     .branches = true };

	profile_branch_history(&o);
	assert_true(o.glue_branches && o.chain.marks && o.chain.address && !o.branches &&
		    o.branches_set && o.graph_asked);
	assert_string_equal(o.sort, "srcline,symbol,dso");
	o.sort = "comm";
	profile_branch_history(&o);
	assert_string_equal(o.sort, "comm");
	profile_graph_off(&o);
	assert_true(o.chain.mode == CHAIN_NONE && !o.graph_asked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_off_and_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
