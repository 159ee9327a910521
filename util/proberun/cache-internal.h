/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_PROBERUN_CACHE_INTERNAL_H
#define PERF_PROBERUN_CACHE_INTERNAL_H

#include "buildid/cache.h"
#include "proberun/cached.h"
#include "proberun/cache.h"
#include "proberun/wants.h"

/* The place of an object in the cache. */
struct cache_place {
	const char *name; /* borrowed from the object */
	char hex[41];     /* its build-id; "": it has none */
};

/** cache_place_of - find the place of an object. Return: whether it can have one. */
bool cache_place_of(const struct probe_object *o, struct cache_place *p);
/** cache_no_place - say why an object has no place in the cache. Return: -ENOENT. */
int cache_no_place(const struct probe_object *o, struct err *err);
/** probe_cache_load - append the definitions that a cache has of an object. @dir: NULL: none */
void probe_cache_load(const char *dir, const struct cache_place *p, struct probe_cached_list *out);
/**
 * probe_cache_save - add an object to the cache, and the events of a definition to what is kept
 * beside it.
 * Return: 0, or a negative errno and a sentence.
 */
int probe_cache_save(const struct probe_run *r, const struct probe_object *o,
		     const struct probe_definition *d, const struct probe_events *events,
		     struct err *err);
/** cache_none - say that there is no cache at all. Return: -ENOENT. */
int cache_none(struct err *err);
/** probe_cache_load_entry - append the definitions of an entry of the cache. @p: receives its place
 */
void probe_cache_load_entry(const struct probe_run *r, const struct cache_entry *e,
			    struct cache_place *p, struct probe_cached_list *l);
/** cache_is_current - tell whether the object that an entry of the cache is about is now of the
 * build of that entry. */
bool cache_is_current(const struct sysroot *sr, const struct cache_entry *e);

#endif
