// SPDX-License-Identifier: GPL-2.0-or-later
/* This is the only file that tests which machine the program was compiled for. */
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

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

/*
 * The compiler's own test reads all features at every start, and in a guest each read is a trap.
 */
static bool made_by_amd(void)
{
	unsigned int leaf = 0, ebx = 0, ecx = 0, edx = 0;

	__get_cpuid(0, &leaf, &ebx, &ecx, &edx);
	return ebx == signature_AMD_ebx && ecx == signature_AMD_ecx && edx == signature_AMD_edx;
}
#else
static bool made_by_amd(void)
{
	return false;
}
#endif

const struct arch *arch_host(void)
{
	return &HOST;
}

bool arch_host_counts_guests(void)
{
	return made_by_amd();
}
