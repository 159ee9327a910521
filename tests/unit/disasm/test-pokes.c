// SPDX-License-Identifier: GPL-2.0-or-later
/* Test code that the kernel changed, or made, while it was recorded. */
#include "base/compat.h"
#include "disasm/code-files.h"

#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#define BASE 0xffffffffc0200000ULL

struct setting {
	struct symbols *symbols;
	struct code_files *files;
	struct dso dso;
	const struct symtab *table;
};

/* Code that the kernel made: nothing but its changes has it. */
static void set_up(struct setting *s, const struct text_poke *pokes, size_t nr)
{
	*s = (struct setting){ .dso = { .kind = DSO_BPF,
					.cpumode = PERF_RECORD_MISC_KERNEL,
					.path = "made",
					.short_name = "made",
					.base = BASE,
					.size = 8 } };
	s->symbols = symbols_new(&(struct symconf){ .buildid_dir = "" });
	s->table = symbols_load(s->symbols, &s->dso);
	s->files = code_files_new();
	code_files_set_pokes(s->files, pokes, nr);
}

static void tear_down(struct setting *s)
{
	code_files_free(s->files);
	symbols_free(s->symbols);
}

static void reads(const struct setting *s, u64 addr, size_t size, const char *want)
{
	char buf[64] = "";
	size_t n = code_read(s->files, &s->dso, s->table, addr, buf, size, NULL);

	assert_int_equal(n, strlen(want));
	assert_memory_equal(buf, want, n);
}

static void test_made(void **state)
{
	static const struct text_poke pokes[] = {
		{ 1, BASE, 8, true, (const u8 *)"ABCDEFGH" },
		{ 2, BASE - 2, 3, false, (const u8 *)"xyz" }, /* reaches into it */
		{ 3, BASE + 4, 1, false, (const u8 *)"4" },
		{ 4, BASE + 7, 4, false, (const u8 *)"7890" }, /* and out of it */
		{ 5, BASE + 4, 1, false, (const u8 *)"5" },
	};
	struct setting s;

	set_up(&s, pokes, 5);
	reads(&s, 0, 8, "zBCD5FG7");
	reads(&s, 3, 2, "D5");
	reads(&s, 20, 4, "");
	assert_int_equal(code_changes(s.files, &s.dso, 0, 8), 4);
	assert_int_equal(code_changes(s.files, &s.dso, 4, 1), 2);
	assert_int_equal(code_changes(s.files, &s.dso, 1, 3), 0);
	assert_true(code_virtual(s.files, &s.dso, s.table, 3) == BASE + 3);
	assert_true(code_place(s.files, &s.dso, s.table, BASE + 3) == 3);
	tear_down(&s);
}

/* The code before a gap can be read, and the code behind it is not taken for that. */
static void test_gap(void **state)
{
	static const struct text_poke pokes[] = {
		{ 1, BASE + 5, 2, true, (const u8 *)"56" },
		{ 2, BASE, 3, true, (const u8 *)"012" },
		{ 3, UINT64_MAX - 1, 4, false, (const u8 *)"over" },
	};
	struct setting s;

	set_up(&s, pokes, 3);
	reads(&s, 0, 8, "012");
	reads(&s, 5, 8, "56");
	reads(&s, 3, 8, "");
	s.dso.cpumode = PERF_RECORD_MISC_GUEST_KERNEL; /* another kernel's */
	reads(&s, 0, 8, "");
	assert_int_equal(code_changes(s.files, &s.dso, 0, 8), 0);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_made),
		cmocka_unit_test(test_gap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
