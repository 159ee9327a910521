// SPDX-License-Identifier: GPL-2.0-or-later
/* Test trees of stacks of counted samples: in every dimension, from any number of workers, in
 * part. */
#include "base/compat.h"

#include "base/alloc.h"
#include "stacktree/pack.h"
#include "mapped.h"
#include "state-build.h"

#include <setjmp.h>
#include <cmocka.h>

#define PID 42
#define TID 43

struct world {
	struct mapped p;
	struct stacks_dims dims;
	struct hist *h;
	struct hist_worker *w[3];
};

static void setup(struct world *w, const struct stacks_dims *dims, int workers, bool span)
{
	struct hist_conf hc = { .nr_events = 2, .workers = workers };
	struct err err = { 0 };

	memset(w, 0, sizeof(*w));
	w->dims = *dims;
	mapped_open(&w->p);
	mapped_process(&w->p, PID, "prog", "1000 100 main\n2000 100 rec\n3000 100 leaf\n");
	st_comm(w->p.m, 0, PID, TID, "side", false);
	mapped_seal(&w->p);
	assert_int_equal(columns_sort(&hc.cols, "sym", false, false, false, &err), 0);
	hc.stacks = &w->dims;
	hc.chains = true;
	hc.first_time = span ? 100 : 0;
	hc.last_time = span ? 200 : 0;
	/* Without a span this is a pipe, where state comes with the samples. */
	w->h = mapped_hist(&w->p, &hc, span, w->w, workers);
}

static void teardown(struct world *w)
{
	hist_free(w->h);
	mapped_release(&w->p);
}

static void add(struct world *w, int worker, u32 evsel, u32 tid, u32 cpu, u64 time,
		const u64 *chain, u64 nr)
{
	struct hist_sample s = mapped_sample(&w->p, PID, tid, time);

	s.evsel = evsel;
	s.cpu = cpu;
	s.ip = 0x3004;
	s.period = s.order = time;
	s.chain = chain;
	s.nr_chain = nr;
	hist_add(w->w[worker], &s);
}

/* Samples of two threads on two CPUs, recursion, one without a chain, one of another event. */
static void count(struct world *w, int workers)
{
	static const u64 leaf[] = { PERF_CONTEXT_USER, 0x3004, 0x1010 };
	static const u64 deep[] = { PERF_CONTEXT_USER, 0x3008, 0x2004, 0x2004, 0x1010 };
	static const u64 odd[] = { PERF_CONTEXT_USER, 0x9999, 0x1010 };

	for (u64 t = 100; t <= 200; t += 10) {
		int n = (int)(t / 10) % workers;

		add(w, n, 0, t % 20 ? PID : TID, t > 150, t, t % 30 ? leaf : deep,
		    t % 30 ? ARRAY_SIZE(leaf) : ARRAY_SIZE(deep));
	}
	add(w, 0, 0, PID, 0, 101, odd, ARRAY_SIZE(odd));
	add(w, workers - 1, 0, PID, 0, 102, NULL, 0);
	add(w, 0, 1, PID, 0, 103, leaf, ARRAY_SIZE(leaf));
	hist_finish(w->h, w->p.m, w->p.resolver);
}

static char *text_of(const struct stacks *s)
{
	struct strbuf sb = STRBUF_INIT;

	for (u32 i = 0; i < s->nr_nodes; i++)
		strbuf_addf(&sb, "%u<%u-%u %s\n", i, s->nodes[i].parent, s->nodes[i].end,
			    i ? stacks_frame_name(s, s->nodes[i].frame) : "-");
	for (u32 i = 0; i < s->nr_threads; i++)
		strbuf_addf(&sb, "t %u/%u %s\n", s->threads[i].pid, s->threads[i].tid,
			    stacks_text(s, s->threads[i].comm));
	for (size_t i = 0; i < s->nr_sums; i++) {
		const struct stacks_sum *m = &s->sums[i];

		strbuf_addf(&sb, "e%u n%u t%u c%u s%u: %d %d\n", m->event, m->node, m->thread,
			    m->cpu, m->slice, (int)m->samples, (int)m->period);
	}
	for (size_t i = 0; i < s->nr_samples; i++) {
		const struct stacks_sample *m = &s->samples[i];

		strbuf_addf(&sb, "%d: e%u n%u t%u c%u %d\n", (int)m->time, m->event, m->node,
			    m->thread, m->cpu, (int)m->period);
	}
	return strbuf_detach(&sb);
}

static const char *const names[] = { "cycles", "faults" };

static struct stacks *made(const struct stacks_dims *dims, int workers, bool span)
{
	struct world w;
	struct stacks *s;

	setup(&w, dims, workers, span);
	count(&w, workers);
	s = stacks_of_hist(w.h, names, true);
	teardown(&w);
	return s;
}

static void is_text(struct stacks *s, const char *want)
{
	char *text = text_of(s);

	assert_string_equal(text, want);
	free(text);
	stacks_free(s);
}

static void plain(void **state)
{
	for (int workers = 1; workers <= 3; workers++)
		is_text(made(&(struct stacks_dims){ 0 }, workers, true),
			"0<0-8 -\n1<0-2 leaf\n2<0-8 main\n3<2-4 [unknown]\n4<2-5 leaf\n5<2-8 rec\n"
			"6<5-8 rec\n7<6-8 leaf\nt 0/0 \n"
			"e0 n1 t0 c0 s0: 1 102\ne0 n3 t0 c0 s0: 1 101\ne0 n4 t0 c0 s0: 8 1200\n"
			"e0 n7 t0 c0 s0: 3 450\ne1 n4 t0 c0 s0: 1 103\n");
}

static void in_part(void **state)
{
	/* 101 and 102 of 1853 are less than a tenth; of the other event all is in main */
	is_text(made(&(struct stacks_dims){ .cut = 0.1, .bare = true }, 2, true),
		"0<0-6 -\n1<0-6 main\n2<1-3 leaf\n3<1-6 rec\n4<3-6 rec\n5<4-6 leaf\nt 0/0 \n"
		"e0 n0 t0 c0 s0: 1 102\ne0 n1 t0 c0 s0: 1 101\ne0 n2 t0 c0 s0: 8 1200\n"
		"e0 n5 t0 c0 s0: 3 450\ne1 n2 t0 c0 s0: 1 103\n");
	/* Turned round; what 20% of all, 370, are more than is at the node above. */
	is_text(made(&(struct stacks_dims){ .reverse = true, .cut = 0.2, .comm_root = true }, 3,
		     true),
		"0<0-7 -\n1<0-4 prog\n2<1-4 leaf\n3<2-4 main\n4<0-7 side\n5<4-7 leaf\n6<5-7 main\n"
		"t 0/0 prog\nt 0/0 side\n"
		"e0 n1 t0 c0 s0: 1 101\ne0 n2 t0 c0 s0: 2 252\ne0 n3 t0 c0 s0: 4 600\n"
		"e0 n5 t1 c0 s0: 2 300\ne0 n6 t1 c0 s0: 4 600\ne1 n3 t0 c0 s0: 1 103\n");
}

static void everything(void **state)
{
	const struct stacks_dims dims = {
		.thread = true, .cpu = true, .slices = 4, .samples = true
	};
	struct stacks *one = made(&dims, 1, true), *three = made(&dims, 3, true);
	struct stacks *pipe = made(&dims, 2, false), *less;
	char *a = text_of(one), *b = text_of(three), *c = text_of(pipe);

	assert_string_equal(a, b);
	assert_string_equal(a, c);
	assert_int_equal(one->nr_threads, 2);
	assert_int_equal(one->threads[1].tid, TID);
	assert_string_equal(stacks_text(one, one->threads[1].comm), "side");
	assert_int_equal(one->nr_samples, 14);
	assert_int_equal(one->samples[0].time, 100);
	assert_int_equal(one->slice_ns, 26);
	assert_int_equal(one->nr_slices, 4);
	assert_int_equal(pipe->first_time, 100);
	less = stacks_reduce(one, &(struct stacks_dims){ 0 });
	free(a);
	free(b);
	a = text_of(less);
	stacks_free(three);
	three = made(&(struct stacks_dims){ 0 }, 1, true);
	b = text_of(three);
	assert_string_equal(a, b);
	free(a);
	free(b);
	free(c);
	stacks_free(one);
	stacks_free(three);
	stacks_free(pipe);
	stacks_free(less);
}

/* Addresses in functions, also where only functions are told apart while samples are counted. */
static void sites(void **state)
{
	struct stacks *one = made(&(struct stacks_dims){ .sites = true }, 1, true);
	struct stacks *three = made(&(struct stacks_dims){ .sites = true }, 3, true);
	struct stacks *pipe = made(&(struct stacks_dims){ .sites = true }, 2, false);

	assert_int_equal(one->nr_sites, 2);
	assert_int_equal(one->sites[0].addr, 0x3004);
	assert_int_equal(one->sites[0].start, 0x3000);
	assert_int_equal(one->sites[0].samples, 13);
	assert_int_equal(one->sites[0].event, 0);
	assert_int_equal(one->sites[1].event, 1);
	for (size_t i = 0; i < one->nr_sites; i++) {
		const struct stacks *others[] = { three, pipe };

		for (size_t k = 0; k < ARRAY_SIZE(others); k++) {
			assert_int_equal(others[k]->nr_sites, one->nr_sites);
			assert_int_equal(others[k]->sites[i].addr, one->sites[i].addr);
			assert_int_equal(others[k]->sites[i].samples, one->sites[i].samples);
			assert_int_equal(others[k]->sites[i].period, one->sites[i].period);
		}
	}
	stacks_free(one);
	stacks_free(three);
	stacks_free(pipe);
}

/* Periods that together are more than 64 bits hold: no part is more than the whole. */
static void more_than_all(void **state)
{
	struct stacks *s = made(&(struct stacks_dims){ 0 }, 1, true);
	u64 *self = xcalloc(s->nr_nodes, sizeof(*self)),
	    *total = xcalloc(s->nr_nodes, sizeof(*total));

	for (size_t i = 0; i < s->nr_sums; i++)
		s->sums[i].period = UINT64_MAX / 2;
	stacks_node_sums(s, UINT32_MAX, WEIGHT_PERIOD, self, total);
	assert_true(total[0] == UINT64_MAX);
	for (u32 i = 1; i < s->nr_nodes; i++)
		assert_true(self[i] <= total[i] && total[i] <= total[s->nodes[i].parent]);
	free(self);
	free(total);
	stacks_free(s);
}

#define DEPTH 9
#define MANY 19683 /* 3 to the power of it: so many that threads make parts of the tree */

/* Each stack of @DEPTH of the three functions, some of them shorter. */
static struct stacks *of_many(const struct stacks_dims *dims, int workers)
{
	static const u64 at[] = { 0x1010, 0x2004, 0x3008 };
	struct stacks *s;
	struct world w;

	setup(&w, dims, workers, true);
	for (u32 i = 0; i < MANY; i++) {
		u64 chain[DEPTH + 1] = { PERF_CONTEXT_USER };
		u32 rest = i;

		for (u32 k = 1; k <= DEPTH; k++, rest /= 3)
			chain[k] = at[rest % 3];
		add(&w, (int)i % workers, i % 2, i % 5 ? PID : TID, i % 3, 100 + i % 100, chain,
		    DEPTH + 1 - i % 4);
	}
	hist_finish(w.h, w.p.m, w.p.resolver);
	s = stacks_of_hist(w.h, names, true);
	teardown(&w);
	return s;
}

static void by_several_threads(void **state)
{
	const struct stacks_dims all[] = {
		{ 0 },
		{ .comm = true, .process = true, .thread = true, .cpu = true, .slices = 4 },
		{ .comm_root = true, .reverse = true },
		{ .samples = true },
		{ .cut = 0.01 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct stacks *one = of_many(&all[i], 1);
		char *text = text_of(one);
		u64 samples = 0;

		for (u32 e = 0; e < one->nr_events; e++)
			samples += one->events[e].samples;
		assert_int_equal(samples, MANY);
		assert_true(all[i].cut > 0 || one->nr_nodes > MANY / 3);
		is_text(of_many(&all[i], 3), text);
		free(text);
		stacks_free(one);
	}
}

static void check_walk(const struct stacks *s, const struct stacks_packed *k)
{
	struct stacks_sums_walk walk;
	struct stacks_sum sum;
	size_t nr = 0;

	stacks_sums_walk(&walk, k);
	for (; stacks_sums_next(&walk, &sum); nr++) {
		assert_true(nr < s->nr_sums);
		assert_int_equal(sum.event, s->sums[nr].event);
		assert_int_equal(sum.node, s->sums[nr].node);
		assert_int_equal(sum.thread, s->sums[nr].thread);
		assert_int_equal(sum.cpu, s->sums[nr].cpu);
		assert_int_equal(sum.slice, s->sums[nr].slice);
		assert_int_equal(sum.samples, s->sums[nr].samples);
		assert_int_equal(sum.period, s->sums[nr].period);
	}
	assert_int_equal(nr, s->nr_sums);
}

/* Unpacking gives what was packed, however it was packed. */
static void packed(void **state)
{
	struct stacks_dims dims = { .thread = true, .process = true, .cpu = true, .slices = 50 };
	struct stacks *arrays = of_many(&dims, 2), *bytes;
	struct stacks_packed *k;
	char *text;

	arrays->sums[0].period = UINT64_MAX; /* as far as numbers go, and back */
	arrays->sums[1].cpu = UINT32_MAX;
	arrays->sums[2].period = 0;
	k = stacks_pack(arrays);
	assert_int_equal(stacks_packed_number(k), arrays->nr_nodes);
	check_walk(arrays, k);
	text = text_of(arrays);
	arrays->packed = k;
	stacks_unpack(arrays);
	assert_null(arrays->packed);
	is_text(arrays, text);
	free(text);

	arrays = of_many(&dims, 2);
	dims.packed = true;
	bytes = of_many(&dims, 2);
	assert_non_null(bytes->packed);
	assert_true(bytes->packed->nr_parts > 2);
	assert_int_equal(bytes->nr_nodes, arrays->nr_nodes);
	check_walk(arrays, bytes->packed);
	text = text_of(arrays);
	stacks_unpack(bytes);
	is_text(bytes, text);
	free(text);
	stacks_free(arrays);
}

/* Append the names below the root, each with its samples of all events. */
static char *roots_of(enum stacks_root root)
{
	const struct stacks_dims dims = {
		.comm = true, .process = true, .thread = true, .cpu = true
	};
	struct stacks *s = made(&dims, 2, true), *r = stacks_rooted(s, root);
	u64 *total = xcalloc(r->nr_nodes, sizeof(*total)),
	    *before = xcalloc(s->nr_nodes, sizeof(*before));
	struct strbuf sb = STRBUF_INIT;

	stacks_node_sums(s, UINT32_MAX, WEIGHT_PERIOD, NULL, before);
	stacks_node_sums(r, UINT32_MAX, WEIGHT_PERIOD, NULL, total);
	assert_int_equal(total[0], before[0]);
	assert_int_equal(r->nr_events, s->nr_events);
	stacks_node_sums(r, UINT32_MAX, WEIGHT_SAMPLES, NULL, total);
	for (u32 i = 1; i < r->nr_nodes; i = r->nodes[i].end) {
		assert_int_equal(r->frames[r->nodes[i].frame].kind, FRAME_COMM);
		strbuf_addf(&sb, "%s: %d\n", stacks_frame_name(r, r->nodes[i].frame),
			    (int)total[i]);
	}
	free(total);
	free(before);
	stacks_free(s);
	stacks_free(r);
	return strbuf_detach(&sb);
}

static void rooted(void **state)
{
	static const enum stacks_root root[] = { STACKS_ROOT_PROCESS, STACKS_ROOT_THREAD,
						 STACKS_ROOT_CPU };
	static const char *const want[] = { "prog 42: 14\n", "prog 42: 8\nside 43: 6\n",
					    "CPU 0: 9\nCPU 1: 5\n" };

	for (size_t i = 0; i < ARRAY_SIZE(root); i++) {
		char *text = roots_of(root[i]);

		assert_string_equal(text, want[i]);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),         cmocka_unit_test(sites),
		cmocka_unit_test(in_part),       cmocka_unit_test(everything),
		cmocka_unit_test(more_than_all), cmocka_unit_test(by_several_threads),
		cmocka_unit_test(packed),        cmocka_unit_test(rooted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
