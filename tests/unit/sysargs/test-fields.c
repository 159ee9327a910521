// SPDX-License-Identifier: GPL-2.0-or-later
/* Fields of tracepoints as text. */
#include "base/compat.h"
#include "sysargs/sysargs.h"

#include "bpf/btf-print.h"
#include "tracefmt/tracefmt.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char format[] = "name: made_up\nID: 7\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
			     "\tfield:pid_t old_pid;\toffset:12;\tsize:4;\tsigned:1;\n"
			     "\tfield:void * timer;\toffset:16;\tsize:8;\tsigned:0;\n"
			     "\tfield:unsigned long ip;\toffset:24;\tsize:8;\tsigned:0;\n"
			     "\tfield:s64 expires;\toffset:32;\tsize:8;\tsigned:1;\n"
			     "\tfield:enum hrtimer_mode mode;\toffset:40;\tsize:4;\tsigned:0;\n"
			     "\tfield:umode_t file_mode;\toffset:44;\tsize:2;\tsigned:0;\n"
			     "\tfield:char comm[8];\toffset:48;\tsize:8;\tsigned:0;\n"
			     "\tfield:u32 list[3];\toffset:56;\tsize:12;\tsigned:0;\n\n"
			     "print fmt: \"%d\", REC->old_pid\n";

static const struct {
	u16 type, flags;
	s32 pid, nr, old_pid;
	u64 timer, ip;
	s64 expires;
	u32 mode;
	u16 file_mode, pad;
	char comm[8];
	u32 list[3];
} payload = { 7,  0, 42,   1, 42,       0xffff888100000000, 0xffffffff81000000,
	      -5, 0, 0644, 0, "a\"b\n", { 1, 2, 3 } };

static const char *task_name(void *ctx, s32 tid)
{
	return tid == 42 ? "cat" : NULL;
}

static void expect(const struct sysargs_view *v, size_t size, const char *text)
{
	struct sysargs *sa = sysargs_new(&(struct sysargs_abi){ .machine = EM_X86_64 }, NULL);
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct strbuf out = STRBUF_INIT;
	const struct tf_event *ev = tracefmt_add(tf, "made", format, strlen(format), NULL);

	assert_non_null(ev);
	sysargs_print_fields(&out, sa, ev, &payload, size, v);
	assert_string_equal(strbuf_str(&out), text);
	strbuf_release(&out);
	tracefmt_free(tf);
	sysargs_free(sa);
}

static const struct sysargs_ops ops = { .task_name = task_name };

static void test_fields(void **state)
{
	const struct sysargs_view v = { .ops = &ops, .show_arg_names = true },
				  bare = { .ops = &ops, .show_zeros = true };

	expect(&v, sizeof(payload),
	       "old_pid: 42 (cat), timer: 0xffff888100000000, ip: 0xffffffff81000000, expires: -5, "
	       "mode: 0, file_mode: IRUGO|IWUSR, comm: \"a\\\"b\\n\", list: [1, 2, 3]");
	expect(&bare, 40, "42 (cat), 0xffff888100000000, 0xffffffff81000000, -5");
	expect(&v, 0, "");
}

/* Enums have the names that the kernel gives them. */
static void test_enum(void **state)
{
	struct sysroot sr = { 0 };
	struct btf b;
	struct sysargs_view v = { .ops = &ops, .btf = &b, .show_arg_names = true };

	if (btf_open_kernel(&b, &sr, NULL))
		skip();
	btf_index(&b);
	expect(&v, 44,
	       "old_pid: 42 (cat), timer: 0xffff888100000000, ip: 0xffffffff81000000, expires: -5, "
	       "mode: HRTIMER_MODE_ABS");
	btf_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_enum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
