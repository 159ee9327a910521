/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The build-id cache: copies of objects that profiles name, found by build-id.
 *
 * Layout, shared with other perfs (DIR is ~/.debug unless told otherwise, HEX the build-id):
 *
 *	DIR/usr/bin/ls/HEX/elf                     the object: a hard link, or a copy
 *	DIR/usr/bin/ls/HEX/debug                   its separate debug information
 *	DIR/usr/bin/ls/HEX/probes                  its markers for tracers, as text for uprobes
 *	DIR/[vdso]/HEX/vdso, DIR/[kernel.kallsyms]/HEX/kallsyms
 *	DIR/.build-id/15/dfff...                   symbolic link: ../../usr/bin/ls/HEX
 *
 * Files appear whole: they are written beside their place and renamed.
 */
#ifndef PERF_BUILDID_CACHE_H
#define PERF_BUILDID_CACHE_H

#include "base/err.h"
#include "base/strbuf.h"

struct cache_entry {
	char hex[41];
	char *name; /* owned: path of the object, or "[vdso]" and the like */
	int ret;    /* of removing it: 0, or the negative errno for which it is still there */
};

struct cache_list {
	struct cache_entry *v; /* owned, sorted by hex */
	size_t nr, cap;
};

/** cache_list - list the entries of @dir that have the file @leaf ("probes"; NULL: all); an empty
 * list when it is not there. */
void cache_list(const char *dir, const char *leaf, struct cache_list *out);
/** cache_list_add - append an entry. @name: the list owns it from now on */
void cache_list_add(struct cache_list *l, const char *hex, char *name);
/** cache_list_release - free it. */
void cache_list_release(struct cache_list *l);
/** cache_has - tell whether there is something for this build-id: the file @leaf ("elf",
 * "kallsyms", "vdso"), or any of them when NULL. */
bool cache_has(const char *dir, const char *hex, const char *leaf);
/** cache_entry_path - find the folder of a build-id as @dir has it, relative to @dir. Return: a
 * path the caller frees, or NULL when it is not there or leads out of the cache. */
char *cache_entry_path(const char *dir, const char *hex);

/* An object to put into the cache. */
struct cache_object {
	char *name;   /* owned: real path */
	int fd;       /* owned: open for reading */
	char hex[41]; /* its build-id */
};

/**
 * cache_object_open - open an object file and read its build-id.
 * @pid: look in the mount namespace of this process; 0: in ours
 * Return: 0 (release with cache_object_release), or negative errno and a sentence.
 */
int cache_object_open(struct cache_object *o, const char *path, int pid, struct err *err);
/** cache_object_release - close and free; a zeroed one is fine. */
void cache_object_release(struct cache_object *o);

/* The effort that may be spent on an entry. */
enum cache_effort {
	CACHE_COPY, /* link, or copy what cannot be linked */
	CACHE_LINK  /* only what costs next to nothing */
};

/**
 * cache_add - put an object, and its debug file where there is one, into the cache.
 * *@linked_to (caller frees, may be NULL): the link of that build-id when it names another object.
 * Return: 0, -EXDEV when it would have to be copied and @effort is CACHE_LINK, other negative errno
 * and a sentence.
 */
int cache_add(const char *dir, const struct cache_object *o, enum cache_effort effort,
	      char **linked_to, struct err *err);
/**
 * cache_fill - have the object that a recording names in the cache: from this machine, if it is the
 * same. The vdso and, with CACHE_COPY, the running kernel's kallsyms too.
 * @name: as recorded
 * @pid: look in the mount namespace of this process, for which a process with one thread is needed;
 *	 0: in ours
 * Return: 0, -EXDEV as above, -ENOENT when this machine does not have it, other negative errno.
 */
int cache_fill(const char *dir, const char *name, int pid, const u8 *id, u8 id_size,
	       enum cache_effort effort);

/** cache_remove - take a build-id out. Return: 0, -ENOENT when it is not there, -errno. */
int cache_remove(const char *dir, const char *hex);
/** cache_drop - take one folder of an object out, whatever the link of its build-id names. */
void cache_drop(const char *dir, const char *name, const char *hex);
/** cache_ids - list the build-ids under which the cache has had the object @name. Return: 0 or
 * -errno. */
int cache_ids(const char *dir, const char *name, struct cache_list *out);

/** cache_put - put the contents of @fd there as the file @leaf ("elf", "debug") of the object @name
 * with the build-id @hex. Return: 0 or negative errno. */
int cache_put(const char *dir, const char *name, const char *hex, const char *leaf, int fd);
/** cache_put_text - do the same with a text that is no file. */
int cache_put_text(const char *dir, const char *name, const char *hex, const char *leaf,
		   const struct strbuf *text);
/** cache_probes_read - append the text of the file "probes" that the object @name with the build-id
 * @hex has there (symbol/sdt.h, proberun/cached.h). Return: false when there is none. */
bool cache_probes_read(const char *dir, const char *name, const char *hex, struct strbuf *out);

#endif
