/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions end perf when a signal is the reason. */
#ifndef PERF_CMD_COMMON_SIGNALS_H
#define PERF_CMD_COMMON_SIGNALS_H

#include "base/compat.h"

/**
 * handle_sigbus - install a handler for SIGBUS, which the kernel sends when a mapped file has
 * become shorter. It prints a message that names the file and ends perf with status 255.
 */
void handle_sigbus(void);

/** end_by_signal - clean up, then end perf with the signal that ended the workload or perf itself,
 * so that the shell sees it. */
void end_by_signal(int sig) __attribute__((noreturn));

#endif
