// SPDX-License-Identifier: GPL-2.0-or-later
/* Test processes of runtimes that do not name their functions, and what is said of them. */
#include "base/compat.h"
#include "mapped.h"
#include "profile/runtimes.h"
#include "state-build.h"

#include <setjmp.h>
#include <cmocka.h>

static void test_advice(void **state)
{
	static const struct {
		const char *object, *advice; /* a part of it */
	} all[] = {
		{ "python3.11", "Python 3.12" }, { "libpython3.11.so.1.0", "Python 3.12" },
		{ "python3.13", "-X perf_jit" }, { "python3", "-X perf" },
		{ "python", "-X perf" },         { "libpython3.so", "-X perf" },
		{ "node", "--perf-basic-prof" }, { "libjvm.so", "PreserveFramePointer" },
		{ "ruby3.3", "--yjit-perf" },    { "libruby-3.1.so.3.1.2", "--yjit-perf" },
		{ "pythonize", NULL },           { "nodemon", NULL },
		{ "libc.so.6", NULL },           { "", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const char *advice = runtime_advice(all[i].object);

		if (!all[i].advice)
			assert_null(advice);
		else
			assert_non_null(strstr(advice, all[i].advice));
	}
}

static void take(void *ctx, const char *text)
{
	strbuf_addf(ctx, "%s\n", text);
}

/* The processes that are told of, of which the first maps node, the second it and a perf map. */
static void test_tell(void **state)
{
	struct busy_processes a = { 0 }, b = { 0 };
	struct strbuf out = STRBUF_INIT;
	const struct notices sentences = { take, &out };
	struct mapped w;

	mapped_open(&w);
	st_comm(w.m, 0, 42, 42, "node", false);
	st_mmap(w.m, 0, 42, 42, 0x400000, 0x1000, 0, "/usr/bin/node");
	mapped_process(&w, 43, "node", "1000 10 f\n");
	st_mmap(w.m, 0, 43, 43, 0x400000, 0x1000, 0, "/usr/bin/node");
	st_comm(w.m, 0, 44, 44, "cat", false);
	st_mmap(w.m, 0, 44, 44, 0x400000, 0x1000, 0, "/usr/bin/cat");
	mapped_seal(&w);
	busy_note(&a, 42, 1000, 1);
	busy_note(&a, 43, 1000, 50);
	busy_note(&a, 44, 1000, 29);
	busy_note(&b, 44, 1000, 1);
	busy_note(&b, 42, 1001, 19);
	busy_merge(&a, &b);
	assert_int_equal(a.nr, 3);
	runtimes_tell(&a, 10, w.m, w.symbols, &sentences);
	assert_string_equal(strbuf_str(&out),
			    "20% of the samples are of node (42), whose own functions "
			    "have no names: run it with node --perf-basic-prof\n");
	strbuf_reset(&out);
	runtimes_tell(&a, 21, w.m, w.symbols, &sentences);
	assert_int_equal(out.len, 0);
	strbuf_release(&out);
	busy_release(&a);
	busy_release(&b);
	mapped_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_advice),
		cmocka_unit_test(test_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
