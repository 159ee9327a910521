/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Refusals: combinations of options that a command cannot do, as a table. The first row that holds
 * is the one that is told, so the order of the rows is the order in which perf 6.1 tells them.
 */
#ifndef PERF_CMD_COMMON_REFUSAL_H
#define PERF_CMD_COMMON_REFUSAL_H

#include "cli/options.h"

struct refusal {
	bool holds;             /* is this row's condition true? */
	const char *sentence;   /* for stderr, without newline; NULL: the usage says it all */
	const char *options[4]; /* the options whose help follows, by their long names, or by their
				   letters where these are meant; NULL: no more */
	bool usage_each;        /* the usage lines stand above the help of each option */
	bool no_usage;          /* they stand nowhere */
	bool whole_usage;       /* the whole usage follows, and the process ends with EXIT_USAGE */
	bool accepted;          /* the exit status is EXIT_OK all the same, as that of perf 6.1 */
	int status;             /* exit status; 0: EXIT_REFUSED */
	const char *unreadable; /* a file: the row also holds when it is given and cannot be read,
				   which is told in a sentence of its own */
};

/* Rows for the files with symbols that users name. @o: a struct recording_options */
#define REFUSE_UNREADABLE_SYMBOLS(o, exit_status)                                                  \
	{ .unreadable = (o)->vmlinux, .status = (exit_status) },                                   \
		{ .unreadable = (o)->kallsyms, .status = (exit_status) },                          \
		{ .unreadable = (o)->guest.vmlinux, .status = (exit_status) },                     \
	{                                                                                          \
		.unreadable = (o)->guest.kallsyms, .status = (exit_status)                         \
	}

/**
 * refusal_tell - tell the first of @rows that holds on stderr, with the usage of its options.
 * @status: set to its exit status, which may be EXIT_OK
 * Return: does any hold?
 */
bool refusal_tell(const struct refusal *rows, size_t nr, const char *const usage[],
		  const struct option *options, int *status);
/**
 * refusal_find - look for a row that holds, where none is accepted.
 * Return: the exit status of the row that was told, or 0 when no row holds.
 */
int refusal_find(const struct refusal *rows, size_t nr, const char *const usage[],
		 const struct option *options);

#endif
