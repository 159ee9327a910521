/* SPDX-License-Identifier: GPL-2.0-or-later */
/* List the markers of all objects in a build-id cache, from the files "probes" in it
 * (symbol/sdt.h). */
#ifndef PERF_BUILDID_MARKERS_H
#define PERF_BUILDID_MARKERS_H

#include "base/arena.h"

struct sdt_cached {
	const char *event; /* "sdt_python:line" */
	const char *path;  /* of the object */
	const char *hex;   /* its build-id */
};

struct sdt_cache {
	struct sdt_cached *v; /* owned; by event, then build-id; each once */
	size_t nr, cap;
	struct arena strings;
};

/** sdt_cache_read - read the markers of the cache @dir; there are none when it does not exist. Free
 * with sdt_cache_release(). */
void sdt_cache_read(struct sdt_cache *c, const char *dir);
/** sdt_cache_add - append the markers of one file's text, unsorted. @path, @hex: owned by the
 * cache's arena, or constants */
void sdt_cache_add(struct sdt_cache *c, const char *text, size_t len, const char *path,
		   const char *hex);
void sdt_cache_release(struct sdt_cache *c);

#endif
