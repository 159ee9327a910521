// SPDX-License-Identifier: GPL-2.0-or-later
/* Test samples that last: each slice of time that they reach into has its part of their period. */
#include "base/compat.h"
#include "hist/counted-stacks.h"
#include "mapped.h"

#include <setjmp.h>
#include <cmocka.h>

enum { SLICES = 4 };

struct parts {
	u64 nr[SLICES], period[SLICES];
};

static void add(struct mapped *p, struct hist_worker *w, u64 time, u64 lasts, u64 period)
{
	static const u64 chain[] = { (u64)PERF_CONTEXT_USER, 0x1008, 0x2008 };
	struct hist_sample s = mapped_sample(p, 42, 42, time);

	s.ip = chain[1];
	s.chain = chain;
	s.nr_chain = ARRAY_SIZE(chain);
	s.lasts = lasts;
	s.period = period;
	hist_add(w, &s);
}

/* Count one sample, from 1000 to 1399 in slices of 100. */
static struct parts count(bool early, u64 time, u64 lasts, u64 period)
{
	const struct stacks_dims dims = { .slices = SLICES };
	const struct hist_conf conf = {
		.nr_events = 1, .stacks = &dims, .first_time = 1000, .last_time = 1399
	};
	struct parts out = { { 0 } };
	struct hist_worker *w[2];
	struct mapped p;
	struct hist *h;

	mapped_open(&p);
	mapped_process(&p, 42, "one", "1000 10 sleeps\n2000 10 main\n");
	mapped_seal(&p);
	h = mapped_hist(&p, &conf, early, w, 2);
	add(&p, w[1], time, lasts, period);
	hist_finish(h, p.m, p.resolver);
	assert_int_equal(hist_event(h, 0)->nr, 1);
	assert_int_equal(hist_event(h, 0)->period, period);
	for (int i = 0; i < 2; i++) {
		struct counted_stacks c = hist_counted_stacks(h, i);

		for (size_t k = 0; k < c.nr_counts; k++) {
			out.nr[c.bases[c.counts[k].base].from] += c.counts[k].nr;
			out.period[c.bases[c.counts[k].base].from] += c.counts[k].period;
		}
	}
	hist_free(h);
	mapped_release(&p);
	return out;
}

static void expect(u64 time, u64 lasts, u64 period, const struct parts *want)
{
	for (int early = 0; early < 2; early++) {
		struct parts got = count(early, time, lasts, period);

		assert_memory_equal(&got, want, sizeof(got));
	}
}

static void test_spans(void **state)
{
	expect(1050, 200, 200, &(struct parts){ { 1 }, { 50, 100, 50 } });
	expect(1050, 0, 200, &(struct parts){ { 1 }, { 200 } });      /* a moment */
	expect(1110, 80, 80, &(struct parts){ { 0, 1 }, { 0, 80 } }); /* inside one */
	expect(1100, 100, 7, &(struct parts){ { 0, 1 }, { 0, 7 } });  /* exactly one */
	expect(1000, 400, 4001, &(struct parts){ { 1 }, { 1000, 1000, 1000, 1001 } });
	expect(900, 200, 200, &(struct parts){ { 1 }, { 200 } }); /* before all */
	expect(1350, 1000, 1000, &(struct parts){ { 0, 0, 0, 1 }, { 0, 0, 0, 1000 } });
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_spans) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
