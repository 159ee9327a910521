/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run: what all verbs have in common. */
#ifndef PERF_FTRACERUN_RUN_INTERNAL_H
#define PERF_FTRACERUN_RUN_INTERNAL_H

#include "ftracectl/rings.h"
#include "ftracerun/ftracerun.h"
#include "ftracetext/graph.h"
#include "kernel/workload.h"
#include "kfuncs/args.h"
#include "kfuncs/times.h"
#include "running/running.h"

#define NOP "nop"
#define FUNCTION "function"
#define GRAPH "function_graph"
#define BLK "blk"

struct run;

/* Takes one event. Return: 0, or a negative errno which ends the run. */
typedef int (*run_event)(struct run *r, const struct fmerge_event *ev, struct err *err);

struct run {
	const struct ftrace_conf *c;
	const char *tracer;
	struct ftrace_instance in;
	struct int_list tasks; /* of -p and --tid, whose end is that of the run; owned */
	struct frings rings;
	struct fmerge *merge;
	struct ftext text;
	struct running_kernel kernel;
	bool kernel_open;
	struct btf types; /* of the kernel, for arguments of functions */
	struct kfuncs functions;
	bool types_open; /* they were looked for */
	u16 blk_type;    /* of events of the tracer blk; 0: none are expected */
	struct recording_options symbols;
	struct fgraph *graph;
	struct fgraph_show show;
	u64 from, until; /* of --time, ns */
	bool spooled;    /* events are looked at when the run is over */
	bool names_read; /* in this round */
	bool events_on;  /* there are events besides those of the tracer */
	run_event event;
	/* These may be NULL: */
	void (*header)(struct run *r);                  /* appends the lines above all events */
	void (*footer)(struct run *r);                  /* ... and what is below them */
	int (*prepare)(struct run *r, struct err *err); /* is called when events are on */
	bool no_filters;                                /* -T is not for the tracer */
	void *ctx;                                      /* of the verb */
	ftrace_write write;
	void *write_ctx;
	struct strbuf out;
	struct ftrace_end *end;
};

/** frun_verb - make an instance with @tracer, let the command run, and hand out events.
 * @r: its c, tracer, event, ctx, write, end are set. */
int frun_verb(struct run *r, struct err *err);
/** frun_print - write what is in r->out. Return: 0 or a negative errno. */
int frun_print(struct run *r);

/** frun_events - choose, filter and switch on the events of -e, and read their formats. */
int frun_events(struct run *r, struct err *err);
/** frun_event_on - switch on one event more, SYSTEM:NAME, and read its format. */
int frun_event_on(struct run *r, const char *name, struct err *err);
/** frun_own_formats - read the formats of the events that tracers make. */
void frun_own_formats(struct run *r);
/** frun_expect_blocks - prepare for events of the tracer blk. */
void frun_expect_blocks(struct run *r);
/** frun_has_tracer - tell whether this kernel has a tracer. */
bool frun_has_tracer(const struct ftrace_conf *c, const char *tracer);
/**
 * frun_bpf_times - let the command run while BPF programs count how long the functions of -T take.
 * @d: the steps that are counted; what is counted of all functions is added
 * @sums: receives what is counted of each function, in the order of -T; may be NULL
 * Return: 0, or a negative errno and a sentence; *@began tells whether the command was started.
 */
int frun_bpf_times(const struct ftrace_conf *c, struct durations *d, struct kfunc_sum *sums,
		   bool *began, struct ftrace_end *end, struct err *err);

/** frun_kernel - return the kernel, whose symbols are read when they are needed first. */
const struct running_kernel *frun_kernel(struct run *r);
/** frun_irqs - find the functions that interrupts enter the kernel by. */
void frun_irqs(struct run *r);
/** frun_args - append the arguments of a function; see struct ftext. */
bool frun_args(void *ctx, u64 function, const unsigned long *regs, size_t nr, struct strbuf *out);
/** frun_block_event - append an event of the tracer blk; see struct ftext. */
bool frun_block_event(void *ctx, u16 type, const struct fmerge_event *ev, bool json,
		      struct strbuf *out);

/** frun_settings - write the settings of the tracer: filters, options, buffer, clock. */
int frun_settings(struct run *r, struct err *err);
/** frun_target - choose CPUs and threads. @pid: of the command, 0: none */
int frun_target(struct run *r, s32 pid, struct err *err);
#endif
