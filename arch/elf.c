// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "arch/elf.h"

#include "arch/arch-internal.h"

#include <elf.h>

static const struct arch_elf unknown = { .machine = EM_NONE };

static const struct arch_elf *own(const struct arch *a, u32 machine)
{
	for (u32 i = 0; i < a->nr_elf; i++)
		if (a->elf[i].machine == machine)
			return &a->elf[i];
	return NULL;
}

const struct arch_elf *arch_elf_of(u32 machine)
{
	const struct arch_elf *e = NULL;
	const struct arch *a;

	for (size_t i = 0; !e && (a = arch_nr(i)); i++)
		e = own(a, machine);
	return e ? e : &unknown;
}

/* Nothing is known to be foreign to an architecture without data. */
bool arch_runs(const struct arch *a, u16 machine)
{
	if (machine == EM_NONE)
		return false;
	return !a->nr_elf || own(a, machine) || a->also_runs == machine;
}
