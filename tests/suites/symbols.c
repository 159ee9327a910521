// SPDX-License-Identifier: GPL-2.0-or-later
/* Check names of addresses: this program's own functions, its build-id, the running kernel. */
#include "base/compat.h"

#include "own-program.h"
#include "suites.h"
#include "tests/workloads/workloads.h"

#include <elf.h>
#include <errno.h>

static int test_own_build_id(struct test_ctx *ctx)
{
	struct own_program own = { 0 };
	char path[PATH_MAX];
	u8 id[20] = { 0 };
	int n;

	TEST_EQ(own_program_path(path), 0);
	own_program_find(&own);
	if (own.id_size <= 0)
		return test_skip(ctx, "this program was linked without a build-id");
	n = elf_build_id(path, id);
	TEST_EQ(n, own.id_size);
	TEST_CHECK(!memcmp(id, own.id, (size_t)n), "in memory and in '%s' they differ", path);
	return TEST_OK;
}

static bool has_name(const struct symtab *t, const char *name)
{
	for (u32 i = 0; i < symtab_nr(t); i++)
		if (!strcmp(symtab_raw_name(t, i), name))
			return true;
	return false;
}

bool test_is_stripped(void)
{
	struct symbols *syms;
	bool found = has_name(own_program_symbols(&syms), "wl_noploop");

	symbols_free(syms);
	return !found;
}

/* Where the file has an address of this process: the inverse of what the loader did. */
static int test_own_symbol(struct test_ctx *ctx)
{
	struct own_program own = { .code = (uintptr_t)wl_noploop };
	struct symbols *syms;
	const struct symtab *t;
	const char *name;
	bool found;
	u32 sym;

	if (test_is_stripped())
		return test_skip(ctx, "this program is stripped");
	own_program_find(&own);
	t = own_program_symbols(&syms);
	test_say("%u symbols from %s", symtab_nr(t), symtab_file(t));
	sym = symtab_find(t, own.code_in_file);
	name = sym == UINT32_MAX ? "no symbol" : symtab_name(t, sym);
	found = !strcmp(name, "wl_noploop");
	if (!found)
		test_say("found %s at %#" PRIx64, name, own.code_in_file);
	symbols_free(syms);
	return found ? TEST_OK : TEST_FAIL;
}

/* Are addresses shown to this user, and is the file there? */
static int kallsyms_usable(struct test_ctx *ctx)
{
	char line[256] = "";
	FILE *f = fopen("/proc/kallsyms", "re");

	if (!f)
		return test_skip(ctx, "/proc/kallsyms: %s", strerror(errno));
	while (fgets(line, sizeof(line), f) && strtoull(line, NULL, 16) == 0)
		;
	fclose(f);
	if (strtoull(line, NULL, 16) == 0)
		return test_skip(ctx, "kernel addresses are hidden");
	return TEST_OK;
}

static int test_kernel(struct test_ctx *ctx)
{
	struct symconf conf = { .ignore_vmlinux = true, .buildid_dir = "" };
	char name[] = "[kernel.kallsyms]";
	struct dso dso = { .path = name, .short_name = name, .kind = DSO_KERNEL, .pid = -1 };
	int ret = kallsyms_usable(ctx);
	const struct symtab *t;
	struct symbols *syms;
	u64 last = 0;

	if (ret)
		return ret;
	dso.cpumode = PERF_RECORD_MISC_KERNEL;
	syms = symbols_new(&conf);
	t = symbols_load(syms, &dso);
	test_say("%u symbols from %s", symtab_nr(t), symtab_file(t) ? symtab_file(t) : "nowhere");
	TEST_CHECK(symtab_nr(t) > 1000, "%s", symtab_why(t) ? symtab_why(t) : "too few");
	for (u32 i = 0; i < symtab_nr(t); i++) {
		struct symbol s = symtab_get(t, i);

		TEST_CHECK(!i || s.start > last, "%s is out of order", symtab_raw_name(t, i));
		TEST_CHECK(s.end >= s.start, "%s ends before it starts", symtab_raw_name(t, i));
		last = s.start;
	}
	symbols_free(syms);
	return TEST_OK;
}

/* With -vv each function has a line that ends with its name. */
static int test_own_functions(struct test_ctx *ctx)
{
	struct symbols *syms;
	const struct symtab *t = own_program_symbols(&syms);
	u32 functions = 0;
	u64 last = 0;

	for (u32 i = 0; i < symtab_nr(t); i++) {
		struct symbol s = symtab_get(t, i);

		TEST_CHECK(!i || s.start > last, "%s is out of order", symtab_raw_name(t, i));
		TEST_CHECK(s.end >= s.start, "%s ends before it starts", symtab_raw_name(t, i));
		last = s.start;
		if (s.type != STT_FUNC)
			continue;
		functions++;
		if (ctx->verbose > 1)
			test_say("%" PRIx64 "-%" PRIx64 " %c %s", s.start, s.end, s.binding,
				 symtab_name(t, i));
	}
	test_say("%u functions in %s", functions, symtab_file(t) ? symtab_file(t) : "nothing");
	symbols_free(syms);
	TEST_CHECK(functions || test_is_stripped(), "this program has no functions");
	return TEST_OK;
}

static const struct test_case cases[] = {
	{ "build-id of this program", test_own_build_id },
	{ "a function of this program", test_own_symbol },
	{ "/proc/kallsyms", test_kernel },
	{ "functions of this program", test_own_functions },
};
TEST_SUITE(suite_symbols, "Symbols", cases, "symbol");
