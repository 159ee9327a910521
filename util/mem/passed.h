/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that a command takes on behalf of another one: `perf mem record` has a few of its own,
 * and hands all that `perf record` has to it. With the other's table it is known where the options
 * end and the user's command begins.
 *
 *	struct option *all = passed_options(own, record, &args);
 *
 *	argc = parse_options(argc, argv, all, usage, PARSE_OPT_STOP_AT_NON_OPTION);
 */
#ifndef PERF_MEM_PASSED_H
#define PERF_MEM_PASSED_H

#include "cli/options.h"
#include "recordopts/verb-args.h"

/**
 * passed_options - make a table of the command's own options and of those of the other command that
 * have another name. The help does not list the latter. Each of them that is used is appended to
 * @args as a word or two.
 * @own, @other: tables; borrowed, with their texts
 * Return: the table, which the caller frees.
 */
struct option *passed_options(const struct option *own, const struct option *other,
			      struct verb_args *args);

#endif
