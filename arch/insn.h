/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine instructions: how long they are, and whether they are branches. */
#ifndef PERF_ARCH_INSN_H
#define PERF_ARCH_INSN_H

#include "arch/arch.h"

#define INSN_MAX 15 /* the most bytes of an instruction of any architecture here */

struct insn {
	u32 len;     /* in bytes */
	bool branch; /* it may continue elsewhere: a jump, call, return, trap or system call */
};

/**
 * insn_decode - decode the instruction that begins at @p.
 * @wide: the program has addresses of 64 bits
 * Return: 0; -EINVAL if the bytes are no instruction or it does not end within @size bytes; -ENOSYS
 * if the instructions of @a are unknown. @out is zero after -ENOSYS.
 */
int insn_decode(const struct arch *a, const u8 *p, size_t size, bool wide, struct insn *out);

/** insn_known - tell whether insn_decode() knows the instructions of @a. */
bool insn_known(const struct arch *a);

#endif
