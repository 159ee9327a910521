/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The halves of perf archive. */
#ifndef PERF_CMD_ARCHIVE_ARCHIVE_H
#define PERF_CMD_ARCHIVE_ARCHIVE_H

#include "base/compat.h"

/** archive_unpack - the objects in @archive go into the cache @dir, and a recording in it into the
 * current folder. Return: 0, or 1 with a message printed. */
int archive_unpack(const char *dir, const char *archive);

#endif
