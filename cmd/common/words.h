/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions list the words that values of options are made of, for completion. */
#ifndef PERF_CMD_COMMON_WORDS_H
#define PERF_CMD_COMMON_WORDS_H

#include "base/strbuf.h"

/**
 * words_of - append the words of a kind of values to @out, with blanks between them.
 * @kind: "sort-keys", "script-fields"; see scripts/completion/values
 * Return: false when there is no such kind.
 */
bool words_of(const char *kind, struct strbuf *out);

#endif
