// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what is to be copied of the memory of calls. */
#include "base/compat.h"
#include "bpf/call-memory.h"
#include "sysargs/sysargs.h"

#include <elf.h>
#include <linux/bpf.h>
#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

#define STRING CALL_COPY_STRING
#define BYTES CALL_COPY_BYTES
#define SIZED CALL_COPY_SIZED

static const struct sysargs_view usual = { .string_len = 128 },
				 wide = { .string_len = 1000000, .force_btf = true };

static const struct {
	const char *call;
	struct call_copy v[CALL_COPIES];
} rows[] = {
	{ "openat", { { STRING, 1, 0, false, 0, 130 } } },
	{ "renameat2", { { STRING, 1, 0, false, 0, 130 }, { STRING, 3, 0, false, 0, 130 } } },
	{ "write", { { SIZED, 1, 2, false, 1, 128 } } },
	{ "read", { { SIZED, 1, CALL_BY_RESULT, true, 1, 128 } } },
	{ "connect", { { SIZED, 1, 2, false, 1, 128 } } },
	{ "clock_nanosleep", { { BYTES, 2, 0, false, 0, 16 } } },
	{ "clock_gettime", { { BYTES, 1, 0, true, 0, 16 } } },
	{ "pipe2", { { BYTES, 0, 0, true, 0, 8 } } },
	{ "clone3", { { SIZED, 0, 1, false, 1, 88 } } },
	{ "setsockopt", { { SIZED, 3, 4, false, 1, 128 } } },
	{ "mbind", { { SIZED, 3, 4, false, 1, CALL_COPY_MAX } } },
	{ "newfstatat", { { STRING, 1, 0, false, 0, 130 } } },
	{ "getpid", { { CALL_COPY_NONE } } },
};

static bool is_same(const struct call_copy *a, const struct call_copy *b)
{
	return a->kind == b->kind &&
	       (!a->kind || (a->arg == b->arg && a->out == b->out && a->most == b->most)) &&
	       (a->kind != SIZED || (a->by == b->by && a->size == b->size));
}

static void test_rows(void **state)
{
	const struct sysargs_abi abi = { .machine = EM_X86_64 };
	struct err err = { 0 };
	struct sysargs *sa = sysargs_new(&abi, &err);
	struct call_copies *all = sysargs_copies(sa, NULL, &usual);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const int nr = sysargs_number(sa, rows[i].call);

		for (u32 k = 0; k < CALL_COPIES; k++)
			if (!is_same(&all[nr].v[k], &rows[i].v[k]))
				fail_msg("%s %u: kind %u of %u by %u, %u of %u", rows[i].call, k,
					 all[nr].v[k].kind, all[nr].v[k].arg, all[nr].v[k].by,
					 all[nr].v[k].most, all[nr].v[k].size);
	}
	free(all);
	sysargs_free(sa);
}

/* Memory that memory points to is copied, and memory that only some commands of a call have. */
static void test_deep(void **state)
{
	static const struct {
		const char *call;
		struct call_deep deep;
	} deep[] = {
		{ "execve", { .kind = CALL_DEEP_STRINGS, .arg = 1, .by = 2 } },
		{ "writev", { .kind = CALL_DEEP_BUFFERS, .arg = 1, .by = 2 } },
		{ "sendmsg", { .kind = CALL_DEEP_MESSAGE, .arg = 1 } },
		{ "readv", { .kind = CALL_DEEP_BUFFERS, .arg = 1, .by = 2, .out = true } },
		{ "sendmmsg", { .kind = CALL_DEEP_MESSAGE, .arg = 1 } },
		{ "recvmmsg", { .kind = CALL_DEEP_NONE } },
		{ "recvmsg", { .kind = CALL_DEEP_MESSAGE, .arg = 1, .out = true } },
		{ "openat", { .kind = CALL_DEEP_NONE } },
		{ "ioctl", { .kind = CALL_DEEP_NONE } },
		{ "bpf", { .kind = CALL_DEEP_MEMBER, .arg = 1 } },
	};
	const struct sysargs_abi abi = { .machine = EM_X86_64 },
				 narrow = { .machine = EM_386, .narrow = true };
	struct err err = { 0 };
	struct sysargs *sa = sysargs_new(&abi, &err), *small = sysargs_new(&narrow, &err);
	struct call_copies *all = sysargs_copies(sa, NULL, &usual),
			   *of_small = sysargs_copies(small, NULL, &usual);
	static const struct call_member strings[CALL_MEMBERS] = {
		{ BPF_PROG_LOAD, 16, 1 },
		{ BPF_OBJ_PIN, 0, 1 },
		{ BPF_OBJ_GET, 0, 1 },
		{ BPF_RAW_TRACEPOINT_OPEN, 0, 1 },
	};
	const struct call_copy *v = all[sysargs_number(sa, "ioctl")].v;

	for (size_t i = 0; i < ARRAY_SIZE(deep); i++) {
		const struct call_deep *d = &all[sysargs_number(sa, deep[i].call)].deep;

		assert_int_equal(d->kind, deep[i].deep.kind);
		assert_int_equal(d->arg, deep[i].deep.arg);
		assert_int_equal(d->by, deep[i].deep.by);
		assert_int_equal(d->out, deep[i].deep.out);
		assert_int_equal(d->most, d->kind ? 130 : 0);
	}
	assert_int_equal(of_small[sysargs_number(small, "writev")].deep.kind, CALL_DEEP_NONE);
	assert_memory_equal(all[sysargs_number(sa, "bpf")].deep.members, strings, sizeof(strings));
	assert_true(v[0].kind == BYTES && v[0].arg == 2 && v[1].kind == BYTES && v[1].arg == 2);
	assert_true(v[0].out != v[1].out && v[0].most >= 32 && v[1].most >= 32);
	free(all);
	free(of_small);
	sysargs_free(sa);
	sysargs_free(small);
}

/* No row may ask for what the programs do not have. */
static void test_limits(void **state)
{
	static const u32 machines[] = { EM_X86_64, EM_AARCH64 };

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		const struct sysargs_abi abi = { .machine = machines[i] };
		struct err err = { 0 };
		struct sysargs *sa = sysargs_new(&abi, &err);
		struct call_copies *all = sysargs_copies(sa, NULL, &wide);
		u32 any = 0;

		for (u32 nr = 0; nr < sysargs_nr(sa); nr++)
			for (u32 k = 0; k < CALL_COPIES && all[nr].v[k].kind; k++) {
				const struct call_copy *c = &all[nr].v[k];

				any++;
				assert_true(c->arg < CALL_ARGS);
				assert_true(c->most && c->most <= CALL_COPY_MAX);
				if (c->kind != SIZED)
					continue;
				assert_true(c->by < CALL_ARGS || c->by == CALL_BY_RESULT);
				assert_true(c->size != 0);
			}
		assert_true(any > 100);
		free(all);
		sysargs_free(sa);
	}
}

/* Structs that the types of the kernel alone describe are copied when these are asked for. */
static void test_kernel_structs(void **state)
{
	const struct sysargs_abi abi = { .machine = EM_X86_64 };
	const struct call_copy stat = { BYTES, 2, 0, true, 0, 144 };
	struct err err = { 0 };
	struct sysargs *sa = sysargs_new(&abi, &err);
	struct call_copies *all = sysargs_copies(sa, NULL, &wide);

	assert_true(is_same(&all[sysargs_number(sa, "newfstatat")].v[1], &stat));
	free(all);
	sysargs_free(sa);
}

static void test_wanted(void **state)
{
	const struct sysargs_abi abi = { .machine = EM_X86_64 };
	struct err err = { 0 };
	struct sysargs *sa = sysargs_new(&abi, &err);
	bool *wanted = calloc(sysargs_nr(sa), 1);
	struct call_copies *some;

	wanted[sysargs_number(sa, "openat")] = true;
	some = sysargs_copies(sa, wanted, &usual);
	for (u32 nr = 0; nr < sysargs_nr(sa); nr++)
		assert_int_equal(some[nr].v[0].kind, wanted[nr] ? STRING : CALL_COPY_NONE);
	free(some);
	free(wanted);
	sysargs_free(sa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),   cmocka_unit_test(test_deep),
		cmocka_unit_test(test_limits), cmocka_unit_test(test_kernel_structs),
		cmocka_unit_test(test_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
