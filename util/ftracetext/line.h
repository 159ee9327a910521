/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of the tracing ring as the lines that the kernel prints in its file "trace": task, CPU,
 * state of the CPU, time, and the event; or as JSON, one object in a line.
 */
#ifndef PERF_FTRACETEXT_LINE_H
#define PERF_FTRACETEXT_LINE_H

#include "ftracepages/merge.h"
#include "ftracetext/names.h"
#include "tracefmt/tracefmt.h"

struct ftext {
	struct tracefmt *formats;  /* borrowed; those of all events that may come */
	struct tf_printer printer; /* release its tmp */
	struct task_names names;   /* owned: ftext_release() */
	bool migrate;              /* this kernel tells how often migration was disabled */
	bool no_state;             /* lines do not have the state of the CPU */
	bool counter;              /* times are no nanoseconds */
	/* Each of these may be NULL. */
	/* Is asked to find names of tasks that are not known yet. */
	void (*more_names)(void *ctx, struct task_names *names);
	/* Append what an event says whose format the kernel does not tell; as JSON the members of
	 * its fields, without braces. Return: false: it is not known. */
	bool (*other)(void *ctx, u16 type, const struct fmerge_event *ev, bool json,
		      struct strbuf *out);
	/* Append the arguments of a function, without parentheses, from @nr registers. Return:
	 * false: nobody knows what they mean. */
	bool (*args)(void *ctx, u64 function, const unsigned long *regs, size_t nr,
		     struct strbuf *out);
	void *ctx;
	u64 unknown; /* events whose format is not known */
};

/* The fields that all events begin with. */
struct ftext_common {
	u16 type;
	u8 flags, preempt;
	s32 pid;
};

/** ftext_release - free what @t owns. */
void ftext_release(struct ftext *t);
/** ftext_common - read the fields that events begin with. Return: false when they are cut off. */
bool ftext_common(const struct fpage_event *ev, struct ftext_common *out);
/** ftext_task - return the name of a task, "<...>" when nobody knows it. */
const char *ftext_task(struct ftext *t, s32 pid);

/** ftext_header - append the lines above the events, for a kernel that does not show its own. */
void ftext_header(const struct ftext *t, const char *tracer, u32 nr_cpus, struct strbuf *out);
/** ftext_line - append one event as a line. */
void ftext_line(struct ftext *t, const struct fmerge_event *ev, struct strbuf *out);
/** ftext_json - append one event as an object with its fields, in a line of its own. */
void ftext_json(struct ftext *t, const struct fmerge_event *ev, struct strbuf *out);
/** ftext_lost - append the line that tells of lost events. */
void ftext_lost(const struct fmerge_event *ev, struct strbuf *out);

/** ftext_event - append what one event says, without task and time, and without a newline. */
void ftext_event(struct ftext *t, const struct fmerge_event *ev, struct strbuf *out);
/** ftext_state - append the characters for the state of the CPU: interrupts, rescheduling... */
void ftext_state(const struct ftext *t, const struct ftext_common *c, struct strbuf *out);
/** ftext_time - append a time in seconds, or as it is when it is not in nanoseconds. */
void ftext_time(const struct ftext *t, u64 time, struct strbuf *out);
/** ftext_args - append the arguments of a function in parentheses: those that the field @f of an
 * event has. NULL: the event has none. */
void ftext_args(struct ftext *t, u64 function, const struct tf_field *f,
		const struct fpage_event *ev, struct strbuf *out);
/** ftext_function - append the name of a function of the kernel, or its address. */
void ftext_function(struct ftext *t, u64 address, struct strbuf *out);

#endif
