/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scripts that are installed with perf, by their names. NAME has two shell scripts in
 * scripts/LANGUAGE/bin of the folder of scripts: NAME-record, which records what it needs, and
 * NAME-report, which runs it and says in comments what it is:
 *
 *	# description: syscall top
 *	# args: <comm> [interval]
 */
#ifndef PERF_CMD_SCRIPT_STANDARD_H
#define PERF_CMD_SCRIPT_STANDARD_H

#include <stdbool.h>

/** standard_folder - return the folder that has scripts/: $PERF_EXEC_PATH, that of a perf in its
 * build folder, or as built. The caller frees. */
char *standard_folder(void);
/** standard_list - print the scripts. Return: the exit status, with a message printed. */
int standard_list(void);
/**
 * standard_run - do `perf script record NAME ...`, `report NAME ...`, and `NAME ...`, which records
 * and reports at the same time.
 * @argv: NULL-terminated
 * @input: the recording to report; NULL: none was named
 * @status: is set to the exit status when that failed, with a message printed
 * Return: false when there is no script of that name.
 */
bool standard_run(int argc, const char **argv, const char *input, int *status);

#endif
