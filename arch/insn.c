// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "arch/insn.h"

#include <errno.h>

int insn_decode(const struct arch *a, const u8 *p, size_t size, bool wide, struct insn *out)
{
	*out = (struct insn){ 0 };
	return a->insn_decode ? a->insn_decode(p, size, wide, out) : -ENOSYS;
}

bool insn_known(const struct arch *a)
{
	return a->insn_decode != NULL;
}
