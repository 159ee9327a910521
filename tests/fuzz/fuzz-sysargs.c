// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The input is a system call: a byte that chooses the programs, its number, its arguments, its
 * result, and the memory of the process behind its first pointer. What is printed is text.
 */
#include "base/compat.h"
#include "sysargs/sysargs.h"

#include <elf.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct memory {
	const u8 *data;
	size_t size;
};

/* Any address has some of the bytes. */
static size_t read_memory(void *ctx, u64 addr, void *buf, size_t size, bool out)
{
	const struct memory *m = ctx;
	size_t at = m->size ? (size_t)(addr % m->size) : 0;

	size = MIN(size, m->size - at);
	memcpy(buf, m->data + at, size);
	return size;
}

/* Return the set that a number chooses. Each is made once, as it is for many calls. */
static const struct sysargs *set_of(u8 choice)
{
	static const struct sysargs_abi abis[] = {
		{ .machine = EM_X86_64 },
		{ .machine = EM_386, .narrow = true },
		{ .machine = EM_AARCH64, .big_endian = true },
	};
	static struct sysargs *sets[ARRAY_SIZE(abis)];
	size_t i = choice % ARRAY_SIZE(abis);

	if (!sets[i])
		sets[i] = sysargs_new(&abis[i], NULL);
	return sets[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sysargs_ops ops = { .memory = read_memory };
	struct syscall_made made = { 0 };
	u64 args[SYSARGS_MAX];
	const size_t fixed = 3 + sizeof(args) + sizeof(made.ret);
	struct strbuf out = STRBUF_INIT;
	const struct sysargs *sa;
	struct memory m;

	if (size < fixed)
		return 0;
	m = (struct memory){ data + fixed, size - fixed };
	sa = set_of(data[0]);
	made.desc = sysargs_call(sa, (u32)data[1] | (u32)(data[2] & 3) << 8);
	memcpy(args, data + 3, sizeof(args));
	made.args = args;
	memcpy(&made.ret, data + 3 + sizeof(args), sizeof(made.ret));
	made.returned = data[0] & 0x80;
	if (made.desc) {
		const struct sysargs_view v = { .ops = &ops,
						.ctx = &m,
						.show_prefix = data[2] & 4,
						.show_zeros = data[2] & 8,
						.show_arg_names = data[2] & 16,
						.bitmask_list = data[2] & 32,
						.args_alignment = data[2] & 64,
						.string_len = data[0] };

		sysargs_print(&out, sa, &made, &v);
		sysargs_align(&out, 0, &v);
		sysargs_print_return(&out, sa, &made, &v);
		for (size_t i = 0; i < out.len; i++)
			if ((u8)out.buf[i] < 0x20 || (u8)out.buf[i] > 0x7e)
				abort();
	}
	strbuf_release(&out);
	return 0;
}
