// SPDX-License-Identifier: GPL-2.0-or-later
/* Test profiles side by side, of a process whose functions a perf map names: rows, paths,
 * blocks. */
#include "base/compat.h"

#include "hist/blocks.h"
#include "diff/diff.h"
#include "mapped.h"

#include <math.h>
#include <setjmp.h>

#include <cmocka.h>

#define PID 42
#define SIDES 3
enum { MAIN = 0x1000, REC = 0x2000, LEAF = 0x3000, OTHER = 0x4000 };

struct world {
	struct mapped p;
	struct thread_at at;
	struct hist *h[SIDES];
	struct hist_worker *w[SIDES];
	struct diff_side sides[SIDES];
	struct diff_conf conf;
	struct diff *d;
	u64 order;
};

static void setup(struct world *w)
{
	struct hist_conf hc = {
		.nr_events = 1, .workers = 1, .chains = true, .chain = { .mode = CHAIN_GRAPH }
	};
	struct err err = { 0 };

	*w = (struct world){ .conf = { .order = 1 } };
	mapped_open(&w->p);
	mapped_process(&w->p, PID, "prog",
		       "1000 100 main\n2000 100 rec\n3000 100 leaf\n4000 100 other\n");
	mapped_seal(&w->p);
	machine_thread_at(w->p.m, PID, PID, 10, &w->at);
	assert_int_equal(columns_sort(&hc.cols, "sym", false, false, false, &err), 0);
	for (int i = 0; i < SIDES; i++) {
		w->h[i] = hist_new(&hc);
		w->w[i] = hist_worker_new(w->h[i]);
	}
}

static void teardown(struct world *w)
{
	diff_free(w->d);
	for (int i = 0; i < SIDES; i++)
		hist_free(w->h[i]);
	mapped_release(&w->p);
}

static void add(struct world *w, int side, u64 nr, const u64 *chain, u64 frames)
{
	while (nr--) {
		struct hist_sample s = mapped_sample(&w->p, PID, PID, ++w->order);

		s.period = 10;
		s.ip = chain[1];
		s.chain = chain;
		s.nr_chain = frames;
		hist_add(w->w[side], &s);
	}
}

#define SAMPLES(w, side, nr, ...)                                                                  \
	do {                                                                                       \
		const u64 c_[] = { PERF_CONTEXT_USER, __VA_ARGS__ };                               \
		add(w, side, nr, c_, ARRAY_SIZE(c_));                                              \
	} while (0)

static struct diff *compare(struct world *w, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		hist_finish(w->h[i], w->p.m, w->p.resolver);
		hist_chains(w->h[i], 0, 0);
		w->sides[i].hist = w->h[i];
		w->sides[i].period = hist_event(w->h[i], 0)->period;
		w->sides[i].nr = hist_event(w->h[i], 0)->nr;
	}
	w->d = diff_new(w->sides, nr, &w->conf);
	return w->d;
}

static const char *name(const struct diff *d, size_t row)
{
	const struct diff_row *r = &d->rows[row];

	return hist_symbol_name(d->sides[r->side].hist, r->row->place);
}

static void pairs_by_name(void **state)
{
	struct world w;
	struct diff *d;
	double v;

	setup(&w);
	SAMPLES(&w, 0, 6, LEAF);
	SAMPLES(&w, 0, 4, OTHER + 8);
	SAMPLES(&w, 1, 3, LEAF + 16);
	SAMPLES(&w, 1, 5, REC);
	SAMPLES(&w, 1, 2, OTHER);
	w.conf.compute = DIFF_DELTA_ABS;
	d = compare(&w, 2);
	assert_int_equal(d->nr_rows, 3);
	assert_string_equal(name(d, 0), "rec");
	assert_string_equal(name(d, 1), "leaf");
	assert_int_equal(diff_value(d, &d->rows[0], 1, &v), DIFF_VALUE);
	assert_float_equal(v, 50, 1e-6);
	assert_int_equal(diff_value(d, &d->rows[1], 1, &v), DIFF_VALUE);
	assert_float_equal(v, -30, 1e-6);
	assert_int_equal(d->rows[1].sums[0].nr, 6);
	assert_int_equal(d->rows[1].sums[1].period, 30);
	/* 1.96 times the root of .6*.4/10 + .3*.7/10 */
	assert_float_equal(diff_noise(d, d->rows[1].sums, 1), 41.5779, 1e-3);
	teardown(&w);
}

static void ratios_need_a_baseline(void **state)
{
	struct world w;
	struct diff *d;
	double v;

	setup(&w);
	SAMPLES(&w, 0, 4, LEAF);
	SAMPLES(&w, 0, 1, MAIN);
	SAMPLES(&w, 1, 6, LEAF);
	SAMPLES(&w, 1, 1, REC);
	w.conf.compute = DIFF_RATIO;
	d = compare(&w, 2);
	assert_string_equal(name(d, 0), "leaf");
	assert_int_equal(diff_value(d, &d->rows[0], 1, &v), DIFF_VALUE);
	assert_float_equal(v, 1.5, 1e-6);
	assert_string_equal(name(d, 1), "rec");
	assert_int_equal(diff_value(d, &d->rows[1], 1, &v), DIFF_NO_BASE);
	assert_string_equal(name(d, 2), "main");
	assert_int_equal(diff_value(d, &d->rows[2], 1, &v), DIFF_NONE);
	teardown(&w);
}

static void left_out(void **state)
{
	struct world w;
	struct diff *d;

	setup(&w);
	SAMPLES(&w, 0, 40, LEAF);
	SAMPLES(&w, 0, 60, MAIN);
	SAMPLES(&w, 1, 45, LEAF);
	SAMPLES(&w, 1, 55, REC);
	w.conf.baseline_only = true;
	d = compare(&w, 2);
	assert_int_equal(d->nr_rows, 1);
	assert_int_equal(d->base_period, 400);
	diff_free(d);
	w.conf.baseline_only = false;
	w.conf.min_change = 5.5;
	w.d = d = diff_new(w.sides, 2, &w.conf);
	assert_int_equal(d->nr_rows, 2); /* not leaf */
	teardown(&w);
}

static void weights_and_order(void **state)
{
	struct world w;
	struct diff *d;
	double v;

	setup(&w);
	SAMPLES(&w, 0, 2, LEAF);
	SAMPLES(&w, 0, 8, MAIN);
	SAMPLES(&w, 1, 5, LEAF);
	SAMPLES(&w, 1, 5, MAIN);
	SAMPLES(&w, 2, 9, MAIN);
	w.conf = (struct diff_conf){ .compute = DIFF_WDIFF, .w1 = 1, .w2 = -2, .order = 2 };
	d = compare(&w, 3);
	assert_string_equal(name(d, 0), "main"); /* leaf has nothing there */
	assert_int_equal(diff_value(d, &d->rows[0], 2, &v), DIFF_VALUE);
	assert_float_equal(v, -2 * 90 - 80, 1e-6);
	assert_int_equal(diff_value(d, &d->rows[1], 2, &v), DIFF_NONE);
	teardown(&w);
}

static void call_paths(void **state)
{
	const struct diff_path *root, *a, *b;
	struct diff_paths *p;
	struct world w;
	struct diff *d;

	setup(&w);
	SAMPLES(&w, 0, 10, LEAF, REC + 1, MAIN);
	SAMPLES(&w, 0, 10, LEAF, OTHER, 0x900000, 0x900100, MAIN);
	SAMPLES(&w, 0, 80, MAIN);
	SAMPLES(&w, 1, 40, LEAF, REC + 9, MAIN + 4);
	SAMPLES(&w, 1, 11, LEAF, OTHER, 0x900200, MAIN);
	SAMPLES(&w, 1, 49, MAIN);
	d = compare(&w, 2);
	p = diff_paths_new(d, 2);
	root = diff_paths_of(p, &d->rows[0]);
	assert_non_null(root);
	assert_int_equal(root->nr_children, 1); /* other changed by 1 only */
	a = root->children[0];
	assert_int_equal(a->nr_frames, 2);
	assert_string_equal(a->frames[0], "rec");
	assert_string_equal(a->frames[1], "main");
	assert_int_equal(a->sums[0].nr, 10);
	assert_int_equal(a->sums[1].nr, 40);
	assert_null(diff_paths_of(p, &d->rows[1])); /* nobody called main */
	diff_paths_free(p);
	p = diff_paths_new(d, 0.5);
	root = diff_paths_of(p, &d->rows[0]);
	assert_int_equal(root->nr_children, 2);
	b = root->children[1];
	assert_int_equal(b->nr_frames, 3); /* unknown ones in a row are one */
	assert_string_equal(b->frames[1], "[unknown]");
	assert_int_equal(b->sums[1].nr, 11);
	diff_paths_free(p);
	teardown(&w);
}

/* One sample with the branches FROM, TO, CYCLES..., the newest first. */
static void stack(struct world *w, struct blocks_worker *bw, const u64 *v, u64 nr)
{
	u64 branches[3 * 8];
	struct sample s = { .branches = (const u64_una *)branches, .nr_branches = nr / 3 };

	for (u64 i = 0; i < nr; i++)
		branches[i] = i % 3 == 2 ? v[i] << 4 : v[i];
	blocks_add(bw, &s, w->at.epoch, w->at.kernel_epoch, ++w->order);
}

static void blocks(void **state)
{
	const u64 first[] = { LEAF + 32, LEAF + 8,  6, LEAF + 32, LEAF + 16, 2,
			      LEAF + 32, LEAF + 16, 4, MAIN + 4,  LEAF + 8,  9 };
	const u64 idle[] = { LEAF + 32, LEAF, 0, LEAF + 32, LEAF, 7 };
	struct blocks *b = blocks_new();
	const struct block *v;
	struct location l;
	struct world w;
	size_t nr;

	setup(&w);
	stack(&w, blocks_worker_new(b), first, ARRAY_SIZE(first));
	stack(&w, blocks_worker_new(b), idle, ARRAY_SIZE(idle)); /* no cycles on top: not counted */
	blocks_finish(b, w.p.resolver);
	resolver_find(w.p.resolver, &(struct resolve_near){ 0 }, w.at.epoch, PERF_RECORD_MISC_USER,
		      LEAF, &l);
	v = blocks_of(b, l.symtab, l.sym, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(v->start, 8); /* the longest of those that end at 32 */
	assert_int_equal(v->end, 32);
	assert_int_equal(v->cycles, 12); /* and all of them */
	assert_int_equal(v->nr, 3);
	assert_int_equal(v->nr_times, 1);
	assert_int_equal(v->times[0], 4);
	blocks_of(b, l.symtab, l.sym + 1, &nr);
	assert_int_equal(nr, 0);
	blocks_free(b);
	teardown(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_by_name), cmocka_unit_test(ratios_need_a_baseline),
		cmocka_unit_test(left_out),      cmocka_unit_test(weights_and_order),
		cmocka_unit_test(call_paths),    cmocka_unit_test(blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
