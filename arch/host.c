// SPDX-License-Identifier: GPL-2.0-or-later
/* The one place that knows which machine this program was built for. */
#include "base/compat.h"

#include "arch/arch-internal.h"

#if defined(__x86_64__)
#define HOST arch_x86_64
#elif defined(__i386__)
#define HOST arch_i386
#elif defined(__aarch64__)
#define HOST arch_arm64
#elif defined(__arm__)
#define HOST arch_arm
#elif defined(__s390__)
#define HOST arch_s390
#elif defined(__powerpc__)
#define HOST arch_powerpc
#elif defined(__riscv)
#define HOST arch_riscv
#elif defined(__csky__)
#define HOST arch_csky
#elif defined(__mips__)
#define HOST arch_mips
#elif defined(__loongarch__)
#define HOST arch_loongarch
#else
#define HOST arch_unknown
#endif

const struct arch *arch_host(void)
{
	return &HOST;
}
