/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions show a page that was written: they start a browser on it, or serve it. */
#ifndef PERF_CMD_FLAME_FLAME_H
#define PERF_CMD_FLAME_FLAME_H

#include "base/err.h"

/** flame_open - have the desktop's browser show @what, a path or an address; does not wait. */
void flame_open(const char *what);

/**
 * flame_serve - serve the page of a file to this machine, at an address that cannot be guessed and
 * is printed, until a signal ends it.
 * @show: open it, too
 * Return: 0, or negative and a sentence.
 */
int flame_serve(const char *path, bool show, struct err *err);

#endif
