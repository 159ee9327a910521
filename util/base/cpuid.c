// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/cpuid.h"

#include "base/alloc.h"

#define CPU_MAX 1024 /* that are asked for their identification register */

char *cpuinfo_value(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
		const char *colon = p + len;

		if (strncmp(p, key, len))
			continue;
		colon += strspn(colon, " \t");
		if (*colon != ':')
			continue;
		colon++;
		colon += strspn(colon, " \t");
		return xstrndup(colon, strcspn(colon, "\n"));
	}
	return NULL;
}

/* arm64, from the first CPU that tells it: how the kernel's event tables know processors. */
static char *midr(const struct sysroot *sr)
{
	const u64 variant = 0xf00000, revision = 0xf;
	struct strbuf sb = STRBUF_INIT;
	u64 v = 0;

	for (int cpu = 0; cpu < CPU_MAX && !v; cpu++) {
		strbuf_reset(&sb);
		if (!sysroot_read(sr, &sb,
				  "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
				  cpu))
			v = strtoull(strbuf_str(&sb), NULL, 16);
	}
	strbuf_release(&sb);
	return v ? xasprintf("0x%016" PRIx64, v & ~(variant | revision)) : NULL;
}

/* The values of all @keys, joined by @sep; NULL when one is missing. */
static char *joined(const char *text, const char *const *keys, size_t nr, const char *sep)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++) {
		char *v = cpuinfo_value(text, keys[i]);

		if (!v) {
			strbuf_release(&sb);
			return NULL;
		}
		strbuf_addf(&sb, "%s%s", i ? sep : "", v);
		free(v);
	}
	return strbuf_detach(&sb);
}

/* powerpc: "revision : 2.2 (pvr 004e 1202)" */
static char *pvr(const char *text)
{
	char *line = cpuinfo_value(text, "revision"), *at = line ? strstr(line, "pvr ") : NULL;
	unsigned int high, low;
	char *v = NULL;

	if (at && sscanf(at, "pvr %4x %4x", &high, &low) == 2)
		v = xasprintf("%04x%04x", high, low);
	free(line);
	return v;
}

/* s390: manufacturer, type, model and the versions of its counter facilities */
static char *s390(const struct sysroot *sr, const char *cpuinfo)
{
	static const char *const keys[] = { "Manufacturer", "Type", "Model" };
	struct strbuf sb = STRBUF_INIT, out = STRBUF_INIT;

	if (!strstr(cpuinfo, "IBM/S390") || sysroot_read(sr, &sb, "/proc/sysinfo")) {
		strbuf_release(&sb);
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		char *v = cpuinfo_value(strbuf_str(&sb), keys[i]);

		/* "Model: 704 M03" counts as two */
		for (char *p = v; p && *p; p += strspn(p, " ")) {
			size_t n = strcspn(p, " ");

			strbuf_addf(&out, "%s%.*s", out.len ? "," : "", (int)n, p);
			p += n;
		}
		free(v);
	}
	strbuf_release(&sb);
	return strbuf_detach(&out);
}

char *cpuid_text(const struct sysroot *sr)
{
	static const char *const x86[] = { "vendor_id", "cpu family", "model", "stepping" };
	static const char *const riscv[] = { "mvendorid", "marchid", "mimpid" };
	struct strbuf sb = STRBUF_INIT;
	char *v = NULL;

	if (!sysroot_read(sr, &sb, "/proc/cpuinfo")) {
		const char *text = strbuf_str(&sb);

		v = joined(text, x86, ARRAY_SIZE(x86), ",");
		if (!v)
			v = joined(text, riscv, ARRAY_SIZE(riscv), "-");
		if (!v)
			v = pvr(text);
		if (!v)
			v = s390(sr, text);
	}
	if (!v)
		v = midr(sr);
	strbuf_release(&sb);
	return v;
}

char *cpuid_table_text(const char *cpuid)
{
	unsigned int family, model, stepping;
	char vendor[64];

	if (sscanf(cpuid, "%63[^,],%u,%u,%u", vendor, &family, &model, &stepping) == 4 &&
	    strcmp(vendor, "IBM"))
		return xasprintf("%s-%u-%X-%X", vendor, family, model, stepping);
	return xstrdup(cpuid);
}
