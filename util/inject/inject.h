/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engines of `perf inject`: what is put into a recording as it is written again (build-ids,
 * functions compiled at run time), and what is merged in it.
 */
#ifndef PERF_INJECT_INJECT_H
#define PERF_INJECT_INJECT_H

#include "machine/hits.h"
#include "recording/recording.h"
#include "session/rewrite.h"

/* ---- build-ids (ids.c) ---- */

/* Ids given by name, which count more than what the recording or this machine says. */
struct known_ids {
	struct env_build_id *v; /* owned, and the names */
	size_t nr, cap;
};

/**
 * known_ids_parse - "HEX PATH[,HEX PATH...]", or "file://FILE" with one pair in each line.
 * Pairs that make no sense are told to @notices and left out.
 * Return: 0, negative errno and a sentence when the file cannot be read.
 */
int known_ids_parse(struct known_ids *k, const char *arg, const struct notices *notices,
		    struct err *err);
void known_ids_release(struct known_ids *k);

struct map_object;

struct inject_ids {
	/* how */
	bool hits;    /* -b: of objects that samples fell in */
	bool all;     /* --buildid-all: of all that were mapped */
	bool in_maps; /* --mmap2-buildids: the ids go into the mapping records, and those of objects
			 without samples go (not in a stream) */
	bool in_all_maps; /* --mmap2-buildid-all: the ids go into all mapping records */
	struct known_ids known;
	bool copied; /* the records stay as they are: rewrite_copy() comes after, and can begin */
	const char *vmlinux; /* -k: image of the recorded kernel; NULL */
	bool verbose;
	/* running */
	struct recording *rec; /* borrowed */
	struct rewrite *rw;    /* borrowed */
	struct hits *marks;
	struct hits_worker *worker; /* of a stream */
	struct intern names;        /* objects in mapping records */
	struct map_object *objects; /* owned; by id of the name */
	size_t nr_objects, cap_objects;
	size_t nr_learned; /* objects of the model seen so far */
};

/** inject_ids_file - put in all ids that are wanted; the input is a file. */
int inject_ids_file(struct inject_ids *ids, struct err *err);
/** inject_ids_stream - before the first record: get ready. */
void inject_ids_stream(struct inject_ids *ids);
/** inject_ids_record - put in the ids that a record of a stream is the first to need. */
void inject_ids_record(struct inject_ids *ids, const struct session_event *ev);
/** inject_ids_map - a record in time order: mapping records take the id of their object. Return:
 * what becomes of it. */
enum rewrite_verdict inject_ids_map(struct inject_ids *ids, const struct session_event *ev);
void inject_ids_release(struct inject_ids *ids);

/* ---- sched_stat_* and sched_switch (sched.c) ---- */

struct sched_merge;

struct sched_merge *sched_merge_new(void);
void sched_merge_free(struct sched_merge *m);
/** sched_merge_events - the formats of tracepoints became known. Return: 0, or negative and a
 * sentence. */
int sched_merge_events(struct sched_merge *m, const struct evlist *evlist, const struct env *env,
		       struct err *err);
/** sched_merge_record - one record in time order. Return: what becomes of it. */
enum rewrite_verdict sched_merge_record(struct sched_merge *m, struct rewrite *rw,
					const struct session_event *ev);

/* ---- functions compiled at run time (jit.c) ---- */

struct inject_jit;

/** inject_jit_new - before the first record; free with inject_jit_free(). */
struct inject_jit *inject_jit_new(struct session *s, struct rewrite *rw, bool force);
/** inject_jit_free - free it; what was wrong with the dumps goes to @notices. @j may be NULL. */
void inject_jit_free(struct inject_jit *j, const struct notices *notices);
/** inject_jit_record - one record in time order. Return: what becomes of it, or negative errno and
 * a sentence. */
int inject_jit_record(struct inject_jit *j, const struct session_event *ev, struct err *err);

#endif
