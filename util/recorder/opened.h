/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is recorded: the target as lists of CPUs and threads, its events as the kernel has opened
 * them, and their rings. All parts of the recorder look at this; only what is declared here changes
 * it.
 */
#ifndef PERF_RECORDER_OPENED_H
#define PERF_RECORDER_OPENED_H

#include "base/notice.h"
#include "bpf/call-memory.h"
#include "bpf/filter.h"
#include "kernel/open.h"
#include "kernel/ring.h"
#include "kernel/workload.h"
#include "recordopts/options.h"

/* The listeners of a recorder. Each may be NULL. */
struct record_notes {
	const struct notices *always;                       /* what has to be known in any case */
	const struct notices *info;                         /* what a quiet run does not tell */
	const struct notices *detail;                       /* what only a verbose run tells */
	void (*tried)(void *ctx, const struct open_try *t); /* told of each perf_event_open() */
	void *tried_ctx;
};

struct opened {
	const struct sysroot *sysroot; /* borrowed */
	struct evlist *list;           /* borrowed; changed to what was really opened */
	struct int_list cpus, tids;
	struct int_list side_cpus; /* of the side-band's own event; empty: those of the others */
	struct kevents kevents;
	struct rings rings;
	struct bpf_filters filters; /* of samples */
	bool copying;               /* @copies is open */
	struct call_memory copies;
	bool new_ids; /* events have ids that the head of the file does not know */
};

/** opened_find_target - find the threads and CPUs to record. @pid: of the command, 0: there is
 * none. Return: 0, or negative errno and a sentence. */
int opened_find_target(struct opened *ev, const struct record_opts *o, pid_t pid, struct err *err);
/** opened_status - return the exit status of perf 6.1 for the @rc of opened_find_target(). */
int opened_status(const struct target *t, int rc);
/** opened_events - open the events and attach their filters. @bundle: tracepoints are enabled and
 * disabled all together; @progress: counts descriptors, may be NULL. Return: 0, or negative errno
 * and a sentence. */
int opened_events(struct opened *ev, const struct record_notes *notes, bool bundle,
		  struct progress *progress, struct err *err);
/** opened_rings - map the rings, as large as asked for or as what is expected needs. Return: 0, or
 * negative errno and a sentence. */
int opened_rings(struct opened *ev, const struct record_opts *o, const struct record_notes *notes,
		 struct err *err);
/** opened_release - unmap the rings, close the events and free what was allocated. What has been
 * released before is passed over. */
void opened_release(struct opened *ev);
/**
 * opened_copies - have BPF programs copy the memory of system calls if opts->copies asks for it:
 * load them, and add their event to the list. It is called when the target is known, before events
 * are configured and opened. Where the kernel or our rights do not allow it, there are no copies.
 * @notes: is told why there are none
 */
void opened_copies(struct opened *ev, const struct record_opts *o, const struct notices *notes);
/** opened_copies_start - run the programs, as soon as there are rings. */
void opened_copies_start(struct opened *ev, const struct notices *notes);
/** opened_copies_stop - remove the programs, before the events are closed. */
void opened_copies_stop(struct opened *ev);
/** opened_ring_pages - return the data pages that each of @nr_rings is to have when nobody has
 * asked for a size: more than the default where much is to be expected. @memory: of the machine, in
 * pages of @page bytes. Return: 0: the default. */
size_t opened_ring_pages(const struct record_opts *o, const struct evlist *l, size_t nr_rings,
			 u64 memory, u64 page);
/** opened_again - open the events of a CPU anew that was offline and is back. @index: look ids up
 * by the new ones from now on. Return: how many, or negative errno and a sentence. */
int opened_again(struct opened *ev, int cpu, bool index, const struct record_notes *notes,
		 struct err *err);
/** opened_is_traced - tell whether any of the events is a tracepoint. */
bool opened_is_traced(const struct opened *ev);
/** opened_has_probes - is any of the events a probe, which can be removed again? */
bool opened_has_probes(const struct opened *ev);

/** budget_keep - bring frequencies down that would take more than @percent of each CPU for samples
 * alone (budget.c). */
void budget_keep(struct evlist *l, unsigned int percent, const struct notices *notes);

/*
 * Breakpoints on symbols of programs and libraries (breakpoint.c).
 */
struct late_set {
	struct evlist *list; /* borrowed */
	struct kevents *fds; /* borrowed */
	bool on;             /* they are to count at once */
	bool *of_target; /* borrowed; is set when they have to be of the target alone. NULL: they
			    are anyway */
};

struct late_breakpoints {
	const struct opened *ev;   /* borrowed */
	struct late_set sets[4];   /* what is recorded, what switches the output, and the windows */
	struct workload *workload; /* borrowed */
	const char *command;       /* borrowed; its name, NULL: there is none */
};

/** late_settle - find the symbols in a process that runs, before events are opened. */
int late_settle(const struct late_breakpoints *b, struct err *err);
/** late_any - tell whether there are breakpoints to be moved once the command has become the
 * program. */
bool late_any(const struct late_breakpoints *b);
/** late_move - do that, while the command is held. Return: 0, or negative errno and a sentence. */
int late_move(const struct late_breakpoints *b, struct err *err);

#endif
