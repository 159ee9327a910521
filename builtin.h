/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands. */
#ifndef PERF_BUILTIN_H
#define PERF_BUILTIN_H

#include "base/compat.h"
#include "cli/options.h"

/*
 * The commands. argv[0] is the name of the command. The value returned becomes the exit status as
 * the shell sees it: 0 is success, negative values are taken modulo 256 (-1 is 255, -EINVAL 234).
 */
int cmd_archive(int argc, const char **argv);
int cmd_buildid_cache(int argc, const char **argv);
int cmd_buildid_list(int argc, const char **argv);
int cmd_check(int argc, const char **argv);
int cmd_config(int argc, const char **argv);
int cmd_data(int argc, const char **argv);
int cmd_diff(int argc, const char **argv);
int cmd_evlist(int argc, const char **argv);
int cmd_flame(int argc, const char **argv);
int cmd_help(int argc, const char **argv);
int cmd_inject(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_record(int argc, const char **argv);
int cmd_report(int argc, const char **argv);
int cmd_script(int argc, const char **argv);
int cmd_stat(int argc, const char **argv);
int cmd_test(int argc, const char **argv);
int cmd_version(int argc, const char **argv);

struct record;
/** record_asked - what the options of record are about, for commands that record first. */
struct record *record_asked(void);
/** record_options - the table of record. */
const struct option *record_options(void);
/**
 * record_command - what cmd_record() does.
 * @table, @usage: of the command, with those of record_options()
 * @check: asked when all options are read, before anything is done: 0, or the exit status when it
 *	has said what is wrong; may be NULL
 * Return: exit status; record_asked()->signal is what ended it, 0: nothing did.
 */
int record_command(int argc, const char **argv, const struct option *table,
		   const char *const usage[], int (*check)(void *ctx), void *ctx);

#endif
