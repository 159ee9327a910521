/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects that samples hit go into the build-id cache. A recording must not wait for it: what is
 * there already costs a look, a hard link costs little more, and what can only be copied is noted
 * and left to a process in the background.
 */
#ifndef PERF_RECORDER_OBJECT_CACHE_H
#define PERF_RECORDER_OBJECT_CACHE_H

#include "base/sysroot.h"
#include "recorder/scan.h"

/* An object that no hard link can put into the cache. */
struct object_copy {
	char *name; /* owned */
	u32 pid;    /* that has it in a mount namespace of its own; 0: it is in ours */
	u8 id[20], id_size;
	struct held_files held; /* owned: open since that process was seen */
};

struct object_cache {
	const struct sysroot *sysroot; /* borrowed */
	const char *dir;               /* borrowed; of the cache, NULL: nothing goes into it */
	const char *vmlinux;           /* borrowed; the kernel's file, NULL: not known */
	bool fetch;                    /* what is not found is asked of debuginfod */
	struct object_copy *copies;    /* owned; what has to be copied when all is written */
	size_t nr, cap;
};

/** object_cache_add - put an object into the cache if that costs next to nothing, else note it.
 * @ctx: the struct object_cache; @name: as recorded; @pid: a process that has it; @held: as in
 * struct scan_opts */
void object_cache_add(void *ctx, const char *name, u32 pid, const u8 *id, u8 id_size,
		      struct held_files *held);
/**
 * object_cache_copy - have what was noted copied by a process in the background, and forget it.
 * @before: called in that process first; may be NULL
 */
void object_cache_copy(struct object_cache *c, void (*before)(void *ctx), void *ctx);

#endif
