/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules of the kernel as objects. */
#ifndef PERF_PROBE_MODULE_INTERNAL_H
#define PERF_PROBE_MODULE_INTERNAL_H

#include "probe/object.h"

/** probe_module_open - do what probe_object_open() does for a module: one that is named by its
 * path, or a loaded one by its name, whose file may not be known. */
int probe_module_open(struct probe_object *o, struct err *err);

#endif
