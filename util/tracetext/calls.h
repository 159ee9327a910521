/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system calls of one kind of programs, and calls as text: names with arguments, results. All
 * that lines know of single calls comes from here.
 */
#ifndef PERF_TRACETEXT_CALLS_H
#define PERF_TRACETEXT_CALLS_H

#include "base/strbuf.h"

#define CALL_ARGS_MAX 6

struct trace_calls;

/* A call. */
struct trace_desc {
	const char *name; /* owned by the set */
};

/* A call that is made, with the values of its arguments. */
struct trace_made {
	const struct trace_desc *desc;
	u64 args[CALL_ARGS_MAX];
	s64 ret; /* the result, or a negative errno */
};

/* Questions to the caller about the thread that makes the call. */
struct trace_ops {
	/* Return the name of a task, borrowed until the next question, or NULL. */
	const char *(*task_name)(void *ctx, s32 tid);
};

/* How calls and fields of events are shown. */
struct trace_view {
	const struct trace_ops *ops;
	bool show_zeros; /* fields that are zero are shown as well */
	bool show_arg_names;
	u32 args_alignment; /* the column where the result begins; 0: it follows the arguments */
};

#define TRACE_VIEW_DEFAULT                                                                         \
	{                                                                                          \
		.show_arg_names = true, .args_alignment = 70                                       \
	}

/** Programs: those of one machine number of ELF, whose longs may have either size. */
struct trace_abi {
	u32 machine; /* EM_* */
	bool narrow; /* longs and pointers have 32 bits */
};

/** trace_calls_new - make the set of calls of some programs. trace_calls_free() frees it. */
struct trace_calls *trace_calls_new(const struct trace_abi *abi);
void trace_calls_free(struct trace_calls *c);

/** trace_calls_get - return the call with a number, or NULL if no call is known to have it. */
const struct trace_desc *trace_calls_get(const struct trace_calls *c, u32 nr);
/** trace_calls_number - return the number of the call with a name, or -1. */
int trace_calls_number(const struct trace_calls *c, const char *name);
/** trace_calls_nr - return a number that is above the numbers of all calls. */
u32 trace_calls_nr(const struct trace_calls *c);

/** trace_calls_print - append "name(argument, argument", without the closing parenthesis. */
void trace_calls_print(struct strbuf *out, const struct trace_made *call);
/**
 * trace_calls_align - append ")" and blanks up to the column where results begin.
 * @from: the length that @out had before the name of the call
 */
void trace_calls_align(struct strbuf *out, size_t from, const struct trace_view *v);
/** trace_calls_return - append "= 3", or "= -1 ENOENT (No such file or directory)". */
void trace_calls_return(struct strbuf *out, const struct trace_made *call);

#endif
