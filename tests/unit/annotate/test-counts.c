// SPDX-License-Identifier: GPL-2.0-or-later
/* Test samples by instruction: their functions, what is left out before symbols are read, and what
 * is kept after it. */
#include "base/compat.h"
#include "annotate/counts.h"

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
#define PERIOD 10

struct bench {
	char *dir;
	struct machine *m;
	struct symbols *syms;
	struct resolver *r;
	struct annotate_counts *c;
	u32 epoch;
	u32 asked; /* addresses */
};

static int setup(void **state)
{
	const struct symconf conf = { .buildid_dir = "" };
	struct bench *t = xzalloc(sizeof(*t));
	struct annotate_worker *w;
	struct thread_at at;

	t->dir = tmp_dir();
	t->m = machine_new();
	st_object(t->m, t->dir, PID, FIRST, "first", "f");
	st_object(t->m, t->dir, PID, SECOND, "second", "g");
	machine_seal(t->m);
	t->syms = symbols_new(&conf);
	t->r = resolver_new(t->m, t->syms);
	t->c = annotate_counts_new();
	w = annotate_counts_worker(t->c);
	machine_thread_at(t->m, PID, PID, 2, &at);
	t->epoch = at.epoch;
	annotate_counts_add(w, 0, t->epoch, PERF_RECORD_MISC_USER, FIRST + 4, PERIOD);
	annotate_counts_add(w, 0, t->epoch, PERF_RECORD_MISC_USER, FIRST + 4, PERIOD);
	annotate_counts_add(w, 0, t->epoch, PERF_RECORD_MISC_USER, SECOND + 8, PERIOD);
	annotate_counts_add(w, 0, t->epoch, PERF_RECORD_MISC_USER, 0x30000, PERIOD);
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct bench *t = *state;

	annotate_counts_free(t->c);
	resolver_free(t->r);
	symbols_free(t->syms);
	machine_free(t->m);
	tmp_remove(t->dir);
	free(t);
	return 0;
}

static void check_function(const struct annotate_function *f, const char *name, u64 samples)
{
	assert_string_equal(location_symbol(&f->at), name);
	assert_int_equal(f->nr_sites, 1);
	assert_int_equal(f->sites[0].hits.samples, samples);
	assert_int_equal(f->totals[0].period, samples * PERIOD);
}

static void need_symbols(void)
{
#ifndef HAVE_LIBELF
	skip();
#endif
}

static void test_all(void **state)
{
	struct bench *t = *state;
	struct annotate_function *f;
	size_t nr;

	need_symbols();
	annotate_counts_finish(t->c, t->r, 1, 1);
	f = annotate_functions(t->c, &nr);
	assert_int_equal(nr, 2);
	check_function(&f[0], "f", 2);
	check_function(&f[1], "g", 1);
	assert_int_equal(annotate_total(t->c, 0).samples, 4);
	assert_int_equal(annotate_total(t->c, 1).samples, 0);
}

static bool in_second(void *ctx, u32 epoch, u8 cpumode, u64 ip)
{
	struct bench *t = ctx;

	assert_int_equal(epoch, t->epoch);
	assert_int_equal(cpumode, PERF_RECORD_MISC_USER);
	t->asked++;
	return ip >= SECOND && ip < SECOND + 0x1000;
}

static void test_only(void **state)
{
	struct bench *t = *state;
	struct annotate_function *f;
	size_t nr;

	need_symbols();
	annotate_counts_only(t->c, in_second, t);
	annotate_counts_finish(t->c, t->r, 1, 1);
	f = annotate_functions(t->c, &nr);
	assert_int_equal(t->asked, 3); /* each address once */
	assert_int_equal(nr, 1);
	check_function(&f[0], "g", 1);
	assert_int_equal(annotate_total(t->c, 0).samples, 1);
}

static bool is_f(void *ctx, const struct annotate_function *f)
{
	(void)ctx;
	return !strcmp(location_symbol(&f->at), "f");
}

static void test_keep(void **state)
{
	struct bench *t = *state;
	struct annotate_function *f;
	size_t nr;

	need_symbols();
	annotate_counts_finish(t->c, t->r, 1, 1);
	annotate_keep(t->c, is_f, NULL);
	f = annotate_functions(t->c, &nr);
	assert_int_equal(nr, 1);
	check_function(&f[0], "f", 2);
	assert_int_equal(annotate_total(t->c, 0).samples, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_all, setup, teardown),
		cmocka_unit_test_setup_teardown(test_only, setup, teardown),
		cmocka_unit_test_setup_teardown(test_keep, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
