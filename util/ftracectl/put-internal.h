/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts are written to the files of tracefs. */
#ifndef PERF_FTRACECTL_PUT_INTERNAL_H
#define PERF_FTRACECTL_PUT_INTERNAL_H

#include "base/compat.h"

/**
 * file_put - write all of a text to a file that exists. @flags: O_TRUNC, O_APPEND or 0. With
 * O_TRUNC, an empty text empties lists. Return: 0 or a negative errno.
 */
int file_put(const char *path, int flags, const char *text);

#endif
