// SPDX-License-Identifier: GPL-2.0-or-later
/* Test functions of the kernel: arguments as text, by a small BTF and by the kernel's, and the
 * programs that take times. */
#include "base/compat.h"
#include "bpf/sys.h"
#include "kfuncs/args.h"
#include "kfuncs/times-internal.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>
#include <linux/btf.h>

#define INFO(kind, vlen) ((u32)(kind) << 24 | (vlen))

static const char strings[] = "\0int\0u8\0pair\0a\0b\0mode\0OFF\0ON\0file\0f\0g\0none";
enum {
	S_INT = 1,
	S_U8 = 5,
	S_PAIR = 8,
	S_A = 13,
	S_B = 15,
	S_MODE = 17,
	S_OFF = 22,
	S_ON = 26,
	S_FILE = 29,
	S_F = 34,
	S_G = 36,
	S_NONE = 38,
};

/*
 * int f(int a, u8 b, enum mode mode, struct pair *file, struct pair, int, ...)
 * int g(...), int none(void)
 */
/* clang-format off */
static const u32 types[] = {
	/* 1 */ S_INT, INFO(BTF_KIND_INT, 0), 4, BTF_INT_SIGNED << 24 | 32,
	/* 2 */ S_U8, INFO(BTF_KIND_INT, 0), 1, 8,
	/* 3 */ S_PAIR, INFO(BTF_KIND_STRUCT, 2), 16, S_A, 1, 0, S_B, 1, 64,
	/* 4 */ 0, INFO(BTF_KIND_PTR, 0), 3,
	/* 5 */ S_MODE, INFO(BTF_KIND_ENUM, 2), 4, S_OFF, 0, S_ON, 1,
	/* 6 */ 0, INFO(BTF_KIND_FUNC_PROTO, 7), 1,
		S_A, 1, S_B, 2, S_MODE, 5, S_FILE, 4, 0, 3, S_A, 1, 0, 0,
	/* 7 */ S_F, INFO(BTF_KIND_FUNC, 0), 6,
	/* 8 */ 0, INFO(BTF_KIND_FUNC_PROTO, 1), 1, 0, 0,
	/* 9 */ S_G, INFO(BTF_KIND_FUNC, 0), 8,
	/* 10 */ 0, INFO(BTF_KIND_FUNC_PROTO, 0), 1,
	/* 11 */ S_NONE, INFO(BTF_KIND_FUNC, 0), 10,
	/* 12: a prototype that is not there */ S_FILE, INFO(BTF_KIND_FUNC, 0), 99,
};
/* clang-format on */

static u8 bytes[24 + sizeof(types) + sizeof(strings)];

static void open_types(struct btf *b)
{
	const u32 head[] = { 0x0001eb9f, 24, 0, sizeof(types), sizeof(types), sizeof(strings) };

	memcpy(bytes, head, sizeof(head));
	memcpy(bytes + sizeof(head), types, sizeof(types));
	memcpy(bytes + sizeof(head) + sizeof(types), strings, sizeof(strings));
	assert_int_equal(btf_open(b, bytes, sizeof(bytes)), 0);
}

static void test_args(void **state)
{
	const unsigned long regs[] = {
		0xdead0000fffffffeul, 0xff07, 1, 0xffff888000001000ul, 5, 6, 7, 8
	};
	struct kfuncs f = { 0 };
	struct strbuf out = STRBUF_INIT;
	struct btf b;

	open_types(&b);
	kfuncs_index(&f, &b);
	assert_int_equal(kfuncs_find(&f, "f"), 7);
	assert_int_equal(kfuncs_find(&f, "pair"), 0);
	/* Registers have more bits than the value; a struct takes two of them. */
	assert_true(kfunc_args_put(&b, 7, regs, ARRAY_SIZE(regs), &out));
	assert_string_equal(strbuf_str(&out), "a=-2, b=7, mode=ON, file=0xffff888000001000, "
					      "{.a = 5, .b = 6}, a=7, ...");
	/* Arguments that do not fit into registers are on the stack, which nobody has recorded. */
	for (size_t nr = 0; nr < ARRAY_SIZE(regs); nr++) {
		strbuf_reset(&out);
		assert_true(kfunc_args_put(&b, 7, regs, nr, &out));
		assert_string_equal(strbuf_str(&out) + out.len - 3, "...");
	}
	strbuf_reset(&out);
	assert_true(kfunc_args_put(&b, 9, regs, 6, &out));
	assert_string_equal(strbuf_str(&out), "...");
	strbuf_reset(&out);
	assert_true(kfunc_args_put(&b, 11, regs, 6, &out));
	assert_true(kfunc_args_put(&b, 12, regs, 6, &out));
	assert_false(kfunc_args_put(&b, 3, regs, 6, &out));
	assert_false(kfunc_args_put(&b, 0, regs, 6, &out));
	assert_false(kfunc_args_put(&b, 1000, regs, 6, &out));
	assert_int_equal(out.len, 0);
	kfuncs_release(&f);
	btf_close(&b);
	strbuf_release(&out);
}

static void test_kernel(void **state)
{
	const struct sysroot here = { 0 };
	const unsigned long regs[] = { 0x1000, 0x2000, 3, 0, 0, 0 };
	struct strbuf out = STRBUF_INIT;
	struct kfuncs f = { 0 };
	struct btf b;

	if (btf_open_kernel(&b, &here, NULL))
		skip();
	kfuncs_index(&f, &b);
	assert_true(kfunc_args_put(&b, kfuncs_find(&f, "vfs_read"), regs, 6, &out));
	assert_string_equal(strbuf_str(&out), "file=0x1000, buf=0x2000, count=3, pos=0");
	kfuncs_release(&f);
	btf_close(&b);
	strbuf_release(&out);
}

/* ---- times ---- */

/* Load a program as one of a raw tracepoint, which can be run at will. */
static int load(struct bpf_code *c)
{
	struct err err = { 0 };
	const int fd = bpf_prog_new("test_times", BPF_PROG_TYPE_RAW_TRACEPOINT, c, &err);

	bpf_code_release(c);
	if (fd < 0)
		print_message("%s\n", err.msg);
	assert_true(fd >= 0);
	return fd;
}

/* A call of function 1 that lasts @us. */
static void call(int enter, int leave, unsigned int us)
{
	assert_int_equal(bpf_run_on(enter, 0), 0);
	usleep(us);
	assert_int_equal(bpf_run_on(leave, 0), 0);
}

static void test_times(void **state)
{
	static const char *const names[] = { "zero", "one" };
	const u64 ends[] = { 1000, 2000000 };
	const struct sysroot here = { 0 };
	struct int_list cpus = { 0 }, none = { 0 };
	const struct kfunc_times_opts o = { &here, names, 2, &none, &cpus, ends, 3 };
	struct kfunc_times t = { -1, -1, -1, -1, -1 };
	struct bpf_code enter = { 0 }, leave = { 0 };
	struct kfunc_sum sum;
	int fds[2];

	t.nr_cpus = (u32)MAX(bpf_possible_cpus(&here, NULL), 0);
	int_list_add(&cpus, 0);
	if (kfunc_times_maps(&t, &o, NULL)) {
		kfunc_times_close(&t);
		int_list_release(&cpus);
		skip();
	}
	kfunc_enter_prog(&enter, &t, 1);
	kfunc_leave_prog(&leave, &t, &o, 1);
	fds[0] = load(&enter);
	fds[1] = load(&leave);
	call(fds[0], fds[1], 0); /* before it is on */
	kfunc_times_enable(&t, true);
	call(fds[0], fds[1], 5000);
	call(fds[0], fds[1], 0);
	kfunc_times_read(&t, 1, &sum);
	assert_int_equal(sum.nr, 2);
	assert_int_equal(sum.counts[0] + sum.counts[1] + sum.counts[2], 2);
	assert_true(sum.counts[2] >= 1);
	assert_true(sum.most >= 5000000 && sum.least < sum.most);
	assert_true(sum.total == sum.most + sum.least);
	kfunc_times_read(&t, 0, &sum);
	assert_true(!sum.nr && !sum.total && !sum.least);
	assert_int_equal(kfunc_times_lost(&t), 0);
	close(fds[0]);
	close(fds[1]);
	kfunc_times_close(&t);
	int_list_release(&cpus);
}

static void test_errors(void **state)
{
	static const char *const names[] = { "no_such_function_at_all" };
	const struct sysroot here = { 0 }, nowhere = { .prefix = "/nowhere" };
	struct int_list none = { 0 };
	struct kfunc_times_opts o = { &here, names, 1, &none, &none, NULL, 1 };
	struct kfunc_times t;
	struct err err = { 0 };

	assert_true(kfunc_times_open(&t, &o, &err) < 0);
	assert_true(strlen(err.msg) > 20);
	o.sysroot = &nowhere;
	assert_true(kfunc_times_open(&t, &o, &err) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_args),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
