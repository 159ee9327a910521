/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Record memory accesses: what `perf mem record` and `perf c2c record` have in common. */
#ifndef PERF_CMD_MEM_RECORD_H
#define PERF_CMD_MEM_RECORD_H

#include "cli/options.h"
#include "mem/front.h"

/* Options that choose what is recorded. @f: a struct mem_front */
#define MEM_RECORD_OPTIONS(f)                                                                      \
	OPT_STRING('e', "event", &(f)->events, "event",                                            \
		   "event selector. use '-e list' to list available events"),                      \
		OPT_UINTEGER(0, "ldlat", &(f)->ldlat, "mem-loads latency")

/**
 * mem_record_run - read the options, choose the events, and run perf record with them.
 * @argc, @argv: from the verb on
 * @options: of the verb; those of perf record are read, too, and handed on
 * Return: the exit status.
 */
int mem_record_run(struct mem_front *f, int argc, const char **argv, const struct option *options,
		   const char *const usage[]);

#endif
