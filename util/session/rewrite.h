/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording is read and written again, changed on the way: the engine of `perf inject`.
 *
 *	rewrite_open(&rw, session, "out.data", &err);    header, attrs; to a stream: features
 *	rewrite_build_id(&rw, &id, &err);                as many as are known by now
 *	rewrite_copy(&rw, ...) or rewrite_ordered(&rw, ...);
 *	rewrite_finish(&rw, &err);                       features of a file
 *	rewrite_close(&rw);
 *
 * The output keeps the form (a stream stays a stream, a file becomes a stream only where it is
 * written to a pipe) and the byte order of the input. A directory becomes one file. Of a damaged
 * input the whole records are written. Memory does not grow with the input.
 */
#ifndef PERF_SESSION_REWRITE_H
#define PERF_SESSION_REWRITE_H

#include "base/intern.h"
#include "file/writer.h"
#include "session/session.h"

#include <pthread.h>

/* What becomes of a record. One that changes is dropped, and the new one inserted. */
enum rewrite_verdict { REWRITE_KEEP, REWRITE_DROP };

struct rewrite;

struct rewrite_ops {
	/*
	 * A kernel record (type below 64) of the input, in native order; user records go through
	 * by themselves. May call rewrite_insert(), rewrite_insert_at() and rewrite_build_id():
	 * what is inserted stands before this record.
	 * Return: a verdict, or negative errno to stop.
	 */
	int (*record)(void *ctx, struct rewrite *rw, const struct session_event *ev,
		      struct err *err);
	/* Events became known or got names, as in session_state_ops; may be NULL. */
	int (*events)(void *ctx, struct evlist *evlist, const struct env *env, struct err *err);
};

/* An inserted record that waits for its time. */
struct rewrite_held {
	u64 time, seq;
	u8 *rec; /* owned */
};

/* Bytes of the input that stand elsewhere in the output; for the index of AUXTRACE records. */
struct rewrite_move {
	u64 from, len, to;
};

struct rewrite_id {
	struct env_build_id id; /* its filename borrowed from the names */
	bool written;           /* as a record, in the data */
};

/* All private but for reading @traces. */
struct rewrite {
	struct session *s;
	struct file_writer w;
	bool open;
	const struct rewrite_ops *ops;
	void *ctx;
	bool begun;                /* what describes the events has been written */
	bool taking;               /* a stream: records are passed on as they come, nothing waits */
	bool expand;               /* what is compressed is looked into, and written expanded */
	struct strbuf out;         /* not written yet */
	struct rewrite_held *held; /* owned; a heap, the earliest first */
	size_t nr_held, cap_held;
	u64 seq;
	struct rewrite_move *moves; /* owned */
	size_t nr_moves, cap_moves;
	struct rewrite_id *ids; /* owned; the table the output gets */
	size_t nr_ids, cap_ids;
	struct intern names;
	bool traces;  /* there was an AUXTRACE_INFO record, other than while copying a file */
	bool copying; /* @copier runs: @w and @moves are its own */
	pthread_t copier;
	int copied;
	struct err copy_err; /* why @copied is not 0 */
};

/**
 * rewrite_open - create the output and write what comes before the data.
 * @output: "-" is standard output
 * Refused: an output that is the input itself.
 */
int rewrite_open(struct rewrite *rw, struct session *s, const char *output, struct err *err);

/**
 * rewrite_copy - everything as it stands, in the order of the input: whole spans at a time.
 * @ops: a stream only: gets the non-sample records as they come (not in time order); NULL: nothing
 * is looked at.
 */
int rewrite_copy(struct rewrite *rw, const struct rewrite_ops *ops, void *ctx, struct err *err);

/**
 * rewrite_copy_ahead - rewrite_copy() will be asked for: begin with it, beside what the caller
 * still reads of a file that pass 1 is over of. Until rewrite_copy() only build-ids may be told,
 * which then stand behind what is copied. Where it cannot begin yet, nothing happens.
 */
int rewrite_copy_ahead(struct rewrite *rw, struct err *err);

/** rewrite_ordered - record after record, in time order; what was compressed is expanded. */
int rewrite_ordered(struct rewrite *rw, const struct rewrite_ops *ops, void *ctx, struct err *err);

/** rewrite_insert - put a record (native order, trailer included) here; copied. @e: the event it
 * belongs to, for its layout; NULL: that of the first event, as synthesised records have it. */
void rewrite_insert(struct rewrite *rw, const void *rec, const struct evsel *e);
/**
 * rewrite_insert_at - put a record (as above, of no particular event) before the first one that is
 * later than @time. Only with rewrite_ordered(), before or during it.
 */
void rewrite_insert_at(struct rewrite *rw, u64 time, const void *rec);
/** rewrite_build_id - tell the build-id of an object: a record here, and the table of a file. */
void rewrite_build_id(struct rewrite *rw, const struct env_build_id *id);

/** rewrite_finish - write what waits; of a file: the features, and complete the header. */
int rewrite_finish(struct rewrite *rw, struct err *err);
/**
 * rewrite_close - close and free. An output that rewrite_finish() did not complete is removed when
 * it is a file. Return: something was removed.
 */
bool rewrite_close(struct rewrite *rw);

#endif
