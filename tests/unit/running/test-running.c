// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what is asked of the running kernel, with one that is a folder of files: names of its
 * functions, addresses of its variables, locks, control groups. */
#include "base/compat.h"
#include "running/running.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

static const char kallsyms[] = "ffffffff81000000 T _text\n"
			       "ffffffff81000000 T _stext\n"
			       "ffffffff81001000 T do_work\n"
			       "ffffffff81001080 t helper\n"
			       "ffffffff81002000 T _etext\n"
			       "ffffffff82000000 D big_lock\n"
			       "ffffffff82000040 d small_lock\n"
			       "ffffffff82001000 D _edata\n";

struct bed {
	char *root;
	struct sysroot sr;
	struct recording_options o;
	struct running_kernel k;
};

static int setup(void **state)
{
	static struct bed b;

	b = (struct bed){ .root = tmp_dir(), .o = { .buildid_dir = "" } };
	b.sr.prefix = b.root;
	tree_put(b.root, "proc/kallsyms", kallsyms);
	tree_put(b.root, "proc/iomem", "01000000-01001fff : Kernel code\n");
	running_kernel_open(&b.k, &b.sr, &b.o);
	*state = &b;
	return 0;
}

static int teardown(void **state)
{
	struct bed *b = *state;

	running_kernel_close(&b->k);
	tmp_remove(b->root);
	return 0;
}

static void test_names(void **state)
{
	static const struct {
		u64 address, start;
		const char *name;
	} cases[] = {
		{ 0xffffffff81001000, 0xffffffff81001000, "do_work" },
		{ 0xffffffff8100107f, 0xffffffff81001000, "do_work" },
		{ 0xffffffff81001084, 0xffffffff81001080, "helper" },
		{ 0xffffffff82000008, 0xffffffff82000000, "big_lock" },
		{ 0x400000, 0, NULL },
	};
	struct bed *b = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 start = 0;
		const char *name = running_kernel_name(&b->k, cases[i].address, &start);

		if (!cases[i].name) {
			assert_null(name);
			continue;
		}
		assert_non_null(name);
		assert_string_equal(name, cases[i].name);
		assert_int_equal(start, cases[i].start);
	}
}

/* Names that there are not leave what was there. */
static void test_places(void **state)
{
	static const char *const names[] = { "small_lock", "no_such_name", "do_work" };
	struct bed *b = *state;
	u64 addrs[] = { 1, 2, 3 };

	running_kernel_places(&b->k, names, addrs, ARRAY_SIZE(names));
	assert_int_equal(addrs[0], 0xffffffff82000040);
	assert_int_equal(addrs[1], 2);
	assert_int_equal(addrs[2], 0xffffffff81001000);
}

static void test_lock(void **state)
{
	static const struct {
		const char *text;
		u64 address; /* 0: it is refused */
	} cases[] = {
		{ "big_lock", 0xffffffff82000000 },
		{ "ffff888100000010", 0xffff888100000010 },
		{ "0xffff888100000010", 0xffff888100000010 },
		{ "no_lock", 0 },
		{ "", 0 },
		{ "12345678901234567", 0 }, /* more than 64 bits */
	};
	struct bed *b = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = { 0 };
		u64 address;
		int ret = running_kernel_lock(&b->k, cases[i].text, &address, &err);

		assert_int_equal(ret, cases[i].address ? 0 : -ENOENT);
		assert_int_equal(address, cases[i].address);
		if (!cases[i].address)
			assert_non_null(strstr(err.msg, "give the address of the lock in hex"));
	}
}

/* A kernel that shows no addresses has no names, and nothing is looked for elsewhere. */
static void test_hidden(void **state)
{
	struct recording_options o = { .buildid_dir = "" };
	struct running_kernel k;
	char *root = tmp_dir();
	struct sysroot sr = { .prefix = root };
	struct err err = { 0 };
	u64 address = 1;

	tree_put(root, "proc/kallsyms", "0000000000000000 T _text\n0000000000000000 T do_work\n");
	running_kernel_open(&k, &sr, &o);
	assert_null(running_kernel_name(&k, 0xffffffff81001000, &address));
	assert_int_equal(running_kernel_lock(&k, "do_work", &address, &err), -ENOENT);
	assert_int_equal(address, 0);
	running_kernel_close(&k);
	tmp_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_places, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lock, setup, teardown),
		cmocka_unit_test(test_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
