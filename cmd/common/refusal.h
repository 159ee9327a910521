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
	const char *sentence;   /* for stderr, without newline */
	const char *options[4]; /* long names of the options whose help follows; NULL: no more */
	bool usage_each;        /* the usage lines stand above the help of each option */
	bool no_usage;          /* they stand nowhere */
	int status;             /* exit status; 0: EXIT_REFUSED */
};

/**
 * refusal_find - the first of @rows that holds, told on stderr with the usage of its options.
 * Return: its exit status, or 0 when no row holds.
 */
int refusal_find(const struct refusal *rows, size_t nr, const char *const usage[],
		 const struct option *options);

#endif
