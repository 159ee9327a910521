/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of perf trace -e: names of system calls, globs of them, groups and other events, all
 * mixed, separated by commas. A '!' at the begin stands for all calls but these.
 */
#ifndef PERF_TRACERUN_SELECT_H
#define PERF_TRACERUN_SELECT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "sysargs/sysargs.h"

struct trace_select {
	bool given;   /* calls were named */
	bool negated; /* all others are wanted */
	struct trace_name {
		char *name;      /* owned; a call */
		bool by_pattern; /* a glob or a group has brought it in, and nobody has named it */
	} * names;               /* owned; in each list each once */
	size_t nr, cap;
	size_t last; /* the first of the names that the last list has added */
	struct trace_filtered {
		char *name, *filter; /* owned; a call, and what its arguments have to be */
	} * filtered;                /* owned; their names are in @names, too */
	size_t nr_filtered, cap_filtered;
	struct strbuf events; /* what is left for parse_events() */
};

/* Groups of calls are read from these folders: each is a file of names. */
struct trace_groups {
	const char *const *folders; /* borrowed; NULL-terminated */
};

/**
 * trace_select_add - take a list.
 * @sa: the calls that there are
 * Return: 0, or -EINVAL and a sentence when the list is not well formed, or a glob or a negated
 * name is of no call.
 */
int trace_select_add(struct trace_select *s, const char *list, const struct sysargs *sa,
		     const struct trace_groups *groups, struct err *err);
/**
 * trace_select_filter - put a filter on the arguments of the calls that the last list has named.
 * Calls that a glob or a group has brought in are taken out again when the filter is not for them,
 * such as when they lack its argument, but for others.
 * @text: as trace_arg_filter() takes it
 * @told: a line that names the calls that were taken out is appended
 * Return: 0, or -EINVAL and a sentence.
 */
int trace_select_filter(struct trace_select *s, const char *text, const struct sysargs *sa,
			struct strbuf *told, struct err *err);
/** trace_select_filtered - return the filter on the arguments of a call, or NULL. */
const char *trace_select_filtered(const struct trace_select *s, const char *name);
void trace_select_release(struct trace_select *s);

/**
 * trace_select_near - say what a word that is no event may have meant.
 * Return: 0 and a sentence, or -ENOENT when no call has a name that is near.
 */
int trace_select_near(const char *word, const struct sysargs *sa, struct err *err);

/**
 * trace_select_numbers - tell for each number below sysargs_nr() whether the call is wanted.
 * Return: an array that the caller frees; NULL: all are wanted.
 */
bool *trace_select_numbers(const struct trace_select *s, const struct sysargs *sa);

#endif
