/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The architectures, each of which is defined in a folder of its own. */
#ifndef PERF_ARCH_ARCH_INTERNAL_H
#define PERF_ARCH_ARCH_INTERNAL_H

#include "arch/arch.h"

/* In the order in which the patterns of their names are tried. */
#define ARCHITECTURES(X)                                                                           \
	X(x86_64)                                                                                  \
	X(i386)                                                                                    \
	X(arm64)                                                                                   \
	X(arm)                                                                                     \
	X(s390)                                                                                    \
	X(powerpc)                                                                                 \
	X(riscv)                                                                                   \
	X(csky)                                                                                    \
	X(mips)                                                                                    \
	X(loongarch)

#define DECLARE(name) extern const struct arch arch_##name;
ARCHITECTURES(DECLARE)
#undef DECLARE
/* Of machines that none of these is: it has no data. */
extern const struct arch arch_unknown;

#endif
