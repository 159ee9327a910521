/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Perl engine: scripts with handlers for events run in an interpreter of this process. What the
 * files do:
 *
 *	engine.c       the table of functions that perf calls
 *	interpreter.c  start and end of the interpreter; calls of functions of the script
 *	handlers.c     samples: which function of the script takes them, and its arguments
 *	values.c       the fields of tracepoints and call chains as values
 *	words.c        what the script is told about fields that are shown as words
 *	context.c      the functions of the module Perf::Trace::Context
 *
 * Perl's header is included in front of perf's, as it uses functions which perf forbids itself.
 */
#ifndef PERF_ENGINES_PERL_INTERNAL_H
#define PERF_ENGINES_PERL_INTERNAL_H

/* Perl's header includes the system's, and perf has its own. */
#undef MIN
#undef MAX

#include "script/host.h"

#include "engines/common/common.h"

struct interpreter; /* Perl's */
struct sv;          /* a value of Perl's */

/* The script does this with the samples of an event. */
struct perl_event {
	bool known; /* the following was looked up */
	bool tracepoint;
	const struct tf_event *tf;
	const struct tf_field *pid;    /* common_pid */
	const struct tf_field *fields; /* without the common ones */
	u32 nr_fields;
	char *name; /* owned: "sched::sched_switch"; of tracepoints alone */
	size_t name_len;
	struct sv *takes; /* owned: the function; NULL: there is none */
	struct sv **args; /* owned: its arguments, which are set anew for each call */
	u32 nr_args;
};

/* These are the arguments of process_event(). */
enum perl_packed { PACKED_EVENT, PACKED_ATTR, PACKED_SAMPLE, PACKED_RAW, NR_PACKED };

struct perl {
	const struct script_host *host;
	struct view *view;
	struct interpreter *interpreter;
	char **argv; /* owned: words of the command line, for $0 and @ARGV */
	struct sv *process_event, *unhandled; /* owned; NULL: the script has no such function */
	struct sv *packed[NR_PACKED]; /* owned: arguments, which are set anew for each call */
	struct perl_event *events;    /* owned; by evsel idx */
	size_t nr_events;
	int status;
};

/* ---- interpreter.c ---- */

/** pl_begin - start the interpreter. Return: 0, or negative and a sentence. */
int pl_begin(struct perl *pl, const struct script_start *start, struct err *err);
/** pl_run - read the script, and run it from its first line to the last. Return: a verdict. */
int pl_run(struct perl *pl, const struct script_start *start);
/** pl_end - end the interpreter, after all values were given back. */
void pl_end(struct perl *pl);
/** pl_function - return a function of the script, or NULL. The caller owns it. */
struct sv *pl_function(const struct perl *pl, const char *name);
/** pl_call - call a function with @nr arguments, which remain the caller's. Return: a verdict. */
int pl_call(struct perl *pl, struct sv *function, struct sv *const *args, size_t nr);
/** pl_call_named - call a function of the script, if there is one; @args: as for pl_call(). Return:
 * a verdict. */
int pl_call_named(struct perl *pl, const char *name, struct sv *const *args, size_t nr);
/** pl_flush - write what the script has printed. Return: a verdict; negative, and a sentence, when
 * nobody reads it. */
int pl_flush(struct perl *pl, struct err *err);

/* ---- handlers.c ---- */

int pl_handle_sample(struct perl *pl);
/** pl_packed_begin, pl_packed_end - make and free the arguments of process_event(). */
void pl_packed_begin(struct perl *pl);
void pl_packed_end(struct perl *pl);
/** pl_forget_events - forget what was looked up of events. */
void pl_forget_events(struct perl *pl);
/** pl_common_field - return a common field of the tracepoint at hand; 0: it has none. */
u64 pl_common_field(struct perl *pl, const char *name);

/* ---- values.c ---- */

/** pl_fresh - return the value of a slot, which is another one when the script kept the last. */
struct sv *pl_fresh(struct perl *pl, struct sv **slot);
void pl_set_signed(struct perl *pl, struct sv **slot, s64 v);
void pl_set_unsigned(struct perl *pl, struct sv **slot, u64 v);
void pl_set_bytes(struct perl *pl, struct sv **slot, const void *bytes, size_t len);
/** pl_set_field - set a value to a field of the sample at hand. */
void pl_set_field(struct perl *pl, struct sv **slot, const struct tf_event *tf,
		  const struct tf_field *f);
/** pl_set_chain - set a value to the call chain of the sample at hand. */
void pl_set_chain(struct perl *pl, struct sv **slot);

/* ---- words.c ---- */

/** pl_define_words - tell the script, if it wants to know, which words stand for values of fields.
 * Return: a verdict. */
int pl_define_words(struct perl *pl, const struct perl_event *pe);

/* ---- context.c ---- */

/** pl_context_functions - define the functions of the module in the interpreter that starts. */
void pl_context_functions(struct perl *pl);

#endif
