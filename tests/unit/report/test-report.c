// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hist and output together: synthetic samples of a process whose symbols come from a perf map,
 * counted by one or several workers, printed, and compared as text.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "mapped.h"
#include "report/report.h"
#include "state-build.h"

#include <errno.h>
#include <setjmp.h>

#include <cmocka.h>

#define PID 42
/* Functions of the perf map. */
enum { MAIN = 0x1000, REC = 0x2000, LEAF = 0x3000, OTHER = 0x4000 };

struct world {
	struct mapped p;
	struct hist_conf conf;
	struct hist *h;
	struct hist_worker *w[4];
	int nr_workers, next;
	bool at_once; /* resolve while counting */
	u64 order;
	struct strbuf out;
	struct name_list only;
};

/* @workers count in turns. Columns and chains are set in w->conf before start(). */
static void setup(struct world *w)
{
	memset(w, 0, sizeof(*w));
	mapped_open(&w->p);
	mapped_process(&w->p, PID, "prog",
		       "1000 100 main\n2000 100 rec\n3000 100 leaf\n4000 100 other\n");
	st_comm(w->p.m, 0, 43, 43, "aside", false);
	mapped_seal(&w->p);
	w->conf.nr_events = 1;
	w->conf.workers = 2;
	w->conf.chain = (struct chain_conf){ .mode = CHAIN_GRAPH, .min_percent = 0.5 };
}

static void start(struct world *w, const char *keys, int workers)
{
	struct err err = { 0 };

	assert_int_equal(columns_sort(&w->conf.cols, keys, w->conf.children, false, false, &err),
			 0);
	w->nr_workers = workers;
	w->h = mapped_hist(&w->p, &w->conf, w->at_once, w->w, workers);
}

/* The list of names for one of the filters. */
static const struct name_list *only(struct world *w, const char *names)
{
	struct err err = { 0 };

	assert_int_equal(name_list_parse(&w->only, names, "name", &err), 0);
	return &w->only;
}

static void teardown(struct world *w)
{
	hist_free(w->h);
	strbuf_release(&w->out);
	name_list_release(&w->only);
	mapped_release(&w->p);
}

static void add(struct world *w, u32 tid, u64 period, const u64 *chain, u64 nr)
{
	struct hist_sample s = mapped_sample(&w->p, tid, tid, 10 + w->order);

	s.period = period;
	s.order = w->order++;
	s.ip = chain[1];
	s.chain = chain;
	s.nr_chain = nr;
	hist_add(w->w[w->next++ % w->nr_workers], &s);
}

#define SAMPLE(w, period, ...)                                                                     \
	do {                                                                                       \
		const u64 c_[] = { PERF_CONTEXT_USER, __VA_ARGS__ };                               \
		add(w, PID, period, c_, ARRAY_SIZE(c_));                                           \
	} while (0)

static const char *print(struct world *w)
{
	hist_finish(w->h, w->p.m, w->p.resolver);
	hist_chains(w->h, 0, 0);
	return mapped_print(w->h, NULL, &w->out);
}

static void by_comm(void **state)
{
	const u64 c[] = { PERF_CONTEXT_USER, 0x1004 };
	struct world w;

	setup(&w);
	start(&w, "comm", 1);
	assert_false(hist_needs_dso(w.h));
	add(&w, PID, 30, c, 2);
	add(&w, 43, 60, c, 2);
	add(&w, PID, 10, c, 2);
	assert_string_equal(print(&w), "    60.00%  aside  \n    40.00%  prog   \n");
	teardown(&w);
}

static void default_keys(void **state)
{
	struct world w;

	setup(&w);
	start(&w, "comm,dso,sym", 2);
	SAMPLE(&w, 1, LEAF + 1);
	SAMPLE(&w, 1, LEAF + 9); /* the same function */
	SAMPLE(&w, 1, 0x5001);   /* mapped, no symbol */
	SAMPLE(&w, 1, 0x900000); /* not mapped */
	SAMPLE(&w, 1, MAIN);
	assert_string_equal(print(&w),
			    "    40.00%  prog     [JIT] tid 42      [.] leaf\n"
			    "    20.00%  prog     [JIT] tid 42      [.] main\n"
			    "    20.00%  prog     [JIT] tid 42      [.] 0x0000000000005001\n"
			    "    20.00%  prog     [unknown]         [.] 0x0000000000900000\n");
	teardown(&w);
}

static void recursion_counts_once(void **state)
{
	struct world w;
	const struct hist_event *ev;

	setup(&w);
	w.conf.children = true;
	start(&w, "sym", 1);
	SAMPLE(&w, 5, LEAF, REC, REC + 4, REC, MAIN);
	SAMPLE(&w, 3, REC + 8, REC, MAIN);
	print(&w);
	ev = hist_event(w.h, 0);
	assert_int_equal(ev->nr_rows, 3);
	for (size_t i = 0; i < ev->nr_rows; i++) {
		const struct hist_row *r = ev->rows[i];
		const char *name = hist_symbol_name(w.h, r->place);

		if (!strcmp(name, "rec")) {
			assert_int_equal(r->more->acc_period, 8);
			assert_int_equal(r->period, 3);
		} else if (!strcmp(name, "main")) {
			assert_int_equal(r->more->acc_period, 8);
			assert_int_equal(r->period, 0);
		} else {
			assert_string_equal(name, "leaf");
			assert_int_equal(r->more->acc_period, 5);
		}
	}
	teardown(&w);
}

static void many(struct world *w)
{
	SAMPLE(w, 60, LEAF, REC, MAIN);
	SAMPLE(w, 20, LEAF, MAIN);
	SAMPLE(w, 16, LEAF + 2, OTHER, MAIN);
	SAMPLE(w, 4, REC, MAIN);
}

static void tree_of_callers(void **state)
{
	struct world w;

	setup(&w);
	w.conf.chains = true;
	start(&w, "comm,dso,sym", 1);
	many(&w);
	assert_string_equal(print(&w), "    96.00%  prog     [JIT] tid 42   [.] leaf\n"
				       "            |\n"
				       "            ---leaf\n"
				       "               |          \n"
				       "               |--60.00%--rec\n"
				       "               |          main\n"
				       "               |          \n"
				       "               |--20.00%--main\n"
				       "               |          \n"
				       "                --16.00%--other\n"
				       "                          main\n"
				       "\n"
				       "     4.00%  prog     [JIT] tid 42   [.] rec\n"
				       "            |\n"
				       "            ---rec\n"
				       "               main\n"
				       "\n");
	teardown(&w);
}

static void children_root_first(void **state)
{
	struct world w;

	setup(&w);
	w.conf.chains = w.conf.children = w.conf.by_callchain = true;
	w.conf.chain.caller = true;
	w.conf.chain.min_percent = 18;
	start(&w, "sym", 2);
	many(&w);
	/* The callees of a row hang below it; its own samples come with their whole chains. */
	assert_string_equal(print(&w), "   100.00%     0.00%  [.] main\n"
				       "            |          \n"
				       "            |--64.00%--rec\n"
				       "            |          |          \n"
				       "            |           --60.00%--leaf\n"
				       "            |          \n"
				       "             --20.00%--leaf\n"
				       "\n"
				       "    96.00%    96.00%  [.] leaf\n"
				       "            |          \n"
				       "            |--60.00%--rec\n"
				       "            |          leaf\n"
				       "            |          \n"
				       "             --20.00%--leaf\n"
				       "\n"
				       "    64.00%     4.00%  [.] rec\n"
				       "            |          \n"
				       "             --60.00%--rec\n"
				       "                       leaf\n"
				       "\n"
				       "    16.00%     0.00%  [.] other\n");
	teardown(&w);
}

static void fractal_says_what_is_left(void **state)
{
	struct world w;

	setup(&w);
	w.conf.chains = true;
	w.conf.chain.mode = CHAIN_FRACTAL;
	w.conf.chain.min_percent = 50;
	start(&w, "sym", 1);
	many(&w);
	assert_string_equal(print(&w), "    96.00%  [.] leaf\n"
				       "            |          \n"
				       "            |--62.50%--rec\n"
				       "            |          main\n"
				       "             --37.50%--[...]\n"
				       "\n"
				       "     4.00%  [.] rec\n"
				       "            |\n"
				       "            ---main\n"
				       "\n");
	teardown(&w);
}

static void flat_and_folded(void **state)
{
	struct world w;

	setup(&w);
	w.conf.chains = true;
	w.conf.chain.mode = CHAIN_FOLDED;
	start(&w, "comm", 1);
	many(&w);
	assert_string_equal(print(&w), "   100.00%  prog   \n"
				       "60.00% leaf;rec;main\n"
				       "20.00% leaf;main\n"
				       "16.00% leaf;other;main\n"
				       "4.00% rec;main\n");
	teardown(&w);

	setup(&w);
	w.conf.chains = true;
	w.conf.chain.mode = CHAIN_FLAT;
	w.conf.chain.print_limit = 1;
	w.conf.chain.value = CHAIN_PERIOD;
	start(&w, "comm", 1);
	many(&w);
	assert_string_equal(print(&w), "   100.00%  prog   \n"
				       "           60\n"
				       "                leaf\n"
				       "                rec\n"
				       "                main\n"
				       "\n");
	teardown(&w);
}

/* A marker nobody knows: no chain rather than a wrong one. */
static void unknown_context(void **state)
{
	const u64 c[] = { (u64)-1, LEAF, MAIN };
	struct world w;

	setup(&w);
	w.conf.chains = true;
	start(&w, "comm", 1);
	add(&w, PID, 1, c, 3);
	assert_string_equal(print(&w), "   100.00%  prog   \n");
	teardown(&w);
}

/* The number of workers does not change what is printed of the same samples. */
static void workers_do_not_matter(void **state)
{
	static const u64 fns[] = { MAIN, REC, LEAF, OTHER, 0x5000, 0x900000 };
	char *first = NULL;

	for (int workers = 1; workers <= 4; workers++) {
		struct world w;
		u64 seed = 1;

		setup(&w);
		w.conf.chains = w.conf.children = w.conf.by_callchain = true;
		w.conf.chain.caller = true;
		w.conf.workers = workers;
		start(&w, "comm,dso,sym", workers);
		for (int i = 0; i < 5000; i++) {
			u64 c[8] = { PERF_CONTEXT_USER }, nr = 2 + i % 6;

			for (u64 k = 1; k < nr; k++) {
				seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
				c[k] = fns[(seed >> 33) % ARRAY_SIZE(fns)] + (seed >> 40) % 8;
			}
			add(&w, PID + i % 2, 1 + i % 3, c, nr);
		}
		if (!first)
			first = xstrdup(print(&w));
		else
			assert_string_equal(print(&w), first);
		teardown(&w);
	}
	assert_true(strlen(first) > 1000);
	free(first);
}

/* Several times more addresses than a worker remembers while it counts. */
#define NR_ADDRS 200000

/* Print NR_ADDRS addresses; most are in no function, and each sixth in one that has been seen
 * before. */
static char *print_many(bool at_once, const char *keys, const char *symbols, int workers)
{
	static const u64 fns[] = { MAIN, REC, LEAF, OTHER };
	struct world w;
	char *text;

	setup(&w);
	w.conf.workers = workers;
	w.conf.symbols = symbols ? only(&w, symbols) : NULL;
	w.at_once = at_once;
	start(&w, keys, workers);
	for (u64 i = 0; i < NR_ADDRS; i++) {
		u64 k = i * 2654435761u % NR_ADDRS, fn = fns[k / 6 % ARRAY_SIZE(fns)];
		const u64 c[] = { PERF_CONTEXT_USER, k % 6 ? 0x100000 + k : fn + k % 0x100 };

		add(&w, PID + k % 2, 1 + k % 3, c, 2);
	}
	text = xstrdup(print(&w));
	if (at_once) {
		assert_true(hist_dso_hit(w.h, 0));
		assert_false(hist_dso_hit(w.h, 1000));
		assert_int_equal(resolver_nr(w.p.resolver), 0);
	}
	assert_int_equal(hist_event(w.h, 0)->nr, NR_ADDRS);
	teardown(&w);
	return text;
}

/* Resolved while counting, or all at the end, by however many: the same is printed. */
static void at_once_or_later(void **state)
{
	static const char *const cases[][2] = { { "comm,dso,sym", NULL }, { "sym", NULL },
						{ "dso", NULL },          { "comm", NULL },
						{ "dso", "leaf,main" },   { "pid,sym", "rec" } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *later = print_many(false, cases[i][0], cases[i][1], 1);

		assert_true(strlen(later) > 10);
		for (int workers = 1; workers <= 3; workers += 2) {
			bool addrs = strcmp(cases[i][0], "comm") || cases[i][1];
			char *now = print_many(addrs, cases[i][0], cases[i][1], workers);

			assert_string_equal(now, later);
			free(now);
		}
		free(later);
	}
}

static void filters(void **state)
{
	const u64 c[] = { PERF_CONTEXT_USER, LEAF };
	const struct hist_event *ev;
	struct world w;

	setup(&w);
	w.conf.comms = only(&w, "x,aside");
	start(&w, "comm", 1);
	add(&w, PID, 30, c, 2);
	add(&w, 43, 10, c, 2);
	assert_string_equal(print(&w), "    25.00%  aside  \n");
	ev = hist_event(w.h, 0);
	assert_int_equal(ev->nr, 2);
	assert_int_equal(ev->passed_nr, 1);
	assert_int_equal(ev->passed_period, 10);
	teardown(&w);

	setup(&w);
	w.conf.symbols = only(&w, "main");
	start(&w, "sym", 1);
	SAMPLE(&w, 1, LEAF);
	SAMPLE(&w, 1, MAIN);
	assert_string_equal(print(&w), "    50.00%  [.] main\n");
	teardown(&w);
}

static void groups_side_by_side(void **state)
{
	static const u32 leader[] = { 0, 0 };
	struct hist_sample s;
	struct world w;

	setup(&w);
	w.conf.nr_events = 2;
	w.conf.leader = leader;
	start(&w, "comm", 2);
	s = mapped_sample(&w.p, PID, PID, 10);
	s.ip = LEAF;
	s.period = 3;
	hist_add(w.w[0], &s);
	s.evsel = 1;
	hist_add(w.w[1], &s);
	s = mapped_sample(&w.p, 43, 43, 10);
	s.evsel = 1;
	s.ip = LEAF;
	s.period = 1;
	hist_add(w.w[0], &s);
	assert_string_equal(print(&w),
			    "   100.00%  75.00%  prog   \n     0.00%  25.00%  aside  \n");
	assert_int_equal(hist_event(w.h, 1)->nr_members, 0);
	teardown(&w);
}

static void keys(void **state)
{
	struct hist_columns c = { .branches = false };
	struct err err = { 0 };

	assert_int_equal(columns_sort(&c, "comm,bogus", false, false, false, &err), -EINVAL);
	assert_string_equal(err.msg, "Unknown --sort key: `bogus'");
	assert_int_equal(columns_sort(&c, "sym,d", true, true, true, &err), 0);
	assert_int_equal(c.nr, 6);
	assert_string_equal(c.col[0]->header, "Children");
	assert_string_equal(c.col[1]->header, "Self");
	assert_string_equal(c.col[5]->name, "dso");
	assert_true(c.symbol_first);
	assert_int_equal(columns_fields(&c, "comm,overhead", NULL, &err), 0);
	assert_string_equal(c.sort[0]->name, "comm");
	columns_hide(&c, "comm");
	assert_int_equal(c.nr, 1);
	assert_int_equal(columns_fields(&c, "x", NULL, &err), -EINVAL);
}

static void units(void **state)
{
	static const struct {
		u64 nr;
		const char *text;
	} t[] = {
		{ 0, "0 " },       { 46, "46 " },     { 1000, "1000 " },  { 1001, "1K" },
		{ 2211288, "2M" }, { 1001000, "1M" }, { 999999, "999K" }, { 5000000000ULL, "5G" }
	};
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		strbuf_reset(&sb);
		report_unit(t[i].nr, &sb);
		assert_string_equal(strbuf_str(&sb), t[i].text);
	}
	strbuf_release(&sb);
}

/* The percentages are rounded as printf rounds the double. */
static void percents(void **state)
{
	for (u64 total = 1; total < 2000; total += 7) {
		const u64 c[] = { PERF_CONTEXT_USER, LEAF };
		struct world w;
		char want[128];
		u64 part = total / 3 + 1;

		setup(&w);
		start(&w, "comm", 1);
		add(&w, PID, part, c, 2);
		if (total > part)
			add(&w, 43, total - part, c, 2);
		print(&w);
		snprintf(want, sizeof(want), "  %7.2f%%  prog", part * 100.0 / MAX(total, part));
		assert_non_null(strstr(strbuf_str(&w.out), want));
		teardown(&w);
	}
}

static void branch(struct world *w, u64 from, u64 to, u64 flags)
{
	struct hist_sample s = mapped_sample(&w->p, PID, PID, 10);

	s.cpumode = PERF_RECORD_MISC_KERNEL;
	s.period = 1;
	s.from = from;
	s.ip = to;
	s.flags = flags;
	hist_add(w->w[w->next++ % w->nr_workers], &s);
}

static void branches(void **state)
{
	static const char *const keys[] = { "symbol_from,symbol_to,cycles",
					    "mispredict,in_tx,abort", "dso_to,cycles" };
	static const char *const want[] = {
		"    50.00%  [.] leaf                [.] main                7                 \n"
		"    16.67%  [.] leaf                [.] main                3                 \n"
		"    16.67%  [H] 0000000000000000    [H] 0x0000000000000001  -                 \n"
		"    16.67%  [.] 0x0000000000005001  [.] rec                 -                 \n",
		"    50.00%  N                    .                      .                \n"
		"    16.67%  N/A                  .                      .                \n"
		"    16.67%  N/A                  .                      A                \n"
		"    16.67%  Y                    T                      .                \n",
		"    50.00%  [JIT] tid 42          7                 \n"
		"    16.67%  [unknown]             -                 \n"
		"    16.67%  [JIT] tid 42          3                 \n"
		"    16.67%  [JIT] tid 42          -                 \n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct world w;

		setup(&w);
		w.conf.branches = w.conf.cols.branches = true;
		w.at_once = i == 1; /* nothing to resolve, then */
		start(&w, keys[i], 2);
		for (int k = 0; k < 3; k++)
			branch(&w, LEAF + k, MAIN + k, HIST_PREDICTED | 7 << 4);
		branch(&w, LEAF, MAIN, HIST_MISPRED | HIST_IN_TX | 3 << 4);
		branch(&w, 0x5001, REC, HIST_ABORT);
		branch(&w, 0, 1, 0);
		assert_string_equal(print(&w), want[i]);
		teardown(&w);
	}
}

/* So many that several threads make rows of them, each of its own places. @keys, @at_once: as of a
 * world. Return: what is printed, owned by the caller */
static char *many_places(const char *keys, bool at_once, int workers)
{
	struct world w;
	char *text;

	setup(&w);
	w.at_once = at_once;
	w.conf.workers = workers;
	start(&w, keys, workers);
	for (u64 i = 0; i < 60000; i++) {
		/* functions, addresses in the object and outside; most in several threads and once
		 * more */
		u64 ip = i % 7 ? 0x10000 + i * i % 20011 * 16 : MAIN + i % 2 * 0x1000 + i % 64;
		const u64 c[] = { PERF_CONTEXT_USER, ip };

		add(&w, i % 3 ? PID : 43, 1 + i % 5, c, 2);
	}
	text = xstrdup(print(&w));
	teardown(&w);
	return text;
}

static void workers_make_no_difference(void **state)
{
	static const char *const keys[] = { "comm,dso,sym", "sym", "dso", "pid,sym", "comm" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		char *one = many_places(keys[i], false, 1);

		for (int workers = 1; workers <= 4; workers++) {
			char *later = many_places(keys[i], false, workers);
			char *at_once = many_places(keys[i], true, workers);

			assert_string_equal(later, one);
			assert_string_equal(at_once, one);
			free(later);
			free(at_once);
		}
		assert_true(i || strlen(one) > 10000 * 40);
		free(one);
	}
}

/* ---- cells that rows have in common ---- */

/* The @i-th access: of a place in memory of its own, from few functions, and in few ways. */
static void add_access(struct world *w, u32 i)
{
	static const u64 functions[] = { MAIN, REC, LEAF, OTHER };
	static const u64 level[] = { 0xa, 0x42, 0x104 };
	static const u8 mode[] = { PERF_RECORD_MISC_USER, PERF_RECORD_MISC_GUEST_USER,
				   PERF_RECORD_MISC_USER, PERF_RECORD_MISC_HYPERVISOR };
	const struct sample raw = { .addr = 0x100000 + 8 * i,
				    .data_src = level[i / 4 % 3] << 5 | 2ULL << 24,
				    .weight = i % 5 };
	struct hist_sample s = mapped_sample(&w->p, PID, PID, 10 + i);

	s.period = 1 + i % 7;
	s.ip = functions[i % 4] + 4;
	s.cpumode = mode[i / 4 % 4];
	s.sample = &raw;
	hist_add(w->w[w->next++ % w->nr_workers], &s);
}

static int take(void *ctx, const char *text, size_t len)
{
	strbuf_add(ctx, text, len);
	return 0;
}

/* Rows have the text that each of them has alone. */
static void check_common(const struct world *w, const struct report_conf *conf)
{
	struct strbuf all = STRBUF_INIT, each = STRBUF_INIT;
	const struct hist_event *ev = hist_event(w->h, 0);
	struct report_table t;

	assert_int_equal(report_rows(w->h, conf, 0, take, &all), 0);
	report_table_init(&t, w->h, conf, 0);
	report_table_titles(&t, &each);
	for (size_t i = 0; i < ev->nr_rows; i++)
		report_table_row(&t, ev->rows[i], &each);
	report_table_release(&t);
	assert_string_equal(strbuf_str(&all), strbuf_str(&each));
	strbuf_release(&all);
	strbuf_release(&each);
}

static void cells_in_common(void **state)
{
	static const char *const keys[] = {
		"local_weight,mem,sym,dso,symbol_daddr,snoop,tlb,locked",
		"dso,sym,symbol_daddr,weight,local_weight",
		"symbol_daddr,mem,comm,sym",
	};
	u16 narrow[HIST_MAX_COLUMNS] = { 0, 0, 6, 3, 5 };
	const struct report_conf confs[] = {
		{ 0 }, { .sep = "," }, { .widths = narrow }, { .fit.columns = 60, .fit.utf8 = true }
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys) * 3; i++) {
		struct world w;

		setup(&w);
		w.conf.cols.mem = true;
		w.at_once = i % 2;
		start(&w, keys[i / 3], (int)(i % 3) + 1);
		for (u32 k = 0; k < 3000; k++)
			add_access(&w, k);
		hist_finish(w.h, w.p.m, w.p.resolver);
		assert_int_equal(hist_event(w.h, 0)->nr_rows, 3000);
		for (size_t k = 0; k < ARRAY_SIZE(confs); k++)
			check_common(&w, &confs[k]);
		teardown(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches),
		cmocka_unit_test(by_comm),
		cmocka_unit_test(cells_in_common),
		cmocka_unit_test(default_keys),
		cmocka_unit_test(recursion_counts_once),
		cmocka_unit_test(tree_of_callers),
		cmocka_unit_test(children_root_first),
		cmocka_unit_test(fractal_says_what_is_left),
		cmocka_unit_test(flat_and_folded),
		cmocka_unit_test(unknown_context),
		cmocka_unit_test(workers_do_not_matter),
		cmocka_unit_test(at_once_or_later),
		cmocka_unit_test(filters),
		cmocka_unit_test(groups_side_by_side),
		cmocka_unit_test(keys),
		cmocka_unit_test(units),
		cmocka_unit_test(percents),
		cmocka_unit_test(workers_make_no_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
