/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions turn the names of markers in programs (sdt_PROVIDER:NAME) into probes in the
 * kernel, for one run of a command. */
#ifndef PERF_RECORDER_SDT_PROBES_H
#define PERF_RECORDER_SDT_PROBES_H

#include "kernel/probe-files.h"

#include <sys/types.h>

struct sdt_probes {
	struct probe_set set;          /* what was made; set.nr of them */
	const struct sysroot *sysroot; /* borrowed */
	const char *cache_dir;         /* borrowed; the build-id cache; NULL: there is none */
	pid_t owner;                   /* only this process removes them */
};

/**
 * sdt_probes_make - make a probe for each place of the markers that match.
 * @ctx: the struct sdt_probes
 * @sys: the provider, perhaps with "sdt_" before it; may be a pattern, as @name
 * @object: "PATH" or "PATH(BUILD-ID)" of the object that is meant; NULL: any
 *
 * Return: 0; -ENOENT when no object in the cache has such a marker; other negative errno with a
 * sentence. Probes that were made before an error stay.
 */
int sdt_probes_make(void *ctx, const char *sys, const char *name, const char *object,
		    struct err *err);
/** sdt_probes_remove - remove all of them, which has to be done on every way out. */
void sdt_probes_remove(struct sdt_probes *p);

#endif
