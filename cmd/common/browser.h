/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A screen for a command that shows its result on one, where there is a terminal for it. */
#ifndef PERF_CMD_COMMON_BROWSER_H
#define PERF_CMD_COMMON_BROWSER_H

#include "ui/widgets/ui.h"

/**
 * browser_wanted - tell whether a command shows a screen: --stdio and --tui say so, else
 * tui.COMMAND of the configuration does; without a terminal that can show screens there is none.
 */
bool browser_wanted(const char *command, bool stdio, bool tui);
/**
 * browser_open - take the terminal. browser_close() gives it back.
 * @tui: it was asked for, so that users hear why there is none
 * Return: false: there is no screen, and text has to do.
 */
bool browser_open(struct ui *ui, bool tui);
void browser_close(struct ui *ui);

#endif
