/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of the running kernel's code in the build-id cache:
 *
 *	DIR/[kernel.kcore]/HEX/YYYYMMDDhhmmsscc/kcore, kallsyms, modules
 *
 * kcore is an ELF core file with the pages of the kernel's text and of its modules; the others are
 * what /proc had beside it. Readable for the owner only.
 */
#ifndef PERF_BUILDID_KCORE_H
#define PERF_BUILDID_KCORE_H

#include "base/err.h"

/**
 * kcore_copy - copy the three files of @path, which is as below, to a new folder. Return: 0,
 * negative errno and a sentence; then there is no folder.
 */
int kcore_copy(const char *path, const char *folder, struct err *err);

/**
 * cache_add_kcore - copy @path (/proc/kcore, or one in another folder with kallsyms, modules and
 * ../sys/kernel/notes), unless one with the same build-id, modules and addresses is there.
 * *@at (caller frees): the folder that has it.
 * Return: 0, 1 when there was one, negative errno and a sentence.
 */
int cache_add_kcore(const char *dir, const char *path, char **at, struct err *err);

#endif
