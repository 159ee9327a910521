/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts by their names: the list, and running what room script has planned. */
#ifndef PERF_CMD_SCRIPT_STANDARD_H
#define PERF_CMD_SCRIPT_STANDARD_H

#include <stdbool.h>

/** standard_folder - return the folder that has scripts/: $PERF_EXEC_PATH, that of a perf in its
 * build folder, or as built. The caller frees. */
char *standard_folder(void);
/** standard_print - print the list of scripts. Return: the exit status, with a message printed. */
int standard_print(void);
/**
 * standard_run - do `perf script record NAME ...`, `report NAME ...`, and `NAME ...`.
 * @argv, @input: as of standard_plan()
 * @status: is set to the exit status when that failed, with a message printed
 * Return: false when there is no script of that name.
 */
bool standard_run(int argc, const char **argv, const char *input, int *status);

#endif
