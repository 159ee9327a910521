/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of architectures. Each has a folder of its own, which defines its struct arch. */
#ifndef PERF_ARCH_ARCH_INTERNAL_H
#define PERF_ARCH_ARCH_INTERNAL_H

#include "arch/arch.h"

/*
 * The order matters: the first architecture whose pattern matches a name, or whose cpuid() returns
 * a text, is taken. The cpuid() of arm64 looks at every CPU, so arm64 stands near the end, but
 * before arm, whose pattern matches the name "arm64" as well.
 */
#define ARCHITECTURES(X)                                                                           \
	X(x86_64)                                                                                  \
	X(i386)                                                                                    \
	X(riscv)                                                                                   \
	X(powerpc)                                                                                 \
	X(s390)                                                                                    \
	X(csky)                                                                                    \
	X(mips)                                                                                    \
	X(loongarch)                                                                               \
	X(arm64)                                                                                   \
	X(arm)

#define DECLARE(name) extern const struct arch arch_##name;
ARCHITECTURES(DECLARE)
#undef DECLARE
/* The architecture of machines that are not in the list; it has no data. */
extern const struct arch arch_unknown;

/** arch_nr - return the architecture at index @nr of the list, or NULL behind the last one. */
const struct arch *arch_nr(size_t nr);

#endif
