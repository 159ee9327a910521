/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of perf trace: system calls, page faults and other events as lines of text, as they come or
 * from a recording, and what they amount to at the end.
 */
#ifndef PERF_TRACERUN_TRACERUN_H
#define PERF_TRACERUN_TRACERUN_H

#include "arch/arch.h"
#include "bpf/call-sums.h"
#include "recording/recording.h"
#include "tracerun/select.h"
#include "tracetext/trace-line.h"
#include "tracetext/trace-rows.h"
#include "tracetext/trace-summary.h"

#define TRACE_FAULTS_MAJOR 1U
#define TRACE_FAULTS_MINOR 2U

/* Users ask for this. Pointers are borrowed. */
struct trace_asked {
	const struct trace_select *select; /* the calls that are wanted */
	bool syscalls;                     /* calls are shown at all */
	unsigned int faults;               /* TRACE_FAULTS_* */
	bool lines, summary;               /* lines, sums at the end, or both */
	enum trace_summary_mode mode;
	bool counted;    /* the kernel counts calls for the summary */
	bool errnos;     /* in the summary */
	u32 interval_ms; /* tables come so often, each of its own time; 0: at the end */
	u32 most_rows;   /* of each table of the summary; 0: all */
	u32 quantiles[TRACE_QUANTILES]; /* columns of the summary, as struct trace_summary */
	u32 nr_quantiles;
	bool wall;                  /* a column of the summary has the share of the time */
	enum table_form form;       /* of the summary */
	const char *hist;           /* a call whose distribution is shown with it; NULL: none */
	const char *heatmap;        /* a file for how long calls took, over time; NULL: none */
	bool sched;                 /* time on a CPU is summed up */
	bool failed;                /* only calls that have failed */
	u64 least_ns;               /* only calls that take longer */
	u64 most_events;            /* the run ends after so many lines; 0: it does not */
	bool print_sample;          /* facts of each sample stand before its line */
	bool print_format;          /* other events are shown by their own formats */
	bool tool_stats;            /* counts of what the tool itself did */
	bool chains;                /* lines have call chains */
	bool kernel_chains;         /* with the kernel's part at calls */
	u32 max_stack;              /* frames of a chain; 0: all */
	u32 min_stack;              /* only what has so many frames */
	const struct sysroot *live; /* where /proc tells of the processes; NULL: of a recording */
	const struct sysroot *sysroot; /* where the types of the kernel are */
	struct trace_look look;
};

/* Takes text. Return: 0, or negative errno, which ends the run. */
typedef int (*trace_write)(void *ctx, const char *text, size_t len);

struct trace_run;

/* Where the text goes. */
struct trace_output {
	trace_write write;
	/* Takes back all text, and tells whether it could; NULL: it cannot, and then a file is
	 * read twice. */
	bool (*take_back)(void *ctx);
	void *ctx;
};

/**
 * trace_run_new - prepare; trace_run_free() frees it.
 * @r: opened; it outlives the run
 * @out: copied
 */
struct trace_run *trace_run_new(struct recording *r, const struct trace_asked *asked,
				const struct trace_output *out);
void trace_run_free(struct trace_run *t);
/** trace_run_counted - take the sums of calls from the kernel. @counted: outlives the run; NULL: is
 * allowed */
void trace_run_counted(struct trace_run *t, struct call_sums *counted);
/** trace_run_begin - note that a live run begins now. trace_run_new() does so, too; a run that
 * waits before it traces begins later. */
void trace_run_begin(struct trace_run *t);
/** trace_run_events - hand out all events of the recording as lines. Return: 0, also when there
 * were as many as asked for, or negative errno and a sentence. */
int trace_run_events(struct trace_run *t, struct err *err);
/** trace_run_look - look at the memory of processes whose calls go on, and forget those that have
 * ended, in a live run between two rounds of reading. */
void trace_run_look(struct trace_run *t);
/** trace_run_has_narrow - tell whether programs of 32 bits run, or have made calls, on a machine of
 * 64. It is right between two rounds of reading, not in the middle of an exec. */
bool trace_run_has_narrow(const struct trace_run *t);
/** trace_run_flush - write the lines that wait. Return: 0, or negative errno and a sentence. */
int trace_run_flush(struct trace_run *t, struct err *err);
/** trace_run_end - write the summary and the heat map, if they are asked for; it may also be called
 * after an error. */
int trace_run_end(struct trace_run *t, struct err *err);
/** trace_run_lost - return how many events the kernel has dropped. */
u64 trace_run_lost(const struct trace_run *t);
/** trace_run_strings - return how many calls had strings that were read from memory. */
u64 trace_run_strings(const struct trace_run *t);
/** trace_run_copied - return how many calls had memory that BPF programs have copied. */
u64 trace_run_copied(const struct trace_run *t);
/** trace_run_most_lost - return how many of them it has dropped at once, at most. */
u64 trace_run_most_lost(const struct trace_run *t);

/** trace_programs - return the programs whose calls are in recordings of a machine.
 * @machine: as uname names it; NULL: this one */
struct sysargs_abi trace_programs(const char *machine);
/** trace_narrow_add - have a set contain the calls of the narrow programs that machines of @a run
 * as well. Return: it does. */
bool trace_narrow_add(struct sysargs *sa, const struct sysargs_abi *abi, const struct arch *a);

#endif
