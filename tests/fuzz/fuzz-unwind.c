// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The input: a byte of flags, a section of call frame information whose length is in the next two
 * bytes, and the rest, which is both a stack and code. Every entry is read, its rules are made at a
 * few addresses and applied; frames are looked for in the code.
 */
#include "base/compat.h"

#include "unwind/cfi.h"
#include "unwind/step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define STACK 0x7fff0000

static void step(const struct unw_rules *r, const struct arch_frames *a, const u8 *stack,
		 size_t size, bool swap)
{
	struct unw_memory m = {
		.bytes = stack, .start = STACK, .size = size, .word = a->word, .swap = swap
	};
	struct unw_frame f = { .pc = 0x1000, .interrupted = true, .known = ~0ULL };

	for (u32 i = 0; i < UNW_REGS; i++)
		f.reg[i] = STACK + 8 * i;
	for (int i = 0; i < 10; i++)
		if (unw_step(r, a, &m, &f) != UNW_CALLER)
			break;
}

static void rules(const struct cfi_section *s, const struct arch_frames *a, const u8 *stack,
		  size_t size)
{
	struct cfi_fde f;
	size_t at = 0;

	for (int ret; (ret = cfi_entry(s, at, &f)) >= 0; at = f.next) {
		const u64 pcs[] = { f.start, f.start + 1, f.start + (f.end - f.start) / 2,
				    f.end - 1 };

		if (f.next <= at)
			abort();
		for (size_t i = 0; ret && i < ARRAY_SIZE(pcs); i++) {
			struct unw_rules r;

			cfi_rules(s, &f, pcs[i], &r);
			if (r.nr > UNW_REGS)
				abort();
			if (r.valid)
				step(&r, a, stack, size, s->swap);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const unames[] = { "x86_64", "aarch64", "i686" };
	const struct arch *arch;
	const struct arch_frames *a;
	struct cfi_section s;
	struct arch_place p;
	size_t len;

	if (size < 3)
		return 0;
	arch = arch_of(unames[data[0] % ARRAY_SIZE(unames)]);
	a = arch->frames ? arch->frames : arch->narrow_frames;
	len = MIN((size_t)(data[1] | data[2] << 8), size - 3);
	s = (struct cfi_section){ .bytes = data + 3,
				  .size = len,
				  .addr = 0x5000,
				  .debug = data[0] & 0x40,
				  .wide = a->word == 8,
				  .swap = data[0] & 0x80 };
	rules(&s, a, data + 3 + len, size - 3 - len);
	for (size_t at = 0; at <= size - 3 - len && at < 64; at++)
		a->place(data + 3 + len, size - 3 - len, at, &p);
	return 0;
}
