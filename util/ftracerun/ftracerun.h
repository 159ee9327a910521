/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of perf ftrace: an instance is made and set up, a command runs in it or a signal is waited
 * for, and what the ring had becomes lines, a histogram of times, or a table of functions.
 */
#ifndef PERF_FTRACERUN_FTRACERUN_H
#define PERF_FTRACERUN_FTRACERUN_H

#include "base/notice.h"
#include "base/sysroot.h"
#include "ftracetext/durations.h"
#include "kernel/target.h"

/* Texts of an option that may be given several times. */
struct ftrace_texts {
	const char **v; /* owned; the texts are borrowed */
	size_t nr, cap;
};

/* Events of one -e, and the filter that follows it. */
struct ftrace_event_arg {
	const char *names, *filter; /* borrowed */
};

/* A run of perf ftrace as its options describe it. */
struct ftrace_conf {
	const struct sysroot *sysroot; /* borrowed, as all are */
	const struct notices *notes;
	char *const *command; /* NULL-terminated; empty: none */
	struct target target;
	const char *tracer, *default_tracer;
	struct ftrace_texts funcs, not_funcs, graph, not_graph; /* -T -N -G -g */
	struct ftrace_event_arg *events;                        /* owned; -e --filter */
	size_t nr_events, cap_events;
	u64 buffer_kb; /* 0: as the kernel has it */
	u32 delay;     /* ms */
	bool inherit;
	const char *clock, *time, *blk_dev;
	bool json;
	/* Options of the tracers: */
	bool call_graph, irq_info, func_args;                                   /* function */
	bool nosleep, noirqs, verbose, tail, args, retval, retval_hex, retaddr; /* function_graph */
	u32 depth, thresh;                                                      /* us */
	/* latency: */
	struct durations durations;
	const char *key;
	bool probes; /* times are taken by kprobes, not by the function graph tracer */
	/* profile: */
	const char *sort, *by;
};

/* How a run ended. */
struct ftrace_end {
	int signal;  /* it ended the run; 0: the command has ended */
	bool closed; /* nobody reads the output any more */
};

/** ftrace_texts_add - append a text. */
void ftrace_texts_add(struct ftrace_texts *t, const char *text);
/** ftrace_conf_release - free the lists. */
void ftrace_conf_release(struct ftrace_conf *c);
/** ftrace_events_add - add a -e. ftrace_events_filter() gives the last one a filter. Return of the
 * latter: false when there is none. */
void ftrace_events_add(struct ftrace_conf *c, const char *names);
bool ftrace_events_filter(struct ftrace_conf *c, const char *filter);
/** ftrace_buffer_size - read the size of the buffer of each CPU, "64K", which is rounded up to
 * whole kilobytes. Return: 0, or -EINVAL and a sentence. */
int ftrace_buffer_size(struct ftrace_conf *c, const char *text, struct err *err);
/** ftrace_graph_options, ftrace_func_options - read "depth=5,noirqs". Return: 0 or -EINVAL and a
 * sentence. */
int ftrace_graph_options(struct ftrace_conf *c, const char *text, struct err *err);
int ftrace_func_options(struct ftrace_conf *c, const char *text, struct err *err);
/** ftrace_graph_words, ftrace_func_words - append the words of these options, with blanks between
 * them. */
void ftrace_graph_words(struct strbuf *out);
void ftrace_func_words(struct strbuf *out);

/* Receives text in pieces. Return: 0, or a negative errno when it takes no more. */
typedef int (*ftrace_write)(void *ctx, const char *text, size_t len);

/** ftrace_trace, ftrace_latency, ftrace_profile - do what the verb of that name does.
 * Return: 0, or a negative errno and a sentence. */
int ftrace_trace(const struct ftrace_conf *c, ftrace_write write, void *ctx, struct ftrace_end *end,
		 struct err *err);
int ftrace_latency(const struct ftrace_conf *c, ftrace_write write, void *ctx,
		   struct ftrace_end *end, struct err *err);
int ftrace_profile(const struct ftrace_conf *c, ftrace_write write, void *ctx,
		   struct ftrace_end *end, struct err *err);

/** ftrace_functions - append the functions that can be traced, those that match a pattern. */
int ftrace_functions(const struct sysroot *sr, const char *pattern, struct strbuf *out,
		     struct err *err);
/** ftrace_mark - write a text into the ring of the top folder and those of running perf ftrace. */
int ftrace_mark(const struct sysroot *sr, const char *text, struct err *err);
/** ftrace_probes - append the hits and misses of all kprobes and uprobes. */
int ftrace_probes(const struct sysroot *sr, bool json, struct strbuf *out, struct err *err);
/** ftrace_list - append which tracers, clocks and options there are. @json: as an object */
int ftrace_list(const struct sysroot *sr, bool json, struct strbuf *out, struct err *err);
/** ftrace_tracer_words, ftrace_clock_words - append the tracers or clocks of this kernel, with
 * blanks between them; nothing where they cannot be read. */
void ftrace_tracer_words(struct strbuf *out);
void ftrace_clock_words(struct strbuf *out);
/** ftrace_stack - append the deepest stack of the kernel that its stack tracer has seen. @json: as
 * an array of objects */
int ftrace_stack(const struct sysroot *sr, bool json, struct strbuf *out, struct err *err);

#endif
