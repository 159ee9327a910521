/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Definitions that the build-id cache keeps beside their objects (--cache, proberun/cached.h). */
#ifndef PERF_PROBERUN_CACHE_H
#define PERF_PROBERUN_CACHE_H

#include "proberun/proberun.h"

/**
 * probe_cache_list - append the definitions that a filter selects (probe_cached_passes()), below
 * the path and build-id of their object.
 * @filter: "": all
 * Return: 0, or a negative errno and a sentence.
 */
int probe_cache_list(const struct probe_run *r, const char *filter, struct strbuf *out,
		     struct err *err);
/**
 * probe_cache_remove - take out the definitions that filters select, of the program of the options
 * or of all objects.
 * Return: 0, or a negative errno and a sentence: -ENOENT when a filter selects nothing.
 */
int probe_cache_remove(const struct probe_run *r, const char *const *filters, size_t nr,
		       struct err *err);

#endif
