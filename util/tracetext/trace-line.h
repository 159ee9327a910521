/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of perf trace, in the layout of perf 6.1:
 *
 *	     0.171 ( 0.010 ms): true/6253 access(filename: 0x..., mode: R)          = -1 ENOENT
 *(...) 8.644 (         ): sleep/6443 clock_nanosleep(rqtp: 0x...)             ... 0.096 ( ):
 *sleep/6443 sched:sched_switch(...) ? (         ): true/6253  ... [continued]: execve()) = 0
 */
#ifndef PERF_TRACETEXT_TRACE_LINE_H
#define PERF_TRACETEXT_TRACE_LINE_H

#include "analyze/syscalls.h"
#include "sysargs/sysargs.h"

/* It tells how lines look. */
struct trace_look {
	bool timestamp, duration; /* these columns are shown */
	bool full_time;           /* times are those of the clock, not since the first event */
	bool threads;             /* lines name their threads */
	bool comm;                /* with their names */
	bool cpu;                 /* lines name the CPU */
	bool json;                /* lines are JSON (trace-json.h), whatever stands above */
	bool blank_duration;      /* lines that have no duration have a blank column */
	struct sysargs_view view; /* of arguments */
};

/* This stands before the text of a line. */
struct trace_head {
	bool timed; /* @time is known: ns since the time that lines count from */
	u64 time;
	bool lasted; /* @ns is known: how long it took */
	u64 ns;
	u32 tid;
	const char *comm; /* borrowed */
	u32 pid;
	u32 cpu; /* where the event was; UINT32_MAX: unknown */
};

/** trace_line_head - append the columns before the text. */
void trace_line_head(struct strbuf *out, const struct trace_look *look, const struct trace_head *h);
/**
 * trace_line_call - append the text of a call, and a newline.
 * @sa: calls of the programs
 */
void trace_line_call(struct strbuf *out, const struct trace_look *look, const struct sysargs *sa,
		     const struct syscall_call *call);
/** trace_call_made - return a call as room sysargs takes it. Its arguments are borrowed. */
struct syscall_made trace_call_made(const struct sysargs *sa, const struct syscall_call *call);
/** trace_line_name - append the name of a call, or its number where it has none. */
void trace_line_name(struct strbuf *out, const struct sysargs *sa, s64 nr);

/* A page fault as a line shows it. Texts are borrowed. */
struct trace_fault {
	bool major;
	const char *symbol; /* of the instruction; NULL: unknown */
	u64 offset;         /* from the symbol; without one the address */
	const char *object; /* that is mapped at the address; NULL: none */
	u64 at;             /* offset in the object; without one the address */
	bool kernel;        /* the address is the kernel's */
};

/** trace_line_fault - append the text of a page fault, and a newline. */
void trace_line_fault(struct strbuf *out, const struct trace_fault *f);

#endif
