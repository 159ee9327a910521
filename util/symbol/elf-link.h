/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocatable files, as if they were linked. A kernel module is such a file: all of its sections
 * begin at 0, and the compiler left the addresses out of its debug information. The copies that are
 * made here have both, so that whatever reads linked files reads them.
 */
#ifndef PERF_SYMBOL_ELF_LINK_H
#define PERF_SYMBOL_ELF_LINK_H

#include "base/compat.h"

#define ELF_LINK_AT 0x1000 /* the address of the first section: nothing is at 0 */

/**
 * elf_link_open - make a copy in memory of a relocatable file, in which the sections that are
 * loaded follow each other from ELF_LINK_AT on. Files with the same sections, as an object and its
 * debug file, get the same addresses. The copy is not compressed, and it is no program: it has no
 * segments.
 * @path: the file, which may be compressed (codec/unpack.h)
 * Return: a descriptor, which the caller closes, or a negative errno; -EINVAL when the file is of
 * another type.
 */
int elf_link_open(const char *path);

#endif
