// SPDX-License-Identifier: GPL-2.0-or-later
/* Test locations: interned once, the same ids for any number of workers, what "the same function"
 * means. */
#include "base/compat.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "elf-build.h"
#include "resolve/resolve.h"
#include "state-build.h"

#include <setjmp.h>
#include <cmocka.h>

#define KERNEL PERF_RECORD_MISC_KERNEL
#define USER PERF_RECORD_MISC_USER

struct world {
	char *dir, *prog, *lib;
	struct sysroot root;
	struct symconf conf;
	struct symbols *s;
	struct machine *m;
	u32 p, q; /* epochs of two processes */
};

static const struct eb_sym syms[] = {
	{ "main", 0x10, 0x20, STT_FUNC, STB_GLOBAL, 0, 0 },
	{ "work", 0x100, 0x100, STT_FUNC, STB_GLOBAL, 0, 0 },
};

static const char kallsyms[] =
	"ffff1000 T _text\nffff1800 T kfn\nffff3000 T _etext\nffff4000 t init_fn\n";

static u32 epoch(struct machine *m, u32 pid)
{
	struct thread_at t;

	machine_thread_at(m, pid, pid, 100, &t);
	return t.epoch;
}

static int setup(void **state)
{
	struct eb e = { .syms = syms, .nr_syms = ARRAY_SIZE(syms) };
	struct world *w = xzalloc(sizeof(*w));
	char *path;

	w->dir = tmp_dir();
	w->prog = xasprintf("%s/prog", w->dir);
	w->lib = xasprintf("%s/lib.so", w->dir);
	eb_write(&e, w->prog);
	eb_write(&e, w->lib);
	path = xasprintf("%s/proc/kallsyms", w->dir);
	file_write(path, kallsyms, strlen(kallsyms));
	free(path);
	w->root.prefix = w->dir;
	w->conf = (struct symconf){ .sysroot = &w->root, .buildid_dir = "" };
	w->m = machine_new();
	st_kernel(w->m, 0xffff1000, 0x2000, 0xffff1000, "[kernel.kallsyms]_text");
	st_mmap(w->m, 1, 1, 1, 0x10000, 0x1000, 0x1000, w->prog);
	st_mmap(w->m, 1, 2, 2, 0x50000, 0x1000, 0x1000, w->prog);
	st_mmap(w->m, 1, 2, 2, 0x70000, 0x1000, 0x1000, w->lib);
	machine_seal(w->m);
	w->p = epoch(w->m, 1);
	w->q = epoch(w->m, 2);
	w->s = symbols_new(&w->conf);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	symbols_free(w->s);
	machine_free(w->m);
	free(w->prog);
	free(w->lib);
	tmp_remove(w->dir);
	free(w);
	return 0;
}

static void test_one(void **state)
{
	struct world *w = *state;
	struct resolver *r = resolver_new(w->m, w->s);
	const struct location *l;
	u32 a = resolve_addr(r, w->p, USER, 0x10018), b = resolve_addr(r, w->q, USER, 0x50018), c,
	    d;

	assert_int_equal(a, b); /* one place in the object, whoever ran it */
	l = resolver_get(r, a);
	assert_string_equal(location_symbol(l), "main");
	assert_string_equal(location_dso(l), "prog");
	assert_string_equal(location_dso_long(l), w->prog);
	assert_int_equal(l->addr, 0x1018);
	assert_int_equal(l->ip, 0x10018);
	c = resolve_addr(r, w->p, USER, 0x10020);
	assert_int_not_equal(a, c);
	assert_int_equal(resolver_get(r, a)->func, resolver_get(r, c)->func);
	d = resolve_addr(r, w->q, USER, 0x70018);
	assert_int_not_equal(resolver_get(r, d)->func, resolver_get(r, a)->func);
	assert_string_equal(location_dso(resolver_get(r, d)), "lib.so");
	/* No symbol: each address is a function of its own; no map: unknown. */
	c = resolve_addr(r, w->p, USER, 0x10f00);
	d = resolve_addr(r, w->p, USER, 0x10f01);
	assert_null(location_symbol(resolver_get(r, c)));
	assert_int_not_equal(resolver_get(r, c)->func, resolver_get(r, d)->func);
	d = resolve_addr(r, w->p, USER, 0x50018);
	assert_string_equal(location_dso(resolver_get(r, d)), "[unknown]");
	assert_null(location_symbol(resolver_get(r, d)));
	assert_null(resolver_get(r, d)->map);
	assert_int_equal(resolver_get(r, d)->addr, 0x50018);
	resolver_free(r);
}

static void test_kernel(void **state)
{
	struct world *w = *state;
	struct resolver *r = resolver_new(w->m, w->s);
	u32 a = resolve_addr(r, w->p, KERNEL, 0xffff1810),
	    b = resolve_addr(r, MACHINE_EPOCH_KERNEL, KERNEL, 0xffff1810);

	assert_int_equal(a, b);
	assert_string_equal(location_symbol(resolver_get(r, a)), "kfn");
	/* Behind the recorded map the symbols decide. */
	a = resolve_addr(r, w->p, KERNEL, 0xffff4010);
	assert_string_equal(location_symbol(resolver_get(r, a)), "init_fn");
	assert_string_equal(location_dso(resolver_get(r, a)), "[kernel.kallsyms]");
	a = resolve_addr(r, w->p, KERNEL, 0xffff9000);
	assert_string_equal(location_dso(resolver_get(r, a)), "[unknown]");
	a = resolve_addr(r, w->p, KERNEL, 0xffff0000);
	assert_string_equal(location_dso(resolver_get(r, a)), "[unknown]");
	a = resolve_addr(r, w->p, USER, 0xffff1810);
	assert_string_equal(location_dso(resolver_get(r, a)), "[unknown]");
	a = resolve_addr(r, w->p, PERF_RECORD_MISC_HYPERVISOR, 0xffff1810);
	assert_string_equal(location_dso(resolver_get(r, a)), "[unknown]");
	resolver_free(r);
}

#define NR 20000

static void test_many(void **state)
{
	struct world *w = *state;
	struct resolve_req *reqs = xcalloc(NR, sizeof(*reqs));
	u32 *one = xcalloc(NR, sizeof(*one)), *four = xcalloc(NR, sizeof(*four)), i;
	struct resolver *a = resolver_new(w->m, w->s), *b, *c;
	struct symbols *fresh = symbols_new(&w->conf);
	struct location l;

	for (i = 0; i < NR; i++) {
		u64 x = hash_u64(i);
		static const u64 bases[] = { 0x10000, 0x50000, 0x70000, 0xffff1000 };

		reqs[i].ip = bases[x & 3] + (x >> 8) % 0x1800;
		reqs[i].epoch = x & 16 ? w->p : w->q;
		reqs[i].cpumode = (x & 3) == 3 ? KERNEL : USER;
	}
	b = resolver_new(w->m, fresh);
	c = resolver_new(w->m, w->s);
	resolve_many(a, reqs, NR, one, 1);
	resolve_many(b, reqs, NR / 3, four, 4);
	resolve_many(b, reqs + NR / 3, NR - NR / 3, four + NR / 3, 4);
	assert_memory_equal(one, four, NR * sizeof(*one));
	assert_int_equal(resolver_nr(a), resolver_nr(b));
	assert_int_equal(resolver_nr_funcs(a), resolver_nr_funcs(b));
	for (i = 0; i < NR; i++) {
		const struct location *x = resolver_get(a, one[i]), *y = resolver_get(b, four[i]);

		assert_int_equal(resolve_addr(c, reqs[i].epoch, reqs[i].cpumode, reqs[i].ip),
				 one[i]);
		assert_ptr_equal(x->dso, y->dso);
		assert_int_equal(x->sym, y->sym);
		assert_true(x->addr == y->addr && x->func == y->func);
		assert_true(x->func < resolver_nr_funcs(a) && one[i] < resolver_nr(a));
		assert_int_equal(resolver_get(c, one[i])->func, x->func);
		resolve_find(w->m, w->s, reqs[i].epoch, reqs[i].cpumode, reqs[i].ip, &l);
		assert_ptr_equal(l.dso, x->dso);
		assert_int_equal(l.sym, x->sym);
	}
	resolver_free(a);
	resolver_free(b);
	resolver_free(c);
	symbols_free(fresh);
	free(reqs);
	free(one);
	free(four);
}

static void test_without_symbols(void **state)
{
	struct world *w = *state;
	struct resolver *r = resolver_new(w->m, NULL);
	struct resolve_req req = { 0x10018, w->p, USER };
	u32 loc;

	resolve_many(r, &req, 1, &loc, 2);
	assert_string_equal(location_dso(resolver_get(r, loc)), "prog");
	assert_null(resolver_get(r, loc)->symtab);
	assert_null(location_symbol(resolver_get(r, loc)));
	resolve_many(r, &req, 0, &loc, 2);
	resolver_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one, setup, teardown),
		cmocka_unit_test_setup_teardown(test_kernel, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_without_symbols, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
