/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read the build-ids of objects as this machine has them now. */
#ifndef PERF_SYMBOL_OBJECT_ID_H
#define PERF_SYMBOL_OBJECT_ID_H

#include "base/sysroot.h"

/**
 * object_id - read the build-id of what a recording made here calls @name: a file, "[vdso]", with
 * @kernel "[kernel.kallsyms]" or a module.
 * @pid: a process that mapped it, whose mount namespace may be the only one to have it; 0: none
 * Return: bytes, or 0 or negative when there is none.
 */
int object_id(const struct sysroot *sr, const char *name, bool kernel, u32 pid, u8 id[20]);

/* The namespace and root directory of a process, which give file names their meaning. */
struct root_view {
	u64 ns, ino, dev;
};
/** root_view_read - read the view of process @pid, 0 being this one. Return: false when it cannot
 * be known. */
bool root_view_read(const struct sysroot *sr, u32 pid, struct root_view *v);
/**
 * in_other_root - tell whether process @pid has another mount namespace or root directory than we,
 * so that names of files mean something else there; false when that cannot be known. @own: our view
 * @space: a number of what it has, the same for all processes that share it; 0 when it is ours
 */
bool in_other_root(const struct sysroot *sr, const struct root_view *own, u32 pid, u64 *space);

/* Build-ids looked up for many maps, each file once. For several threads at once. */
struct object_ids;
/** object_ids_new - make a table of ids. @others_only: those of processes in other mount
 * namespaces. */
struct object_ids *object_ids_new(const struct sysroot *sr, bool others_only);
void object_ids_free(struct object_ids *o);
/** object_ids_find - find an id; a synth_build_id_fn. @ctx: the struct object_ids. */
int object_ids_find(void *ctx, u32 pid, const char *name, u8 id[20]);

#endif
