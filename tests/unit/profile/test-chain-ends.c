// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the ends of call chains: at the start of their thread, in nowhere, or where no code is. */
#include "base/compat.h"
#include "mapped.h"
#include "profile/chain-ends.h"

#include <setjmp.h>
#include <cmocka.h>

enum { START = 0x1008, MAIN = 0x2008, WORK = 0x3008, GO = 0x4008, NAMELESS = 0x5008 };
#define GARBAGE 0x414d564149415500ULL
#define KERNEL 0xffffffff81000100ULL

static const char map[] = "1000 10 _start\n2000 10 call_main\n3000 10 work\n"
			  "4000 10 runtime.goexit.abi0\n";

struct world {
	struct mapped p;
	struct chain_ends ends;
	struct hist_stack_visitor visitor;
	struct hist_conf conf;
	struct hist *h;
	struct hist_worker *w;
};

static void open_world(struct world *w, bool caller, const struct stacks_dims *stacks)
{
	*w = (struct world){ .ends = { .limit = 6 } };
	w->visitor = (struct hist_stack_visitor){ &w->ends, chain_ends_classify, chain_ends_count };
	w->conf = (struct hist_conf){ .nr_events = 2,
				      .chains = true,
				      .stacks = stacks,
				      .chain = { .caller = caller },
				      .visitor = &w->visitor };
	w->conf.cols.need = NEED_DSO | NEED_SYM;
	mapped_open(&w->p);
	mapped_process(&w->p, 42, "one", map);
	mapped_seal(&w->p);
	w->h = mapped_hist(&w->p, &w->conf, stacks != NULL, &w->w, 1);
}

static void add(struct world *w, u32 evsel, u32 times, const u64 *chain, u64 nr)
{
	struct hist_sample s = mapped_sample(&w->p, 42, 42, 1000);

	s.evsel = evsel;
	s.ip = chain[1];
	s.cpumode = callchain_mode(chain[0]);
	s.period = 1;
	s.chain = chain;
	s.nr_chain = nr;
	while (times--)
		hist_add(w->w, &s);
}
#define ADD(w, evsel, times, ...)                                                                  \
	do {                                                                                       \
		static const u64 add_chain[] = { __VA_ARGS__ };                                    \
		add(w, evsel, times, add_chain, ARRAY_SIZE(add_chain));                            \
	} while (0)

static void close_world(struct world *w)
{
	hist_free(w->h);
	chain_ends_release(&w->ends);
	mapped_release(&w->p);
}

#define USER (u64) PERF_CONTEXT_USER

/* Every way to end, at different numbers of samples. */
static void add_all(struct world *w)
{
	ADD(w, 0, 1, USER, WORK, MAIN, START);
	ADD(w, 0, 2, USER, WORK, GO);
	ADD(w, 0, 4, USER, WORK, MAIN, START, GARBAGE); /* what a register held */
	ADD(w, 0, 8, USER, WORK, NAMELESS);             /* it may be the start */
	ADD(w, 0, 16, USER, WORK);
	ADD(w, 0, 32, (u64)PERF_CONTEXT_KERNEL, KERNEL, USER, WORK, MAIN);
	ADD(w, 0, 64, USER, NAMELESS);
	ADD(w, 0, 128, USER, WORK, GARBAGE);
	ADD(w, 0, 256, USER, WORK, GARBAGE, GARBAGE);
	ADD(w, 0, 512, (u64)PERF_CONTEXT_KERNEL, KERNEL); /* not a user's at all */
	ADD(w, 0, 1024, USER, WORK, MAIN, WORK, MAIN, WORK, MAIN);
	ADD(w, 1, 3, USER, WORK);
	hist_finish(w->h, w->p.m, w->p.resolver);
}

static void check(const struct world *w)
{
	u64 all;

	assert_int_equal(w->ends.nr, 2);
	assert_int_equal(w->ends.counts[0].evsel, 0);
	assert_int_equal(w->ends.counts[0].nr[CHAIN_END_START], 1 + 2 + 4 + 8);
	assert_int_equal(w->ends.counts[0].nr[CHAIN_END_NOWHERE], 16 + 32 + 64);
	assert_int_equal(w->ends.counts[0].nr[CHAIN_END_UNKNOWN], 128 + 256);
	assert_int_equal(chain_ends_broken(&w->ends.counts[0], &all), 16 + 32 + 64 + 128 + 256);
	assert_int_equal(all, 511);
	assert_int_equal(w->ends.counts[1].evsel, 1);
	assert_int_equal(w->ends.counts[1].nr[CHAIN_END_NOWHERE], 3);
}

static void test_rows(void **state)
{
	for (int caller = 0; caller < 2; caller++) {
		struct world w;

		open_world(&w, caller, NULL);
		add_all(&w);
		check(&w);
		close_world(&w);
	}
}

static void test_trees(void **state)
{
	static const struct stacks_dims plain, slices = { .slices = 4, .thread = true },
					       whole = { .addresses = true };
	const struct stacks_dims *dims[] = { &plain, &slices, &whole };

	for (size_t i = 0; i < ARRAY_SIZE(dims); i++) {
		struct world w;

		open_world(&w, false, dims[i]);
		add_all(&w);
		check(&w);
		close_world(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_trees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
