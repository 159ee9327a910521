/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel and its modules as objects. */
#ifndef PERF_PROBE_KERNEL_INTERNAL_H
#define PERF_PROBE_KERNEL_INTERNAL_H

#include "probe/object.h"

/** probe_kernel_open - do what probe_object_open() does for the running kernel, or for one that
 * does not run. */
int probe_kernel_open(struct probe_object *o, struct err *err);
/** probe_module_open - do what probe_object_open() does for a module: one that is named by its
 * path, or a loaded one by its name, whose file may not be known. */
int probe_module_open(struct probe_object *o, struct err *err);
/**
 * probe_kernel_move - let the functions of the running kernel, which are where memory has them,
 * have the addresses of the file with its debug information. The kernel may have been moved when it
 * was loaded (KASLR); what it is told of places is counted from where it begins, so that this is
 * the same. Without a file nothing is moved.
 */
void probe_kernel_move(struct probe_object *o);
/**
 * probe_kernel_owner - append a sentence that tells which other part of the running kernel has a
 * function that @o, the kernel or a module, does not have; nothing when none is known.
 */
void probe_kernel_owner(const struct probe_object *o, const char *function, struct strbuf *out);

#endif
