// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is code: each instruction ends within it, and is the same whatever follows. */
#include "base/compat.h"
#include "arch/insn.h"

#include "base/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Just as much memory, so that a byte too far is seen. */
static int decode_alone(const u8 *p, size_t size, bool wide, struct insn *out)
{
	const struct arch *x86 = arch_of("x86_64");
	u8 *copy = xmalloc(size ? size : 1);
	int rc;

	memcpy(copy, p, size);
	rc = insn_decode(x86, copy, size, wide, out);
	free(copy);
	return rc;
}

static void decode(const u8 *p, size_t size, bool wide)
{
	const struct arch *x86 = arch_of("x86_64");
	struct insn all, alone;

	if (insn_decode(x86, p, size, wide, &all))
		return;
	if (!all.len || all.len > size || all.len > INSN_MAX)
		abort();
	if (decode_alone(p, all.len, wide, &alone) || alone.len != all.len ||
	    alone.branch != all.branch)
		abort();
	if (!decode_alone(p, all.len - 1, wide, &alone))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t at = 0; at < size && at < 64; at++) {
		decode(data + at, size - at, true);
		decode(data + at, size - at, false);
	}
	return 0;
}
