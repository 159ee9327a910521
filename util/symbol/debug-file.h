/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions tell where an object and its debug file may be, and open that for a copy. */
#ifndef PERF_SYMBOL_DEBUG_FILE_H
#define PERF_SYMBOL_DEBUG_FILE_H

#include "base/err.h"
#include "base/sysroot.h"

/* A copy of the recorded system's files (--symfs). */
struct symfs {
	const char *dir; /* NULL or "": there is none */
	bool flat;       /* all files are directly in @dir, whatever folders they were in */
};

/**
 * symfs_parse - read "DIR[,flat|hierarchy]".
 * @s: its directory is a copy, which symfs_release() frees
 * Return: 0, or -EINVAL and a sentence when the layout is another one; then there is none.
 */
int symfs_parse(struct symfs *s, const char *text, struct err *err);
void symfs_release(struct symfs *s);
/** symfs_path - return where the file that the recorded system has at @path is here. The caller
 * frees it. */
char *symfs_path(const struct symfs *s, const char *path);

/* The facts that are known of an object; strings are borrowed. */
struct debug_of {
	const char *path; /* as the process has it */
	const char *link; /* name in .gnu_debuglink; NULL: none */
	const u8 *id;
	u8 id_size; /* 0: not known */
};

struct debug_place {
	char *path;  /* owned: absolute, below some root directory; NULL: this one does not apply */
	char origin; /* as of symtab_origin() */
	bool system; /* below /usr/lib/debug */
};

/** debug_place - return the @n-th place to look in, the best first. Return: false when there are no
 * more. */
bool debug_place(const struct debug_of *of, unsigned n, struct debug_place *out);

/**
 * debuginfod_cached - return where the cache of debuginfod's clients has a file of a build-id, as
 * debuginfod_find_debuginfo(3) tells: below $DEBUGINFOD_CACHE_PATH or its usual folders.
 * @leaf: "debuginfo" or "executable"
 * Return: a path, which the caller frees; NULL: it is not there.
 */
char *debuginfod_cached(const u8 *id, u8 id_size, const char *leaf);

/** file_has_build_id - tell whether an open file is the ELF file with that build-id. */
bool file_has_build_id(int fd, const u8 *id, u8 id_size);
/**
 * debug_file_open - open the debug file of an object, which has its build-id.
 * @symfs: where the files of its system are; NULL: in their places
 * @pid: the process in whose root directory it is; 0: in ours
 * @path: of the object, as that process has it
 * @object: the object, open for reading
 * Return: a descriptor, which the caller closes, or a negative errno.
 */
int debug_file_open(const struct sysroot *sr, const struct symfs *symfs, u32 pid, const char *path,
		    int object, const u8 *id, u8 id_size);

#endif
