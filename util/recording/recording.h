/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One opened recording, as commands want it. A command opens it, says which samples it wants, and
 * takes them in any order on many threads, or in the order of time. The recording keeps what
 * records say of processes and objects (the state), reads symbols, jitdump files, tracepoint
 * formats and build-ids, and hides whether the records come from a file or from a stream (a pipe,
 * live rings).
 *
 *	recording_open(&r, &options, &err);
 *	recording_prepare(&r, &err);
 *	recording_samples(&r, &ops, ctx, workers, &err);    or recording_ordered()
 *	recording_close(&r);
 */
#ifndef PERF_RECORDING_RECORDING_H
#define PERF_RECORDING_RECORDING_H

#include "base/notice.h"
#include "recording/event-switch.h"
#include "recording/formats.h"
#include "recording/guest.h"
#include "recording/sample-filter.h"
#include "recording/strangers.h"
#include "resolve/resolve.h"
#include "session/itrace.h"
#include "session/session.h"
#include "symbol/symbol.h"
#include "unwind/style.h"

#define DEBUGINFOD_SYSTEM "system"

/* The options of users on a recording. Strings are borrowed, NULL: not given. */
struct recording_options {
	const char *input; /* see session_open() */
	bool force;
	bool verbose; /* tell of single tracepoint formats that cannot be printed, too */
	/* symbols */
	struct symfs symfs;
	const char *vmlinux, *kallsyms;
	const char *buildid_dir;    /* the build-id cache */
	struct objcache_conf cache; /* where results of work on objects are kept */
	/* Debuginfod servers that are asked for what is missing, or DEBUGINFOD_SYSTEM: those of the
	 * environment; "": none. */
	const char *debuginfod;
	bool no_demangle, demangle_kernel, bare_names, ignore_vmlinux;
	bool parameters; /* names of functions have the types of their parameters */
	struct guest_options guest;
	struct line_source lines;    /* who reads source lines */
	const char *unwind_styles;   /* see unwind_style_parse(); NULL: by tables */
	struct itrace_option itrace; /* what recording_read_traces() makes of traces */
	/* which samples */
	const char *comms, *pids, *tids, *cpus, *time;
	bool time_since; /* seconds of @time count from the first sample on */
	struct event_switch on_off;
};

struct recording_ops;

struct recording {
	struct session session;
	struct machine *machine;    /* owned; the state */
	struct guest_states guests; /* that of guests which were put into the recording */
	struct symbols *symbols;    /* owned; NULL before recording_symbols() */
	struct formats formats;
	struct sample_filter filter;             /* complete after recording_settle_time() */
	struct event_switch on_off;              /* bound by recording_bind_switch() */
	const struct recording_options *options; /* borrowed */
	const struct notices *notices;           /* borrowed */
	bool bad_time;                           /* what failed was --time */
	bool traces_read;                        /* recording_read_traces() made samples */
	size_t first_made;                       /* then: number of the first event of theirs */
	enum unwind_style unwind_style;          /* who unwinds copied stacks */
	/* private */
	char *kcore_dir; /* owned; where a copy of the kernel's memory would be */
	bool time_settled;
	struct jitdumps *jit;
	bool ready;
	bool partial; /* the state is complete up to the time @known only */
	u64 known;
	struct strangers strangers;
	const struct recording_ops *ops; /* of the run */
	void *ctx, *worker;
};

/* The functions by which a command handles records; each may be NULL. Nonzero stops the run. */
/* The sentence if all has to begin again (recording_ops.again), but something was written. */
#define OUTPUT_STAYS                                                                               \
	"the recording is not in order, which was found when a part of the output was written, "   \
	"and others have written to the same file: choose another one"

struct recording_ops {
	bool formats; /* tracepoint formats are read as they come, and name their events */
	/* Events became known, or more of them: a file's before all else, a stream's as they come.
	 * What was made of those before is to be forgotten; ready() is called again. */
	int (*events)(void *ctx, struct err *err);
	/*
	 * Samples come next: of a file the state is complete, of a stream the events are known and
	 * the state is that of now. Build-ids have been applied.
	 */
	int (*ready)(void *ctx, struct err *err);
	/* A state record, in the order of time.
	 * @applied: it made sense, and the state has changed */
	int (*state)(void *ctx, const struct session_event *ev, bool applied, struct err *err);
	bool plain; /* state() looks at hdr, offset and time only */
	/* Any other record that is no sample. */
	int (*other)(void *ctx, const struct session_event *ev, struct err *err);
	/* This is for recording_ordered(), as in struct session_ordered_ops: */
	int (*format)(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		      struct err *err);
	void (*soon)(void *ctx, int worker, const struct session_event *ev);
	void (*finish)(void *ctx, int worker, struct strbuf *out);
	int (*write)(void *ctx, const char *text, size_t len, struct err *err);
	bool all, between;
	int (*arrived)(void *ctx, const struct pipe_record *raw, const wire_header *rec,
		       struct err *err);
	bool (*wants)(void *ctx, const struct evsel *e);
	/*
	 * Everything begins again, ready() included: what came so far is void. It allows to read a
	 * file once (see session_ordered_ops.again). Samples then come before the state is
	 * complete: threads are to be looked up by recording_thread_at() alone, and addresses not
	 * before the end. NULL: the file is read twice.
	 */
	int (*again)(void *ctx, struct err *err);
	bool losses; /* other() looks at LOST and LOST_SAMPLES only */
	/* This is for recording_samples(), as in struct session_sample_ops: */
	void *(*worker_new)(void *ctx, int worker);
	int (*sample)(void *worker_ctx, const struct session_event *ev, struct err *err);
};

/**
 * recording_open - open the recording that @o names.
 * @o: borrowed as long as @r lives
 * @notices: takes what is wrong with formats and jitdump files; borrowed; may be NULL
 * Return: 0, or negative errno and a sentence; then there is nothing to close.
 */
int recording_open(struct recording *r, const struct recording_options *o,
		   const struct notices *notices, struct err *err);
/**
 * recording_read_traces - make samples of the traces of Arm SPE that a recording has, as its
 * options want it, before anything else is done with it. Without such traces nothing changes.
 * @in_place: the traces themselves are left out
 * Return: 0, or negative errno and a sentence.
 */
int recording_read_traces(struct recording *r, bool in_place, struct err *err);
/**
 * recording_open_source - make a recording of records that come from @src, such as those of events
 * that are being counted. There is nothing to be refused, as nothing is read yet.
 * @src: owned from now on
 * @name: the name of the source in messages
 * @l: the opened events with their ids; copied
 * @o, @notices: as for recording_open()
 */
void recording_open_source(struct recording *r, const struct recording_options *o,
			   const struct notices *notices, struct source *src, const char *name,
			   const struct evlist *l);
/**
 * recording_renew - replace the state of a recording that never ends by one that is made anew, of
 * less records. Symbols stay with the objects that are the same in both. Nothing may refer to the
 * old state any more.
 * @fill: applies the records to @m
 */
void recording_renew(struct recording *r, void (*fill)(void *ctx, struct machine *m), void *ctx);
/**
 * recording_renew_tasks - do so, but keep all objects with their symbols, as others may still refer
 * to them.
 * Return: see machine_forget()
 */
struct machine *recording_renew_tasks(struct recording *r,
				      void (*fill)(void *ctx, struct machine *m), void *ctx);
/**
 * recording_prepare - decide all that can be decided before the first record: what guests have
 * mapped, which samples are wanted, where code is found that was made at run time.
 * Return: 0, or negative errno and a sentence.
 */
int recording_prepare(struct recording *r, struct err *err);
/**
 * recording_read_header - read a stream as far as it speaks about itself: events and features.
 * Nothing more can be read of it then. A file has told all that when it was opened.
 * Return: 0, or negative errno and a sentence.
 */
int recording_read_header(struct recording *r, struct err *err);
/** recording_close - free all. */
void recording_close(struct recording *r);

/** recording_is_stream - tell whether the records are read once, in one pass. */
static inline bool recording_is_stream(const struct recording *r)
{
	return session_is_stream(&r->session);
}

/** recording_symbols - return the symbols of its objects, which are made at the first call. */
struct symbols *recording_symbols(struct recording *r);

/**
 * recording_settle_time - --time becomes part of the filter, once. A file is scanned for its first
 * and last time; those of a stream are not known, and recording_prepare() has settled its times.
 * Return: 0, or negative errno and a sentence.
 */
int recording_settle_time(struct recording *r, struct err *err);
/** recording_bind_switch - find the events of --switch-on and --switch-off among those there are.
 * Return: 0, or -ENOENT and a sentence. */
int recording_bind_switch(struct recording *r, struct err *err);

/**
 * recording_samples - hand out all samples in any order.
 * @workers: threads; a stream uses one. The caller merges what its workers made.
 */
int recording_samples(struct recording *r, const struct recording_ops *ops, void *ctx, int workers,
		      struct err *err);
/** recording_ordered - hand out everything in the order of time; formatting runs on @workers
 * threads. */
int recording_ordered(struct recording *r, const struct recording_ops *ops, void *ctx, int workers,
		      struct err *err);

/**
 * recording_thread_at - do what machine_thread_at() does. During a run that reads a file once the
 * answer has no epochs, and is good for what is known so far: if the rest of the file says
 * something else, the run begins again.
 */
void recording_thread_at(struct recording *r, u32 pid, u32 tid, u64 time, struct thread_at *at);
/**
 * recording_takes - tell whether the filter lets a sample through. While a file is read once,
 * filters by name are not for it, because they ask for the first name that a thread will get. It is
 * thread-safe from ready() on; of a stream it belongs to the thread that reads. Switches are not
 * asked: they need the order of time (recording_switch_takes()).
 * @at: zero, or what an earlier call has set, which saves looking the thread up again; set to the
 *	sample's thread at that time
 */
bool recording_takes(const struct recording *r, const struct session_event *ev,
		     struct thread_at *at);
/**
 * recording_switch_takes - tell whether --switch-on and --switch-off let a sample count, or nobody
 * has asked for them. Each sample has to be handed in, once, in the order of time. Those outside
 * of --time do not switch, and are let through: recording_takes() leaves them out.
 */
static inline bool recording_switch_takes(struct recording *r, const struct session_event *ev)
{
	return likely(!event_switch_any(&r->on_off)) ||
	       !sample_filter_time_takes(&r->filter, ev->sample->time) ||
	       event_switch_takes(&r->on_off, ev->evsel);
}
/**
 * recording_place - find the object and the function in which a sample was taken, after
 * recording_symbols(). Threads may call it as recording_takes().
 * @at: what recording_takes() set
 */
void recording_place(const struct recording *r, const struct session_event *ev,
		     const struct thread_at *at, struct location *out);

/** recording_machine_of - return the model of the machine that a record is from, which is no
 * sample. */
const struct machine *recording_machine_of(const struct recording *r,
					   const struct session_event *ev);
/** apply_build_ids - give the objects the build-ids that the recording has of them. */
void apply_build_ids(struct machine *m, const struct env *env);

#endif
