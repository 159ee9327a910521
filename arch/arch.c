// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "arch/arch-internal.h"

#include <fnmatch.h>

static const char *const no_names[] = { NULL };
const struct arch arch_unknown = { .unames = no_names };

static const struct arch *const architectures[] = {
#define ROW(name) &arch_##name,
	ARCHITECTURES(ROW)
#undef ROW
};

const struct arch *arch_nr(size_t nr)
{
	return nr < ARRAY_SIZE(architectures) ? architectures[nr] : NULL;
}

const struct arch *arch_of(const char *uname)
{
	if (!uname)
		return arch_host();
	for (size_t i = 0; i < ARRAY_SIZE(architectures); i++)
		for (const char *const *p = architectures[i]->unames; *p; p++)
			if (!fnmatch(*p, uname, 0))
				return architectures[i];
	return &arch_unknown;
}

bool arch_core_pmu(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(architectures); i++) {
		const char *pattern = architectures[i]->core_pmu;

		if (pattern && !fnmatch(pattern, name, 0))
			return true;
	}
	return !strcmp(name, "cpu");
}

const char *arch_reg_name(const struct arch *a, u32 nr)
{
	return nr < a->nr_regs && a->regs[nr].name ? a->regs[nr].name : "unknown";
}

int arch_reg_dwarf(const struct arch *a, u32 nr)
{
	return nr < a->nr_regs && a->regs[nr].name ? a->regs[nr].dwarf : -1;
}
