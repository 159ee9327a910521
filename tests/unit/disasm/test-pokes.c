// SPDX-License-Identifier: GPL-2.0-or-later
/* Test code that the kernel changed, or made, while it was recorded. */
#include "base/compat.h"
#include "disasm/code-files.h"

#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#define BASE 0xffffffffc0200000ULL

/* A change from one text to another. */
#define POKE(at, where, from, to)                                                                  \
	{                                                                                          \
		.time = (at), .addr = (where), .len = sizeof(to) - 1, .old_len = sizeof(from) - 1, \
		.bytes = (const u8 *)(to), .old = (const u8 *)(from)                               \
	}

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
		POKE(1, BASE, "", "ABCDEFGH"),
		POKE(2, BASE - 2, "??A", "xyz"), /* reaches into it */
		POKE(3, BASE + 4, "E", "4"),
		POKE(4, BASE + 7, "H???", "7890"), /* and out of it */
		POKE(5, BASE + 4, "4", "5"),
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

/* Each time has its code: later changes are taken back, the last one first. */
static void test_times(void **state)
{
	static const struct text_poke pokes[] = {
		POKE(10, BASE, "", "ABCDEFGH"), POKE(20, BASE + 2, "CDE", "cde"),
		POKE(30, BASE + 3, "de", "12"), POKE(30, BASE + 3, "1", "3"),
		POKE(40, BASE - 1, "?A", "!a"),
	};
	static const struct {
		u64 time;
		const char *code;
	} at[] = {
		{ 10, "ABCDEFGH" }, { 19, "ABCDEFGH" }, { 20, "ABcdeFGH" },
		{ 29, "ABcdeFGH" }, { 30, "ABc32FGH" }, { 39, "ABc32FGH" },
		{ 40, "aBc32FGH" }, { 12, "ABCDEFGH" }, { UINT64_MAX, "aBc32FGH" },
	};
	struct setting s;

	set_up(&s, pokes, ARRAY_SIZE(pokes));
	reads(&s, 0, 8, "aBc32FGH");
	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		code_files_set_time(s.files, at[i].time);
		reads(&s, 0, 8, at[i].code);
	}
	code_files_set_time(s.files, 19);
	reads(&s, 3, 2, "DE");
	tear_down(&s);
}

/* The code before a gap can be read, and the code behind it is not taken for that. */
static void test_gap(void **state)
{
	static const struct text_poke pokes[] = {
		POKE(1, BASE + 5, "", "56"),
		POKE(2, BASE, "", "012"),
		POKE(3, UINT64_MAX - 1, "OVER", "over"),
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
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_gap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
