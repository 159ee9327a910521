/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Load libdw when it is first needed, so that other commands do not wait for it. */
#ifndef PERF_DWARF_LIBDW_INTERNAL_H
#define PERF_DWARF_LIBDW_INTERNAL_H

#include "base/compat.h"

#include <elfutils/libdw.h>
#include <gelf.h>

#define LIBDW_CALLS(X)                                                                             \
	X(dwarf_begin)                                                                             \
	X(dwarf_end)                                                                               \
	X(dwarf_addrdie)                                                                           \
	X(dwarf_getsrc_die)                                                                        \
	X(dwarf_getsrcfiles)                                                                       \
	X(dwarf_filesrc)                                                                           \
	X(dwarf_lineno)                                                                            \
	X(dwarf_linesrc)                                                                           \
	X(dwarf_getscopes)                                                                         \
	X(dwarf_getscopes_die)                                                                     \
	X(dwarf_ranges)                                                                            \
	X(dwarf_getelf)                                                                            \
	X(dwarf_child)                                                                             \
	X(dwarf_siblingof)                                                                         \
	X(dwarf_tag)                                                                               \
	X(dwarf_attr)                                                                              \
	X(dwarf_formref_die)                                                                       \
	X(dwarf_formstring)                                                                        \
	X(dwarf_formudata)                                                                         \
	X(dwarf_getcfi_elf)                                                                        \
	X(dwarf_getcfi)                                                                            \
	X(dwarf_cfi_addrframe)                                                                     \
	X(dwarf_frame_register)                                                                    \
	X(dwarf_get_units)                                                                         \
	X(dwarf_offdie)                                                                            \
	X(dwarf_cu_info)                                                                           \
	X(dwarf_getlocations)                                                                      \
	X(dwarf_getlocation)                                                                       \
	X(dwarf_getlocation_attr)                                                                  \
	X(dwarf_getlocation_implicit_value)                                                        \
	X(dwarf_attr_integrate)                                                                    \
	X(dwarf_formsdata)                                                                         \
	X(dwarf_formaddr)                                                                          \
	X(dwarf_formflag)                                                                          \
	X(dwarf_frame_cfa)                                                                         \
	X(dwarf_frame_info)                                                                        \
	X(dwarf_cfi_end)                                                                           \
	X(elf_version)                                                                             \
	X(elf_begin)                                                                               \
	X(elf_end)                                                                                 \
	X(elf_getphdrnum)                                                                          \
	X(gelf_getehdr)                                                                            \
	X(gelf_getphdr)                                                                            \
	X(gelf_getshdr)                                                                            \
	X(gelf_getsym)                                                                             \
	X(gelf_getrela)                                                                            \
	X(elf_getscn)                                                                              \
	X(elf_strptr)                                                                              \
	X(elf_nextscn)                                                                             \
	X(elf_getdata)

/* The functions of the library. */
struct libdw {
	void *handle;
#define LIBDW_MEMBER(name) __typeof__(&name) name;
	LIBDW_CALLS(LIBDW_MEMBER)
#undef LIBDW_MEMBER
};

/* The segments of a file and their addresses. */
struct libdw_loads {
	struct libdw_load {
		u64 offset, vaddr, size;
	} * list; /* owned; free() it */
	size_t nr, cap;
};

/**
 * libdw_load - load the library. Return: whether all functions were found. libdw_unload() is needed
 * in both cases.
 */
bool libdw_load(struct libdw *lib);
/** libdw_unload - unload the library. */
void libdw_unload(struct libdw *lib);

/** libdw_loads - append the segments of @elf, which may be NULL. */
void libdw_loads(const struct libdw *lib, struct libdw_loads *loads, Elf *elf);
/** libdw_virtual - convert an offset in a file to the address that its headers give it. */
u64 libdw_virtual(const struct libdw_loads *loads, u64 addr);

#endif
