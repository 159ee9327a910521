// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of calls are whole, sorted and right where the running kernel can tell. */
#include "base/compat.h"
#include "base/sysroot.h"
#include "sysargs/sysargs-internal.h"
#include "tracefmt/tracefmt.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Calls whose arguments are shown plainly: they have been gone from all kernels for long. */
static const char *const plain[] = {
	"_sysctl",        "afs_syscall",        "epoll_ctl_old",
	"epoll_wait_old", "get_kernel_syms",    "getpmsg",
	"lookup_dcookie", "nfsservctl",         "putpmsg",
	"query_module",   "security",           "tuxcall",
	"vserver",        "riscv_flush_icache", "riscv_hwprobe",
};

static bool is_plain(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		if (!strcmp(plain[i], name))
			return true;
	return false;
}

static struct sysargs *set_of(const struct sysargs_abi *abi)
{
	struct err err = { 0 };
	struct sysargs *sa = sysargs_new(abi, &err);

	if (!sa)
		fail_msg("%s", err.msg);
	return sa;
}

static void every_call_is_known(const struct sysargs_abi *abi)
{
	struct sysargs *sa = set_of(abi);
	u32 nr = 0;

	for (u32 i = 0; i < sysargs_nr(sa); i++) {
		const struct syscall_desc *d = sysargs_call(sa, i);

		if (d && sysargs_knows(d) == is_plain(d->name))
			fail_msg("%s: %s", d->name,
				 is_plain(d->name)
					 ? "it is on the list of those shown plainly, and known"
					 : "nothing is known of its arguments");
		nr += d && sysargs_knows(d);
	}
	assert_true(nr > 300);
	assert_null(sysargs_wrong(sa));
	sysargs_free(sa);
}

static void test_wide(void **state)
{
	every_call_is_known(&(struct sysargs_abi){ .machine = EM_X86_64 });
	every_call_is_known(&(struct sysargs_abi){ .machine = EM_AARCH64 });
}

static void test_other_abis(void **state)
{
	static const struct sysargs_abi abis[] = {
		{ .machine = EM_X86_64, .x32 = true },
		{ .machine = EM_386, .narrow = true },
		{ .machine = EM_RISCV },
		{ .machine = EM_LOONGARCH },
		{ .machine = EM_S390, .big_endian = true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(abis); i++) {
		struct sysargs *sa = set_of(&abis[i]);

		assert_true(sysargs_number(sa, "nonsense") < 0);
		for (u32 nr = 0; nr < sysargs_nr(sa); nr++)
			(void)sysargs_call(sa, nr);
		assert_null(sysargs_wrong(sa));
		sysargs_free(sa);
	}
}

static void test_sorted(void **state)
{
	for (size_t i = 1; i < nr_call_texts; i++)
		if (strcmp(call_texts[i - 1].name, call_texts[i].name) >= 0)
			fail_msg("%s stands before %s", call_texts[i - 1].name, call_texts[i].name);
	for (size_t i = 0; i < names_nr(); i++) {
		const struct names *n = names_at(i);

		assert_ptr_equal(names_find(n->table, strlen(n->table)), n);
	}
}

/* Each command of a variant is one that the table of names knows on new headers. */
static void test_commands(void **state)
{
	struct sysargs *sa = set_of(&(struct sysargs_abi){ .machine = EM_X86_64 });
	u32 nr = 0;

	for (u32 i = 0; i < sysargs_nr(sa); i++) {
		const struct syscall_desc *d = sysargs_call(sa, i);

		for (u32 v = 0; d && v < d->nr_variants; v++, nr++)
			for (u32 w = 0; w < v; w++)
				if (d->variants[w].value == d->variants[v].value)
					fail_msg("%s: two rows for command %u", d->name,
						 (u32)d->variants[v].value);
	}
	assert_true(nr > 150);
	sysargs_free(sa);
}

/* Names of arguments are those that the formats of the running kernel have. */
static void test_formats(void **state)
{
	struct sysargs *sa = set_of(&(struct sysargs_abi){ .machine = EM_X86_64 });
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct sysroot sr = { 0 };
	u32 compared = 0;

	for (u32 i = 0; i < sysargs_nr(sa); i++) {
		const struct syscall_desc *d = sysargs_call(sa, i);
		const struct tf_event *ev;
		char name[64];

		if (!d)
			continue;
		snprintf(name, sizeof(name), "sys_enter_%s", d->name);
		ev = tracefmt_load(tf, &sr, "syscalls", name, NULL);
		if (!ev)
			continue;
		compared++;
		if (ev->nr_fields - ev->nr_common - 1 != d->nr_args)
			fail_msg("%s has %u arguments", d->name, ev->nr_fields - ev->nr_common - 1);
		for (u32 k = 0; k < d->nr_args; k++) {
			const char *field = ev->fields[ev->nr_common + 1 + k].name;

			if (strcmp(d->args[k].name, field))
				fail_msg("%s: argument %u is %s", d->name, k, field);
		}
	}
	tracefmt_free(tf);
	sysargs_free(sa);
	if (!compared)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wide),    cmocka_unit_test(test_other_abis),
		cmocka_unit_test(test_sorted),  cmocka_unit_test(test_commands),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
