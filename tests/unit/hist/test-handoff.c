// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples of one chain are counted in one table, on whichever threads they are read. */
#include "base/compat.h"

#include "hist/tables-internal.h"
#include "mapped.h"
#include "state-build.h"

#include <setjmp.h>

#include <cmocka.h>

#define PID 42
#define CHAINS 3000
#define ROUNDS 3
#define WORKERS 3

struct world {
	struct mapped p;
	struct hist_conf conf;
	struct hist *h;
	struct hist_worker *w[WORKERS];
	int nr_workers;
	struct strbuf out;
};

static void setup(struct world *w)
{
	memset(w, 0, sizeof(*w));
	mapped_open(&w->p);
	mapped_process(&w->p, PID, "prog", "1000 100 main\n2000 100 rec\n3000 5000 leaf\n");
	mapped_seal(&w->p);
	w->conf.nr_events = 1;
	w->conf.chains = true;
	w->conf.max_stack = 2000;
	w->conf.chain = (struct chain_conf){ .mode = CHAIN_GRAPH, .min_percent = 0.5 };
}

static void start(struct world *w, const char *keys, int workers)
{
	struct err err = { 0 };

	assert_int_equal(columns_sort(&w->conf.cols, keys, w->conf.children, false, false, &err),
			 0);
	w->conf.workers = workers;
	w->nr_workers = workers;
	w->h = mapped_hist(&w->p, &w->conf, false, w->w, workers);
}

static void teardown(struct world *w)
{
	hist_free(w->h);
	strbuf_release(&w->out);
	mapped_release(&w->p);
}

/* The @i-th chain, of a few functions called one from the other. What is borrowed for the call is
 * not what it was afterwards. */
static void add(struct world *w, int worker, u32 i)
{
	u64 chain[8] = { PERF_CONTEXT_USER, 0x3000 + i };
	struct hist_sample s = mapped_sample(&w->p, PID, PID, 10 + i);
	struct hist_text texts[HIST_NR_TEXTS];
	char said[16];
	struct sample raw = { .weight = i % 3 };
	u32 nr = 2;

	for (u32 k = 0; k < 1 + i % 4; k++)
		chain[nr++] = 0x2000 + (i >> k) % 16;
	chain[nr++] = 0x1010;
	s.period = 1 + i % 7;
	s.order = i;
	s.ip = chain[1];
	s.chain = chain;
	s.nr_chain = nr;
	s.sample = &raw;
	snprintf(said, sizeof(said), "says %u", i % 4);
	texts[HIST_TEXT(KEY_TRACE)] = (struct hist_text){ said, strlen(said) };
	s.texts = texts;
	hist_add(w->w[worker], &s);
	memset(chain, 0xff, sizeof(chain));
	memset(said, 0xff, sizeof(said));
	memset(&raw, 0xff, sizeof(raw));
	memset(texts, 0xff, sizeof(texts));
}

/* Each worker reads every chain, from another one on. */
static void add_all(void *ctx, int worker, size_t item)
{
	struct world *w = ctx;
	u32 nr = CHAINS * ROUNDS * WORKERS / (u32)w->nr_workers, first = (u32)item * CHAINS / 2;

	(void)worker;
	for (u32 i = 0; i < nr; i++)
		add(w, (int)item, (first + i) % CHAINS);
}

static void count(struct world *w)
{
	pool_run(w->nr_workers, (size_t)w->nr_workers, add_all, w);
}

static size_t stacks(const struct world *w)
{
	size_t nr = 0;

	for (int i = 0; i < w->nr_workers; i++)
		nr += w->w[i]->nr_stacks;
	return nr;
}

static const char *print(struct world *w)
{
	hist_finish(w->h, w->p.m, w->p.resolver);
	hist_chains(w->h, 0, 0);
	return mapped_print(w->h, NULL, &w->out);
}

static void once_each(void **state)
{
	struct world w;

	for (int workers = 1; workers <= WORKERS; workers++) {
		setup(&w);
		start(&w, "sym", workers);
		count(&w);
		print(&w);
		assert_int_equal(stacks(&w), CHAINS);
		assert_int_equal(hist_event(w.h, 0)->nr, CHAINS * ROUNDS * WORKERS);
		for (int i = 0; i < workers; i++) /* and every table has some */
			assert_true(w.w[i]->nr_stacks > CHAINS / WORKERS / 2);
		teardown(&w);
	}
}

static void the_same_rows(void **state)
{
	static const char *const keys[] = { "comm,dso,sym", "sym,weight", "trace,sym" };
	struct world w[2];

	for (size_t k = 0; k < ARRAY_SIZE(keys) * 2; k++) {
		for (int i = 0; i < 2; i++) {
			setup(&w[i]);
			w[i].conf.children = k % 2;
			start(&w[i], keys[k / 2], i ? WORKERS : 1);
			count(&w[i]);
			print(&w[i]);
		}
		assert_true(w[0].out.len > 100);
		assert_string_equal(strbuf_str(&w[0].out), strbuf_str(&w[1].out));
		teardown(&w[0]);
		teardown(&w[1]);
	}
}

static void without_a_chain(void **state)
{
	struct hist_sample s;
	struct world w;

	setup(&w);
	start(&w, "sym", 2);
	for (u32 i = 0; i < 100; i++) {
		s = mapped_sample(&w.p, PID, PID, 10 + i);
		s.ip = 0x2000 + i;
		s.period = 1;
		hist_add(w.w[i % 2], &s);
	}
	assert_non_null(strstr(print(&w), "100.00%  [.] rec"));
	assert_int_equal(hist_event(w.h, 0)->nr, 100);
	teardown(&w);
}

static void longer_than_a_block(void **state)
{
	static u64 chain[1500];
	struct hist_sample s;
	struct world w;

	chain[0] = PERF_CONTEXT_USER;
	for (size_t i = 1; i < ARRAY_SIZE(chain); i++)
		chain[i] = 0x2000 + i % 16;
	setup(&w);
	start(&w, "sym", 2);
	for (u32 i = 0; i < 10; i++) {
		s = mapped_sample(&w.p, PID, PID, 10 + i);
		s.ip = chain[1];
		s.period = 1;
		s.chain = chain;
		s.nr_chain = ARRAY_SIZE(chain) - i % 2;
		hist_add(w.w[i % 2], &s);
	}
	assert_int_equal(stacks(&w), 2);
	print(&w);
	assert_int_equal(hist_event(w.h, 0)->nr, 10);
	assert_int_equal(w.w[0]->nr_stacks ? w.w[0]->stacks[0].nr / 10 : w.w[1]->stacks[0].nr / 10,
			 149);
	teardown(&w);
}

static void never_delivered(void **state)
{
	struct world w;

	setup(&w);
	start(&w, "sym", 2);
	for (u32 i = 0; i < 100; i++)
		add(&w, i % 2, i);
	teardown(&w); /* which frees them */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(once_each),       cmocka_unit_test(the_same_rows),
		cmocka_unit_test(without_a_chain), cmocka_unit_test(longer_than_a_block),
		cmocka_unit_test(never_delivered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
