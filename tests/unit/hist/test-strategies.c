// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whichever strategy counts, and on however many threads: the same samples give the same rows and
 * the same stacks.
 */
#include "base/compat.h"

#include "hist/counting-internal.h"
#include "mapped.h"
#include "state-build.h"

#include <setjmp.h>

#include <cmocka.h>

enum { FIRST = 42, SECOND = 43, SAMPLES = 20000, WORKERS = 5 };

/* Functions of 16 bytes each, but for a gap in which nothing has a name. */
static char *functions(void)
{
	struct strbuf sb = STRBUF_INIT;

	for (u32 at = 0x1000; at < 0x9000; at += 0x10)
		if (at < 0x5000 || at >= 0x5400)
			strbuf_addf(&sb, "%x 10 f_%x\n", at, at);
	return strbuf_detach(&sb);
}

/* The choice of what is counted, and how. */
struct asked {
	const char *keys;
	const struct counting *strategy;
	const struct stacks_dims *stacks;
	bool hide_unresolved, by_group, with_parent;
	int workers;
};

struct world {
	struct mapped p;
	struct hist_conf conf;
	struct hist *h;
	struct hist_worker *w[WORKERS];
	int nr_workers;
};

static void setup(struct world *w, const struct asked *a)
{
	static const u32 leader[] = { 0, 0 };
	char *map = functions();
	struct err err = { 0 };

	*w = (struct world){ .nr_workers = a->workers };
	mapped_open(&w->p);
	mapped_process(&w->p, FIRST, "one", map);
	mapped_process(&w->p, SECOND, "two", map);
	mapped_seal(&w->p);
	free(map);
	w->conf.nr_events = 2;
	w->conf.leader = a->by_group ? leader : NULL;
	w->conf.workers = a->workers;
	w->conf.stacks = a->stacks;
	w->conf.hide_unresolved = a->hide_unresolved;
	w->conf.chains = a->strategy == &counting_by_stack;
	if (a->with_parent) { /* samples whose parent is in the first functions */
		w->conf.parent = "^f_10";
		w->conf.exclude_other = true;
	}
	if (a->keys)
		assert_int_equal(columns_sort(&w->conf.cols, a->keys, false, true, true, &err), 0);
	w->h = mapped_hist(&w->p, &w->conf,
			   a->strategy == &counting_early || a->strategy == &counting_early_keyed ||
				   a->strategy == &counting_early_trees,
			   w->w, a->workers);
	assert_ptr_equal(w->h->counting, a->strategy);
}

static void teardown(struct world *w)
{
	hist_free(w->h);
	mapped_release(&w->p);
}

/* The @i-th sample: a chain of up to four functions, of two processes, events and CPUs. Some are
 * filtered, some are where nothing is mapped, some have no chain. */
static void add(struct world *w, int worker, u32 i)
{
	static const struct hist_text texts[HIST_NR_TEXTS];
	u64 x = hash_u64(i + 1), chain[5] = { PERF_CONTEXT_USER };
	const struct sample sample = { .weight = x >> 40 & 3 };
	u32 pid = i % 3 ? FIRST : SECOND, nr = 2;
	struct hist_sample s = mapped_sample(&w->p, pid, pid, 1000 + i / 4);

	s.evsel = x % 7 == 0;
	s.cpu = x >> 50 & 1;
	s.ip = i % 50 ? 0x1000 + x % 0x8000 : 0x20000;
	s.period = 1 + (x >> 20) % 9;
	s.order = i;
	s.filtered = i % 101 == 0;
	s.sample = &sample;
	s.texts = texts;
	chain[1] = s.ip;
	for (; nr < 2 + (x >> 30) % 4 && nr < ARRAY_SIZE(chain); nr++)
		chain[nr] = 0x1000 + (x >> (nr * 8)) % 64 * 0x10;
	s.chain = chain;
	s.nr_chain = i % 90 ? nr : 0;
	hist_add(w->w[worker], &s);
}

static void add_some(void *ctx, int worker, size_t item)
{
	struct world *w = ctx;

	(void)worker;
	for (u32 i = 0; i < SAMPLES; i++)
		if (hash_u64(i) % (u64)w->nr_workers == item)
			add(w, (int)item, i);
}

static void count(struct world *w)
{
	pool_run(w->nr_workers, (size_t)w->nr_workers, add_some, w);
	hist_finish(w->h, w->p.m, w->p.resolver);
}

/* The rows of all events; the caller frees. */
static char *rows_of(const struct asked *a)
{
	struct strbuf out = STRBUF_INIT;
	struct world w;

	setup(&w, a);
	count(&w);
	for (u32 e = 0; e < w.conf.nr_events; e++) {
		const struct hist_event *ev = hist_event(w.h, e);

		strbuf_addf(&out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %zu\n", ev->nr, ev->period,
			    ev->passed_period, ev->nr_rows);
		for (size_t i = 0; i < ev->nr_rows; i++) {
			const struct hist_row *r = ev->rows[i];

			strbuf_addf(&out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %u %c", r->nr,
				    r->period, r->first, r->thread, r->level);
			for (u32 k = 0; k < w.conf.cols.nr; k++) {
				const struct hist_column *col = w.conf.cols.col[k];

				strbuf_addch(&out, '|');
				col->format(w.h, col, ev, r, ev->width[k], NULL, &out);
			}
			strbuf_addch(&out, '\n');
		}
	}
	teardown(&w);
	return strbuf_detach(&out);
}

/* All strategies that count rows of such keys: @all */
static void the_same_rows_of(const struct counting *const all[3], const char *keys,
			     bool hide_unresolved, bool by_group)
{
	struct asked a = { keys, all[0], NULL, hide_unresolved, by_group, false, 1 };
	char *want = rows_of(&a), *got;

	assert_true(strlen(want) > 200);
	for (size_t i = 0; i < 3; i++)
		for (a.workers = 1; a.workers <= WORKERS; a.workers += 2) {
			a.strategy = all[i];
			got = rows_of(&a);
			assert_string_equal(got, want);
			free(got);
		}
	free(want);
}

static void the_same_rows(const char *keys, bool hide_unresolved, bool by_group)
{
	static const struct counting *const all[] = { &counting_in_parts, &counting_early,
						      &counting_by_stack };

	the_same_rows_of(all, keys, hide_unresolved, by_group);
}

/* Rows whose keys are values of samples do not depend on the strategy either. */
static void the_same_values(const char *keys, bool hide_unresolved, bool by_group)
{
	static const struct counting *const all[] = { &counting_keyed, &counting_early_keyed,
						      &counting_by_stack };

	the_same_rows_of(all, keys, hide_unresolved, by_group);
}

static void rows(void **state)
{
	static const char *const keys[] = { "comm,dso,sym", "sym", "dso" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		the_same_rows(keys[i], false, false);
}

static void rows_with_symbols(void **state)
{
	(void)state;
	the_same_rows("cpu,sym", true, false);
}

static void rows_of_a_group(void **state)
{
	(void)state;
	the_same_rows("comm,sym", false, true);
}

/* The last of these have nearly as many rows as samples. */
static void rows_of_values(void **state)
{
	static const char *const keys[] = { "pid,sym,weight", "comm,symbol_size,dso,weight",
					    "tgid,dso,dso_size", "addr,sym,weight",
					    "local_weight,symoff,cpu,sym" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		the_same_values(keys[i], false, false);
	the_same_values("addr,weight,sym", true, true);
}

/* ---- stacks ---- */

struct line {
	char *stack; /* owned */
	u64 nr, period;
};

static int line_cmp(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->stack, ((const struct line *)b)->stack);
}

static const char *name_of(const struct hist *h, u32 frame)
{
	const char *name = hist_symbol_name(h, hist_frame(h, frame)->place);

	return name ? name : "-";
}

/* "one f_1000 < f_1010 f_1000": the name of the thread, the leaf and the chain. */
static char *stack_text(const struct hist *h, const struct counted_stacks *of,
			const struct stack_count *c)
{
	const struct hist_base *b = &of->bases[c->base];
	const struct stack *s = &of->stacks[c->stack];
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "%u %s %s <", b->evsel, hist_comm_name(h, b->comm),
		    name_of(h, hist_leaf_frame(h, s->leaf)));
	for (u32 i = 0; i < s->nr; i++)
		strbuf_addf(&sb, " %s", name_of(h, s->ids[i]));
	return strbuf_detach(&sb);
}

/* All different stacks in the order of their texts, with their sums; frees @lines. */
static char *sums_of(struct line *lines, size_t nr)
{
	struct strbuf out = STRBUF_INIT;

	qsort(lines, nr, sizeof(*lines), line_cmp);
	for (size_t i = 0, end; i < nr; i = end) {
		u64 samples = 0, period = 0;

		for (end = i; end < nr && !line_cmp(&lines[i], &lines[end]); end++) {
			samples += lines[end].nr;
			period += lines[end].period;
		}
		strbuf_addf(&out, "%s: %" PRIu64 " %" PRIu64 "\n", lines[i].stack, samples, period);
	}
	for (size_t i = 0; i < nr; i++)
		free(lines[i].stack);
	free(lines);
	return strbuf_detach(&out);
}

static char *stacks_of(const struct asked *a)
{
	struct line *lines = NULL;
	size_t nr = 0, cap = 0;
	struct world w;

	setup(&w, a);
	count(&w);
	for (int i = 0; i < hist_nr_workers(w.h); i++) {
		struct counted_stacks of = hist_counted_stacks(w.h, i);

		for (size_t k = 0; k < of.nr_counts; k++) {
			const struct stack_count *c = &of.counts[k];

			if (!hist_stack_passes(w.h, &of, c))
				continue;
			VEC_GROW(lines, nr + 1, cap);
			lines[nr++] = (struct line){ stack_text(w.h, &of, c), c->nr, c->period };
		}
	}
	teardown(&w);
	return sums_of(lines, nr);
}

static void the_same_stacks(const struct stacks_dims *dims, bool hide_unresolved)
{
	struct asked a = { NULL, &counting_trees, dims, hide_unresolved, false, false, 1 };
	char *want = stacks_of(&a), *got;

	assert_true(strlen(want) > 100000);
	for (a.workers = 1; a.workers <= WORKERS; a.workers++) {
		a.strategy = a.workers % 2 ? &counting_early_trees : &counting_trees;
		got = stacks_of(&a);
		assert_string_equal(got, want);
		free(got);
	}
	free(want);
}

static void stacks(void **state)
{
	(void)state;
	the_same_stacks(&(struct stacks_dims){ .comm = true }, false);
	the_same_stacks(&(struct stacks_dims){ .comm = true, .cpu = true, .sites = true }, true);
}

/* The samples of a tree that pass a filter by parent are those that pass it in rows. */
static void passed_by_parent(void **state)
{
	const struct stacks_dims dims = { 0 };
	struct asked a = { "parent,sym", &counting_by_stack, NULL, false, false, true, 2 };
	u64 want[2], got[2] = { 0 };
	struct world w;

	(void)state;
	setup(&w, &a);
	count(&w);
	for (u32 e = 0; e < 2; e++)
		want[e] = hist_event(w.h, e)->passed_period;
	teardown(&w);
	assert_in_range(want[0], 1000, 60000);
	a.strategy = &counting_trees;
	a.stacks = &dims;
	setup(&w, &a);
	count(&w);
	for (int i = 0; i < hist_nr_workers(w.h); i++) {
		struct counted_stacks of = hist_counted_stacks(w.h, i);

		for (size_t k = 0; k < of.nr_counts; k++)
			if (hist_stack_passes(w.h, &of, &of.counts[k]))
				got[of.bases[of.counts[k].base].evsel] += of.counts[k].period;
	}
	assert_int_equal(hist_event(w.h, 0)->nr_members, 1);
	teardown(&w);
	assert_int_equal(got[0], want[0]);
	assert_int_equal(got[1], want[1]);
}

/* Frames that are addresses cannot be resolved early, whoever asks for it. */
static void never_early(void **state)
{
	const struct stacks_dims dims = { .addresses = true };
	struct asked a = { NULL, &counting_trees, &dims, false, false, false, 2 };
	struct world w;

	(void)state;
	setup(&w, &a);
	hist_resolve_early(w.h, w.p.m, w.p.resolver);
	assert_ptr_equal(w.h->counting, &counting_trees);
	teardown(&w);
	a = (struct asked){ "sym", &counting_by_stack, NULL, false, false, false, 2 };
	setup(&w, &a);
	hist_resolve_early(w.h, w.p.m, w.p.resolver);
	assert_ptr_equal(w.h->counting, &counting_by_stack);
	teardown(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows),
		cmocka_unit_test(rows_with_symbols),
		cmocka_unit_test(rows_of_a_group),
		cmocka_unit_test(rows_of_values),
		cmocka_unit_test(stacks),
		cmocka_unit_test(passed_by_parent),
		cmocka_unit_test(never_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
