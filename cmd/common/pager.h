/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions send standard output through a pager on a terminal, and write it to its end. */
#ifndef PERF_CMD_COMMON_PAGER_H
#define PERF_CMD_COMMON_PAGER_H

#include "report/fit.h"

/**
 * setup_pager - send standard output through the pager from here on, when it is a terminal and
 * paging was not switched off. For commands with long output, before they print.
 */
void setup_pager(void);

/** pager_in_use - tell whether standard output goes through the pager. */
bool pager_in_use(void);

/** end_pager - let it show what it has, and wait for its end. For handlers of signals too. */
void end_pager(void);

/** force_pager - note what -p and --no-pager decided. */
void force_pager(bool on);

/** check_pager_config - start the pager if -p was given or pager.<cmd> is true. */
void check_pager_config(const char *cmd);

/** term_columns - return the width of the terminal; $COLUMNS, or 80, when there is none. Right
 * under a pager as well. */
unsigned int term_columns(void);

/**
 * output_fit - how wide the lines of a table on standard output may get: as the terminal, also
 * through the pager, unless hist.fit-width is false; else as wide as their text. After
 * setup_pager().
 */
struct fit output_fit(void);

/** output_failed - keep why a write to standard output failed, for finish_output(). It is safe to
 * call on any thread. @code: an errno */
void output_failed(int code);
/**
 * finish_output - flush stdout, say so and return 128 when it could not all be written, end the
 * pager. Return: @status otherwise.
 */
int finish_output(int status);

#endif
