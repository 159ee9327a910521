/* SPDX-License-Identifier: GPL-2.0-or-later */
/* List the running kernel and its modules: their build-ids, and where their code is. */
#ifndef PERF_BUILDID_RUNNING_H
#define PERF_BUILDID_RUNNING_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

struct running_object {
	char *name;     /* owned: "[kernel.kallsyms]", "[MODULE]" */
	u64 start, end; /* of its code; 0 where the kernel keeps addresses secret */
	u8 id[20], id_size;
};

struct running_objects {
	struct running_object *v; /* owned: the kernel, then modules as /proc/modules has them */
	size_t nr, cap;
};

/** running_kernel_id - read the build-id of the kernel. Return: bytes, or negative errno and a
 * sentence. */
int running_kernel_id(const struct sysroot *sr, u8 id[20], struct err *err);
/**
 * running_objects_read - read what /proc and /sys say of the kernel and its modules. Objects
 * without a build-id have the size 0.
 * @out: zeroed; free it with running_objects_release()
 * Return: 0, or negative errno and a sentence.
 */
int running_objects_read(const struct sysroot *sr, struct running_objects *out, struct err *err);
/** running_objects_text - append "ID START END NAME" of each object as a line. */
void running_objects_text(const struct running_objects *l, struct strbuf *out);
/** running_objects_release - free the list. */
void running_objects_release(struct running_objects *l);

#endif
