/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The objects that a recording is about: which builds of which programs, libraries and kernels.
 * `perf buildid-list` lists them, `perf archive` packs them.
 */
#ifndef PERF_OBJECTS_OBJECTS_H
#define PERF_OBJECTS_OBJECTS_H

#include "recording/recording.h"

struct cache_list;

struct recorded_object {
	const char *name; /* borrowed from the recording */
	const u8 *id;     /* borrowed as well */
	u8 id_size;       /* bytes; 0: no build-id is known */
};

struct recorded_objects {
	struct recorded_object *v; /* owned; those of the file's table in its order, then others */
	size_t nr, cap;
};

/**
 * objects_to_list - collect the objects that a listing has, one for each path. A file with a table
 * of build-ids lists that; else samples are read, and tell which objects matter.
 * @hit: only objects in which samples fell
 * @out: zeroed; what there is, also after an error; free it before @r is closed
 * Return: 0; 1 when samples were read, and may have been damaged; negative errno and a sentence.
 */
int objects_to_list(struct recording *r, bool hit, struct recorded_objects *out, struct err *err);
/**
 * objects_to_pack - collect the builds that reading the recording elsewhere takes, each once: those
 * of samples and their call chains. What has no build-id is left out.
 * @all: those without samples, too
 * @out: zeroed; free it before @r is closed
 * Return: 0, or negative errno and a sentence; then there are none.
 */
int objects_to_pack(struct recording *r, bool all, struct recorded_objects *out, struct err *err);
/** recorded_objects_release - free the list. */
void recorded_objects_release(struct recorded_objects *l);

/** object_line - append the build-id and, unless it is NULL, the name as a line. */
void object_line(const u8 *id, u8 id_size, const char *name, struct strbuf *out);
/** object_table_text - append a line about each build-id in the table of a recording. */
void object_table_text(const struct env *env, struct strbuf *out);

/**
 * objects_missing - collect what the table of a recording names and a build-id cache does not have.
 * @input, @force: as for session_open()
 * @dir: of the cache
 * @out: zeroed; free it with cache_list_release()
 * Return: 0, or negative errno and a sentence.
 */
int objects_missing(const char *input, bool force, const char *dir, struct cache_list *out,
		    struct err *err);
/**
 * objects_fetch - have debuginfod servers fill a build-id cache with what it lacks; waits for them.
 * @missing: as objects_missing() made it; entries that were fetched leave it
 * @dir: of the cache
 * Return: how many were fetched, or negative errno and a sentence when there are no servers.
 */
int objects_fetch(struct cache_list *missing, const char *dir, struct err *err);

#endif
