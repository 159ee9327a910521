// SPDX-License-Identifier: GPL-2.0-or-later
/* s390 with 64 bits. */
#include "base/compat.h"

#include "arch/arch-internal.h"
#include "arch/elf.h"
#include "arch/cpuinfo.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

#include <elf.h>

/* The registers in the order of asm/perf_regs.h, with their DWARF numbers. */
static const struct arch_reg regs[] = {
	{ "R0", 0 },    { "R1", 1 },    { "R2", 2 },    { "R3", 3 },    { "R4", 4 },
	{ "R5", 5 },    { "R6", 6 },    { "R7", 7 },    { "R8", 8 },    { "R9", 9 },
	{ "R10", 10 },  { "R11", 11 },  { "R12", 12 },  { "R13", 13 },  { "R14", 14 },
	{ "R15", 15 },  { "FP0", 16 },  { "FP1", 20 },  { "FP2", 17 },  { "FP3", 21 },
	{ "FP4", 18 },  { "FP5", 22 },  { "FP6", 19 },  { "FP7", 23 },  { "FP8", 24 },
	{ "FP9", 28 },  { "FP10", 25 }, { "FP11", 29 }, { "FP12", 26 }, { "FP13", 30 },
	{ "FP14", 27 }, { "FP15", 31 }, { "MASK", 64 }, { "PC", 65 },
};

static const char *const names[] = { "s390*", NULL };

/* The identification is made of the manufacturer, the type and the model. */
static char *cpuid(const struct sysroot *sr, const char *cpuinfo)
{
	static const char *const keys[] = { "Manufacturer", "Type", "Model" };
	struct strbuf sb = STRBUF_INIT, out = STRBUF_INIT;

	if (!strstr(cpuinfo, "IBM/S390") || sysroot_read(sr, &sb, "/proc/sysinfo")) {
		strbuf_release(&sb);
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		char *v = cpuinfo_value(strbuf_str(&sb), keys[i]);

		/* each word is a part of its own: "Model: 704 M03" */
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

static const struct arch_elf elf[] = {
	{ .machine = EM_S390,
	  .plt_header = 32,
	  .plt_entry = 32,
	  .reloc_word = R_390_32,
	  .reloc_long = R_390_64 },
};

const struct arch arch_s390 = {
	.unames = names,
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.elf = elf,
	.nr_elf = ARRAY_SIZE(elf),
	.cpu_model_key = "vendor_id",
	.cpuid = cpuid,
};
