/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a recording and writing it again with changes, the engine of `perf inject`.
 *
 *	rewrite_open(&rw, session, "out.data", &err);    header, attrs; to a stream: features
 *	rewrite_build_id(&rw, &id, &err);                those that are known by now
 *	rewrite_copy(&rw, ...) or rewrite_ordered(&rw, ...);
 *	rewrite_finish(&rw, &err);                       features of a file
 *	rewrite_close(&rw);
 *
 * The output has the byte order of the input. A stream stays a stream, and a file becomes one only
 * when it is written to a pipe. A directory becomes a single file. Of a damaged input the complete
 * records are written. Memory does not grow with the input.
 */
#ifndef PERF_SESSION_REWRITE_H
#define PERF_SESSION_REWRITE_H

#include "base/intern.h"
#include "file/writer.h"
#include "session/session.h"

#include <pthread.h>

/* The fate of a record. To change one, drop it and insert the new one. */
enum rewrite_verdict { REWRITE_KEEP, REWRITE_DROP };

struct rewrite;

struct rewrite_ops {
	/*
	 * Decides about a kernel record (type below 64) of the input, which is in native order;
	 * user records are copied. It may call rewrite_insert(), rewrite_insert_at() and
	 * rewrite_build_id(), whose records are written before this one.
	 * Return: a verdict, or a negative errno to stop.
	 */
	int (*record)(void *ctx, struct rewrite *rw, const struct session_event *ev,
		      struct err *err);
	/* Called when events become known or get names, as in session_state_ops; may be NULL. */
	int (*events)(void *ctx, struct evlist *evlist, const struct env *env, struct err *err);
};

/* An inserted record that waits for its place in time order. */
struct rewrite_held {
	u64 time, seq;
	u8 *rec; /* owned */
};

/* Bytes of the input that have another offset in the output; for the index of AUXTRACE records. */
struct rewrite_move {
	u64 from, len, to;
};

struct rewrite_id {
	struct env_build_id id; /* the file name is a part of one of @names */
	bool written;           /* a record with it is in the data */
};

/* A rewrite in progress. All members are private, except that @traces may be read. */
struct rewrite {
	struct session *s;
	struct file_writer w;
	bool open;
	const struct rewrite_ops *ops;
	void *ctx;
	const struct rewrite_about *about; /* see struct rewrite_conf */
	const struct writer_attr *added;
	size_t nr_added;
	bool begun;        /* the description of the events was written */
	bool taking;       /* a stream: records are written at once, in the order of the input */
	bool expand;       /* compressed records are expanded and written that way */
	struct strbuf out; /* bytes that are not written yet */
	struct rewrite_held *held; /* owned; a heap, the earliest first */
	size_t nr_held, cap_held;
	u64 seq;
	struct rewrite_move *moves; /* owned */
	size_t nr_moves, cap_moves;
	struct rewrite_id *ids; /* owned; the build-id table of the output */
	size_t nr_ids, cap_ids;
	struct intern names;
	bool traces;  /* an AUXTRACE_INFO record was read; not set while a file is copied */
	bool copying; /* @copier is running and alone uses @w and @moves */
	pthread_t copier;
	int copied;
	struct err copy_err; /* why @copied is not 0 */
};

/* Changes of what a recording says about itself. Each function may be NULL. */
struct rewrite_about {
	/* Changes the attr of an event, as the caller changes the samples of that event with
	 * rewrite_insert_as(). Return: whether something was changed. */
	bool (*attr)(struct perf_event_attr *a);
	/* Tells whether user records of a type are left out. */
	bool (*drops)(u32 type);
	/*
	 * Changes the body of a feature in place. It is called for the bodies of HEADER_FEATURE
	 * and HEADER_TRACING_DATA records as well, and for names of events, as which @bit is
	 * HEADER_EVENT_DESC. Return: false when the feature is left out.
	 */
	bool (*body)(u32 bit, u8 *body, size_t size);
};

/* The differences between the output and the input. */
struct rewrite_conf {
	const struct rewrite_about *about; /* borrowed; NULL: no changes */
	/* Events that follow those of the input; borrowed as long as the rewrite lives. Their
	 * records are inserted with rewrite_insert_as(). */
	const struct writer_attr *added;
	size_t nr_added;
};

/**
 * rewrite_open - create the output and write what precedes the data.
 * @output: a path; "-" is standard output
 * @conf: NULL: the output has the events of the input
 * An output that is the input itself is refused.
 */
int rewrite_open(struct rewrite *rw, struct session *s, const char *output,
		 const struct rewrite_conf *conf, struct err *err);

/**
 * rewrite_copy - copy everything in the order of the input, in large spans.
 * @ops: for a stream only: receives the non-sample records in the order of the input, not
 *	in time order; NULL: no record is examined
 */
int rewrite_copy(struct rewrite *rw, const struct rewrite_ops *ops, void *ctx, struct err *err);

/**
 * rewrite_copy_ahead - begin with the work of rewrite_copy() in the background, while the caller
 * still reads a file whose pass 1 is complete. Until rewrite_copy() is called, only build-ids may
 * be added, which then follow the copied data. When the work cannot begin yet, nothing happens.
 */
int rewrite_copy_ahead(struct rewrite *rw, struct err *err);

/**
 * rewrite_ordered - process record after record in time order. Compressed records are written
 * expanded.
 */
int rewrite_ordered(struct rewrite *rw, const struct rewrite_ops *ops, void *ctx, struct err *err);

/**
 * rewrite_insert - write a copy of a record (native order, trailer included) at this place.
 * @e: the event that the record belongs to, for its layout; NULL: the first event, which
 *	synthesized records belong to
 */
void rewrite_insert(struct rewrite *rw, const void *rec, const struct evsel *e);
/** rewrite_insert_as - write a record whose layout differs from that of its event. */
void rewrite_insert_as(struct rewrite *rw, const void *rec, const struct wire_layout *l);
/** attr_drop_copies - take the registers and copies of stacks out of an attr. Return: whether it
 * had both. */
bool attr_drop_copies(struct perf_event_attr *a);
/**
 * rewrite_insert_at - insert a record of no particular event before the first one that is later
 * than @time. It works only with rewrite_ordered(), before or during it.
 */
void rewrite_insert_at(struct rewrite *rw, u64 time, const void *rec);
/**
 * rewrite_build_id - add the build-id of an object: as a record at this place, and to the table of
 * a file.
 */
void rewrite_build_id(struct rewrite *rw, const struct env_build_id *id);

/**
 * rewrite_finish - write pending records; for a file, write the features and complete the header.
 */
int rewrite_finish(struct rewrite *rw, struct err *err);
/**
 * rewrite_close - close and free. A file that rewrite_finish() did not complete is removed. Return:
 * whether a file was removed.
 */
bool rewrite_close(struct rewrite *rw);

#endif
