// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#ifdef HAVE_LIBDW
#include "base/alloc.h"
#include "base/library.h"
#include "dwarf/libdw-internal.h"

#include <limits.h>

bool libdw_load(struct libdw *lib)
{
	lib->handle = LIBRARY_LOAD("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (!lib->handle)
		return false;
#define FIND(name)                                                                                 \
	lib->name = (__typeof__(lib->name))LIBRARY_FIND(lib->handle, name);                        \
	if (!lib->name)                                                                            \
		return false;
	LIBDW_CALLS(FIND)
#undef FIND
	lib->elf_version(EV_CURRENT);
	return true;
}

void libdw_unload(struct libdw *lib)
{
	if (lib->handle)
		LIBRARY_DROP(lib->handle);
	lib->handle = NULL;
}

void libdw_loads(const struct libdw *lib, struct libdw_loads *loads, Elf *elf)
{
	size_t nr = 0;
	GElf_Phdr ph;

	if (!elf || lib->elf_getphdrnum(elf, &nr))
		return;
	for (size_t i = 0; i < nr && i < INT_MAX; i++) {
		if (!lib->gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_LOAD)
			continue;
		VEC_GROW(loads->list, loads->nr + 1, loads->cap);
		loads->list[loads->nr++] =
			(struct libdw_load){ ph.p_offset, ph.p_vaddr, ph.p_filesz };
	}
}

u64 libdw_virtual(const struct libdw_loads *loads, u64 addr)
{
	for (size_t i = 0; i < loads->nr; i++) {
		const struct libdw_load *l = &loads->list[i];

		if (addr >= l->offset && addr - l->offset < l->size)
			return addr - l->offset + l->vaddr;
	}
	return addr;
}
#endif
