/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands, and their table, which stands in perf.c: for commands that list or run others. */
#ifndef PERF_BUILTIN_H
#define PERF_BUILTIN_H

#include "base/compat.h"
#include "cli/options.h"

/*
 * The commands. argv[0] is the name of the command. The value returned becomes the exit status as
 * the shell sees it: 0 is success, negative values are taken modulo 256 (-1 is 255, -EINVAL 234).
 */
int cmd_annotate(int argc, const char **argv);
int cmd_archive(int argc, const char **argv);
int cmd_bench(int argc, const char **argv);
int cmd_block(int argc, const char **argv);
int cmd_buildid_cache(int argc, const char **argv);
int cmd_buildid_list(int argc, const char **argv);
int cmd_c2c(int argc, const char **argv);
int cmd_check(int argc, const char **argv);
int cmd_config(int argc, const char **argv);
int cmd_daemon(int argc, const char **argv);
int cmd_data(int argc, const char **argv);
int cmd_diff(int argc, const char **argv);
int cmd_doctor(int argc, const char **argv);
int cmd_evlist(int argc, const char **argv);
int cmd_flame(int argc, const char **argv);
int cmd_ftrace(int argc, const char **argv);
int cmd_help(int argc, const char **argv);
int cmd_inject(int argc, const char **argv);
int cmd_iostat(int argc, const char **argv);
int cmd_kallsyms(int argc, const char **argv);
int cmd_kwork(int argc, const char **argv);
int cmd_kvm(int argc, const char **argv);
int cmd_kmem(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_lock(int argc, const char **argv);
int cmd_mem(int argc, const char **argv);
int cmd_probe(int argc, const char **argv);
int cmd_record(int argc, const char **argv);
int cmd_report(int argc, const char **argv);
int cmd_sched(int argc, const char **argv);
int cmd_script(int argc, const char **argv);
int cmd_stat(int argc, const char **argv);
int cmd_test(int argc, const char **argv);
int cmd_timechart(int argc, const char **argv);
int cmd_top(int argc, const char **argv);
int cmd_trace(int argc, const char **argv);
int cmd_triage(int argc, const char **argv);
int cmd_version(int argc, const char **argv);

/* ---- the table ---- */

/* The rights of a perf with capabilities that a command keeps. */
enum command_rights {
	RIGHTS_NONE,
	RIGHTS_NAMES,   /* names of functions of the kernel, with their addresses */
	RIGHTS_MEASURE, /* all: to open events, and to look at processes of others */
};

struct command {
	const char *name;
	int (*fn)(int argc, const char **argv); /* Return: the exit status */
	const char *summary;                    /* NULL: not in the list of commands */
	enum command_rights rights;
};

/** find_command - Return: the command of that name, or NULL. */
const struct command *find_command(const char *name);
/** list_commands - print on stdout what `perf` without arguments prints. */
void list_commands(void);

#endif
