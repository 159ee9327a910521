// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts that a set keeps are the ones of the first time; bytes of strings are escaped wherever they
 * stand. */
#include "base/compat.h"
#include "sysargs/sysargs.h"

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define AT 0x1000 /* where the memory of the process begins */
#define LEN 19    /* bytes of a buffer */

static size_t memory(void *ctx, u64 addr, void *buf, size_t size, bool out)
{
	if (addr != AT)
		return 0;
	memcpy(buf, ctx, MIN(size, (size_t)LEN));
	return MIN(size, (size_t)LEN);
}

static const struct sysargs_ops ops = { .memory = memory };
static const struct sysargs_abi x86_64 = { .machine = EM_X86_64 };

/* Append a call as a whole. */
static void print(struct strbuf *out, const struct sysargs *sa, const char *call, const u64 *args,
		  s64 ret, const struct sysargs_view *v)
{
	const int nr = sysargs_number(sa, call);
	const struct syscall_made made = {
		.desc = sysargs_call(sa, (u32)nr), .args = args, .returned = true, .ret = ret
	};

	assert_true(nr >= 0);
	strbuf_reset(out);
	sysargs_print(out, sa, &made, v);
	sysargs_align(out, 0, v);
	sysargs_print_return(out, sa, &made, v);
}

/* Append a byte as it is expected. */
static void expect_byte(struct strbuf *out, u8 byte, bool digit)
{
	static const struct {
		char byte, letter;
	} known[] = { { '\n', 'n' }, { '\r', 'r' }, { '\t', 't' }, { '\a', 'a' }, { '\b', 'b' },
		      { '\v', 'v' }, { '\f', 'f' }, { '"', '"' },  { '\\', '\\' } };

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if ((u8)known[i].byte == byte) {
			strbuf_addf(out, "\\%c", known[i].letter);
			return;
		}
	if (byte >= 0x20 && byte < 0x7f)
		strbuf_addch(out, (char)byte);
	else
		strbuf_addf(out, digit ? "\\%03o" : "\\%o", byte);
}

/* Each byte, at each place of a buffer, before a letter and before a digit. */
static void test_bytes(void **state)
{
	struct sysargs *sa = sysargs_new(&x86_64, NULL);
	struct strbuf got = STRBUF_INIT, want = STRBUF_INIT;
	u8 buf[LEN];
	const struct sysargs_view v = { .ops = &ops, .ctx = buf, .string_len = LEN };

	for (u32 i = 0; i < 256 * LEN * 2; i++) {
		const u32 byte = i & 255, at = (i >> 8) % LEN;
		const bool digits = (i >> 8) >= LEN;

		memset(buf, digits ? '7' : 'x', sizeof(buf));
		buf[at] = (u8)byte;
		strbuf_reset(&want);
		strbuf_addstr(&want, "write(1, ");
		for (u32 k = 0; k < LEN; k++)
			expect_byte(&want, buf[k], digits && k + 1 < LEN);
		strbuf_addf(&want, ", %u) = %u", LEN, LEN);
		print(&got, sa, "write", (const u64[SYSARGS_MAX]){ 1, AT, LEN }, LEN, &v);
		assert_string_equal(strbuf_str(&got), strbuf_str(&want));
	}
	strbuf_release(&got);
	strbuf_release(&want);
	sysargs_free(sa);
}

/* Many values are printed twice, in turns with others that may have the same place. */
static void test_again(void **state)
{
	struct sysargs *sa = sysargs_new(&x86_64, NULL), *fresh;
	struct strbuf got = STRBUF_INIT, want = STRBUF_INIT;

	for (u32 i = 0; i < 4096; i++) {
		const u64 flags = i * 0x9e3779b1U >> 8 & 0x1fff;
		const struct sysargs_view v = { .show_prefix = i & 1, .show_arg_names = true };
		const u64 args[SYSARGS_MAX] = { 0, AT, i & 2 ? 0 : flags, i & 4 ? flags : 0 };
		const char *call = i & 8 ? "openat" : "mmap";
		const s64 ret = -(s64)(i >> 3);

		if (i % 64 == 0) /* the others know nothing yet */
			assert_non_null(fresh = sysargs_new(&x86_64, NULL));
		print(&got, sa, call, args, ret, &v);
		print(&want, fresh, call, args, ret, &v);
		assert_string_equal(strbuf_str(&got), strbuf_str(&want));
		if (i % 64 == 63)
			sysargs_free(fresh);
	}
	strbuf_release(&got);
	strbuf_release(&want);
	sysargs_free(sa);
}

static void test_errors(void **state)
{
	static const struct {
		s64 ret;
		const char *text;
	} all[] = {
		{ -ENOENT, "close(fd: 3) = -1 ENOENT (No such file or directory)" },
		{ -EINTR, "close(fd: 3) = -1 EINTR (Interrupted system call)" },
		{ -200, "close(fd: 3) = -1 (unknown error 200)" },
		{ -4000, "close(fd: 3) = -1 (unknown error 4000)" },
		{ 0, "close(fd: 3) = 0" },
	};
	const struct sysargs_view v = { .show_arg_names = true };
	struct sysargs *sa = sysargs_new(&x86_64, NULL);
	struct strbuf got = STRBUF_INIT;

	for (size_t i = 0; i < 3 * ARRAY_SIZE(all); i++) {
		const size_t k = i % ARRAY_SIZE(all);

		print(&got, sa, "close", (const u64[SYSARGS_MAX]){ 3 }, all[k].ret, &v);
		assert_string_equal(strbuf_str(&got), all[k].text);
	}
	strbuf_release(&got);
	sysargs_free(sa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
