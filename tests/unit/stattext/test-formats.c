// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts as text, CSV and JSON; what stands beside them; metrics by name; events of several PMUs
 * and of the threads of a core. */
#include "base/compat.h"

#include "base/alloc.h"
#include "events/config.h"
#include "json-check.h"
#include "metric/metric.h"
#include "stattext/stattext.h"
#include "stat/metrics.h"

#include <setjmp.h>
#include <cmocka.h>
#include <math.h>

static const struct parse_env parse;

struct world {
	struct evlist l;
	struct aggr_map ids;
	struct cpu_place places[4];
	bool unsupported[16];
	struct stat_result r;
	struct stat_view v;
	struct strbuf out;
};

static void start(struct world *w, const char *events, enum aggr_mode mode)
{
	struct parse_error pe;

	memset(w, 0, sizeof(*w));
	assert_int_equal(parse_events(&w->l, events, &parse, &pe), 0);
	/* two cores of two threads */
	for (int i = 0; i < 4; i++)
		w->places[i] = (struct cpu_place){ i, 0, 0, 0, -1, i % 2, -1, -1 };
	aggr_map_init(&w->ids, mode, w->places, 4, 1);
	stat_result_init(&w->r, &w->l, &w->ids, w->unsupported);
	w->r.duration = 2000000;
	w->v = (struct stat_view){ .ops = &stat_text_ops, .unit_width = 4, .sep = "," };
}

static void end(struct world *w)
{
	stat_view_release(&w->v);
	stat_result_release(&w->r);
	aggr_map_release(&w->ids);
	evlist_release(&w->l);
	strbuf_release(&w->out);
}

static void set(struct world *w, size_t evsel, size_t id, double val)
{
	*stat_value_at(&w->r, evsel, id) = (struct stat_value){
		.val = val, .enabled = 1000000, .running = 1000000, .places = 1
	};
}

static const char *rows(struct world *w)
{
	strbuf_reset(&w->out);
	stat_rows(&w->v, &w->r, 0, &w->out);
	return strbuf_str(&w->out);
}

/* --- what stands beside counts --- */

struct told {
	char text[256];
};

static void take(void *ctx, const struct stat_metric *m)
{
	struct told *t = ctx;
	struct strbuf sb = STRBUF_INIT;

	stat_metric_text(m, &sb);
	snprintf(t->text + strlen(t->text), sizeof(t->text) - strlen(t->text), "[%s %s %d]",
		 strbuf_str(&sb) + strspn(strbuf_str(&sb), " "), m->unit, (int)m->alarm);
	strbuf_release(&sb);
}

static void check_told(struct world *w, size_t evsel, const char *want)
{
	struct told t = { "" };

	shadow_metrics(&w->r, evsel, 0, take, &t);
	assert_string_equal(t.text, want);
}

static void test_shadow(void **state)
{
	struct world w;

	start(&w,
	      "task-clock,cycles,instructions,branches,branch-misses,stalled-cycles-frontend,cycles:u,"
	      "L1-dcache-loads,L1-dcache-load-misses,context-switches",
	      AGGR_GLOBAL);
	for (size_t i = 0; i < w.l.nr; i++)
		set(&w, i, 0, 1000);
	set(&w, 0, 0, 1000000);
	set(&w, 1, 0, 2000000);
	set(&w, 2, 0, 1000000);
	set(&w, 4, 0, 150);
	set(&w, 5, 0, 500000);
	check_told(&w, 0, "[0.500 CPUs utilized 0]");
	check_told(&w, 1, "[2.000 GHz 0]");
	check_told(&w, 2, "[0.50  insn per cycle 0][0.50  stalled cycles per insn 0]");
	check_told(&w, 3, "[1.000 M/sec 0]");
	check_told(&w, 4, "[15.00% of all branches 2]");
	check_told(&w, 5, "[25.00% frontend cycles idle 1]");
	check_told(&w, 8, "[100.00% of all L1-dcache accesses 3]");
	/* not by what was not counted */
	w.unsupported[1] = true;
	check_told(&w, 2, "[0.50  stalled cycles per insn 0]");
	stat_value_at(&w.r, 3, 0)->running = 0;
	check_told(&w, 4, "[150.000 K/sec 0]");
	stat_value_at(&w.r, 0, 0)->running = 0;
	check_told(&w, 9, "");
	end(&w);
}

static void test_named(void **state)
{
	struct world w;

	start(&w, "cycles,instructions,branches,branch-misses", AGGR_GLOBAL);
	free(w.l.evsels[1]->name);
	w.l.evsels[1]->name = xstrdup("cpu/cycles-t/");
	w.l.evsels[1]->attr.config = 77;
	free(w.l.evsels[2]->name);
	w.l.evsels[2]->name = xstrdup("cpu/tx-start/");
	free(w.l.evsels[3]->name);
	w.l.evsels[3]->name = xstrdup("cpu/cycles-ct/");
	w.l.evsels[3]->attr.config = 78;
	set(&w, 0, 0, 1000);
	set(&w, 1, 0, 400);
	set(&w, 2, 0, 8);
	set(&w, 3, 0, 300);
	check_told(&w, 1, "[40.00% transactional cycles 0]");
	check_told(&w, 2, "[50 cycles / transaction 0]");
	check_told(&w, 3, "[10.00% aborted cycles 0]");
	set(&w, 2, 0, 0);
	check_told(&w, 2, "");
	end(&w);
}

/* --- metrics by name --- */

static void add_metrics(struct world *w, struct metric_set *set, struct stat_metrics *m,
			const char *names)
{
	const struct metric_env env = { .parse = &parse };
	const struct metric_options o = { 0 };
	struct err err;

	assert_int_equal(metric_set_add(set, names, &env, &o, &err), 0);
	assert_int_equal(metric_set_events(set, &w->l, &env, &o, &err), 0);
	stat_metrics_init(m, set, &w->l);
	stat_result_release(&w->r);
	stat_result_init(&w->r, &w->l, &w->ids, w->unsupported);
	w->r.metrics = m;
}

static void test_metrics(void **state)
{
	struct metric_set set_ = { 0 };
	struct stat_metrics m;
	struct world w;

	start(&w, "page-faults", AGGR_GLOBAL);
	add_metrics(&w, &set_, &m, "cs_per_second,page_faults_per_second");
	set(&w, 0, 0, 10);
	for (size_t i = 1; i < w.l.nr; i++)
		set(&w, i, 0, evsel_is_clock(w.l.evsels[i]) ? 2000000 : 4);
	w.v.ops = &stat_csv_ops;
	assert_non_null(strstr(rows(&w), "\n,,,,2000.0,cs/sec  cs_per_second\n"));
	w.v.ops = &stat_json_ops;
	assert_non_null(strstr(rows(&w), "\n{\"metric-value\" : 2000.000000, \"metric-unit\" : "
					 "\"cs/sec  cs_per_second\"}\n"));
	w.v.ops = &stat_text_ops;
	assert_non_null(strstr(rows(&w), " #   2000.0 cs/sec  cs_per_second"));
	w.v.metric_only = true;
	stat_view_settle(&w.v, &w.l, &m);
	assert_int_equal(w.v.nr_columns, 2);
	assert_string_equal(rows(&w),
			    "                2000.0                              2000.0 \n");
	w.v.ops = &stat_json_ops;
	assert_string_equal(rows(&w), "{\"cs/sec  cs_per_second\" : \"2000.0\", "
				      "\"faults/sec  page_faults_per_second\" : \"2000.0\"}\n");
	/* a cell stays empty when what it is made of was not counted */
	w.unsupported[w.l.nr - 1] = true;
	assert_non_null(strstr(rows(&w), " : \"\""));
	stat_metrics_release(&m);
	metric_set_release(&set_);
	end(&w);
}

/* --- several PMUs, threads of a core --- */

static void on_pmu(struct evsel *e, const char *name, const char *pmu)
{
	free(e->name);
	e->name = xstrdup(name);
	free(e->pmu);
	e->pmu = xstrdup(pmu);
	e->terms.merge = true;
}

static void count_all(struct world *w, bool scale)
{
	struct counts c;

	counts_init(&c, w->l.nr, 4, 1);
	for (size_t i = 0; i < w->l.nr; i++) {
		for (size_t cpu = 0; cpu < 4; cpu++) {
			size_t at = counts_index(&c, i, cpu, 0);

			c.now[at] = (struct count){ 10 * (i + 1) + cpu, 100, 100 };
			c.there[at] = true;
		}
	}
	stat_sum(&w->r, &c, w->places, scale);
	counts_release(&c);
}

static void test_merge(void **state)
{
	struct world w;

	start(&w, "r1,r2,r3,r4,r5", AGGR_GLOBAL);
	on_pmu(w.l.evsels[0], "imc/reads/", "imc_0");
	on_pmu(w.l.evsels[1], "imc/reads/", "imc_1");
	/* the same text again */
	on_pmu(w.l.evsels[2], "imc/reads/", "imc_0");
	on_pmu(w.l.evsels[3], "cpu_core/cycles/", "cpu_core");
	on_pmu(w.l.evsels[4], "cpu_atom/cycles/", "cpu_atom");
	stat_result_merge(&w.r, false);
	count_all(&w, true);
	w.v.ops = &stat_csv_ops;
	assert_string_equal(rows(&w), "132,,imc/reads/,800,100.00,,\n"
				      "126,,imc/reads/,400,100.00,,\n"
				      "166,,cpu_core/cycles/,400,100.00,,\n"
				      "206,,cpu_atom/cycles/,400,100.00,,\n");
	stat_result_merge(&w.r, true);
	count_all(&w, true);
	assert_non_null(strstr(rows(&w), "\n372,,cpu_core/cycles/,800,"));
	assert_null(strstr(rows(&w), "cpu_atom"));
	end(&w);
}

static void test_percore(void **state)
{
	struct world w;

	start(&w, "r1,r2", AGGR_NONE);
	w.l.evsels[0]->terms.percore = true;
	count_all(&w, true);
	w.v.ops = &stat_csv_ops;
	assert_string_equal(rows(&w), "S0-D0-C0,22,,r1,200,100.00,,\n"
				      "S0-D0-C1,24,,r1,200,100.00,,\n"
				      "CPU0,20,,r2,100,100.00,,\nCPU1,21,,r2,100,100.00,,\n"
				      "CPU2,22,,r2,100,100.00,,\nCPU3,23,,r2,100,100.00,,\n");
	w.v.show_threads = true;
	assert_non_null(strstr(rows(&w), "CPU0,22,,r1,200,100.00,,\nCPU1,24,,r1,200,100.00,,\n"
					 "CPU2,22,,r1,200,100.00,,\nCPU3,24,,r1,200,100.00,,\n"));
	end(&w);
}

/* --- formats --- */

static void test_json_is_json(void **state)
{
	static const char *const names[] = { "a \"b\" c",   "tab\there",   "\xff\xfe",
					     "back\\slash", "gr\xc3\xbcn", "\x01" };
	static const double values[] = { 0, 1e18, 0.5, -1, 12345.678, 1e300 };
	struct world w;

	for (int mode = AGGR_GLOBAL; mode < AGGR_THREAD; mode++) {
		start(&w, "r1,r2,r3,r4,r5,r6", (enum aggr_mode)mode);
		for (size_t i = 0; i < w.l.nr; i++) {
			free(w.l.evsels[i]->name);
			w.l.evsels[i]->name = xstrdup(names[i]);
			w.l.evsels[i]->cgroup = i % 2 ? xstrdup(names[5 - i]) : NULL;
			for (size_t id = 0; id < w.ids.nr; id++)
				set(&w, i, id, values[i]);
		}
		w.unsupported[2] = true;
		stat_value_at(&w.r, 3, 0)->running = 0;
		w.v.ops = &stat_json_ops;
		w.v.interval = mode % 2;
		w.v.several = mode % 3 == 1;
		rows(&w);
		for (char *p = w.out.buf, *line; (line = strsep(&p, "\n")) && *line;)
			assert_int_equal(json_check(line, strlen(line)), -1);
		end(&w);
	}
}

static void test_text(void **state)
{
	struct world w;

	start(&w, "r1,r2,r3", AGGR_GLOBAL);
	set(&w, 0, 0, 1234567);
	stat_value_at(&w.r, 0, 0)->running = 432100;
	w.unsupported[1] = true;
	w.v.thousands = "'";
	assert_string_equal(
		rows(&w),
		"         1'234'567      r1                                                                   (43.21%)\n"
		"   <not supported>      r2                                                          \n"
		"     <not counted>      r3                                                          \n");
	w.v.hide_zero = true;
	set(&w, 2, 0, 0);
	assert_null(strstr(rows(&w), "r3"));
	end(&w);
}

static void test_separators(void **state)
{
	struct world w;

	start(&w, "r1", AGGR_CORE);
	set(&w, 0, 0, 1);
	set(&w, 0, 1, 2);
	w.v.ops = &stat_csv_ops;
	w.v.sep = "<->";
	assert_string_equal(rows(&w), "S0-D0-C0<->1<->1<-><->r1<->1000000<->100.00<-><->\n"
				      "S0-D0-C1<->1<->2<-><->r1<->1000000<->100.00<-><->\n");
	/* of an interval, too, so that all lines have as many fields */
	w.v.several = true;
	stat_value_at(&w.r, 0, 1)->spread = 12.345;
	assert_string_equal(rows(&w),
			    "S0-D0-C0<->1<->1<-><->r1<->0.00%<->1000000<->100.00<-><->\n"
			    "S0-D0-C1<->1<->2<-><->r1<->12.35%<->1000000<->100.00<-><->\n");
	w.v.summary = true;
	assert_memory_equal(rows(&w), "         summary<->S0-D0-C0<->", 30);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shadow),       cmocka_unit_test(test_named),
		cmocka_unit_test(test_metrics),      cmocka_unit_test(test_merge),
		cmocka_unit_test(test_percore),      cmocka_unit_test(test_text),
		cmocka_unit_test(test_json_is_json), cmocka_unit_test(test_separators),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
