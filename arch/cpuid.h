/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Identifications of processors, as recordings and tables of events contain them. The form of a
 * text tells its architecture, so every function asks one architecture after the other.
 */
#ifndef PERF_ARCH_CPUID_H
#define PERF_ARCH_CPUID_H

#include "base/sysroot.h"

/**
 * cpu_model - find the name of the processor in the text of /proc/cpuinfo.
 * Return: the name, which the caller frees, or NULL if the text does not contain it.
 */
char *cpu_model(const char *cpuinfo);

/**
 * cpuid_text - identify the processor of this machine in the way recordings do:
 *	x86: vendor, family, model and stepping in decimal, "GenuineIntel,6,85,7"
 *	arm64: the identification register without variant and revision, "0x00000000410fd070"
 *	riscv: vendor, architecture and implementation,
 *		"0x489-0x8000000000000007-0x8000000000000007"
 *	powerpc: the version register, "004e1202"
 *	s390: manufacturer, type, model, "IBM,3906,704,M03,..."
 * Return: the text, which the caller frees, or NULL if the machine does not tell.
 */
char *cpuid_text(const struct sysroot *sr);

/**
 * cpuid_table_text - convert a text of cpuid_text() to the form of the first column of mapfile.csv:
 * for x86 that is "GenuineIntel-6-55-7", with model and stepping in hexadecimal; other texts stay
 * the same. The caller frees the result.
 */
char *cpuid_table_text(const char *cpuid);

/**
 * cpuid_compare - tell whether the processor that the expression of a metric names is this one. On
 * arm64, "0x410fd490" means that processor in this revision or a later one.
 * @cpuid: a text of cpuid_table_text()
 * Return: 1 if it is, 0 if it is not, -1 if no architecture has a rule of its own for @want, which
 * is a pattern like those of mapfile.csv then.
 */
int cpuid_compare(const char *want, const char *cpuid);

#endif
