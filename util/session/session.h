/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Record source -> time order -> decode -> sinks: the drivers every reading command uses.
 *
 * A seekable file is read in two passes. Pass 1 walks the record headers in the mapping, hands
 * every state record (what gives addresses and threads their meaning) to the state sink in time
 * order, and cuts the data section into chunks. After it the state model is complete and
 * read-only. Pass 2 hands samples to a pool of workers in any order (session_samples()), or
 * everything in time order (session_ordered()).
 *
 * A stream (a pipe, live rings: session/source.h) is read once: the same sinks are fed in time
 * order by one consumer behind an ordering queue that FINISHED_ROUND records (and the end) flush.
 *
 * Time order: by (time, file offset). What takes the place of a missing time:
 *   - no event of the file has times: the file offset, so that everything keeps its place;
 *   - a trailer with time 0 (synthesised records) and user records: 0, so they go first;
 *   - a kernel record without trailer (no sample_id_all): the time up to which the rounds before it
 * were complete, which is when the recorder's own reader would have seen it.
 */
#ifndef PERF_SESSION_SESSION_H
#define PERF_SESSION_SESSION_H

#include "base/diag.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "events/evlist.h"
#include "file/reader.h"
#include "session/source.h"

/* What an event had of the records that are its own. */
struct event_counts {
	u64 samples, lost_samples; /* lost_samples: records, not samples */
};

struct session {
	struct perf_file *file; /* owned; of live events it has no bytes */
	struct source *source;  /* owned; where records of a stream come from */
	bool as_stream;       /* set after session_open(): read a file as a pipe is read, once from
				 its first record to the last */
	struct evlist evlist; /* from the attrs, ids, EVENT_DESC, tracing data names (events renamed
				 by the caller) */
	struct diag diag;
	u64 counts[256]; /* records seen by type, capped index */
	bool file_order; /* set after session_open(): everything keeps its place, times or not */
	bool by_event;   /* set after session_open(): pass 1 (a pipe: the one there is) counts these
			    too */
	struct event_counts
		*of_event; /* owned; evlist.nr of them after pass 1; NULL unless by_event */
	bool counts_only;  /* set after session_open(): nothing but counts, of_event and nr_samples
			      is wanted; then session_samples() brings no samples, and of state
			      nothing. Cleared when samples have to be looked at to be counted */
	u64 nr_samples;
	u64 first_time, last_time;   /* of samples, ns; valid after pass 1 */
	bool in_order;               /* pass 1 found the samples already sorted by time */
	bool has_time;               /* some event has PERF_SAMPLE_TIME */
	struct progress *progress;   /* borrowed; set after session_open(), NULL: none */
	struct session_index *index; /* private to the room */
};

/*
 * A sample that read its group is one of each event that went on: session_ordered() calls format,
 * session_samples() sample for each of them, with the event and its period. With .all there is a
 * call before those, for the record as it is.
 */
enum session_part { PART_WHOLE, PART_RECORD, PART_VALUE };

/* One record, native byte order, whole. Borrowed for the duration of the call. */
struct session_event {
	const wire_header *hdr;
	u64 offset;          /* in the file; for messages and for breaking ties */
	u64 time;            /* the key of time order: ns, or what takes its place (above) */
	struct evsel *evsel; /* of a sample, or by the trailer of others; may be NULL */
	const struct sample *sample; /* of a SAMPLE, decoded; NULL otherwise */
	enum session_part part;      /* what of the record this is */
	struct sample_id id;         /* of a non-sample record */
	const void *payload;         /* pipes: what followed HEADER_TRACING_DATA */
	size_t payload_size;
};

/**
 * session_open - open a file for the drivers. Free with session_close().
 * @path: NULL: standard input when that is a FIFO, else "perf.data"; "-": standard input
 */
int session_open(struct session *s, const char *path, bool force, struct err *err);
/**
 * session_open_source - a session whose records come from @src and have no file header: those of
 * events that are being counted now. Free with session_close().
 * @src: owned by the session from now on
 * @name: what messages call the source
 * @l: the events, opened, with their ids; copied
 */
void session_open_source(struct session *s, struct source *src, const char *name,
			 const struct evlist *l);
/** session_add_ids - event @idx has got @nr more ids since then, as when a CPU has come online. */
void session_add_ids(struct session *s, u32 idx, const u64 *ids, size_t nr);
void session_close(struct session *s);
/** session_is_stream - are the records read once, in one pass? */
static inline bool session_is_stream(const struct session *s)
{
	return s->file->pipe || s->as_stream;
}

struct session_state_ops {
	/*
	 * Both: -EINVAL says that the record made no sense; it is counted as DIAG_BAD_RECORD and
	 * the run goes on. Any other nonzero value stops it.
	 */
	/* Each state record (MMAP, MMAP2, COMM, FORK, EXIT, NAMESPACES, KSYMBOL, BPF_EVENT, CGROUP,
	 * TEXT_POKE), in time order. */
	int (*state)(void *ctx, const struct session_event *ev, struct err *err);
	/* @state looks at hdr, offset and time only: what else there is need not be found out. */
	bool plain;
	/* Other non-sample records (LOST, THROTTLE, SWITCH, user records...), in time order; may be
	 * NULL. */
	int (*other)(void *ctx, const struct session_event *ev, struct err *err);
	/* Once, when state is complete (seekable file) before any sample; never for a pipe; may be
	 * NULL. */
	int (*ready)(void *ctx, struct err *err);
	/* Events became known or got names (seekable: before all else; pipe: as HEADER_ATTR etc.
	 * arrive); may be NULL. */
	int (*events)(void *ctx, struct evlist *evlist, const struct env *env, struct err *err);
};

struct session_sample_ops {
	struct session_state_ops state;
	/* Called once per worker, in the caller's thread, before samples; what it returns is that
	 * worker's context. */
	void *(*worker_new)(void *ctx, int worker);
	/* One sample, from any thread, in any order. Return nonzero to stop with that code. */
	int (*sample)(void *worker_ctx, const struct session_event *ev, struct err *err);
};

/**
 * session_scan - pass 1 alone: counts, nr_samples, first_time, last_time, in_order. Seekable files;
 * no-op for pipes and when it is done already. The drivers call it themselves.
 */
int session_scan(struct session *s, struct err *err);

/**
 * session_samples - drive a file whose samples may be taken in any order.
 * @workers: threads for pass 2 (a pipe uses one worker, and so does a file with samples that read
 * their groups). The caller merges the worker contexts after.
 */
int session_samples(struct session *s, const struct session_sample_ops *ops, void *ctx, int workers,
		    struct err *err);

struct session_ordered_ops {
	struct session_state_ops state;
	/*
	 * Render one record into @out, from any thread; the buffers are then written in time order.
	 * Called for samples and, when @all is set, for every other record too, those of types that
	 * nobody knows and samples that cannot be decoded (their sample is NULL) included. Not for
	 * compressed records: those that were in them come instead.
	 */
	int (*format)(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		      struct err *err);
	/* The sample will be rendered by that worker, soon: time to prefetch. May be NULL. */
	void (*soon)(void *ctx, int worker, const struct session_event *ev);
	/*
	 * Called in the caller's thread with finished text, in order. Nonzero stops (e.g. -EPIPE).
	 * NULL: nothing is rendered; format is then called in the caller's thread, worker 0, record
	 * after record in time order, with @out NULL (for engines that follow the order of events).
	 */
	int (*write)(void *ctx, const char *text, size_t len, struct err *err);
	bool all;
	/*
	 * Pipes: each record as it is read, before it waits for its place in time; may be NULL.
	 * @raw: in the file's byte order, with what followed it; @rec: the same in native order.
	 * A compressed record comes first, then (unless it was taken) the records inside it.
	 * Return: 1: taken, nothing more is done with it; 0; negative errno to stop.
	 */
	int (*arrived)(void *ctx, const struct pipe_record *raw, const wire_header *rec,
		       struct err *err);
};

/** session_ordered - everything in time order; formatting runs on @workers threads. */
int session_ordered(struct session *s, const struct session_ordered_ops *ops, void *ctx,
		    int workers, struct err *err);

#endif
