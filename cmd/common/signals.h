/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How perf ends when a signal is the reason. */
#ifndef PERF_CMD_COMMON_SIGNALS_H
#define PERF_CMD_COMMON_SIGNALS_H

#include "base/compat.h"

/**
 * handle_sigbus - from here on a mapped file that becomes shorter is told, and ends perf with
 * 255 instead of SIGBUS. In cmd/common/sigbus.c.
 */
void handle_sigbus(void);

/** end_by_signal - die of the signal that the workload, or we, were killed by: the shell is to see
 * it. What was made for the run is taken away before. */
void end_by_signal(int sig) __attribute__((noreturn));

#endif
