/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache keeps on disk, by build-id, what was worked out of objects, so that the next report
 * does not do that work again. A file has one kind of result for one object; it appears at once, as
 * a whole, and is never written again, so any number of processes may read and write at the same
 * time. Bytes that come from there were written by this program unless they are damaged in a way
 * that their checksum does not show; still their readers check them as bytes from outside.
 *
 * Nothing here fails: without a folder, rights or room on the disk, nothing is kept.
 */
#ifndef PERF_OBJCACHE_OBJCACHE_H
#define PERF_OBJCACHE_OBJCACHE_H

#include "base/compat.h"

enum objcache_kind {
	OBJCACHE_LINES,   /* source lines and inlined functions of addresses */
	OBJCACHE_SYMBOLS, /* indexes of symbol tables */
	OBJCACHE_SOURCE,  /* units of debug information, and the functions in them by name */
	OBJCACHE_KERNEL,  /* symbols of kernels, from their kallsyms */
	OBJCACHE_KINDS,
};

struct objcache_conf {
	bool on[OBJCACHE_KINDS]; /* which results are kept */
	const char *dir;         /* borrowed; NULL: nothing is kept */
	u64 size;                /* bytes that the files may have together; 0: any number */
};

struct objcache;

/** objcache_folder - return the folder of a cache: @dir, or else .cache in that of the build-id
 * cache @buildid_dir. NULL: neither is there (or it is ""). The caller frees. */
char *objcache_folder(const char *dir, const char *buildid_dir);
/** objcache_purge - remove all results from a folder. */
void objcache_purge(const char *dir);

/** objcache_new - make a cache, which may be NULL in all that follows. @conf: copied.
 * objcache_free() frees it, and keeps its folder within its size. */
struct objcache *objcache_new(const struct objcache_conf *conf);
void objcache_free(struct objcache *c);

/* The key says which result is meant. */
struct objcache_key {
	enum objcache_kind kind;
	u32 version; /* of the layout and of what is in there: others are not found */
	u8 id[20];   /* the build-id of the object */
	u8 id_size;  /* 0: it has none, so nothing is kept of it */
};

struct objcache_file {
	const u8 *data; /* len bytes, aligned to 8 */
	size_t len;
	/* private */
	void *map;
	size_t map_size;
};

/** objcache_get - map a result. It is safe to call on any thread, as the next one is. Return:
 * whether there is one. objcache_file_release() is needed then. */
bool objcache_get(const struct objcache *c, const struct objcache_key *key,
		  struct objcache_file *out);
void objcache_file_release(struct objcache_file *f);
/**
 * objcache_take - take an array from data that were kept: it begins at *@p, which moves behind it.
 * @left: the bytes from *@p on, which become fewer
 * @size: bytes of each of the @nr elements
 * Return: the array, which lies in the data and is not to be written; NULL: it does not fit.
 */
void *objcache_take(const u8 **p, u64 *left, u64 nr, u64 size);
/** objcache_has - tell whether there is a result, which may be of another version or damaged. */
bool objcache_has(const struct objcache *c, const struct objcache_key *key);
/** objcache_wants - tell whether results of a kind are kept for a build-id of that size. */
bool objcache_wants(const struct objcache *c, const struct objcache_key *key);
/** objcache_put - keep a result of @len bytes. */
void objcache_put(struct objcache *c, const struct objcache_key *key, const void *data, size_t len);

#endif
