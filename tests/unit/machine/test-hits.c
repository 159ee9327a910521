// SPDX-License-Identifier: GPL-2.0-or-later
/* Test objects that samples fell in: over time, by several workers, and while the model still
 * grows. */
#include "base/compat.h"
#include "machine/hits.h"
#include "state-build.h"

#include <setjmp.h>
#include <cmocka.h>

static void on_fresh(void *ctx, const struct dso *dso)
{
	*(const struct dso **)ctx = dso;
}

static const struct dso *at(struct hits_worker *w, u32 pid, u64 time, u64 ip)
{
	struct sample s = { .pid = pid, .tid = pid, .ip = ip, .cpumode = PERF_RECORD_MISC_USER };

	const struct dso *fresh = NULL;

	hits_sample(w, &s, time, false, on_fresh, &fresh);
	return fresh;
}

static const char *name(const struct dso *d)
{
	return d ? d->path : "";
}

static u32 id_of(const struct machine *m, const char *path)
{
	size_t nr;
	struct dso *const *d = machine_dsos(m, &nr);

	for (size_t i = 0; i < nr; i++)
		if (!strcmp(d[i]->path, path))
			return d[i]->id;
	return UINT32_MAX;
}

/* One address can be another object later; objects that nobody hit stay unmarked. */
static void test_sealed(void **state)
{
	struct machine *m = machine_new();
	struct hits *h = hits_new(m, false);
	struct hits_worker *a = hits_worker(h), *b = hits_worker(h);

	st_mmap(m, 10, 1, 1, 0x1000, 0x1000, 0, "/a");
	st_mmap(m, 11, 1, 1, 0x8000, 0x1000, 0, "/idle");
	st_mmap(m, 20, 1, 1, 0x1000, 0x1000, 0, "/b");
	machine_seal(m);
	assert_string_equal(name(at(a, 1, 15, 0x1010)), "/a");
	assert_null(at(a, 1, 15, 0x1010)); /* known by now */
	assert_null(at(a, 1, 15, 0x1020)); /* another address of it */
	assert_null(at(a, 1, 15, 0x4000)); /* nothing there */
	assert_true(hits_has(h, id_of(m, "/a")));
	assert_false(hits_has(h, id_of(m, "/b")));
	assert_string_equal(name(at(b, 1, 25, 0x1010)), "/b");
	assert_string_equal(name(at(b, 1, 15, 0x1010)), "/a"); /* new to this worker */
	assert_true(hits_has(h, id_of(m, "/b")));
	assert_false(hits_has(h, id_of(m, "/idle")));
	assert_false(hits_has(h, UINT32_MAX));
	hits_free(h);
	machine_free(m);
}

/* Several objects, and nothing, within one page; and a call chain through two of them. */
static void test_small(void **state)
{
	u64 chain[] = { PERF_CONTEXT_USER, 0x1010, 0x1f00, 0x1110 };
	struct sample s = { .pid = 1,
			    .tid = 1,
			    .ip = 0x5000,
			    .cpumode = PERF_RECORD_MISC_USER,
			    .nr_callchain = ARRAY_SIZE(chain),
			    .callchain = (u64_una *)chain };
	struct machine *m = machine_new();
	struct hits *h = hits_new(m, false);
	struct hits_worker *w = hits_worker(h);

	st_mmap(m, 10, 1, 1, 0x1000, 0x100, 0, "/a");
	st_mmap(m, 10, 1, 1, 0x1100, 0x100, 0, "/b");
	st_mmap(m, 10, 1, 1, 0x1200, 0x100, 0, "/c");
	st_mmap(m, 10, 1, 1, 0x2000, 0x1000, 0, "/d");
	machine_seal(m);
	hits_sample(w, &s, 15, false, NULL, NULL);
	assert_false(hits_has(h, id_of(m, "/a")));
	hits_sample(w, &s, 15, true, NULL, NULL);
	assert_true(hits_has(h, id_of(m, "/a")));
	assert_true(hits_has(h, id_of(m, "/b")));
	assert_false(hits_has(h, id_of(m, "/c")));
	assert_null(at(w, 1, 15, 0x1ff0));
	assert_string_equal(name(at(w, 1, 15, 0x1210)), "/c");
	assert_null(at(w, 1, 15, 0x5000));
	assert_string_equal(name(at(w, 1, 15, 0x2ff0)), "/d");
	assert_null(at(w, 1, 15, 0x3000));
	hits_free(h);
	machine_free(m);
}

/* In a pipe what was nothing a moment ago may be something now. */
static void test_live(void **state)
{
	struct machine *m = machine_new();
	struct hits *h = hits_new(m, true);
	struct hits_worker *w = hits_worker(h);

	assert_null(at(w, 1, 5, 0x1010));
	st_mmap(m, 10, 1, 1, 0x1000, 0x1000, 0, "/a");
	assert_string_equal(name(at(w, 1, 10, 0x1010)), "/a");
	st_mmap(m, 10, 1, 1, 0x1000, 0x1000, 0, "/b");
	assert_string_equal(name(at(w, 1, 10, 0x1010)), "/b");
	assert_true(hits_has(h, id_of(m, "/a")));
	hits_free(h);
	machine_free(m);
}

/* Each address counts, on all workers; a call chain's do when they are asked for. */
static void test_counts(void **state)
{
	u64 chain[] = { PERF_CONTEXT_USER, 0x1010, 0x1020, 0x2010 };
	struct sample s = { .pid = 1,
			    .tid = 1,
			    .ip = 0x1010,
			    .cpumode = PERF_RECORD_MISC_USER,
			    .nr_callchain = ARRAY_SIZE(chain),
			    .callchain = (u64_una *)chain };
	struct machine *m = machine_new();
	struct hits *h = hits_new(m, false);
	struct hits_worker *w = hits_worker(h), *other = hits_worker(h);

	st_mmap(m, 10, 1, 1, 0x1000, 0x1000, 0, "/a");
	st_mmap(m, 10, 1, 1, 0x2000, 0x1000, 0, "/b");
	machine_seal(m);
	assert_int_equal(hits_nr(h, id_of(m, "/a")), 0);
	hits_sample(w, &s, 15, false, NULL, NULL);
	hits_sample(w, &s, 15, false, NULL, NULL);
	hits_sample(other, &s, 15, false, NULL, NULL);
	assert_int_equal(hits_nr(h, id_of(m, "/a")), 3);
	assert_int_equal(hits_nr(h, id_of(m, "/b")), 0);
	hits_sample(other, &s, 15, true, NULL, NULL);
	assert_true(hits_nr(h, id_of(m, "/a")) > 4);
	assert_int_equal(hits_nr(h, id_of(m, "/b")), 1);
	assert_int_equal(hits_nr(h, UINT32_MAX), 0);
	hits_free(h);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sealed),
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_live),
		cmocka_unit_test(test_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
