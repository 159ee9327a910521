/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `perf buildid-cache` does with the cache: each verb takes one object by its name, and gives
 * a result that cache_result_text() tells.
 */
#ifndef PERF_BUILDID_VERBS_H
#define PERF_BUILDID_VERBS_H

#include "base/strbuf.h"
#include "buildid/cache.h"

struct buildid_cache {
	const char *dir; /* borrowed */
	int target_ns;   /* names are those of this process' mount namespace; 0: ours */
};

enum cache_verb {
	CACHE_ADD,
	CACHE_UPDATE,
	CACHE_REMOVE,
	CACHE_PURGE,
	CACHE_PURGE_ALL,
	CACHE_KCORE,
	CACHE_NR_VERBS
};

struct cache_result {
	enum cache_verb verb;
	const char *name; /* borrowed: as it was given; NULL: all */
	char hex[41];     /* build-id of the object; "" when there is none to read */
	char *place;      /* owned: the link of that build-id when it names another object; the
			   * folder that has the kcore; may be NULL */
	struct cache_list removed; /* owned: the entries that CACHE_PURGE* took out, or tried to */
	int ret; /* 0; 1: the kcore was there already; negative errno, see err.msg */
	struct err err;
};

/** cache_add_object - put the object in the file @name into the cache. */
void cache_add_object(const struct buildid_cache *c, const char *name, struct cache_result *r);
/** cache_update_object - add an object, and replace what the cache had of this build. */
void cache_update_object(const struct buildid_cache *c, const char *name, struct cache_result *r);
/** cache_remove_object - take the build that the file @name has now out of the cache. */
void cache_remove_object(const struct buildid_cache *c, const char *name, struct cache_result *r);
/** cache_purge_object - take all builds of @name out. The file itself may be long gone. */
void cache_purge_object(const struct buildid_cache *c, const char *name, struct cache_result *r);
/** cache_purge_all - take everything out. @name: NULL */
void cache_purge_all(const struct buildid_cache *c, const char *name, struct cache_result *r);
/** cache_kcore - add the kernel's code from the file @name, see cache_add_kcore(). */
void cache_kcore(const struct buildid_cache *c, const char *name, struct cache_result *r);
/** cache_result_release - free what a verb put into @r. */
void cache_result_release(struct cache_result *r);

/** cache_result_text - append lines about a result; without @verbose only what went wrong. */
void cache_result_text(const struct cache_result *r, bool verbose, struct strbuf *out);

/** cache_list_objects - list the objects and kernels in the cache. An entry that has only a vdso is
 * left out, as other perfs do. Free with cache_list_release(). */
void cache_list_objects(const struct buildid_cache *c, struct cache_list *out);
/** cache_list_text - append "HEX NAME" of each entry as a line. */
void cache_list_text(const struct cache_list *l, struct strbuf *out);

#endif
