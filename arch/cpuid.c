// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "arch/cpuid.h"

#include "arch/arch-internal.h"
#include "arch/cpuinfo.h"
#include "base/alloc.h"

char *cpu_model(const char *cpuinfo)
{
	const struct arch *a;
	char *v = NULL;

	for (size_t i = 0; !v && (a = arch_nr(i)); i++)
		v = a->cpu_model_key ? cpuinfo_value(cpuinfo, a->cpu_model_key) : NULL;
	return v;
}

char *cpuid_text(const struct sysroot *sr)
{
	struct strbuf sb = STRBUF_INIT;
	const struct arch *a;
	const char *cpuinfo;
	char *v = NULL;

	cpuinfo = sysroot_read(sr, &sb, "/proc/cpuinfo") ? "" : strbuf_str(&sb);
	for (size_t i = 0; !v && (a = arch_nr(i)); i++)
		v = a->cpuid ? a->cpuid(sr, cpuinfo) : NULL;
	strbuf_release(&sb);
	return v;
}

char *cpuid_table_text(const char *cpuid)
{
	const struct arch *a;
	char *v = NULL;

	for (size_t i = 0; !v && (a = arch_nr(i)); i++)
		v = a->cpuid_table ? a->cpuid_table(cpuid) : NULL;
	return v ? v : xstrdup(cpuid);
}

int cpuid_compare(const char *want, const char *cpuid)
{
	const struct arch *a;
	int is = -1;

	for (size_t i = 0; is < 0 && (a = arch_nr(i)); i++)
		is = a->cpuid_compare ? a->cpuid_compare(want, cpuid) : -1;
	return is;
}
