/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a run, shared by the files of the room. */
#ifndef PERF_TRACERUN_INTERNAL_H
#define PERF_TRACERUN_INTERNAL_H

#include "analyze/syscall-sums.h"
#include "bpf/btf.h"
#include "bpf/call-sums.h"
#include "export/heatmap.h"
#include "recording/state-log.h"
#include "resolve/callchain.h"
#include "tracerun/memory.h"
#include "tracerun/paths.h"
#include "tracerun/pending.h"
#include "tracerun/tracerun.h"

#define TRACE_THREADS_SEEN 256 /* threads that need not be looked up again */

/* It tells what an event of the recording is to us. */
enum trace_kind {
	TRACE_OTHER,
	TRACE_CALL,
	TRACE_MEMORY,
	TRACE_NAME,
	TRACE_FAULT,
	TRACE_RUNTIME,
	TRACE_SILENT
};

struct trace_event {
	enum trace_kind kind;
	bool major;                    /* of TRACE_FAULT */
	struct syscall_binding call;   /* of TRACE_CALL */
	bool filtered;                 /* of TRACE_CALL: not every begin is told of */
	struct engine_place runtime;   /* of TRACE_RUNTIME: ns */
	const struct tf_field *name;   /* of TRACE_NAME: the path that a call has fetched */
	const struct tf_event *format; /* of a tracepoint; borrowed; NULL: none */
	u64 shown;                     /* of TRACE_OTHER: lines, for the term nr= */
};

struct trace_run {
	const struct trace_asked *asked; /* borrowed */
	struct recording *r;             /* borrowed */
	struct trace_output output;
	struct sysargs *sa;            /* owned */
	struct trace_look look;        /* asked->look, with answers to the questions of its view */
	struct sysargs_abi abi;        /* of @sa */
	bool *wanted;                  /* owned; by number of a call; NULL: all are */
	bool *wanted_narrow;           /* owned; of narrow programs */
	struct call_copies *rows[2];   /* owned; what calls of wide and of narrow programs point to,
					* by their numbers; NULL: not needed yet */
	bool narrow_tried, has_narrow; /* the set of narrow programs was asked for; it is there */
	bool any_low;                  /* a process may be of a narrow program */
	size_t nr_low;                 /* processes that seem to be of narrow programs now */
	struct map64 spaces;           /* what processes have mapped, by their numbers (narrow.c) */
	struct btf types;              /* of the kernel, when look.view.btf is set */

	struct trace_event *events; /* owned; by number of the event */
	size_t nr_events;
	struct syscalls *calls;
	bool sums_alone; /* nothing but the sums of all calls is wanted */
	struct syscall_sums sums;
	struct span_map *map;      /* owned; of the times of calls; NULL: none is wanted */
	size_t group;              /* in @sums, that the sample that is looked at belongs to */
	struct call_sums *counted; /* borrowed; counts calls in the kernel; NULL: nothing does */

	struct strbuf out;
	bool based; /* @base is known: the time of the first event */
	u64 base;
	u64 wall_from; /* the time of the clock, or of a recording, when what is summed up began */
	bool headed;   /* what stands above all rows of tables is there */
	u64 due;       /* when the next tables come, if they come at intervals; 0: not known yet */
	u64 taken;     /* events */
	u64 shown;     /* lines that count for asked->most_events */
	u64 lost;      /* events that the kernel has dropped */
	u64 most_lost; /* at once */
	bool enough;

	struct trace_paths paths;
	s64 closes[2];                   /* the numbers of close() */
	const struct syscall_call *call; /* that is being shown */
	u64 strings;                     /* calls whose strings were read from memory */
	u64 copied;                      /* calls whose memory BPF programs have copied */
	struct trace_pending pending;
	struct trace_memory_pool memory; /* what calls have needed and need no more */

	struct state_log log; /* of a live run: of threads that are alive or have a table */
	u64 renewed;          /* how often the state was made anew of it */

	/* the sample that is looked at */
	const struct session_event *now;
	const struct thread_at *at; /* its thread, in @seen; where that is looked up */
	struct thread_at seen[TRACE_THREADS_SEEN]; /* by the last bits of their numbers */

	bool copies_stacks; /* some samples have what their chains are made of */
	struct callchain_conf chain_sources;
	struct callchain_maker chains;
	bool chains_open;
};

/* ---- run.c ---- */

/** trace_sums_start - prepare for sums. */
void trace_sums_start(struct trace_run *t);
/** trace_is_exec - tell whether a call has a new program run. */
bool trace_is_exec(const struct trace_run *t, s64 nr);

/* ---- bind.c ---- */

/** trace_bind - find out what the events of the recording are. Return: 0, or negative errno and a
 * sentence. */
int trace_bind(struct trace_run *t, struct err *err);

/** trace_special - tell the engine of calls the numbers that it has to know. */
void trace_special(struct trace_run *t);

/* ---- narrow.c ---- */

/** trace_narrow_note - take what a record says of the mappings of processes. */
void trace_narrow_note(struct trace_run *t, const struct session_event *ev);
/** trace_narrow_have - make the set of the narrow programs that the recorded machine runs, once.
 * Return: it is there. */
bool trace_narrow_have(struct trace_run *t);
/** trace_number_begun - return the number of a call that a process begins: of a narrow program it
 * is SYSARGS_NARROW more. */
s64 trace_number_begun(struct trace_run *t, u32 pid, s64 nr);
/** trace_number_ended - return the same where a thread returns from a call. */
s64 trace_number_ended(struct trace_run *t, u32 pid, u32 tid, s64 nr);

/* ---- counted.c ---- */

/** trace_counted_ended - take what the kernel has counted of a thread that has ended. */
void trace_counted_ended(struct trace_run *t, u32 tid, u64 time);
/** trace_counted_take - take what the kernel has counted since the last time. */
void trace_counted_take(struct trace_run *t);
/** trace_counted_look - append the tables if it is time for them and no event tells the time. */
void trace_counted_look(struct trace_run *t);
/** trace_counted_rest - take all else that the kernel has counted. */
void trace_counted_rest(struct trace_run *t);

/* ---- state.c ---- */

/** trace_state_note - keep a record of the state of processes, in a live run. Return: 0. */
int trace_state_note(void *run, const struct session_event *ev, bool applied, struct err *err);
/** trace_state_renew - drop what is known of processes that have ended, when it is much. There is
 * no sample that is looked at. */
void trace_state_renew(struct trace_run *t);

/* ---- types.c ---- */

/** trace_types_read - have the view look up the types of the kernel, if its events need them and
 * they are those of the kernel that was recorded. Without them numbers are shown. */
void trace_types_read(struct trace_run *t);
void trace_types_release(struct trace_run *t);

/* ---- chains.c ---- */

/** trace_chain - append the call chain of the sample that is looked at. @kernel: with the part of
 * the kernel. */
void trace_chain(struct trace_run *t, bool kernel);
/** trace_chain_deep - tell whether the chain of the sample has asked->min_stack frames. */
bool trace_chain_deep(struct trace_run *t);
void trace_chains_release(struct trace_run *t);

/* ---- answers.c ---- */

/* Answers to the questions of room sysargs; their context is the run. */
extern const struct sysargs_ops trace_answers;
/** trace_path_made - note the path of the descriptor that a call has made, before it is shown. */
void trace_path_made(struct trace_run *t, const struct syscall_call *call);
/** trace_path_closed - forget the path of the descriptor that a call has closed, after that. */
void trace_path_closed(struct trace_run *t, const struct syscall_call *call);

/* ---- show.c ---- */

/** trace_show_call - show a call. Return: it was shown. */
bool trace_show_call(void *ctx, const struct syscall_call *call);
/** trace_count_call - count a call that has begun. Return: what is known of its memory, or NULL. */
void *trace_count_call(void *ctx, const struct syscall_call *call);
/** trace_show_event, trace_show_fault - show the sample that is looked at. */
void trace_show_event(struct trace_run *t, struct trace_event *e);
void trace_show_fault(struct trace_run *t, const struct trace_event *e);
/** trace_show_interval - append the tables if it is time for them, and begin new sums. @time: of
 * the event that comes next */
void trace_show_interval(struct trace_run *t, u64 time);
/** trace_hist_numbers - set the numbers that the call of --hist has in wide and narrow programs;
 * -1: none. */
void trace_hist_numbers(const struct trace_asked *asked, const struct sysargs *sa, s64 numbers[2]);
/** trace_show_summary - append the tables. */
void trace_show_summary(struct trace_run *t);

#endif
