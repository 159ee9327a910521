/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kind of processor this is, as recordings and the tables of events name it. */
#ifndef PERF_BASE_CPUID_H
#define PERF_BASE_CPUID_H

#include "base/sysroot.h"

/** cpuinfo_value - the value of "key<blanks>: value" in the first block of /proc/cpuinfo that has
 * it; caller frees; NULL when there is none. @text: of that file. */
char *cpuinfo_value(const char *text, const char *key);

/**
 * cpuid_text - the processor as recordings have it: "GenuineIntel,6,85,7" (x86: vendor, family,
 * model, stepping, in decimal), "0x00000000410fd070" (arm64: its identification register without
 * variant and revision), "0x489-0x8000000000000007-0x8000000000000007" (riscv: vendor,
 * architecture, implementation), "004e1202" (powerpc: version register), "IBM,3906,704,M03,..."
 * (s390). Caller frees; NULL when the machine does not tell.
 */
char *cpuid_text(const struct sysroot *sr);

/**
 * cpuid_table_text - the same as the first column of mapfile.csv has it, from cpuid_text(): x86
 * becomes "GenuineIntel-6-55-7", model and stepping in hexadecimal; others stay. Caller frees.
 */
char *cpuid_table_text(const char *cpuid);

#endif
