/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a source of records through time order and decoding to callbacks: the drivers that every
 * reading command uses.
 *
 * A seekable file is read in two passes. Pass 1 walks over the record headers in the mapping,
 * passes every state record (one that changes the meaning of addresses or threads) to the state
 * callback in time order, and cuts the data section into chunks. After it the state model is
 * complete and read-only. Pass 2 passes samples to a pool of workers in any order
 * (session_samples()), or everything in time order (session_ordered()).
 *
 * A large file is read once where a consumer of samples in time order can begin again
 * (session_ordered_ops.again): the two passes alternate from round to round, and samples come when
 * the state is complete up to their time. Everything begins again in two passes when a record
 * comes that should have come before (session/onepass.c).
 *
 * A stream (a pipe or live rings, see session/source.h) is read once. The same callbacks are called
 * in time order by one consumer behind a queue, which FINISHED_ROUND records and the end of the
 * stream flush.
 *
 * Records are ordered by time and then by offset in the file. A missing time is replaced:
 *   - when no event of the file has times, by the offset, so that the order of the file is kept;
 *   - in a trailer with time 0 (synthesized records) and in user records, by 0, so that these come
 *     first;
 *   - in a kernel record without a trailer (no sample_id_all), by the time up to which the rounds
 *     before it were complete, which is when the recorder would have read it.
 */
#ifndef PERF_SESSION_SESSION_H
#define PERF_SESSION_SESSION_H

#include "base/diag.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "events/evlist.h"
#include "file/reader.h"
#include "session/guest-ids.h"
#include "session/source.h"

/* The numbers of records that belong to one event. */
struct event_counts {
	u64 samples, lost_samples; /* lost_samples: records, not samples */
};

struct session {
	struct perf_file *file; /* owned; for live events it has no bytes */
	struct source *source;  /* owned; the source of a stream */
	bool as_stream; /* set after session_open(): read a file like a pipe, once from the first to
			   the last record */
	struct evlist evlist;    /* from attrs, ids and EVENT_DESC; the caller renames events by the
				    names in the tracing data */
	struct guest_ids guests; /* whose records are in the recording besides those of the host */
	struct diag diag;
	bool forced;     /* the user wants what is readable, and no word about the rest */
	u64 counts[256]; /* records by type; larger types are counted at the last index */
	bool file_order; /* set after session_open(): keep the order of the file, even if there are
			    times */
	bool chains_apart; /* set after session_open(): chains in two parts are not merged */
	bool by_event;     /* set after session_open(): pass 1 (of a pipe, the only pass) fills in
			    of_event */
	struct event_counts
		*of_event; /* owned; evlist.nr entries after pass 1; NULL unless by_event */
	bool counts_only;  /* set after session_open(): only counts, of_event and nr_samples are
			      wanted;  session_samples() then delivers neither samples nor state. It
			      is  cleared when counting requires to decode samples */
	u64 nr_samples;
	u64 first_time, last_time; /* of samples, in ns; valid after pass 1 */
	bool in_order;             /* pass 1 found the samples sorted by time */
	bool has_time;             /* at least one event has PERF_SAMPLE_TIME */
	u64 one_pass_from; /* bytes of a file that is worth being read once; tests change it */
	struct progress *progress;   /* borrowed; set after session_open(), NULL: none */
	struct session_index *index; /* private to the room */
};

/*
 * A sample that read its group stands for a sample of each event whose count increased.
 * session_ordered() calls format, and session_samples() calls sample, once for each of these
 * events, with the event and its period. With .all there is a call for the record itself before
 * those.
 */
enum session_part { PART_WHOLE, PART_RECORD, PART_VALUE };

/* One complete record in native byte order. It is valid for the duration of the call. */
struct session_event {
	const wire_header *hdr;
	u64 offset; /* offset in the file, for messages and for breaking ties */
	u64 time;   /* the key of time order: ns, or its replacement (see above) */
	struct evsel
		*evsel; /* the event of a sample, or of the trailer of other records; may be NULL */
	const struct sample *sample;  /* a decoded SAMPLE, otherwise NULL */
	enum session_part part;       /* which part of the record this is */
	struct sample_id id;          /* the trailer of a non-sample record */
	const struct guest_id *guest; /* whose non-sample record it is; NULL: the host's */
	const void *payload;          /* pipes: the data after HEADER_TRACING_DATA */
	size_t payload_size;
};

/**
 * session_open - open a file for the drivers. session_close() frees the session.
 * @path: NULL: standard input if that is a FIFO, otherwise "perf.data"; "-": standard input
 * Return: 0, or a negative errno and a sentence.
 */
int session_open(struct session *s, const char *path, bool force, struct err *err);
/**
 * session_open_source - make a session whose records come from @src and have no file header, such
 * as those of events that are being counted. session_close() frees it.
 * @src: the session owns it from now on
 * @name: the name of the source in messages
 * @l: the opened events with their ids; copied
 */
void session_open_source(struct session *s, struct source *src, const char *name,
			 const struct evlist *l);
/** session_add_ids - add @nr ids to event @idx, as when a CPU has come online. */
void session_add_ids(struct session *s, u32 idx, const u64 *ids, size_t nr);
/** session_close - free everything the session owns. */
void session_close(struct session *s);
/** session_is_stream - tell whether the records are read once, in a single pass. */
static inline bool session_is_stream(const struct session *s)
{
	return s->file->pipe || s->as_stream;
}

struct session_state_ops {
	/*
	 * Return values of state and other: -EINVAL means that the record is not valid; it is
	 * counted as DIAG_BAD_RECORD and the run goes on. Any other nonzero value stops the run.
	 */
	/* Called for each state record (MMAP, MMAP2, COMM, FORK, EXIT, NAMESPACES, KSYMBOL,
	 * BPF_EVENT, CGROUP, TEXT_POKE), in time order. */
	int (*state)(void *ctx, const struct session_event *ev, struct err *err);
	/* @state uses only hdr, offset, time and guest, so other members need not be filled in. */
	bool plain;
	/* Called for other non-sample records (LOST, THROTTLE, SWITCH, user records...), in time
	 * order; may be NULL. */
	int (*other)(void *ctx, const struct session_event *ev, struct err *err);
	/* Called once for a seekable file, when the state is complete and before any sample; never
	 * for a pipe; may be NULL. */
	int (*ready)(void *ctx, struct err *err);
	/* @other looks at LOST and LOST_SAMPLES only. Others may be delivered. */
	bool losses;
	/* These are for a file that is read once (session_ordered_ops.again). Samples may then come
	 * before the state is complete: begin() is called before the first of them, settled() when
	 * all state up to a time has come, which is the case for each sample, and ready() when
	 * the state is complete, be it after the last sample. It may return -ESTALE: samples have
	 * been taken for what they are not, and everything begins again. */
	int (*begin)(void *ctx, struct err *err);
	void (*settled)(void *ctx, u64 until);
	/* State records, and those that tell of losses, come again between the samples that they
	 * are in time order with (session_ordered_ops.between); set by session_ordered(). */
	bool again;
	/* Called when events become known or get names: for a seekable file before everything else,
	 * for a pipe when HEADER_ATTR and similar records arrive; may be NULL. */
	int (*events)(void *ctx, struct evlist *evlist, const struct env *env, struct err *err);
};

struct session_sample_ops {
	struct session_state_ops state;
	/* Called once for each worker, by the caller's thread, before any sample. It returns the
	 * context of that worker. */
	void *(*worker_new)(void *ctx, int worker);
	/* Called for each sample, by any thread, in any order. A nonzero return value stops the run
	 * with that code. */
	int (*sample)(void *worker_ctx, const struct session_event *ev, struct err *err);
};

/**
 * session_scan - do pass 1 alone, which fills in counts, nr_samples, first_time, last_time and
 * in_order. It does nothing for pipes, or when it was done already. The drivers call it themselves.
 */
int session_scan(struct session *s, struct err *err);

/**
 * session_samples - deliver the samples of a file in any order.
 * @workers: threads of pass 2. A pipe uses one worker, and so does a file with samples that
 *	read their groups. The caller merges the contexts of the workers afterwards.
 */
int session_samples(struct session *s, const struct session_sample_ops *ops, void *ctx, int workers,
		    struct err *err);

struct session_ordered_ops {
	struct session_state_ops state;
	/*
	 * Renders one record into @out, on any thread; the buffers are then written in time order.
	 * It is called for samples and, if @all is set, for every other record, including records
	 * of unknown types and samples that cannot be decoded (whose sample is NULL). It is called
	 * for the records in compressed records, but not for these.
	 */
	int (*format)(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		      struct err *err);
	/* Called when that worker will soon render the sample, so that it can prefetch. May be
	 * NULL. */
	void (*soon)(void *ctx, int worker, const struct session_event *ev);
	/* Called when that worker has rendered all that @out is for, so that it can append what it
	 * has kept. May be NULL. */
	void (*finish)(void *ctx, int worker, struct strbuf *out);
	/*
	 * Called by the caller's thread with finished text, in order. A nonzero return value, such
	 * as -EPIPE, stops the run. NULL: nothing is rendered. format is then called by the
	 * caller's thread as worker 0, record after record in time order, with @out NULL; this
	 * serves engines that follow the order of events.
	 */
	int (*write)(void *ctx, const char *text, size_t len, struct err *err);
	bool all;
	/* Of what @all is for only state records and those that tell of losses are of use. Others
	 * may be delivered. */
	bool between;
	/*
	 * Allows to read the file once. It is called when that turns out to be impossible: all that
	 * was handed out so far is void, and everything begins again. NULL: the file is read twice.
	 */
	int (*again)(void *ctx, struct err *err);
	/*
	 * Tells, when the state is complete, whether the samples of an event are of use. Those of
	 * others need not be delivered, and then nothing that is wrong with them is counted; but
	 * they may be delivered. NULL: all are of use.
	 */
	bool (*wants)(void *ctx, const struct evsel *e);
	/*
	 * Called for each record of a pipe when it is read, before it waits for its place in time
	 * order; may be NULL. @raw: the record in the file's byte order, with the data after it;
	 * @rec: the same in native order. A compressed record comes first and is followed by the
	 * records in it, unless it was taken.
	 * Return: 1: taken, nothing more is done with it; 0; a negative errno to stop.
	 */
	int (*arrived)(void *ctx, const struct pipe_record *raw, const wire_header *rec,
		       struct err *err);
};

/** session_ordered - deliver everything in time order; formatting runs on @workers threads. */
int session_ordered(struct session *s, const struct session_ordered_ops *ops, void *ctx,
		    int workers, struct err *err);
/**
 * session_complete - have the rest of the state delivered now, if the file is read once. A format
 * callback calls it for what only later records tell.
 */
void session_complete(struct session *s);

#endif
