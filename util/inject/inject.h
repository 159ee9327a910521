/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engines of `perf inject`: additions to a recording that is rewritten (build-ids, functions
 * compiled at run time), and merging of events.
 */
#ifndef PERF_INJECT_INJECT_H
#define PERF_INJECT_INJECT_H

#include "machine/hits.h"
#include "recording/recording.h"
#include "session/rewrite.h"

/* ---- build-ids (ids.c) ---- */

/* Build-ids given by path, which take precedence over those of the recording and this machine. */
struct known_ids {
	struct env_build_id *v; /* owned, with the names */
	size_t nr, cap;
};

/**
 * known_ids_parse - parse "HEX PATH[,HEX PATH...]", or "file://FILE" with one pair on each line.
 * Invalid pairs are reported to @notices and skipped.
 * Return: 0, or a negative errno and a sentence when the file cannot be read.
 */
int known_ids_parse(struct known_ids *k, const char *arg, const struct notices *notices,
		    struct err *err);
void known_ids_release(struct known_ids *k);

struct map_object;

struct inject_ids {
	/* Options. */
	bool hits;    /* -b: add those of objects that contain samples */
	bool all;     /* --buildid-all: add those of all mapped objects */
	bool in_maps; /* --mmap2-buildids: store them in mapping records; records of objects without
			 samples are removed, except in a stream */
	bool in_all_maps; /* --mmap2-buildid-all: store them in all mapping records */
	struct known_ids known;
	bool copied; /* records are not changed, so rewrite_copy(), which follows, can begin already
		      */
	const char *vmlinux; /* -k: image of the recorded kernel; NULL */
	bool verbose;
	/* State. */
	struct recording *rec; /* borrowed */
	struct rewrite *rw;    /* borrowed */
	struct hits *marks;
	struct hits_worker *worker; /* for a stream */
	struct intern names;        /* objects in mapping records */
	struct map_object *objects; /* owned; by the id of the name */
	size_t nr_objects, cap_objects;
	size_t nr_learned; /* number of objects of the model that were seen so far */
};

/** inject_ids_file - add all requested ids; the input is a file. */
int inject_ids_file(struct inject_ids *ids, struct err *err);
/** inject_ids_stream - prepare, before the first record of a stream. */
void inject_ids_stream(struct inject_ids *ids);
/** inject_ids_record - add the ids that a record of a stream is the first to need. */
void inject_ids_record(struct inject_ids *ids, const struct session_event *ev);
/**
 * inject_ids_map - process a record in time order: mapping records get the id of their object.
 * Return: the verdict for the record.
 */
enum rewrite_verdict inject_ids_map(struct inject_ids *ids, const struct session_event *ev);
void inject_ids_release(struct inject_ids *ids);

/* ---- sched_stat_* and sched_switch (sched.c) ---- */

struct sched_merge;

struct sched_merge *sched_merge_new(void);
void sched_merge_free(struct sched_merge *m);
/**
 * sched_merge_events - take notice of the formats of tracepoints. Return: 0, or a negative errno
 * and a sentence.
 */
int sched_merge_events(struct sched_merge *m, const struct evlist *evlist, const struct env *env,
		       struct err *err);
/** sched_merge_record - process one record in time order. Return: the verdict for the record. */
enum rewrite_verdict sched_merge_record(struct sched_merge *m, struct rewrite *rw,
					const struct session_event *ev);

/* ---- functions compiled at run time (jit.c) ---- */

struct inject_jit;

/** inject_jit_new - prepare, before the first record. inject_jit_free() frees the result. */
struct inject_jit *inject_jit_new(struct session *s, struct rewrite *rw, bool force);
/** inject_jit_free - free it, and report faults of the dumps to @notices. @j may be NULL. */
void inject_jit_free(struct inject_jit *j, const struct notices *notices);
/**
 * inject_jit_record - process one record in time order. Return: the verdict for the record, or a
 * negative errno and a sentence.
 */
int inject_jit_record(struct inject_jit *j, const struct session_event *ev, struct err *err);

/* ---- copied stacks (chains.c) ---- */

struct inject_chains;

/**
 * inject_chains_new - prepare to replace copied stacks by the call chains that they are unwound to.
 * inject_chains_free() frees the result.
 * @rec: borrowed; of a file the state is read here
 * @notices: is told in the end how many stacks reached their root; borrowed
 * Return: NULL and a sentence when its samples have no copies, or cannot be unwound.
 */
struct inject_chains *inject_chains_new(struct recording *rec, const struct notices *notices,
					struct err *err);
void inject_chains_free(struct inject_chains *c);
/** inject_chains_record - process one record in time order: a sample with a copy is replaced by one
 * without. Return: the verdict for the record. */
enum rewrite_verdict inject_chains_record(struct inject_chains *c, struct rewrite *rw,
					  const struct session_event *ev);

#endif
